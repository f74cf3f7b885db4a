package platform

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sim"
)

// Surroundings are the objects that events refer to.
type Surroundings struct {
	// On is the machine of the parameters.
	On *sim.Platform
	Clock
	// Names are those of the workload's records, User reports whether a user number has jobs; nil where that is not known.
	Names sim.Names
	User  func(n int32) bool
	// Read returns the content of a file.
	Read func(path string) ([]byte, error)
}

// placed is an event with where and how it is written.
type placed struct {
	sim.Outage
	at string
	as *Event
}

// String returns the effect and the times of the event as they are written.
func (e *Event) String() string {
	return fmt.Sprintf("%s from %s to %s", e.Do, e.From, cmp.Or(e.To, "the end"))
}

// Outages returns the events that are given, in order of their begin, and those of files. It reports the first that cannot be.
func (p *Params) Outages(in Surroundings) ([]sim.Outage, error) {
	var all, ups []placed
	for i := range p.Events {
		e, at := &p.Events[i], fmt.Sprintf("platform.events[%d]", i)
		if e.Law != "none" && e.Law != "" {
			continue
		}
		events, places := []Event{*e}, []string{at}
		if e.File != "" {
			var err error
			if events, places, err = p.read(e.File, in); err != nil {
				return nil, fmt.Errorf("%s: %w", at, err)
			}
		}
		for k := range events {
			o, err := p.outage(&events[k], in, e.File != "")
			if err != nil {
				return nil, fmt.Errorf("%s: %w", places[k], err)
			}
			if events[k].Do == "up" {
				ups = append(ups, placed{o, places[k], &events[k]})
			} else {
				all = append(all, placed{o, places[k], &events[k]})
			}
		}
	}
	all, err := ended(all, ups)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(o placed) bool { return o.Until <= 0 }) // over when the window of the log begins
	var out []sim.Outage
	for i := range all {
		all[i].From = max(all[i].From, 0)
		for k := range i {
			if a, b := &all[k], &all[i]; a.From < b.Until && b.From < a.Until && sim.Overlap(a.Procs, b.Procs) {
				return nil, fmt.Errorf("%s: the event (%s) contradicts %s (%s) on the same nodes: give each its own time or nodes", b.at, b.as, a.at,
					a.as)
			}
		}
		out = append(out, all[i].Outage)
	}
	return out, nil
}

// Late returns the paths of the events that are given, and of the files of events, that begin only after a time in seconds.
func (p *Params) Late(in Surroundings, last float64) (at []string) {
	for i := range p.Events {
		one := *p
		one.Events = p.Events[i : i+1]
		all, err := one.Outages(in)
		if err == nil && len(all) > 0 && !slices.ContainsFunc(all, func(o sim.Outage) bool { return o.From <= last }) {
			at = append(at, fmt.Sprintf("platform.events[%d]", i))
		}
	}
	return at
}

// Outside returns the paths of the events that are given, and of the files of events, whose times all lie before or after these two in
// seconds.
func (p *Params) Outside(in Surroundings, from, until float64) (at []string) {
	for i := range p.Events {
		if e := &p.Events[i]; e.Law != "none" && e.Law != "" || e.Do == "up" {
			continue
		}
		one := *p
		one.Events = p.Events[i : i+1]
		all, err := one.Outages(in)
		if err == nil && !slices.ContainsFunc(all, func(o sim.Outage) bool { return o.From <= until && o.Until >= from }) {
			at = append(at, fmt.Sprintf("platform.events[%d]", i))
		}
	}
	return at
}

// ended has up events end those before them, on the nodes that they have in common.
func ended(all, ups []placed) ([]placed, error) {
	slices.SortStableFunc(ups, func(a, b placed) int { return int(math.Copysign(1, a.From-b.From)) })
	for _, up := range ups {
		hit := false
		for i := range len(all) {
			o := &all[i]
			both := sim.Common(o.Procs, up.Procs)
			if o.From >= up.From || o.Until <= up.From || len(both) == 0 {
				continue
			}
			hit = true
			rest := *o
			if rest.Procs = sim.Without(o.Procs, both); len(rest.Procs) > 0 {
				all = append(all, rest)
			}
			o = &all[i]
			o.Procs, o.Until = both, up.From
		}
		if !hit {
			return nil, fmt.Errorf("%s: no event is in force on these nodes at %s that up could end; remove it, or correct its time", up.at,
				up.as.From)
		}
	}
	return all, nil
}

// outage converts an event as written to an outage.
func (p *Params) outage(e *Event, in Surroundings, filed bool) (o sim.Outage, err error) {
	times := [3]float64{0, math.Inf(1), math.Inf(-1)}
	for i, text := range []string{e.From, e.To, e.Announced} {
		if text == "" {
			continue
		}
		last := math.Inf(-1)
		if i == 1 {
			last = times[0]
		}
		if times[i], err = in.when(text, filed, last); err != nil {
			return o, err
		}
	}
	o = sim.Outage{From: times[0], Until: times[1], Announced: times[2], Ahead: e.Known == "ahead",
		Kind: map[string]sim.OutageKind{"drain": sim.Drained, "reserve": sim.Reserved}[e.Do]}
	if o.From < -in.Begin {
		return o, fmt.Errorf("the event begins at %s, before the start of the log (%s): drop it, or begin it there", e.From,
			in.Start.Format("2006-01-02T15:04:05"))
	}
	if o.Until <= o.From {
		return o, fmt.Errorf("the event ends at %s, and begins at %s; it must end after its begin", e.To, e.From)
	}
	if o.Procs, err = p.procs(e.Nodes, in.On); err != nil {
		return o, err
	}
	return o, p.forWhom(e, in, &o.For)
}

// procs are the processors of nodes; of all where none are named.
func (p *Params) procs(nodes []string, on *sim.Platform) (procs []sim.Span, err error) {
	if len(nodes) == 0 {
		return []sim.Span{{Lo: 0, Hi: int32(on.Procs()) - 1}}, nil
	}
	for _, text := range nodes {
		class, lo, hi, err := p.nodes(text)
		if err != nil {
			return nil, fmt.Errorf("nodes %w", err)
		}
		for c := range on.Clusters {
			if k := &on.Clusters[c]; k.Name == class {
				procs = append(procs, sim.Span{Lo: int32(on.First(c) + lo*k.Cores), Hi: int32(on.First(c)+min(hi+1, k.Nodes)*k.Cores) - 1})
			}
		}
	}
	slices.SortFunc(procs, func(a, b sim.Span) int { return int(a.Lo - b.Lo) })
	joined := procs[:0]
	for _, sp := range procs {
		if n := len(joined) - 1; n >= 0 && sp.Lo <= joined[n].Hi {
			return nil, fmt.Errorf("nodes %s: a node is there twice", strings.Join(nodes, ", "))
		}
		joined = sim.Joined(joined, sp)
	}
	return joined, nil
}

// forWhom finds the members of a reservation.
func (p *Params) forWhom(e *Event, in Surroundings, m *sim.Members) error {
	find := func(what, name string, names []string, has func(int32) bool) (int32, error) {
		n := slices.Index(names, name)
		if n >= 0 {
			return int32(n), nil
		}
		number, err := strconv.ParseInt(name, 10, 32)
		if err != nil || has != nil && !has(int32(number)) {
			return 0, fmt.Errorf("the reservation is for the %s %s, which the workload does not have: mind the spelling, or drop it", what, name)
		}
		return int32(number), nil
	}
	if len(e.Users) > 0 && in.Names.LogUsers != nil {
		return fmt.Errorf("the reservation is for the user %s, and users of drawn logs are others than the log's: leave the users or "+
			"workload.replicate out", e.Users[0])
	}
	for _, name := range e.Users {
		n, err := find("user", name, in.Names.Users, in.User)
		if err != nil {
			return err
		}
		m.Users = append(m.Users, n)
	}
	for _, name := range e.Accounts {
		// Each account of a log has a name, if only its digits, so no number beyond the names has jobs.
		n, err := find("account", name, in.Names.Accounts, func(int32) bool { return false })
		if err != nil {
			return err
		}
		m.Accounts = append(m.Accounts, n)
	}
	for _, name := range e.Partitions {
		m.Partitions = append(m.Partitions, int32(slices.IndexFunc(in.On.Partitions, func(q sim.Partition) bool { return q.Name == name })+1))
	}
	return nil
}
