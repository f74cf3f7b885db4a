package design

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
)

// Morris has so many trajectories, each from a random point through all knobs in random order, one changed at a time
// (M. D. Morris 1991, Factorial sampling plans for preliminary computational experiments, Technometrics 33, 161-174).
// A range has an even number of levels, and a step goes over levels/2 of them, so that all levels are as frequent and
// half of the steps go up; of names any other is as likely. A trajectory is the same however many there are.
func Morris(knobs []Knob, trajectories, levels int, seed uint64) *Design {
	d := &Design{Knobs: knobs}
	for t := range trajectories {
		random := stream(seed, "trajectory "+strconv.Itoa(t))
		from, to := make([]Place, len(knobs)), make([]Place, len(knobs))
		for k, knob := range knobs {
			from[k], to[k] = knob.step(random, levels)
		}
		var steps []Step
		row := from
		d.Rows = append(d.Rows, row)
		for _, k := range random.Perm(len(knobs)) {
			row = slices.Clone(row)
			row[k] = to[k]
			d.Rows = append(d.Rows, row)
			steps = append(steps, Step{k, len(d.Rows) - 2, len(d.Rows) - 1, knobs[k].length(from[k], to[k])})
		}
		d.Steps = append(d.Steps, steps)
	}
	return d
}

// step draws the two places of a knob in a trajectory.
func (k Knob) step(random *rand.Rand, levels int) (from, to Place) {
	if k.Values > 0 && !k.Ordered {
		i, j := random.IntN(k.Values), random.IntN(k.Values-1)
		if j >= i {
			j++
		}
		return float64(i), float64(j)
	}
	i := random.IntN(levels)
	j := (i + levels/2) % levels
	return k.at(i, levels), k.at(j, levels)
}

// OneAtATime is the base, and each knob at so many levels of its range, or at all its values where they are fewer or names,
// while all others stand at the base.
func OneAtATime(knobs []Knob, levels int) *Design {
	base := slices.Repeat([]Place{math.NaN()}, len(knobs))
	d := &Design{Knobs: knobs, Rows: [][]Place{base}}
	for k, knob := range knobs {
		n := levels
		if knob.Values > 0 && (!knob.Ordered || knob.Values < levels) {
			n = knob.Values
		}
		alone := []int{0}
		for i := range n {
			row := slices.Clone(base)
			row[k] = knob.at(i, n)
			alone = append(alone, len(d.Rows))
			d.Rows = append(d.Rows, row)
		}
		d.Alone = append(d.Alone, alone)
	}
	return d
}
