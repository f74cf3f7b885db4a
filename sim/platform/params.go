package platform

import "slices"

// Params are the fields of a manifest's platform section.
type Params struct {
	Preset     PresetName `sweep:"preset" doc:"a platform of a published study (schedsweep list); its fields give way to those written beside it"`
	Processors int        `sweep:"processors" min:"0" doc:"one cluster of this number of single-processor nodes; 0: the number that the workload states"`
	Clusters   []Cluster  `sweep:"clusters" doc:"the kinds of clusters, in the order in which their processors are numbered"`
	Ordering   []string   `sweep:"ordering" doc:"the sequence of clusters by name, with repetitions; empty takes each of clusters once, in order"`
	// Nodes and Partitions are in order of their names.
	Nodes      []Class     `sweep:"nodes" keyed:"name" doc:"the machine as node classes by name, in place of processors and clusters, whose processors are numbered in the order of the names; easy and conservative run on it"`
	Partitions []Partition `sweep:"partitions" keyed:"name" doc:"partitions by name: lists of node classes with limits, which may overlap; none: one of all classes"`
	Licences   []Licence   `sweep:"licences" keyed:"name" doc:"licences of the whole machine by name, for jobs that request some"`
	Events     []Event     `sweep:"events" doc:"events of nodes during a run: times out of service, drains, reservations, failures by a law"`
	Tariffs
	Capping
	Off     Off  `sweep:"off" doc:"rule that switches off idle nodes; for easy and conservative"`
	Central Link `sweep:"central" doc:"the link that joins the clusters"`
}

// Cluster is one kind of cluster.
type Cluster struct {
	Name     string  `sweep:"name" required:"true" doc:"name of the cluster, which ordering lists"`
	Nodes    int     `sweep:"nodes" min:"1" required:"true" doc:"number of nodes"`
	Cores    int     `sweep:"cores" min:"0" doc:"processors of a node; 0 means 1"`
	Speed    float64 `sweep:"speed" min:"0" unit:"flop/s" doc:"speed of a processor; 0 means 1 flop/s"`
	Link     Link    `sweep:"link" doc:"the link of each node to the cluster's switch"`
	Backbone Link    `sweep:"backbone" doc:"the cluster's switch"`
	Uplink   Link    `sweep:"uplink" doc:"the one link of the cluster to the central switch"`
	Loopback float64 `sweep:"loopback" min:"0" unit:"B/s" doc:"bandwidth of a node's private link to itself; 0: messages to itself go through link and backbone"`
}

// Link is a network link.
type Link struct {
	Bandwidth float64 `sweep:"bandwidth" min:"0" unit:"B/s" doc:"0 means no limit"`
	Latency   float64 `sweep:"latency" min:"0" unit:"s" doc:"latency"`
	Sharing   string  `sweep:"sharing" enum:"shared: one bandwidth for both directions|split-duplex: the full bandwidth each way|fat-pipe: the full bandwidth for every flow" doc:"sharing of the link by flows (default: split-duplex for a node's link, else shared)"`
}

// Version sets platforms apart that allocate whole nodes: orders by size counted requested processors there before, and count all
// of the nodes now. It also sets apart those with dates, which were of the whole log before where it is played in part.
// Dates of events by the local clock had no summer time before. Where nodes are switched off, EASY looked at jobs behind a reservation at
// the next event only, and looks at them when their nodes have to boot now. Under caps that change, conservative did not try jobs again
// that no cap admitted beside others. Under a cap, it did not move jobs forward when nodes were switched on or off. Then time_at_cap
// counted what nodes draw that are off or out of service, and counts what the cap keeps for them. Under policies without a plan, jobs
// waited for the end of reservations that are for them. Under a cap with whole nodes, time_at_cap took the power of a processor.
// Under caps of a file, a job that no cap to come admitted any more could stay the head. With planning at fixed times, it did so between
// plans under caps that change, and plans were not made anew for an order that changes with time. Beside a cap, the begin of an event that
// planners knew brought a pass. Under a cap, so did a job that no cap admits. Under conservative the begin of such an event brought none
// while a job was beyond its walltime. Nights began up to a second late in windows of logs that begin within a second.
func (p *Params) Version() (v int) {
	whole := slices.ContainsFunc(p.Partitions, func(q Partition) bool { return q.Allocate == "whole" })
	if whole {
		v = 1
	}
	if p.Timed() || slices.ContainsFunc(p.Events, Event.dated) {
		v += 2
	}
	if slices.ContainsFunc(p.Events, Event.local) {
		v += 4
	}
	if p.Off.on() {
		v += 8
	}
	changes := p.Caps.File != "" || p.Caps.Night > 0
	if changes || p.Cap > 0 && (p.Off.on() || len(p.Events) > 0) {
		v += 16
	}
	if slices.ContainsFunc(p.Events, func(e Event) bool { return e.Do == "reserve" }) {
		v += 32
	}
	if whole && (changes || p.Cap > 0) {
		v += 64
	}
	if p.Caps.File != "" {
		v += 128
	}
	if changes || p.Cap > 0 && len(p.Events) > 0 {
		v += 256
	}
	if changes || p.Cap > 0 {
		v += 512
	}
	if slices.ContainsFunc(p.Events, func(e Event) bool { return e.Known == "ahead" || e.File != "" }) {
		v += 1024
	}
	if p.Caps.Night > 0 {
		v += 2048
	}
	return v
}

func (p *Params) Validate(report func(field, message string)) {
	if p.Processors > 0 && (len(p.Clusters) > 0 || p.Preset != "") {
		report("processors", "mean one plain cluster; give either them, or clusters, or a preset")
	}
	p.divided(report)
	p.powered(report)
	p.charged(report)
	p.capped(report)
	p.switched(report)
	p.eventsOf(report)
	names := map[string]bool{}
	for _, c := range p.kinds() {
		if names[c.Name] {
			report("clusters", "name "+c.Name+" twice; to have one twice, repeat its name in ordering")
		}
		names[c.Name] = true
	}
	for _, name := range p.Ordering {
		if !names[name] {
			report("ordering", "names the cluster "+name+", which clusters does not define")
		}
	}
}
