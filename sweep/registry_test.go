package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedsweep/sweep/params"
)

type selectParams struct {
	Jobs          int        `sweep:"jobs" min:"0" doc:"jobs taken; 0 for all"`
	RunTime       [2]float64 `sweep:"run_time" unit:"s" min:"0" doc:"bounds of the run time"`
	MaxProcessors int        `sweep:"max_processors" min:"0" doc:"largest job"`
}

type commonWorkload struct {
	CommunicationFactor float64 `sweep:"communication_factor" unit:"B" min:"0" doc:"bytes per second of run time"`
	LoadFactor          float64 `sweep:"load_factor" above:"0" max:"10" doc:"scale of the offered load"`
}

type swfParams struct {
	commonWorkload
	Path    string       `sweep:"path" required:"true" file:"input" doc:"SWF log"`
	Select  selectParams `sweep:"select" doc:"which jobs"`
	Submit  string       `sweep:"submit" enum:"log|zero" doc:"submit times"`
	Comment string       `sweep:"comment" identity:"no" doc:"for people"`
}

type lublinParams struct {
	commonWorkload
	Jobs    int     `sweep:"jobs" min:"1" doc:"jobs generated"`
	Alpha   float64 `sweep:"alpha" doc:"mean of the arrival law"`
	Integer bool    `sweep:"integer_time" doc:"whole seconds"`
}

type clusterParams struct {
	Name  string  `sweep:"name" required:"true" doc:"name"`
	Nodes int     `sweep:"nodes" min:"1" default:"16" doc:"nodes"`
	Speed float64 `sweep:"speed" unit:"flop/s" above:"0" default:"1Gflops" doc:"speed of a node"`
}

type platformParams struct {
	Preset    string          `sweep:"preset" doc:"a known platform"`
	Clusters  []clusterParams `sweep:"clusters" doc:"clusters in order"`
	Bandwidth float64         `sweep:"bandwidth" unit:"B/s" above:"0" doc:"of a node's link"`
	Weights   []float64       `sweep:"weights" min:"0" doc:"prices"`
}

type progressParams struct {
	Penalty float64 `sweep:"penalty" min:"1" doc:"slowdown of spread jobs"`
	Memory  uint64  `sweep:"memory" unit:"B" doc:"memory of a node"`
}

type easyParams struct {
	Reservations int `sweep:"reservations" min:"1" max:"100" doc:"jobs with a reservation"`
}

type conservativeParams struct {
	Placement string  `sweep:"placement" enum:"basic|contiguous|local" doc:"which nodes"`
	Depth     int     `sweep:"depth" min:"0" doc:"jobs planned; 0 for all"`
	MaxDepth  int     `sweep:"max_depth" min:"0" doc:"limit of depth"`
	Aging     float64 `sweep:"aging" unit:"s" min:"0" doc:"time to the next priority"`
}

func (p *conservativeParams) Validate(report func(field, message string)) {
	if p.MaxDepth > 0 && p.Depth > p.MaxDepth {
		report("depth", fmt.Sprintf("%d is above max_depth %d", p.Depth, p.MaxDepth))
	}
}

type choice struct {
	Kind   string
	Params any
}

type stageParams struct {
	From   float64 `sweep:"from" unit:"s" min:"0" required:"true" doc:"when the stage begins"`
	Policy choice  `section:"policy"`
}

type switchParams struct {
	Stages []stageParams `sweep:"stages" required:"true" doc:"policies in order of time"`
}

func (p *switchParams) Validate(report func(field, message string)) {
	for i, st := range p.Stages {
		if i == 0 && st.From != 0 {
			report("stages[0].from", "the first stage begins at 0")
		} else if i > 0 && st.From <= p.Stages[i-1].From {
			report(fmt.Sprintf("stages[%d].from", i), "stages are in order of time")
		}
	}
}

type engineParams struct {
	Events  int     `sweep:"events" min:"1" doc:"event budget"`
	Timeout float64 `sweep:"timeout" unit:"s" identity:"no" doc:"wall time allowed"`
}

// testRegistry resembles the real one.
func testRegistry() *params.Registry {
	common := commonWorkload{LoadFactor: 1}
	return &params.Registry{
		Version: 3,
		Sections: []params.Section{
			{Name: "workload", Doc: "where jobs come from", Kinds: []params.Kind{
				{Name: "lublin", Doc: "a model", Params: lublinParams{commonWorkload: common, Jobs: 1000, Alpha: 10.23}},
				{Name: "swf", Doc: "a log", Params: swfParams{commonWorkload: common, Submit: "log", Select: selectParams{RunTime: [2]float64{math.Inf(-1), math.Inf(1)}}}},
			}},
			{Name: "platform", Doc: "the machines", Kinds: []params.Kind{{Params: platformParams{Bandwidth: 125e6}}}},
			{Name: "progress", Doc: "how fast jobs run", Default: "isolated", Kinds: []params.Kind{{Name: "isolated"}, {Name: "penalty", Params: progressParams{Penalty: 1}}}},
			{Name: "policy", Doc: "who starts where and when", Kinds: []params.Kind{
				{Name: "conservative", Doc: "a reservation for every job", Params: conservativeParams{Placement: "basic"}},
				{Name: "easy", Doc: "a reservation for the first job", Params: easyParams{Reservations: 1}},
				{Name: "fcfs", Doc: "first come, first served"},
				{Name: "switch", Doc: "one policy after another", Params: switchParams{}},
			}, List: "switch"},
			{Name: "engine", Doc: "the event loop", Kinds: []params.Kind{{Params: engineParams{Events: 1e6, Timeout: 60}}}},
		},
		Metrics:      []params.Metric{{Name: "makespan", Unit: "s", Better: "lower"}, {Name: "mean_wait", Unit: "s", Better: "lower"}, {Name: "utilisation", Unit: "1"}},
		JobFields:    []params.JobField{{Name: "processors", InRows: true}, {Name: "run_time", Unit: "s", InRows: true}, {Name: "queue", Named: true, InRows: true}, {Name: "user", Named: true}},
		ClassMetrics: []params.Metric{{Name: "jobs"}, {Name: "mean_wait", Unit: "s", Better: "lower"}},
		Datasets:     []string{"jobs", "series"},
		Quantities:   []params.Metric{{Name: "jobs.wait_time", Unit: "s"}, {Name: "jobs.processors"}, {Name: "series.time", Unit: "s"}, {Name: "series.busy"}},
	}
}

// testOptions reads parents from the folder and knows a few input files.
func testOptions(folder string) Options {
	return Options{
		Registry: testRegistry(),
		ReadFile: func(name string) ([]byte, error) {
			data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
			if errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("%s: no such file", name) // the same text on every system
			}
			return data, err
		},
		HashFile: func(path string) (string, error) {
			if strings.HasPrefix(path, "missing") {
				return "", fmt.Errorf("%s is not in the manifest's folder, --data or $SCHEDSWEEP_DATA", path)
			}
			return "hash-of-" + strings.TrimPrefix(path, "copy-of-"), nil
		},
		Limits: Limits{Points: 1 << 20},
	}
}

// load loads a manifest that must be valid.
func load(t testing.TB, text string, set ...string) *Manifest {
	t.Helper()
	opt := testOptions("testdata/valid")
	opt.Set = set
	m, err := Load("test.yaml", []byte(text), opt)
	if err != nil {
		t.Fatalf("Load:\n%v\nof\n%s", err, text)
	}
	return m
}

// instances returns copies of all instances of a manifest.
func instances(t testing.TB, m *Manifest) []Instance {
	t.Helper()
	p, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	var out []Instance
	for i := range p.Len() {
		var in Instance
		p.At(i, &in)
		out = append(out, in)
	}
	return out
}

// ids returns the ids of all instances in order.
func ids(t testing.TB, m *Manifest) []ID {
	t.Helper()
	var out []ID
	for _, in := range instances(t, m) {
		out = append(out, in.ID)
	}
	return out
}

func TestRegistryMistakesAreErrors(t *testing.T) {
	for name, bad := range map[string]any{
		"no tag": struct{ A int }{},
		"bad type": struct {
			A map[string]int `sweep:"a"`
		}{},
		"bad bound": struct {
			A int `sweep:"a" min:"x"`
		}{},
		"pointer": &struct{}{},
		"kind is a name": struct {
			A int `sweep:"kind"`
		}{},
		"two names": struct {
			A int `sweep:"a"`
			B int `sweep:"a"`
		}{},
	} {
		reg := &params.Registry{Sections: []params.Section{{Name: "policy", Kinds: []params.Kind{{Name: "x", Params: bad}}}}}
		if _, err := Load("a", []byte("name: a"), Options{Registry: reg}); err == nil || strings.Contains(err.Error(), "a:1") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
