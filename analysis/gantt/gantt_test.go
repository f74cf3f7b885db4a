package gantt

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/analysis/figure"
)

const ours = "job_id,submit,start,finish,processors,allocated,walltime,run_time,outcome\n" +
	"1,0,0,3600,6,0-3 8-9,1,1,finished\n" +
	"2,0,3600,9000,4,4-7,1,1,finished\n" +
	"3,0,,,4,,1,1,rejected\n"

func TestDraw(t *testing.T) {
	a, err := Read("a", strings.NewReader(ours))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Read("b", strings.NewReader("jobID,starting_time,finish_time,allocated_resources\nw0!7,1,8000,5\n"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Draw("x", []*Schedule{a, b}, Options{Clusters: []int{4, 4, 4}, Slot: 3000})
	if err != nil {
		t.Fatal(err)
	}
	blocks := f.Panels[0].Marks[0].(*figure.Blocks).Blocks
	want := []figure.Block{
		{Left: 0, Right: 3600, Low: 0, High: 4, Label: "1", Thick: true}, // on two clusters of 4
		{Left: 0, Right: 3600, Low: 8, High: 10, Label: "1", Thick: true},
		{Left: 3600, Right: 9000, Low: 4, High: 8, Label: "2", Colour: 1},
	}
	if len(blocks) != len(want) {
		t.Fatalf("%d blocks, want %d", len(blocks), len(want))
	}
	for i := range want {
		if blocks[i] != want[i] {
			t.Errorf("block %d is %+v, want %+v", i, blocks[i], want[i])
		}
	}
	if rules := f.Panels[1].Marks[1].(*figure.Rules).X; len(rules) != 4 || rules[3] != 9000 {
		t.Errorf("slots at %v, want 0 to 9000 s", rules)
	}
	var out, data bytes.Buffer
	if err := f.SVG(&out); err != nil {
		t.Fatal(err)
	}
	if err := f.CSV(&data); err != nil || !strings.Contains(data.String(), "a,jobs,block 2 to,9000,,4,8") {
		t.Errorf("%v:\n%s", err, data.String())
	}
	for _, text := range []string{">w0!7<", ">cluster 3<", "last end 150 min", "slots of 50 min"} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("the drawing lacks %q", text)
		}
	}
}

// TestMarked: the mark that some editors put before UTF-8 is no part of the first name.
func TestMarked(t *testing.T) {
	s, err := Read("s", strings.NewReader("\ufeff\"job_id\",start,finish,allocated\n1,0,2,0-3\n"))
	if err != nil || len(s.Jobs) != 1 || s.Jobs[0].Procs != 4 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestSchedulesThatMakeNoSense(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "the file is empty: give one that simulate --jobs writes",
		"job_id,start,finish\n":       "no column allocated; it has job_id, start, finish",
		ours + "4,0,5,2,1,1,1,1,ok\n": "line 5: job 4 runs from 5 to 2 s",
		ours + "4,0,0,2,1,x,1,1,ok\n": `line 5: job 4: processors "x": write sets such as 0-3 7`,
		ours + "4,0,0,2,1,3-1,1,1,ok": "processors",
		ours + "4,0,q,2,1,1,1,1,ok\n": "parsing",
		ours + "4,0,0,2,1, ,1,1,ok\n": `line 5: job 4: processors " ": write sets such as 0-3 7`,
		"instance,job_id,start,finish,allocated\na,1,0,2,0\na,2,,,\nb,1,0,2,0\n": "line 4: the file has jobs of the instances a and b; " +
			"a schedule is of one",
	} {
		if _, err := Read("s", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	s, _ := Read("s", strings.NewReader(ours))
	if _, err := Draw("x", []*Schedule{s}, Options{Slot: .1}); err == nil {
		t.Error("90000 slots are drawn")
	}
}

// A file of jobs does not say which of them were preempted or shared processors: a processor of several jobs is busy once.
func TestProcessorsOfSeveralJobs(t *testing.T) {
	const rounding = "a,0,0,10,0-3\nb,0,9.999999,20,0-3\n"
	const huge, rare = "a,0,0,10,0-99999999\nb,0,5,20,5-5\n", "a,0,0,1e9,0-3\nb,0,2,3,0-3\nc,0,9,9,0-3\n"
	for rows, want := range map[string][]figure.Point{
		"a,0,0,10,0-3\nb,0,5,20,2-5\nc,0,5,5,0-5\n": {{X: 0, Y: 4}, {X: 5, Y: 6}, {X: 10, Y: 4}, {X: 20, Y: 0}},
		"a,0,0,10,0-3\nb,0,10,20,2-5\n":             {{X: 0, Y: 4}, {X: 10, Y: 4}, {X: 20, Y: 0}},
		rounding:                                    {{X: 0, Y: 4}, {X: 9.999999, Y: 8}, {X: 10, Y: 4}, {X: 20, Y: 0}},
		huge:                                        {{X: 0, Y: 1e8}, {X: 5, Y: 1e8}, {X: 10, Y: 1}, {X: 20, Y: 0}},
		rare:                                        {{X: 0, Y: 4}, {X: 2, Y: 4}, {X: 3, Y: 4}, {X: 9, Y: 4}, {X: 1e9, Y: 0}},
	} {
		s, err := Read("s", strings.NewReader("job_id,submit,start,finish,allocated\n"+rows))
		if err != nil {
			t.Fatal(err)
		}
		f, err := Draw("x", []*Schedule{s}, Options{Load: true})
		if diff := cmp.Diff(want, s.levels("busy", (*Schedule).busy)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", rows, err, diff)
		}
		if said := strings.Contains(f.Caption, "several jobs"); said != (want[1].Y == 6 || rows == huge || rows == rare) {
			t.Errorf("%s: %s", rows, f.Caption)
		}
	}
}

// Shares stand on one another: a job keeps its place while it can, takes the lowest that is free, and is parted where
// nothing else is left.
func TestShares(t *testing.T) {
	s, err := Read("plan", strings.NewReader("site,job,from,to,share\n"+
		"0,a,0,10,0.4\n0,b,0,30,0.4\n0,c,5,40,0.2\n"+ // a, b, c from the bottom
		"0,a,10,20,0\n"+ // has nothing for a time
		"0,d,10,15,0.3\n0,a,20,25,0.4\n"+
		"0,e,30,35,0.8\n"+ // b has gone: all below c
		"0,f,32,32,0.1\n"+ // no time
		"1,b,0,10,1\n"+
		"1,g,10,20,0.4\n1,h,10,20,0.2\n1,i,10,20,0.4\n1,h,20,30,0.2\n1,k,20,30,0.6\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][][2]float64{}
	for _, j := range s.Jobs {
		got[fmt.Sprint(j.ID, " ", j.Start, " ", j.Rows[0][0] >= 1)] = j.Rows
	}
	for name, want := range map[string][][2]float64{"a 0 false": {{0, .4}}, "b 0 false": {{.4, .8}}, "c 5 false": {{.8, 1}},
		"d 10 false": {{0, .3}}, "a 20 false": {{0, .4}},
		"e 30 false": {{0, .8}}, "b 0 true": {{1, 2}}, "g 10 true": {{1, 1.4}}, "h 20 true": {{1.4, 1.6}}, "k 20 true": {{1, 1.4}, {1.6, 1.8}}} {
		if !slices.EqualFunc(got[name], want, func(a, b [2]float64) bool { return math.Abs(a[0]-b[0])+math.Abs(a[1]-b[1]) < 1e-9 }) {
			t.Errorf("%s has %v, not %v", name, got[name], want)
		}
	}
	if s.Sites != 2 || len(s.Jobs) != 12 {
		t.Errorf("%d sites, %d pieces", s.Sites, len(s.Jobs))
	}
	f, err := Draw("x", []*Schedule{s}, Options{})
	if err != nil || f.Y.Label != "share of the site" || f.Y.Limits[1] != 2 {
		t.Errorf("%v, %+v", err, f.Y)
	}
	other, _ := Read("s", strings.NewReader(ours))
	if _, err := Draw("x", []*Schedule{s, other}, Options{}); err == nil || !strings.Contains(err.Error(), "draw each kind by itself") {
		t.Errorf("processors and shares: %v", err)
	}
	for row, want := range map[string]string{"0,a,0,1,1.5\n": `job a: share "1.5": it must be in [0, 1]`, "x,a,0,1,1\n": `site "x"`,
		"0,a,0,9,1\n0,b,2,4,0.5\n": "job b: the shares of site 0 at 2 s add up to more than 1"} {
		if _, err := Read("s", strings.NewReader("site,job,from,to,share\n"+row)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// At no time do two pieces lie over one another, and each has its share.
func TestSharesNeverOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		b.WriteString("site,job,from,to,share\n")
		var used [40]int // tenths at each second
		var want float64 // seconds of the whole site
		for range rapid.IntRange(1, 25).Draw(t, "pieces") {
			from, seconds := rapid.IntRange(0, 29).Draw(t, "from"), rapid.IntRange(1, 10).Draw(t, "seconds")
			share := rapid.IntRange(0, 10-slices.Max(used[from:from+seconds])).Draw(t, "share")
			for k := range seconds {
				used[from+k] += share
			}
			want += float64(share*seconds) / 10
			fmt.Fprintf(&b, "0,%d,%d,%d,%g\n", rapid.IntRange(1, 5).Draw(t, "job"), from, from+seconds, float64(share)/10)
		}
		s, err := Read("plan", strings.NewReader(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		for i, j := range s.Jobs {
			for _, r := range j.Rows {
				want -= (r[1] - r[0]) * (j.Finish - j.Start)
			}
			for _, k := range s.Jobs[i+1:] {
				for _, r := range j.Rows {
					for _, q := range k.Rows {
						if j.Start < k.Finish && k.Start < j.Finish && r[0] < q[1]-1e-9 && q[0] < r[1]-1e-9 {
							t.Fatalf("%+v and %+v overlap", j, k)
						}
					}
				}
			}
		}
		if !(math.Abs(want) <= 1e-4) {
			t.Fatalf("%g s of shares are not drawn", want)
		}
	})
}

// TestEndInTheUnitOfTheAxis: the notes about the last end and the slots have the unit of the axis below them.
func TestEndInTheUnitOfTheAxis(t *testing.T) {
	for end, want := range map[float64][3]string{32: {"last end 32 s", "time (s)", "slots of 8 s."},
		9000: {"last end 150 min", "time (min)", "slots of 37.5 min."}, 2e6: {"last end 23.15 days", "time (days)", "slots of 5.787 days."},
		4 * 86400 * 10: {"last end 40 days", "time (days)", "slots of 10 days."}} {
		f, err := Draw("x", []*Schedule{{Jobs: []Job{{ID: "1", Procs: 1, Finish: end, Rows: [][2]float64{{0, 1}}}}}}, Options{Slot: end / 4})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := f.SVG(&out); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(out.String(), text+"<") {
				t.Errorf("end at %g s: the drawing lacks %q", end, text)
			}
		}
	}
}

func TestOneDay(t *testing.T) {
	for seconds, want := range map[float64]string{86400: "1 day", 43200: "0.5 days"} {
		if got := (window{0, 2e6}).written(seconds); got != want {
			t.Errorf("%g s: %s, want %s", seconds, got, want)
		}
	}
}

// TestNoJobIsBlack: colours of jobs repeat without black, which would look like a gap.
func TestNoJobIsBlack(t *testing.T) {
	of, _ := coloursOf(nil, ByJob)
	for i := range 30 {
		if c := of(&Job{ID: strconv.Itoa(i)}); c%7 == figure.Black {
			t.Errorf("job %d has colour %d", i, c)
		}
	}
}
