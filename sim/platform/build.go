package platform

import (
	"cmp"
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

// clusters are the machine's clusters in their order; a plain machine has none.
func (p *Params) clusters() ([]Cluster, error) {
	kinds, ordering := p.kinds(), p.Ordering
	if len(ordering) == 0 && len(p.Clusters) == 0 {
		ordering = preset(p.Preset).Ordering
	}
	if len(ordering) == 0 {
		return kinds, nil
	}
	byName := map[string]Cluster{}
	for _, k := range kinds {
		byName[k.Name] = k
	}
	var all []Cluster
	for _, name := range ordering {
		k, ok := byName[name]
		if !ok {
			return nil, fmt.Errorf("platform.ordering names the cluster %q, which platform.clusters does not define", name)
		}
		all = append(all, k)
	}
	return all, nil
}

// Procs returns the number of processors of the machine, and builds nothing.
// stated is the number of processors that the workload states; it counts where the parameters give
// no machine. 0 says that neither does.
func (p *Params) Procs(stated int) int {
	n := 0
	for _, c := range p.Nodes {
		n += c.Count * max(c.Each.Cores, 1)
	}
	clusters, _ := p.clusters() // Build reports the error
	for _, c := range clusters {
		n += c.Nodes * max(c.Cores, 1)
	}
	return cmp.Or(n, p.Processors, stated)
}

// Build makes the platform, of Procs(stated) processors.
func Build(p Params, stated int) (*sim.Platform, error) {
	if len(p.Nodes) > 0 {
		return p.build()
	}
	from, err := p.clusters()
	if err != nil {
		return nil, err
	}
	if len(from) == 0 {
		n := p.Procs(stated)
		if n == 0 {
			return nil, fmt.Errorf("platform: the workload does not say how many processors its machine has; set platform.processors, " +
				"platform.clusters or platform.preset")
		}
		return sim.NewPlatform(sim.Counted(n, "processor"), []sim.Cluster{{Name: "cluster", Nodes: n, Cores: 1, Speed: 1}}, sim.Link{})
	}
	var clusters []sim.Cluster
	for _, k := range from {
		clusters = append(clusters, sim.Cluster{Name: k.Name, Nodes: k.Nodes, Cores: max(k.Cores, 1), Speed: orOne(k.Speed),
			Link: link(k.Link, sim.SplitDuplex), Backbone: link(k.Backbone, sim.Shared), Uplink: link(k.Uplink, sim.Shared), Loopback: k.Loopback})
	}
	centralLink := p.Central
	if centralLink == (Link{}) {
		centralLink = preset(p.Preset).Central
	}
	return sim.NewPlatform(cmp.Or(string(p.Preset), "clusters"), clusters, link(centralLink, sim.Shared))
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
