// Package design lays out samples over many knobs: which points to run so that
// their answers tell how much each knob matters. It knows no field, no unit and no
// simulator: knobs go from 0 to 1, or have a number of values.
package design

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
)

type Knob struct {
	// Values is the number of values of the knob; 0 is any from 0 to 1.
	Values int
	// Ordered reports that the values are the steps of a range, and no mere names.
	Ordered bool
}

// Place is the position of a knob: from 0 to 1, or the number of its value from 0, or NaN for its base.
type Place = float64

// Design is the rows of a sample, with the data by which methods read answers.
type Design struct {
	Knobs []Knob
	Rows  [][]Place // by row and knob
	// Steps are pairs of rows that differ in one knob, of trajectories by trajectory.
	Steps [][]Step
	// Sobol has the rows of the base samples, by scramble and point.
	Sobol [][]Pick
	// Alone has the rows of each knob varied alone, in order.
	Alone [][]int
}

type Step struct {
	Knob     int
	From, To int     // rows
	Length   float64 // of the range, with its sign; between names 1, from an earlier one to a later
}

// Pick is a point of both base samples, and the rows of the first, each with one knob of the second.
type Pick struct {
	A, B int
	AB   []int // by knob
}

// stream is a random stream of a seed. Streams of different names are independent.
func stream(seed uint64, name string) *rand.Rand {
	sum := sha256.Sum256(append(binary.LittleEndian.AppendUint64([]byte("schedsweep/sample/1\n"), seed), name...))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])))
}

// spread gives each part of 0 to 1 its place: of a knob with values all of them are equally long.
func (k Knob) spread(u float64) Place {
	if k.Values == 0 {
		return u
	}
	return float64(min(int(u*float64(k.Values)), k.Values-1))
}

// at is the place of level i of n from one end of the range to the other.
func (k Knob) at(i, levels int) Place {
	u := float64(i) / float64(levels-1)
	if k.Values == 0 {
		return u
	}
	return float64(int(u*float64(k.Values-1) + 0.5))
}

// length returns the distance of two places as a share of the range.
func (k Knob) length(from, to Place) float64 {
	switch {
	case k.Values == 0:
		return to - from
	case k.Ordered:
		return (to - from) / float64(k.Values-1)
	case to > from:
		return 1
	default:
		return -1
	}
}

// LatinHypercube has one point in each of n equal parts of the range of each knob (M. D. McKay, R. J. Beckman and
// W. J. Conover 1979, Technometrics 21, 239-245). It is not nested: that of more points has none of these.
func LatinHypercube(knobs []Knob, points int, seed uint64) *Design {
	random := stream(seed, "latin hypercube")
	d := &Design{Knobs: knobs, Rows: make([][]Place, points)}
	for i := range d.Rows {
		d.Rows[i] = make([]Place, len(knobs))
	}
	for k, knob := range knobs {
		for part, i := range random.Perm(points) {
			d.Rows[i][k] = knob.spread(random.Float64()/float64(points) + float64(part)/float64(points))
		}
	}
	return d
}

// Morris has a number of trajectories, each from a random point through all knobs in random order, one changed at a time
// (M. D. Morris 1991, Factorial sampling plans for preliminary computational experiments, Technometrics 33, 161-174).
// A range has an even number of levels, and a step goes over levels/2 of them. So all levels are as frequent, and half of the steps
// go up; of names any other is as likely. A trajectory is the same however many there are.
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

// OneAtATime is the base, and each knob at a number of levels of its range while all others are at the base. A knob with fewer
// values, or with names, is at all its values.
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
