package sweeptest

import (
	"fmt"
	"math"

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

// SWF are the parameters of a log.
type SWF struct {
	commonWorkload
	Path    string       `sweep:"path" required:"true" file:"input" doc:"SWF log"`
	Select  selectParams `sweep:"select" doc:"selection of jobs"`
	Submit  string       `sweep:"submit" enum:"log|zero" doc:"submit times"`
	Comment string       `sweep:"comment" identity:"no" doc:"for people"`
}

type lublin struct {
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

// EASY are the parameters of the kind easy.
type EASY struct {
	Reservations int `sweep:"reservations" min:"1" max:"100" doc:"jobs with a reservation"`
}

// Conservative are the parameters of a kind that checks them.
type Conservative struct {
	Placement string  `sweep:"placement" enum:"basic|contiguous|local" doc:"placement of jobs on nodes"`
	Depth     int     `sweep:"depth" min:"0" doc:"jobs planned; 0 for all"`
	MaxDepth  int     `sweep:"max_depth" min:"0" doc:"limit of depth"`
	Aging     float64 `sweep:"aging" unit:"s" min:"0" doc:"time to the next priority"`
}

// Validate refuses a depth above its limit.
func (p *Conservative) Validate(report func(field, message string)) {
	if p.MaxDepth > 0 && p.Depth > p.MaxDepth {
		report("depth", fmt.Sprintf("is %d, above max_depth %d", p.Depth, p.MaxDepth))
	}
}

// Choice is a section inside another.
type Choice struct {
	Kind   string
	Params any
}

// Stage is an element of a list that holds a section.
type Stage struct {
	From   float64 `sweep:"from" unit:"s" min:"0" required:"true" doc:"start of the stage"`
	Policy Choice  `section:"policy"`
}

// Switch are the parameters of the kind that a list means.
type Switch struct {
	Stages []Stage `sweep:"stages" required:"true" doc:"policies in order of time"`
}

// Validate refuses stages out of order.
func (p *Switch) Validate(report func(field, message string)) {
	for i, st := range p.Stages {
		if i == 0 && st.From != 0 {
			report("stages[0].from", "is not 0, and the first stage begins there")
		} else if i > 0 && st.From <= p.Stages[i-1].From {
			report(fmt.Sprintf("stages[%d].from", i), "is not in order of time")
		}
	}
}

type engineParams struct {
	Events  int     `sweep:"events" min:"1" doc:"event budget"`
	Timeout float64 `sweep:"timeout" unit:"s" identity:"no" doc:"wall time allowed"`
}

// Registry returns a registry that resembles the real one.
func Registry() *params.Registry {
	common := commonWorkload{LoadFactor: 1}
	return &params.Registry{
		Version: 3,
		Sections: []params.Section{
			{Name: "workload", Doc: "source of the jobs", Kinds: []params.Kind{
				{Name: "lublin", Doc: "a model", Params: lublin{commonWorkload: common, Jobs: 1000, Alpha: 10.23}},
				{Name: "swf", Doc: "a log", Params: SWF{commonWorkload: common, Submit: "log",
					Select: selectParams{RunTime: [2]float64{math.Inf(-1), math.Inf(1)}}}},
			}},
			{Name: "platform", Doc: "the machines", Kinds: []params.Kind{{Params: platformParams{Bandwidth: 125e6}}}},
			{Name: "progress", Doc: "speed of running jobs", Default: "isolated",
				Kinds: []params.Kind{{Name: "isolated"}, {Name: "penalty", Params: progressParams{Penalty: 1}}}},
			{Name: "policy", Doc: "rule that decides the start and the place of each job", Kinds: []params.Kind{
				{Name: "conservative", Doc: "a reservation for every job", Params: Conservative{Placement: "basic"}},
				{Name: "easy", Doc: "a reservation for the first job", Params: EASY{Reservations: 1}},
				{Name: "fcfs", Doc: "first come, first served"},
				{Name: "switch", Doc: "one policy after another", Params: Switch{}},
			}, List: "switch"},
			{Name: "engine", Doc: "the event loop", Kinds: []params.Kind{{Params: engineParams{Events: 1e6, Timeout: 60}}}},
		},
		Metrics: []params.Metric{{Name: "makespan", Unit: "s", Better: "lower"}, {Name: "mean_wait", Unit: "s", Better: "lower"},
			{Name: "utilisation", Unit: "1", Share: true}},
		JobFields: []params.JobField{{Name: "processors", InRows: true}, {Name: "run_time", Unit: "s", InRows: true},
			{Name: "queue", Named: true, InRows: true}, {Name: "user", Named: true}},
		ClassMetrics: []params.Metric{{Name: "jobs"}, {Name: "mean_wait", Unit: "s", Better: "lower"}},
		Datasets:     []string{"jobs", "series"},
		Quantities: []params.Metric{{Name: "jobs.wait_time", Unit: "s"}, {Name: "jobs.processors"}, {Name: "series.time", Unit: "s"},
			{Name: "series.busy"}},
	}
}
