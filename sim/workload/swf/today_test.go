package swf_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

// TestToday reads what AleaNG's logs and the Czech grid's have: 21 fields, names of
// users, array jobs, decimal commas, submit times since 1970, in any order. The property all is no requirement: such a job can run on any
// cluster. excl is that of whole nodes.
func TestToday(t *testing.T) {
	l, err := strict("t.swf", strings.NewReader("; UnixStartTime: 1700000000\n"+
		"2 1700000050 5 10 336 10 33554432 336 7200 1024 1 ann 0 -1 q 7 -1 -1 12 8,5 normal:excl:3x112\n"+
		"16922[16921] 1700000040 3 10,5 4 10 -1 4 60 -1 1 7 0 -1 q 7 -1 -1 0 9 all\n"+
		"3 1700000060 5 10 336 10 33554432 336 7200 1024 1 bob 0 -1 -1 7 -1 -1\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []swf.Record{
		{ID: 16922, Submit: 40, Wait: 3, RunTime: 10.5, Allocated: 4, CPUTime: 10, UsedMemory: -1, Requested: 4, RequestedTime: 60,
			RequestedMemory: -1,
			Status:          1, User: 1, Group: 0, Executable: -1, Queue: 0, Partition: 7, Preceding: -1, ThinkTime: -1, Line: 3},
		{ID: 2, Submit: 50, Wait: 5, RunTime: 10, Allocated: 336, CPUTime: 10, UsedMemory: 33554432, Requested: 336, RequestedTime: 7200,
			RequestedMemory: 1024,
			Status:          1, User: 0, Group: 0, Executable: -1, Queue: 0, Partition: 7, Preceding: -1, ThinkTime: -1, Line: 2},
		{ID: 3, Submit: 60, Wait: 5, RunTime: 10, Allocated: 336, CPUTime: 10, UsedMemory: 33554432, Requested: 336, RequestedTime: 7200,
			RequestedMemory: 1024,
			Status:          1, User: 2, Group: 0, Executable: -1, Queue: -1, Partition: 7, Preceding: -1, ThinkTime: -1, Line: 4},
	}
	if d := cmp.Diff(want, l.Records()); d != "" {
		t.Errorf("records (-want +got):\n%s", d)
	}
	if d := cmp.Diff(sim.Names{Users: []string{"ann", "7", "bob"}, Queues: []string{"q"}, Properties: []string{"normal"}},
		l.Names); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
	extras := []swf.Extra{
		{SoftWalltime: 9, Account: -1, Property: -1, Nodes: -1, GPUs: 0, Required: -1},
		{SoftWalltime: 8.5, Account: -1, Property: 0, Nodes: 3, GPUs: 12, Required: 336},
		{SoftWalltime: -1, Account: -1, Property: -1, Nodes: -1, GPUs: -1, Required: -1},
	}
	for i, x := range extras {
		if d := cmp.Diff(x, l.Extra(i)); d != "" {
			t.Errorf("extra of job %d (-want +got):\n%s", i, d)
		}
	}
	p, err := l.Prepare(swf.Rules{Size: "property"})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Jobs) != 1 || p.Jobs[0].Procs != 336 {
		t.Errorf("jobs by their property: %+v", p.Jobs)
	}
	var text bytes.Buffer
	if err := p.Report.WriteText(&text); err != nil || !strings.Contains(text.String(), "3 repaired  submit time counted from 1970 "+
		"(UnixStartTime is taken off): lines 2, 3, 4") ||
		!strings.Contains(text.String(), "1 kept      whole nodes required, excl (a partition with allocate: whole gives them): line 2") {
		t.Errorf("%v, report:\n%s", err, &text)
	}
}

// TestTodayErrors names the field that is wrong, also beyond the format's.
func TestTodayErrors(t *testing.T) {
	job := func(field int, text string) string {
		f := strings.Fields("2 50 5 10 336 10 33554432 336 7200 1024 1 ann 0 -1 q 7 -1 -1 12 8 normal:excl:3x112")
		f[field-1] = text
		return strings.Join(f, " ")
	}
	for want, in := range map[string]string{
		`x.swf:1: field 4 (run time): not a number: "1h"; correct the line`:           job(4, "1h"),
		`x.swf:1: field 19 (GPUs): not a whole number: "1.5"; correct the line`:       job(19, "1.5"),
		`x.swf:1: field 20 (soft walltime): not a number: "long"; correct the line`:   job(20, "long"),
		`x.swf:1: field 8 (requested processors): out of the range [-2147483648, 214`: job(8, "3000000000"),
		`x.swf:1: field 1 (job number): not a number`:                                 job(1, "7[x]"),
	} {
		if _, err := strict("x.swf", strings.NewReader(in)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("want %s..., got %v", want, err)
		}
	}
}

// TestSideFiles takes names and the machine's size from the files beside a log.
func TestSideFiles(t *testing.T) {
	l, err := strict("x.swf", strings.NewReader("1 0 10 100 4 -1 -1 4 200 -1 1 1 0 1 1 1 -1 -1\n"))
	if err != nil {
		t.Fatal(err)
	}
	for ending, text := range map[string]string{
		".users":    "; user_id\tname\n0\tann \t2\t96\n1\tbob\n",
		".queues":   "1\tlong\t96\t20\n",
		".machines": "; cl_id\tname\n0\tcl_a \t 4 \t 8 \t 1\n1\tcl_b\t64\t1\n",
	} {
		if err := l.ReadSideFile(ending, strings.NewReader(text)); err != nil {
			t.Error(err)
		}
	}
	if d := cmp.Diff(sim.Names{Users: []string{"ann", "bob"}, Queues: []string{"", "long"}}, l.Names); d != "" || l.Header.Procs() != 96 {
		t.Errorf("%d processors, names (-want +got):\n%s", l.Header.Procs(), d)
	}
	for text, want := range map[string]string{
		"x\tann":       `x.swf.users:1: field 1 (number) is "x"; it is to be a whole number from 0 to 1048576`,
		"1":            `x.swf.users:1: there is no name in field 2`,
		"99999999\tan": `x.swf.users:1: field 1 (number) is "99999999"`,
	} {
		if err := l.ReadSideFile(".users", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("want %s, got %v", want, err)
		}
	}
	if err := l.ReadSideFile(".machines", strings.NewReader("0\tcl\t4")); err == nil ||
		!strings.Contains(err.Error(), "field 4 is to be CPUs") {
		t.Errorf("got %v", err)
	}
}

func FuzzSideFile(f *testing.F) {
	f.Add(".users", "; a\n0\tann\n")
	f.Add(".machines", "0\ta\t4\t8\n")
	f.Fuzz(func(t *testing.T, ending, text string) {
		for _, known := range swf.SideFiles {
			if ending == known {
				l := &swf.Log{Name: "f"}
				if l.ReadSideFile(ending, strings.NewReader(text)) == nil && l.Header.Procs() < 0 {
					t.Fatal("a machine of less than nothing")
				}
			}
		}
	})
}

// TestThousands: a comma that may separate thousands is refused, for a run time of 1,024 s is not one of 1.024 s.
func TestThousands(t *testing.T) {
	const line = "1 0 5 %s 4 -1 -1 4 7200 -1 1 1 1 1 1 1 -1 -1\n"
	for text, want := range map[string]float64{"1,024": 0, "12,000": 0, "1,5": 1.5, "0,125": .125, "1,0245": 1.0245} {
		l, err := swf.Parse("c.swf", strings.NewReader(fmt.Sprintf(line, text)), nil)
		if refused := err != nil && strings.Contains(err.Error(), "c.swf:1: field 4 (run time): either thousands"); refused != (want == 0) {
			t.Errorf("%s: error %v", text, err)
		} else if err == nil && l.At(0).RunTime != want {
			t.Errorf("%s is %g", text, l.At(0).RunTime)
		}
	}
}
