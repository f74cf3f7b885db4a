package platform

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/sim"
	"schedsweep/sim/power"
)

// Class is a node class: a number of identical nodes.
type Class struct {
	Name  string `sweep:"name" doc:"name of the class, which partitions list"`
	Count int    `sweep:"count" min:"1" required:"true" doc:"number of nodes"`
	Each  Node   `sweep:"each" doc:"resources of a node"`
	Power Power  `sweep:"power" doc:"power of a node by its state; given for all classes, or for none"`
}

// Node describes each node of a class.
type Node struct {
	Cores       int      `sweep:"cores" min:"1" default:"1" doc:"processors of a node"`
	Memory      float64  `sweep:"memory" unit:"B" min:"0" finite:"yes" doc:"memory of a node, for jobs that request some"`
	Requestable int      `sweep:"requestable_gpus" min:"0" max:"1000000" doc:"GPUs of a node, for jobs that request some"`
	Features    []string `sweep:"features" doc:"features of a node, for jobs that require them"`
	Switch      string   `sweep:"switch" doc:"leaf switch of the nodes, which classes may share; none: one of their own. Jobs that may span classes prefer few"`
	// GPUs are a fact of the machine that reports can show. They are in no id, so that jobs cannot request them.
	GPUs int `sweep:"gpus" min:"0" identity:"no" doc:"GPUs of a node, for the record; jobs request requestable_gpus"`
}

// Power describes the power of a node; see [power.Node].
type Power struct {
	Off  float64 `sweep:"off" unit:"W" min:"0" finite:"yes" doc:"power of a node that is off, or that an event has put down"`
	Idle float64 `sweep:"idle" unit:"W" min:"0" finite:"yes" doc:"power of a node that no job uses; drained and reserved nodes are on"`
	Busy float64 `sweep:"busy" unit:"W" min:"0" finite:"yes" doc:"power of a node with all cores in use; linear down to idle with fewer"`
	Per  string  `sweep:"per" default:"node" enum:"node: a node draws these watts|core: each core of a node draws them" doc:"unit that draws the watts"`
	// Boot and Shutdown are of platform.off.
	Boot     Transition `sweep:"boot" doc:"boot of a node that is off (platform.off)"`
	Shutdown Transition `sweep:"shutdown" doc:"shutdown of a node (platform.off)"`
}

// given reports whether any power is stated.
func (w *Power) given() bool {
	return w.Per == "core" || *w != Power{Per: w.Per, Boot: Transition{Law: w.Boot.Law}, Shutdown: Transition{Law: w.Shutdown.Law}}
}

// node returns the power of a node with this number of cores.
func (w *Power) node(cores int) power.Node {
	by := 1.
	if w.Per == "core" {
		by = float64(cores)
	}
	return power.Node{Off: by * w.Off, Idle: by * w.Idle, Busy: by * w.Busy, Boot: w.Boot.of(by), Shutdown: w.Shutdown.of(by)}
}

// powered reports the errors in the power of classes.
func (p *Params) powered(report func(field, message string)) {
	some := slices.ContainsFunc(p.Nodes, func(c Class) bool { return c.Power.given() })
	for _, c := range p.Nodes {
		w, at := &c.Power, "nodes."+c.Name+".power"
		switch {
		case !some:
		case !w.given():
			report("nodes."+c.Name, "has no power, and other node classes have, so the energy of the machine is unknown; give all power, or none")
		case w.Busy == 0:
			report(at+".busy", "is 0 or not given, and power is given; give the watts of a node in use")
		case w.Busy < w.Idle:
			report(at+".busy", fmt.Sprintf("is %g W, below idle (%g W); a node in use draws at least as much", w.Busy, w.Idle))
		case w.Idle < w.Off:
			report(at+".idle", fmt.Sprintf("is %g W, below off (%g W); a node that is on draws at least as much", w.Idle, w.Off))
		}
	}
}

// Partition is a list of node classes to which jobs are submitted; see [sim.Partition].
type Partition struct {
	Name     string   `sweep:"name" doc:"name of the partition, which workload.partition gives"`
	Nodes    []string `sweep:"nodes" required:"true" doc:"its node classes, in the order in which jobs try them; a job runs on nodes of one class"`
	Allocate string   `sweep:"allocate" default:"cores" enum:"cores: a job gets its processors|whole: a job gets whole nodes, its processors rounded up" doc:"unit of allocation"`
	Walltime float64  `sweep:"walltime" unit:"s" min:"0" doc:"longest walltime; jobs with longer ones are rejected; 0: no limit"`
	Span     bool     `sweep:"span" doc:"a job may have nodes of several classes; it gets those of the switch with the fewest usable nodes that has enough. If none has, it gets those of the switch with most, and the rest in the same way"`
	Default  bool     `sweep:"default" doc:"the partition of jobs that name none"`
}

// divided reports the errors in node classes and partitions.
func (p *Params) divided(report func(field, message string)) {
	switch {
	case len(p.Licences) > sim.MaxLicences || len(p.Licences) > 0 && len(p.Nodes) == 0:
		report("licences", fmt.Sprintf("need nodes, and may have %d kinds; define nodes, or drop licences", sim.MaxLicences))
		return
	case len(p.Nodes) == 0 && len(p.Partitions) > 0:
		report("partitions", "are lists of node classes, and there are none; define them under nodes")
		return
	case len(p.Nodes) == 0:
		return
	case p.Processors > 0 || len(p.Clusters) > 0 || p.Preset != "" || len(p.Ordering) > 0:
		report("nodes", "describe the whole machine; drop processors, clusters, ordering and preset, or drop nodes")
	}
	if n := len(p.features()); n > sim.MaxFeatures {
		report("nodes", fmt.Sprintf("have %d features, and %d is the most; drop features that no job requires", n, sim.MaxFeatures))
	}
	used, byDefault := map[string]bool{}, ""
	for _, q := range p.Partitions {
		at := "partitions." + q.Name
		if len(q.Nodes) == 0 {
			report(at+".nodes", "has no node classes, so no job can run in the partition; give it some, or drop the partition")
		}
		for i, name := range q.Nodes {
			if !slices.ContainsFunc(p.Nodes, func(c Class) bool { return c.Name == name }) {
				report(fmt.Sprintf("%s.nodes[%d]", at, i), "names the node class "+name+", which platform.nodes does not define: "+
					"define it, or take one of "+strings.Join(p.classNames(), ", "))
			} else if slices.Contains(q.Nodes[:i], name) {
				report(fmt.Sprintf("%s.nodes[%d]", at, i), "names the node class "+name+" twice; drop one")
			}
			used[name] = true
		}
		if q.Span && q.Allocate == "whole" {
			report(at+".span", "is given, and jobs that get whole nodes run on nodes of one class; drop span, or write allocate: cores")
		}
		if q.Default && byDefault != "" {
			report(at+".default", "is given, and partition "+byDefault+" is the default too; keep one")
		} else if q.Default {
			byDefault = q.Name
		}
	}
	for _, c := range p.Nodes {
		if len(p.Partitions) > 0 && !used[c.Name] {
			report("nodes."+c.Name, "is in no partition, so no job can run there; add it to one, or drop it")
		}
	}
}

// features are the names of all features in order.
func (p *Params) features() (all []string) {
	for _, c := range p.Nodes {
		all = append(all, c.Each.Features...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// build makes a divided platform. Classes and partitions are in order of their names, and not in their order in the manifest. This order
// is that of their processors too. Without partitions there is one of all classes.
func (p *Params) build() (*sim.Platform, error) {
	nodes := slices.SortedFunc(slices.Values(p.Nodes), func(a, b Class) int { return strings.Compare(a.Name, b.Name) })
	var clusters []sim.Cluster
	features := p.features()
	for _, c := range nodes {
		cores := max(c.Each.Cores, 1)
		k := sim.Cluster{Name: c.Name, Nodes: c.Count, Cores: cores, Speed: 1, Memory: int64(c.Each.Memory),
			GPUs: int32(c.Each.Requestable), Switch: c.Each.Switch, Power: c.Power.node(cores)}
		for _, name := range c.Each.Features {
			k.Features |= 1 << slices.Index(features, name)
		}
		clusters = append(clusters, k)
	}
	out, err := sim.NewPlatform("nodes", clusters, link(p.Central, sim.Shared))
	if err != nil {
		return nil, err
	}
	out.Features, out.Off = features, p.Off.rule()
	for _, l := range slices.SortedFunc(slices.Values(p.Licences), func(a, b Licence) int { return strings.Compare(a.Name, b.Name) }) {
		out.Licences = append(out.Licences, sim.Licence{Name: l.Name, Count: int32(l.Count)})
	}
	var parts []sim.Partition
	for _, q := range p.partitions(nodes) {
		part := sim.Partition{Name: q.Name, Whole: q.Allocate == "whole", Walltime: q.Walltime, Default: q.Default, Span: q.Span}
		for _, name := range q.Nodes {
			part.Classes = append(part.Classes, slices.IndexFunc(nodes, func(c Class) bool { return c.Name == name }))
		}
		parts = append(parts, part)
	}
	return out, out.Divide(parts)
}

// partitions are those of the machine in order of their names.
func (p *Params) partitions(nodes []Class) []Partition {
	if len(p.Partitions) > 0 {
		return slices.SortedFunc(slices.Values(p.Partitions), func(a, b Partition) int { return strings.Compare(a.Name, b.Name) })
	}
	all := Partition{Name: "all", Default: true}
	for _, c := range nodes {
		all.Nodes = append(all.Nodes, c.Name)
	}
	return []Partition{all}
}

// Licence is a number of licences.
type Licence struct {
	Name  string `sweep:"name" doc:"name of the licence, which jobs request"`
	Count int    `sweep:"count" min:"1" max:"2147483647" required:"true" doc:"number of licences"`
}
