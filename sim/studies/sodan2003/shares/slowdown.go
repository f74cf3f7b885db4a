package shares

import (
	"cmp"

	"schedsweep/sim"
)

// program is an application of table 2 of the paper.
type program struct {
	name string
	// granularity is the time of a step in s, in parentheses in the table's head; 0
	// where there are no steps.
	granularity float64
	// apart is P_ncosched, the probability that the processes do not run at a time,
	// of section 4.1: 1, but for grid-300, "which accomplishes coscheduling".
	apart float64
	// beside is the slowdown beside each of the programs, in their order; 0 where the
	// table has none.
	beside [7]float64
}

// programs are those of table 2. In a pair, the left number is the slowdown of the row's program and the right number
// that of the column's. A single number on the diagonal is that of both. The last column has the row's alone, and
// stream has no row.
var programs = [7]program{
	{"grid-300", 1.3e-3, 0, [7]float64{1.2, 1.4, 2.2, .9, 1, 1.8, 2.5}},
	{"grid-1200", 27.9e-3, 1, [7]float64{1.1, 1.2, 1.4, 1.1, 1, 1.3, 1.2}},
	{"grid-2400", 116e-3, 1, [7]float64{.9, .8, 1.1, 1, 1.5, .8, 1}},
	{"central", 29.3e-3, 1, [7]float64{1.6, 1.7, 3.1, 1.3, 1.3, 2.5, 3.3}},
	{"random", 4e-3, 1, [7]float64{1.3, 1.4, 2.3, .9, 2, 1.8, 3.5}},
	{"stream", 3.5e-3, 1, [7]float64{.8, .8, .8, .8, .9}},
	{"seq", 0, 0, [7]float64{}},
}

// programOf is the number of a program in the table, -1 for others.
func programOf(name string) int {
	for i := range programs {
		if programs[i].name == name {
			return i
		}
	}
	return -1
}

// Slowdown is the factor by which j's rate is smaller than its share beside these jobs. Of
// several pairs the largest slowdown counts, with c2 for a pair that the table lacks.
func (m *Model) Slowdown(j *sim.Job, beside []*sim.Job) float64 {
	level := 1.0
	switch len(beside) {
	case 0:
		return 1
	case 1:
		level = m.p.C2
	default:
		level = m.p.C3
	}
	mine := -1
	if m.p.Slowdowns != "levels" {
		mine = programOf(j.Application())
	}
	switch {
	case mine < 0:
		return level
	case m.p.Slowdowns == "estimate":
		return m.estimate(&programs[mine])
	}
	worst := 0.0
	for _, o := range beside {
		f := 0.0
		if other := programOf(o.Application()); other >= 0 {
			f = programs[mine].beside[other]
		}
		worst = max(worst, cmp.Or(f, m.p.C2))
	}
	return worst
}

// estimate is the slowdown by the extra cost of a step:
// T_cost = P_ncosched * T_delay + P_ncosched * (min(T_spin, T_gran, T_slice) + T_switch).
func (m *Model) estimate(of *program) float64 {
	if of.granularity == 0 {
		return 1
	}
	slice := min(max(of.granularity, m.p.SliceMin), m.p.SliceMax)
	cost := of.apart * (m.p.Delay + min(m.p.Spin, of.granularity, slice) + m.p.Switch)
	return 1 + cost/of.granularity
}
