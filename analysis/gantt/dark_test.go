package gantt

import (
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/figure"
)

// TestDark: nodes that are off, boot and shut down are grey, and --load has the power beneath. Processors 1 and 2 shut down and boot
// together.
func TestDark(t *testing.T) {
	s, err := ReadTrace("x", strings.NewReader(`{"event":"instance","trace":2}
{"t":0,"event":"submit","job":1,"seq":0,"processors":1,"walltime":9}
{"t":0,"event":"start","job":1,"seq":0,"allocated":"0"}
{"t":0,"event":"power","watts":40}
{"t":5,"event":"down","allocated":"1-2","state":"shutdown"}
{"t":8,"event":"up","allocated":"1-2","state":"shutdown"}
{"t":8,"event":"down","allocated":"1-2","state":"off"}
{"t":8,"event":"power","watts":12}
{"t":20,"event":"up","allocated":"1-2","state":"off"}
{"t":20,"event":"down","allocated":"1-2","state":"boot"}
{"t":24,"event":"up","allocated":"1-2","state":"boot"}
{"t":26,"event":"down","allocated":"2","state":"shutdown"}
{"t":27,"event":"down","allocated":"1"}
{"t":28,"event":"end","job":1,"seq":0,"state":"finished"}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Dark{{"shutdown", 5, 8, [2]float64{1, 3}}, {"off", 8, 20, [2]float64{1, 3}}, {"boot", 20, 24, [2]float64{1, 3}},
		{"shutdown", 26, 28, [2]float64{2, 3}}}
	if !slices.Equal(s.Dark, want) {
		t.Errorf("%v, want %v", s.Dark, want)
	}
	f, err := Draw("x", []*Schedule{s}, Options{Load: true, From: 6, To: 22})
	if err != nil {
		t.Fatal(err)
	}
	blocks := f.Panels[0].Marks[0].(*figure.Blocks).Blocks
	first := figure.Block{Left: 6, Right: 8, Low: 1, High: 3, Label: "shutdown", Grey: 0.15}
	if len(blocks) != 3 || blocks[0] != first || blocks[2].Right != 22 {
		t.Errorf("%+v", blocks)
	}
	power := f.Panels[3].Marks[0].(*figure.Steps).At
	if !slices.Equal(power, []figure.Point{{X: 6, Y: 40}, {X: 8, Y: 12}}) || !strings.Contains(f.Caption, "power") ||
		!strings.Contains(f.Caption, "Grey: nodes that are off") {
		t.Errorf("%v, %s", power, f.Caption)
	}
}

// TestOutOfService: the caption tells that processors which look idle may be out of service.
func TestOutOfService(t *testing.T) {
	const job = `{"event":"instance","trace":2}
{"t":0,"event":"submit","job":1,"seq":0,"processors":1,"walltime":9}
{"t":0,"event":"start","job":1,"seq":0,"allocated":"0"}
`
	for events, says := range map[string]bool{"": false, `{"t":5,"event":"down","allocated":"1-2"}` + "\n": true} {
		s, err := ReadTrace("x", strings.NewReader(job+events+`{"t":28,"event":"end","job":1,"seq":0,"state":"finished"}`+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := Draw("x", []*Schedule{s}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(f.Caption, "out of service") != says {
			t.Errorf("%q: %s", events, f.Caption)
		}
	}
}
