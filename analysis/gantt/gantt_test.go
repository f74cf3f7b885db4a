package gantt

import (
	"bytes"
	"strings"
	"testing"

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
		{Left: 0, Right: 3600, Low: 0, High: 4, Label: "1"},
		{Left: 0, Right: 3600, Low: 8, High: 10, Label: "1"},
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
	for _, text := range []string{">w0!7<", ">cluster 3<", "last end 2.5 h", "slots of 0.8333 h"} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("the drawing lacks %q", text)
		}
	}
}

func TestSchedulesThatMakeNoSense(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "EOF",
		"job_id,start,finish\n":       "no column allocated; it has job_id, start, finish",
		ours + "4,0,5,2,1,1,1,1,ok\n": "line 5: job 4 runs from 5 to 2 s",
		ours + "4,0,0,2,1,x,1,1,ok\n": `line 5: job 4: processors "x": write sets such as 0-3 7`,
		ours + "4,0,0,2,1,3-1,1,1,ok": "processors",
		ours + "4,0,q,2,1,1,1,1,ok\n": "parsing",
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
