package oas

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/studies/blanco2012/oas/solver"
)

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name:   "multicluster-list",
		Doc:    "the heuristics of Blanco 2012: jobs start in order of a list on the fastest free processors, on several clusters where need be",
		Params: ListParams{Order: "fcfs", Execution: "asap", SlotPercent: DefaultParams.SlotPercent},
		Metrics: []sim.Metric{
			{Name: "planned_makespan", Unit: "s", Doc: "slots of the schedule times their length: of the last plan, or up to the last slot in " +
				"which a job ran where jobs are held to slots", Better: sim.Lower},
		},
		New: func(params any, _ sim.Env) (sim.Policy, error) { return NewList(*params.(*ListParams)), nil },
	})
}

// ListParams are the parameters of the policy multicluster-list.
type ListParams struct {
	Order           string `sweep:"order" enum:"fcfs: order of submission|sjf: fewest processors first|bjf: most processors first|fpfs: order of submission; any job that fits starts|spt: shortest walltime first|lpt: longest walltime first" doc:"order in which jobs start, equal ones in order of submission; the head blocks the others, except under fpfs"`
	AvoidSaturation bool   `sweep:"avoid_saturation" doc:"start a job only where it saturates no uplink, on the fastest such processors; otherwise on the fastest that are free, of equally fast clusters the first. Among places with the same run time it takes the one with most processors on the first clusters of the platform"`
	// Execution holds the heuristics to the slots of a plan of OAS, with which they can then be compared.
	Execution   string  `sweep:"execution" enum:"asap: as soon as processors are free|slots: at the beginning of a slot" doc:"start times of jobs"`
	SlotPercent float64 `sweep:"slot_percent" above:"0" doc:"length of a slot in percent of the mean walltime (base time) of the jobs that wait at the first pass"`
}

// List is the policy multicluster-list. A pass costs time in the jobs that wait.
type List struct {
	p       ListParams
	machine machine
	waiting []*sim.Job // in order of the list
	fastest []int      // clusters by speed

	slot, first float64 // length of a slot and when the first begins, in s; 0 before the first pass
	slots       int     // that have passed at the latest end so far
}

// NewList returns the policy.
func NewList(p ListParams) *List { return &List{p: p} }

func (l *List) Reset(s *sim.State) error {
	if err := l.machine.reset(s.Platform()); err != nil && l.p.AvoidSaturation {
		return fmt.Errorf("policy multicluster-list with avoid_saturation: %w", err)
	}
	l.waiting = nil
	l.slot, l.first, l.slots = 0, 0, 0
	cs := l.machine.Clusters
	l.fastest = sim.Ranked(len(cs), func(a, b int) int { return cmp.Compare(cs[b].Power, cs[a].Power) })
	return nil
}

// Submitted puts the job into the list, or refuses one that would saturate a link at any place, if that is to be
// avoided.
func (l *List) Submitted(s *sim.State, j *sim.Job) {
	if t := task(j); l.p.AvoidSaturation && len(l.machine.Modes(&t)) == 0 {
		s.Reject(j)
		return
	}
	at, _ := slices.BinarySearchFunc(l.waiting, j, func(a, b *sim.Job) int {
		return cmp.Or(cmp.Compare(l.key(a), l.key(b)), cmp.Compare(a.Seq(), b.Seq()))
	})
	l.waiting = slices.Insert(l.waiting, at, j)
}

func (l *List) key(j *sim.Job) float64 {
	switch l.p.Order {
	case "sjf":
		return float64(j.Procs())
	case "bjf":
		return -float64(j.Procs())
	case "spt":
		return j.Walltime()
	case "lpt":
		return -j.Walltime()
	default:
		return 0
	}
}

func (l *List) Ended(s *sim.State, j *sim.Job) {
	l.machine.ended(j)
	if l.slot > 0 {
		l.slots = max(l.slots, solver.Slots(s.Now()-l.first, l.slot))
	}
}

// Values appends the time of all slots up to the last one in which a job ran.
func (l *List) Values(dst []float64) []float64 {
	if l.slot == 0 {
		return append(dst, math.NaN())
	}
	return append(dst, float64(l.slots)*l.slot)
}

// slotBegins reports whether jobs may start now. Otherwise it asks for a pass when the next slot begins.
func (l *List) slotBegins(s *sim.State) bool {
	if l.p.Execution != "slots" || len(l.waiting) == 0 {
		return true
	}
	if l.slot == 0 {
		for _, j := range l.waiting {
			l.slot += l.p.SlotPercent / 100 * j.Walltime() / float64(len(l.waiting))
		}
		l.first = s.Now()
	}
	next := l.first + float64(solver.Slots(s.Now()-l.first, l.slot))*l.slot
	if next > s.Now() {
		s.WakeAt(next)
	}
	return next <= s.Now()
}

func (l *List) Pass(s *sim.State) {
	if !l.slotBegins(s) {
		return
	}
	kept := l.waiting[:0]
	for i, j := range l.waiting {
		mode, ok := l.place(s, j)
		if ok {
			l.machine.start(s, j, mode)
			continue
		}
		if l.p.Order != "fpfs" {
			kept = append(kept, l.waiting[i:]...)
			break
		}
		kept = append(kept, j)
	}
	clear(l.waiting[len(kept):])
	l.waiting = kept
}

// place returns the place where j can start now, if any.
func (l *List) place(s *sim.State, j *sim.Job) (solver.Mode, bool) {
	if int(j.Procs()) > s.Free() {
		return solver.Mode{}, false
	}
	t := task(j)
	if l.p.AvoidSaturation {
		for _, m := range l.machine.Modes(&t) {
			if l.machine.has(s, &m) && l.machine.carries(&m) {
				return m, true
			}
		}
		return solver.Mode{}, false
	}
	counts := make([]int32, len(l.fastest))
	left := int(j.Procs())
	for _, c := range l.fastest {
		n := min(left, s.FreeOn(c))
		counts[c] = int32(n)
		left -= n
	}
	m, _ := l.machine.Mode(&t, counts)
	return m, true
}
