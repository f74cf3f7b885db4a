package fidelity

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// Report compares the waits of one run with the recorded ones. Times are in seconds.
type Report struct {
	Point              []frame.Value
	Jobs               int
	Unknown, Rejected  int      // jobs that are not compared: without a recorded wait, without a simulated one
	Moved              bool     // submissions are not those of the log
	Changed            []string // see [Run]
	Weeks              int      // of submissions
	Recorded, Wait     float64
	Error, Absolute    stats.Interval
	Correlation, Ranks stats.Interval // of the waits (Pearson), and of their ranks (Spearman)
	MovingError        float64
	Moving             []Moving
	// FirstHalf and SecondHalf are the moving errors of the halves of the days: parameters that are chosen on one half are
	// scored on the other.
	FirstHalf, SecondHalf float64
	Machine               Machine
	// Replayed is the mean time in s by which jobs start late when the recording is replayed on the machine.
	Replayed float64
	// Own is the share of the recorded waiting time of jobs that started within 30 s after an earlier job of their user. Chance is
	// the share of starts an hour later, which no such end caused.
	Own, Chance float64
	Groups      []Group
	Uses        []Use
	// Worst are the jobs with the largest absolute errors, the largest first; Half of them have half of the sum of all.
	Worst []Worst
	Half  int
}

type Group struct {
	By      string
	Classes []Class
}

type Class struct {
	Name            string
	Jobs, Weeks     int
	Recorded, Wait  float64
	Error, Absolute stats.Interval
	// Share is that of the absolute errors of all jobs, Signed that of the errors, which may be negative or above 1.
	Share, Signed float64
	// Without is the moving error of all other jobs.
	Without float64
}

type Worst struct {
	Job
	Queue string
	Cause string
	Share float64 // of the absolute errors of all jobs
}

const mostWorst = 20

func Compare(r *Run, confidence float64) *Report {
	slices.SortFunc(r.Jobs, func(a, b Job) int { return cmp.Or(cmp.Compare(a.Submit, b.Submit), cmp.Compare(a.ID, b.ID)) })
	out := &Report{Point: r.Point, Jobs: len(r.Jobs), Unknown: r.Unknown, Rejected: r.Rejected, Changed: r.Changed,
		Moved: r.clocks && r.late-r.early > mostShift}
	log := slices.Concat(r.Jobs, r.Near)
	s := newSchedule(log)
	out.Machine, out.Replayed = s.machine(r.Procs), replayed(log, r.Procs)
	out.Own, out.Chance = s.own(r.Jobs)
	c := comparison{Run: r, confidence: confidence, week: make([]int32, len(r.Jobs)), cause: make([]uint8, len(r.Jobs))}
	clock := r.clocks && !r.none
	first, last := math.MaxInt, math.MinInt
	for i := range r.Jobs {
		w := weekOf(&r.Jobs[i], clock)
		first, last = min(first, w), max(last, w)
	}
	c.weeks = last - first + 1
	for i := range r.Jobs {
		c.week[i] = int32(weekOf(&r.Jobs[i], clock) - first)
		c.cause[i] = uint8(s.cause(&r.Jobs[i], r.Procs))
		c.all.add(&r.Jobs[i])
	}
	all := c.class("", func(int) bool { return true })
	out.Weeks, out.Recorded, out.Wait, out.Error, out.Absolute = all.Weeks, all.Recorded, all.Wait, all.Error, all.Absolute
	out.Moving, out.MovingError = moving(r.Jobs, nil)
	half := len(out.Moving) / 2
	out.FirstHalf, out.SecondHalf = apart(out.Moving[:half]), apart(out.Moving[half:])
	recorded, waits := make([]float64, len(r.Jobs)), make([]float64, len(r.Jobs))
	for i := range r.Jobs {
		recorded[i], waits[i] = r.Jobs[i].Recorded, r.Jobs[i].Wait
	}
	out.Correlation = correlation(recorded, waits, c.week, c.weeks, confidence)
	out.Ranks = correlation(stats.Ranks(recorded), stats.Ranks(waits), c.week, c.weeks, confidence)
	out.Groups, out.Uses = c.groups(clock), usesByUser(log)
	out.Worst, out.Half = c.worst()
	return out
}

type comparison struct {
	*Run
	confidence float64
	week       []int32 // of each job, from 0
	weeks      int
	cause      []uint8
	all        sums
}

func (c *comparison) class(name string, in func(i int) bool) Class {
	each := make([]sums, c.weeks)
	var all sums
	for i := range c.Jobs {
		if in(i) {
			each[c.week[i]].add(&c.Jobs[i])
			all.add(&c.Jobs[i])
		}
	}
	mean := func(of func(*sums) float64) func(int) float64 {
		total := of(&all)
		return func(without int) float64 {
			if without < 0 {
				return total / float64(all.n)
			}
			return (total - of(&each[without])) / float64(all.n-each[without].n)
		}
	}
	some := func(s *sums) bool { return s.n > 0 }
	wrong := func(s *sums) float64 { return s.wait.Value() - s.recorded.Value() }
	off := func(s *sums) float64 { return s.off.Value() }
	out := Class{Name: name, Jobs: all.n, Recorded: all.recorded.Value() / float64(all.n), Wait: all.wait.Value() / float64(all.n),
		Share: off(&all) / off(&c.all), Signed: wrong(&all) / wrong(&c.all), Without: math.NaN()}
	e, weeks := overWeeks(each, some, mean(wrong))
	out.Weeks, out.Error = weeks, e.Interval(c.confidence)
	e, _ = overWeeks(each, some, mean(off))
	out.Absolute = e.NotNegative(c.confidence)
	return out
}

// worst lists the jobs with the largest absolute errors; of equal ones the earlier first.
func (c *comparison) worst() (worst []Worst, half int) {
	off := func(i int) float64 { return math.Abs(c.Jobs[i].err()) }
	order := stats.Order(len(c.Jobs), func(i, k int) int { return cmp.Compare(off(k), off(i)) })
	for _, i := range order[:min(len(order), mostWorst)] {
		worst = append(worst, Worst{Job: c.Jobs[i], Queue: c.name(c.Jobs[i].Queue), Cause: causeNames[c.cause[i]],
			Share: off(i) / c.all.off.Value()})
	}
	for upTo := 0.0; half < len(order) && upTo < c.all.off.Value()/2; half++ {
		upTo += off(order[half])
	}
	return worst, half
}

func (c *comparison) name(n int32) string {
	if n < 0 {
		return ""
	}
	return c.names[n]
}
