package platform_test

import (
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/platform"
	_ "schedsweep/sim/studies"
)

func TestPresetsBuild(t *testing.T) {
	for _, p := range platform.Presets() {
		got, err := platform.Build(platform.Params{Preset: p.Name}, 0)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		// Dutot 2015, section 5.1; Jones 2004, section 5.1; Blanco 2012, section 4.
		want := map[string][2]int{"mini-grid-2": {200, 2}, "mini-grid-4": {400, 4}, "mini-grid-8": {800, 8},
			"multi-cluster-3x4": {12, 3}}[string(p.Name)]
		if strings.HasPrefix(string(p.Name), "griffon") {
			want = [2]int{128, 8}
		}
		if got.Procs() != want[0] || p.Params.Procs(0) != want[0] || len(got.Clusters) != want[1] {
			t.Errorf("%s has %d processors in %d clusters, want %d in %d", p.Name, got.Procs(), len(got.Clusters), want[0], want[1])
		}
		p.Params.Validate(func(field, message string) { t.Errorf("%s.%s: %s", p.Name, field, message) })
	}
}

func TestWhereTheMachineComesFrom(t *testing.T) {
	two := []platform.Cluster{{Name: "a", Nodes: 2}, {Name: "b", Nodes: 3, Cores: 4, Speed: 2}}
	for name, c := range map[string]struct {
		params platform.Params
		stated int
		procs  int
		order  string
		err    string
	}{
		"workload":          {platform.Params{}, 7, 7, "cluster", ""},
		"processors":        {platform.Params{Processors: 9}, 7, 9, "cluster", ""},
		"nothing":           {platform.Params{}, 0, 0, "", "set platform.processors"},
		"clusters":          {platform.Params{Clusters: two}, 7, 14, "a b", ""},
		"ordering":          {platform.Params{Clusters: two, Ordering: []string{"b", "a", "b"}}, 0, 26, "b a b", ""},
		"preset reordered":  {platform.Params{Preset: "griffon-high", Ordering: []string{"c3", "c1"}}, 0, 32, "c3 c1", ""},
		"preset's clusters": {platform.Params{Preset: "griffon-high", Clusters: two}, 0, 14, "a b", ""},
		"unknown":           {platform.Params{Clusters: two, Ordering: []string{"c"}}, 0, 0, "", `names the cluster "c"`},
	} {
		p, err := platform.Build(c.params, c.stated)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want %q", name, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var order []string
		for _, k := range p.Clusters {
			order = append(order, k.Name)
		}
		if p.Procs() != c.procs || c.params.Procs(c.stated) != c.procs || strings.Join(order, " ") != c.order {
			t.Errorf("%s: %d processors, %q; want %d, %q", name, p.Procs(), order, c.procs, c.order)
		}
	}
}

// 1000 Mbps are 125e6 B/s.
func TestUplinks(t *testing.T) {
	p, err := platform.Build(platform.Params{Preset: "mini-grid-8"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Clusters {
		if got, want := p.Clusters[i].Uplink, (sim.Link{Bandwidth: 125e6, Sharing: sim.Shared}); got != want {
			t.Errorf("cluster %d has the uplink %+v, want %+v", i, got, want)
		}
	}
}

func TestLinkDefaults(t *testing.T) {
	p, err := platform.Build(platform.Params{Clusters: []platform.Cluster{{Name: "a", Nodes: 1}}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := p.Clusters[0]
	if c.Link.Sharing != sim.SplitDuplex || c.Backbone.Sharing != sim.Shared || c.Speed != 1 || c.Cores != 1 {
		t.Errorf("defaults are %+v", c)
	}
}

func TestValidateReportsAll(t *testing.T) {
	p := platform.Params{Processors: 4, Clusters: []platform.Cluster{{Name: "a", Nodes: 1}, {Name: "a", Nodes: 2}},
		Ordering: []string{"a", "z"}}
	var got []string
	p.Validate(func(field, message string) { got = append(got, field) })
	if strings.Join(got, " ") != "processors clusters ordering" {
		t.Errorf("reported %v", got)
	}
}
