package platform_test

import (
	"reflect"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/platform"
	"schedsweep/sim/power"
)

func machine() platform.Params {
	return platform.Params{
		Nodes: []platform.Class{{Name: "thin", Count: 3, Each: platform.Node{Cores: 4}},
			{Name: "large", Count: 2, Each: platform.Node{Cores: 8}}},
		Partitions: []platform.Partition{{Name: "standard", Nodes: []string{"thin", "large"}, Allocate: "whole", Walltime: 60},
			{Name: "other", Nodes: []string{"large"}, Default: true}},
	}
}

// TestClassesInOrderOfTheirNames: the order in the manifest changes neither processors nor partitions.
func TestClassesInOrderOfTheirNames(t *testing.T) {
	params := machine()
	p, err := platform.Build(params, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []sim.Partition{{Name: "other", Classes: []int{0}, Default: true},
		{Name: "standard", Classes: []int{1, 0}, Whole: true, Walltime: 60}}
	if p.Procs() != 28 || params.Procs(0) != 28 || p.Clusters[0].Name != "large" || p.First(1) != 16 ||
		!reflect.DeepEqual(p.Partitions, want) {
		t.Errorf("%d processors, clusters %v, partitions %v", p.Procs(), p.Clusters, p.Partitions)
	}
	params.Nodes[0], params.Nodes[1] = params.Nodes[1], params.Nodes[0]
	params.Partitions[0], params.Partitions[1] = params.Partitions[1], params.Partitions[0]
	if q, err := platform.Build(params, 0); err != nil || !reflect.DeepEqual(p, q) {
		t.Errorf("permuted: %v, %v", q, err)
	}
	params.Partitions = nil
	if q, err := platform.Build(params, 0); err != nil || len(q.Partitions) != 1 ||
		!q.Partitions[0].Default || len(q.Partitions[0].Classes) != 2 {
		t.Errorf("without partitions: %v, %v", q, err)
	}
}

// TestPowerIsRefused: each mistake is reported at its field.
func TestPowerIsRefused(t *testing.T) {
	for field, change := range map[string]func(thin, large *platform.Power){
		"":                       func(thin, large *platform.Power) {},
		"nodes.thin.power.busy":  func(thin, _ *platform.Power) { thin.Busy = 9 },
		"nodes.thin.power.idle":  func(thin, _ *platform.Power) { thin.Off = 101 },
		"nodes.large.power.busy": func(_, large *platform.Power) { large.Busy = 0 },
		"nodes.thin.power.busy nodes.large": func(thin, large *platform.Power) { // the word core, and no watts
			*thin, *large = platform.Power{Per: "core"}, platform.Power{}
		},
		"nodes.thin": func(thin, _ *platform.Power) { *thin = platform.Power{} },
	} {
		p := machine()
		thin, large := &p.Nodes[1].Power, &p.Nodes[0].Power
		if p.Nodes[0].Name == "thin" {
			thin, large = large, thin
		}
		*thin, *large = platform.Power{Off: 9, Idle: 100, Busy: 300}, platform.Power{Idle: 10, Busy: 20}
		change(thin, large)
		var got []string
		p.Validate(func(f, message string) { got = append(got, f) })
		if strings.Join(got, " ") != field {
			t.Errorf("reported %v, want %s", got, field)
		}
	}
}

// TestPowerPerCore: watts of each core are those of a node over its cores.
func TestPowerPerCore(t *testing.T) {
	p := platform.Params{Nodes: []platform.Class{{Name: "a", Count: 3, Each: platform.Node{Cores: 4},
		Power: platform.Power{Off: 1, Idle: 5, Busy: 20, Per: "core"}}}}
	on, err := platform.Build(p, 0)
	if want := (power.Node{Off: 4, Idle: 20, Busy: 80}); err != nil || on.Clusters[0].Power != want {
		t.Errorf("got %+v, %v, want %+v", on, err, want)
	}
}

func TestDividedIsRefused(t *testing.T) {
	for field, change := range map[string]func(*platform.Params){
		"nodes":                     func(p *platform.Params) { p.Processors = 4 },
		"nodes.thin":                func(p *platform.Params) { p.Partitions = p.Partitions[1:] },
		"partitions":                func(p *platform.Params) { p.Nodes = nil },
		"partitions.other.nodes":    func(p *platform.Params) { p.Partitions[1].Nodes = nil },
		"partitions.other.nodes[0]": func(p *platform.Params) { p.Partitions[1].Nodes = []string{"huge"} },
		"partitions.other.nodes[1]": func(p *platform.Params) { p.Partitions[1].Nodes = []string{"thin", "thin"} },
		"partitions.other.default":  func(p *platform.Params) { p.Partitions[0].Default = true },
	} {
		p := machine()
		p.Validate(func(f, message string) { t.Errorf("%s: %s: %s", field, f, message) })
		change(&p)
		var got []string
		p.Validate(func(f, message string) { got = append(got, f) })
		if strings.Join(got, " ") != field {
			t.Errorf("reported %v, want %s", got, field)
		}
	}
}
