package swf

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"schedsweep/sim"
)

// Partition is a partition of the machine on which jobs of a log are to run.
type Partition struct {
	// Number is its number there, from 1, Name its name.
	Number int32
	Name   string
	// Largest is the number of processors of its largest job.
	Largest int
	// Of are the partitions of the log (field 16) whose jobs it gets, ascending; Default says that it gets those of all others too.
	Of      []int32
	Default bool
}

// Partitions are those of a machine. They do not change. Equal ones of a log are one pointer, see [Log.Partitions].
type Partitions struct{ all []Partition }

// Partitions returns partitions for [Rules]. Equal lists give the same pointer, so that logs prepared by them are shared.
func (l *Log) Partitions(all []Partition) *Partitions {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.divided {
		if slices.EqualFunc(p.all, all, func(a, b Partition) bool {
			return a.Number == b.Number && a.Name == b.Name && a.Largest == b.Largest && a.Default == b.Default && slices.Equal(a.Of, b.Of)
		}) {
			return p
		}
	}
	p := &Partitions{slices.Clone(all)}
	l.divided = append(l.divided, p)
	return p
}

// InPartitions returns the partitions of the log (field 16) that have jobs, ascending; nil for a growing log.
func (l *Log) InPartitions() []int32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inUse != nil || l.Grows() {
		return l.inUse
	}
	for i := range l.size {
		if at, known := slices.BinarySearch(l.inUse, l.At(i).Partition); !known {
			l.inUse = slices.Insert(l.inUse, at, l.At(i).Partition)
		}
	}
	return l.inUse
}

// placing puts jobs into partitions and counts what it has to.
type placing struct {
	rules    *Rules
	into     map[int32]int32 // partition of the log -> partition, as a position
	fallback int32           // -1: none
	large    []Finding       // by partition
	others   map[int32]int   // partition of the log without an entry -> its jobs
	strays   Finding
}

func newPlacing(rules *Rules) *placing {
	if rules.Into == nil {
		return nil
	}
	p := &placing{rules: rules, into: map[int32]int32{}, fallback: -1, others: map[int32]int{}}
	for i, q := range rules.Into.all {
		for _, n := range q.Of {
			p.into[n] = int32(i)
		}
		if q.Default {
			p.fallback = int32(i)
		}
		f := Finding{Kind: "size larger than the classes of partition " + q.Name, Action: Dropped,
			Why: "the largest has " + sim.Counted(q.Largest, "processor") + "; too_large: drop"}
		if rules.TooLarge == "cap" {
			f.Action, f.Why = Repaired, fmt.Sprintf("the job gets all %d processors", q.Largest)
		}
		p.large = append(p.large, f)
	}
	return p
}

// place fills in the job's partition, and reports whether it can be used there.
func (p *placing) place(j *Job, log string, line int) (bool, error) {
	at, known := p.into[j.Partition]
	if !known {
		p.others[j.Partition]++
		p.strays.Add(line)
		if at = p.fallback; at < 0 {
			return false, nil // a mistake that the end reports
		}
	}
	q := &p.rules.Into.all[at]
	j.Into = q.Number
	if int(j.Procs) <= q.Largest {
		return true, nil
	}
	if p.rules.TooLarge == "error" {
		return false, fmt.Errorf("%s:%d: job %d needs %d processors, and partition %s has no class of more than %d; workload.too_large is "+
			"error: set drop or cap, or give the partition a larger class", log, line, j.ID, j.Procs, q.Name, q.Largest)
	}
	p.large[at].Add(line)
	j.Procs = int32(q.Largest)
	return p.rules.TooLarge == "cap", nil
}

// list is the partitions of the log without an entry, with their jobs.
func (p *placing) list() string {
	var all []string
	for _, n := range slices.Sorted(maps.Keys(p.others)) {
		all = append(all, fmt.Sprintf("%d (%s)", n, sim.Counted(p.others[n], "job")))
	}
	return strings.Join(all, ", ")
}

// missing reports partitions of the log that no partition takes.
func (p *placing) missing(log string) error {
	if p == nil || p.fallback >= 0 || len(p.others) == 0 {
		return nil
	}
	return fmt.Errorf("%s: the log's partitions %s have no entry in workload.partition, and the platform has no default partition: give each "+
		"an entry, or mark a partition as the default", log, p.list())
}

// findings returns the counted findings, in the order of the report.
func (p *placing) findings() []Finding {
	if p == nil {
		return nil
	}
	if p.fallback >= 0 && p.strays.Count > 0 {
		p.strays.Kind, p.strays.Action = "no entry in workload.partition", Kept
		p.strays.Why = fmt.Sprintf("partitions %s of the log; the default %s takes them", p.list(), p.rules.Into.all[p.fallback].Name)
	}
	return append(slices.Clone(p.large), p.strays)
}
