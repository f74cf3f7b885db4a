package metrics

import (
	"math/bits"
	"strings"

	"schedsweep/sim"
)

// Class is a class of jobs.
type Class struct {
	// Is names the jobs in it; it is in rows beside the numbers.
	Is string
	// Any are lists of tests: a job that passes all of one list is in the class.
	Any [][]Test
}

// classDoc is the beginning of the definitions of metrics of classes.
const classDoc = "by class: "

// IsByClass tells by its definition whether a metric is that of a class.
func IsByClass(doc string) bool { return strings.HasPrefix(doc, classDoc) }

// ClassText is the metric that says, as a text, which jobs are in a class.
const ClassText = "class"

// ClassCatalog returns the wanted metrics of every class, or all (nil), in the order in which [Classes] gives them. Each has the
// name that it has for all jobs. [ClassText] is the first.
func ClassCatalog(wanted func(name string) bool) []sim.Metric {
	all := []sim.Metric{
		{Name: ClassText, Doc: "jobs of the class, by the manifest at the time of the row", Text: true},
		{Name: "jobs", Sum: true, Doc: "jobs submitted"},
		{Name: "finished", Sum: true, Doc: "jobs that did all their work"},
		{Name: "killed", Sum: true, Doc: "jobs ended with work left: at their walltime, by the policy or by the platform"},
		{Name: "rejected", Sum: true, Doc: "jobs refused by the policy, withheld by a limit, or that no cap admitted"},
	}
	for _, m := range metricsOf(byClass(wanted)) {
		if m.OfJobs {
			all = append(all, m)
		}
	}
	for i := range all {
		all[i].Doc = classDoc + all[i].Doc
	}
	return all
}

// byClass are the kinds that give wanted metrics to classes.
func byClass(wanted func(name string) bool) []Kind {
	return with(wanted, func(m sim.Metric) bool { return m.OfJobs })
}

// Classes is an observer that computes the metrics of classes of jobs: the numbers that the observers of the catalog
// give when they see the jobs of the class and no others. A job may be in several classes, or in none; a class without
// jobs has counts of 0, and of the other metrics none. It takes the memory of one [Collector] for each class.
type Classes struct {
	classes []Class
	seen    []classSeen
	in      []uint64 // job's slot -> the classes that it is in, a bit each
	values  []float64
}

// classSeen holds the metrics and counts of the jobs of one class.
type classSeen struct {
	collector                             Collector
	submitted, finished, killed, rejected float64
}

// NewClasses returns the observer of at most 64 classes, which become its
// own: it looks up names in their tests.
func NewClasses(classes []Class, wanted func(name string) bool) *Classes {
	c := &Classes{classes: classes, seen: make([]classSeen, len(classes))}
	for i := range c.seen {
		c.seen[i].collector.kinds = byClass(wanted)
	}
	return c
}

// Reset makes the observer ready for a run whose records have these names.
func (c *Classes) Reset(s Setting, names sim.Names) {
	for k := range c.seen {
		seen := &c.seen[k]
		seen.collector.Reset(s)
		seen.submitted, seen.finished, seen.killed, seen.rejected = 0, 0, 0, 0
		for _, tests := range c.classes[k].Any {
			for i := range tests {
				tests[i].find(names)
			}
		}
	}
}

// Submitted finds the classes of a job, once for its whole stay.
func (c *Classes) Submitted(s *sim.View, j *sim.Job) {
	in := sim.Entry(&c.in, j.Slot())
	if *in = 0; j.Part() != sim.Measured {
		return
	}
	for k := range c.classes {
		if c.classes[k].has(s, j) {
			*in |= 1 << k
			c.seen[k].submitted++
			c.seen[k].collector.Submitted(s, j)
		}
	}
}

// has reports whether a job is in the class.
func (c *Class) has(s *sim.View, j *sim.Job) bool {
next:
	for _, tests := range c.Any {
		for i := range tests {
			if !tests[i].holds(s, j) {
				continue next
			}
		}
		return true
	}
	return false
}

func (c *Classes) Held(s *sim.View, now, before *sim.Hold) {
	if now.Job == nil || before.Job != nil {
		return
	}
	for in := c.in[now.Job.Slot()]; in != 0; in &= in - 1 {
		c.seen[bits.TrailingZeros64(in)].collector.Held(s, now, before)
	}
}

func (c *Classes) Ended(s *sim.View, j *sim.Job) {
	for in := c.in[j.Slot()]; in != 0; in &= in - 1 {
		seen := &c.seen[bits.TrailingZeros64(in)]
		switch j.State() {
		case sim.Rejected, sim.Withheld, sim.OverCap:
			seen.rejected++
		case sim.Killed:
			seen.killed++
		default:
			seen.finished++
		}
		seen.collector.Ended(s, j)
	}
}

func (c *Classes) Values(dst []float64) []float64 {
	for k := range c.seen {
		seen := &c.seen[k]
		dst = append(dst, seen.submitted, seen.finished, seen.killed, seen.rejected)
		c.values = seen.collector.Values(c.values[:0])
		i := 0
		for _, kind := range seen.collector.kinds {
			for _, m := range kind.Metrics {
				if m.OfJobs {
					dst = append(dst, c.values[i])
				}
				i++
			}
		}
	}
	return dst
}

func (c *Classes) Texts(dst []string) []string {
	for i := range c.classes {
		dst = append(dst, c.classes[i].Is)
	}
	return dst
}
