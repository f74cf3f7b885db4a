package workload

import (
	"errors"
	"math"
	"slices"
	"time"

	"schedsweep/sim"
)

// Description is the shape of a workload.
type Description struct {
	// Jobs is the number of jobs, Procs the machine's size in processors that
	// Load refers to (0 if unknown).
	Jobs, Procs int
	// Start is the local time of the workload's time 0, zero if unknown.
	Start time.Time
	// First and Last are the first and the last submit time, Span the time
	// between them, in seconds.
	First, Last, Span float64
	// Work is the sum of processors * run time, in processor-seconds.
	Work float64
	// Load is the offered load, Work / (Procs * Span); NaN where one of the two
	// is 0.
	Load float64
	// Serial is the share of jobs of one processor, PowerOfTwo of those of 2, 4,
	// 8 and so on.
	Serial, PowerOfTwo float64
	// Size in processors, RunTime, Walltime and InterArrival in seconds, and
	// Accuracy, the run time over the walltime.
	Size, RunTime, Walltime, InterArrival, Accuracy Quantity
	// Hours counts submissions by the hour of the day and Weekdays by the day of
	// the week, Sunday first, in local time where Start is known. Otherwise time
	// 0 counts as midnight, and the weekdays are empty. Changes to and from
	// summer time are ignored.
	Hours    [24]int
	Weekdays [7]int
}

// Quantity sums up one number of all jobs.
type Quantity struct {
	// Mean is the arithmetic mean, exact for any number of jobs; NaN for none.
	Mean float64
	// At are the quantiles at [Levels], by linear interpolation between order
	// statistics (type 7 of R. J. Hyndman and Y. Fan, The American Statistician
	// 50(4), 1996).
	At [len(Levels)]float64
	// Every says which jobs the quantiles rest on: all (1), or above about four
	// million jobs every second, every fourth and so on.
	Every int
}

// Levels are the levels of the quantiles: the smallest value, the 5th, 25th,
// 50th, 75th, 95th and 99th percentile, the largest value.
var Levels = [8]float64{0, .05, .25, .5, .75, .95, .99, 1}

// Describe reads a workload to its end. procs is the machine's size, 0 if
// unknown; start the local time of the workload's time 0, zero if unknown. Time
// is linear in the number of jobs but for sorting, memory bounded: above about
// four million jobs the quantiles rest on a regular part of them.
func Describe(src sim.Source, procs int, start time.Time) (*Description, error) {
	d := &Description{Procs: procs, Start: start}
	var size, run, wall, gap, accuracy values
	serial, power, last := 0, 0, 0.0
	offset := 0.0
	if !start.IsZero() {
		// Seconds since a Sunday's midnight.
		offset = float64(int(start.Weekday())*86400 + start.Hour()*3600 + start.Minute()*60 + start.Second())
	}
	_, err := Each(src, func(i int, j *sim.JobSpec) error {
		if i == 0 {
			d.First = j.Submit
		} else {
			gap.add(j.Submit - last)
		}
		last = j.Submit
		d.Jobs++
		d.Work += float64(j.Procs) * j.RunTime
		switch {
		case j.Procs == 1:
			serial++
		case j.Procs&(j.Procs-1) == 0:
			power++
		}
		size.add(float64(j.Procs))
		run.add(j.RunTime)
		wall.add(j.Walltime)
		accuracy.add(j.RunTime / j.Walltime)
		at := math.Mod(offset+j.Submit, 7*86400)
		d.Hours[int(at/3600)%24]++
		if !start.IsZero() {
			d.Weekdays[int(at/86400)]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if d.Jobs == 0 {
		return nil, errors.New("the workload has no jobs to describe")
	}
	d.Last, d.Span, d.Load = last, last-d.First, math.NaN()
	if procs > 0 && d.Span > 0 {
		d.Load = d.Work / (float64(procs) * d.Span)
	}
	d.Serial, d.PowerOfTwo = float64(serial)/float64(d.Jobs), float64(power)/float64(d.Jobs)
	d.Size, d.RunTime, d.Walltime, d.InterArrival, d.Accuracy = size.sum(), run.sum(), wall.sum(), gap.sum(), accuracy.sum()
	return d, nil
}

// mostValues bounds what is kept of a quantity.
const mostValues = 1 << 22

// values collects a quantity: all values, and when these become too many every
// second, then every fourth, and so on.
type values struct {
	kept  []float64
	every int
	n     int
	total float64
}

func (v *values) add(x float64) {
	if v.every == 0 {
		v.every = 1
	}
	v.total += x
	if v.n%v.every == 0 {
		if len(v.kept) == mostValues {
			for i := range mostValues / 2 {
				v.kept[i] = v.kept[2*i]
			}
			v.kept = v.kept[:mostValues/2]
			v.every *= 2
		}
		if v.n%v.every == 0 {
			v.kept = append(v.kept, x)
		}
	}
	v.n++
}

func (v *values) sum() Quantity {
	q := Quantity{Mean: v.total / float64(v.n), Every: max(1, v.every)}
	slices.Sort(v.kept)
	for i, level := range Levels {
		q.At[i] = sim.Quantile(v.kept, level)
	}
	return q
}
