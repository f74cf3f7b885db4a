package platform

import (
	"fmt"

	"schedsweep/sim"
)

// kinds are the kinds of clusters after the preset has been filled in.
func (p *Params) kinds() []Cluster {
	if len(p.Clusters) > 0 {
		return p.Clusters
	}
	return preset(p.Preset).Clusters
}

// Fixed reports whether the manifest itself says what the machine is, so that
// nothing depends on what the workload states.
func (p *Params) Fixed() bool { return p.Processors > 0 || len(p.kinds()) > 0 }

// Build makes the platform. stated is the number of processors that the
// workload states, or 0; it counts where the manifest gives no machine.
func Build(p Params, stated int) (*sim.Platform, error) {
	kinds := p.kinds()
	if len(kinds) == 0 {
		n := p.Processors
		if n == 0 {
			n = stated
		}
		if n == 0 {
			return nil, fmt.Errorf("platform: the workload does not say how many processors its machine has; set platform.processors, platform.clusters or platform.preset")
		}
		return sim.NewPlatform(fmt.Sprintf("%d processors", n), []sim.Cluster{{Name: "cluster", Nodes: n, Cores: 1, Speed: 1}}, sim.Link{})
	}
	base := preset(p.Preset)
	ordering := p.Ordering
	if len(ordering) == 0 && len(p.Clusters) == 0 {
		ordering = base.Ordering
	}
	if len(ordering) == 0 {
		for _, k := range kinds {
			ordering = append(ordering, k.Name)
		}
	}
	byName := map[string]Cluster{}
	for _, k := range kinds {
		byName[k.Name] = k
	}
	var clusters []sim.Cluster
	for _, name := range ordering {
		k, ok := byName[name]
		if !ok {
			return nil, fmt.Errorf("platform.ordering names the cluster %q, which platform.clusters does not define", name)
		}
		clusters = append(clusters, sim.Cluster{Name: k.Name, Nodes: k.Nodes, Cores: max(k.Cores, 1), Speed: orOne(k.Speed),
			Link: link(k.Link, sim.SplitDuplex), Backbone: link(k.Backbone, sim.Shared), Uplink: link(k.Uplink, sim.Shared), Loopback: k.Loopback})
	}
	centralLink := p.Central
	if centralLink == (Link{}) {
		centralLink = base.Central
	}
	name := string(p.Preset)
	if name == "" {
		name = "clusters"
	}
	return sim.NewPlatform(name, clusters, link(centralLink, sim.Shared))
}

func orOne(speed float64) float64 {
	if speed == 0 {
		return 1
	}
	return speed
}

func link(l Link, otherwise sim.Sharing) sim.Link {
	out := sim.Link{Bandwidth: l.Bandwidth, Latency: l.Latency, Sharing: otherwise}
	for _, s := range []sim.Sharing{sim.Shared, sim.SplitDuplex, sim.FatPipe} {
		if s.String() == l.Sharing {
			out.Sharing = s
		}
	}
	return out
}
