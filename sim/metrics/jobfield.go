package metrics

import (
	"math"
	"slices"
	"strconv"

	"schedsweep/sim"
)

// JobField is a property of a job that is known from its submission on: a number, or a
// name. Classes tell jobs apart by it.
type JobField struct {
	Name, Unit, Doc string

	number func(s *sim.View, j *sim.Job) float64 // NaN where it is unknown; the number of a name where names is given
	names  func(*sim.Names) []string
	text   func(*sim.Job) string // "" where it is unknown
}

// Named reports whether the field has names, which are equal or not, but in no order.
func (f *JobField) Named() bool { return f.number == nil || f.names != nil }

// JobFields are all of them.
var JobFields = []JobField{
	{Name: "processors", Doc: "requested processors", number: func(_ *sim.View, j *sim.Job) float64 { return float64(j.Procs()) }},
	{Name: "run_time", Unit: "s", Doc: "run time in the workload", number: func(_ *sim.View, j *sim.Job) float64 { return j.RunTime() }},
	{Name: "walltime", Unit: "s", Doc: "the user's estimate", number: func(_ *sim.View, j *sim.Job) float64 { return j.Walltime() }},
	{Name: "submit", Unit: "s", Doc: "submit time", number: func(_ *sim.View, j *sim.Job) float64 { return j.Submit() }},
	{Name: "home", Doc: "number of the cluster at which it was submitted, from 0", number: func(_ *sim.View, j *sim.Job) float64 {
		return float64(j.Home())
	}},
	{Name: "user", Doc: "name of the user in the log, or the number where there is no name", number: func(s *sim.View, j *sim.Job) float64 {
		if r, there := s.Record(j); there { // a drawn user has another number than the log's
			return known(float64(r.User))
		}
		return known(float64(j.User()))
	}, names: func(n *sim.Names) []string {
		if n.LogUsers != nil {
			return n.LogUsers
		}
		return n.Users
	}},
	logged("group", "", "of the user", func(r *sim.Record) int32 { return r.Group }, func(n *sim.Names) []string { return n.Groups }),
	logged("account", "", "that pays", func(r *sim.Record) int32 { return r.Account }, func(n *sim.Names) []string { return n.Accounts }),
	logged("queue", "", "that it waited in", func(r *sim.Record) int32 { return r.Queue }, func(n *sim.Names) []string { return n.Queues }),
	logged("partition", "", "that it ran on", func(r *sim.Record) int32 { return r.Partition }, func(n *sim.Names) []string {
		return n.Partitions
	}),
	logged("nodes", "", "requested nodes in all", func(r *sim.Record) int32 { return r.Nodes }, nil),
	logged("gpus", "", "requested GPUs in all", func(r *sim.Record) int32 { return r.GPUs }, nil),
	logged("memory", "B", "requested memory, per processor", func(r *sim.Record) float64 { return r.Memory }, nil),
	{Name: "application", Doc: "name of the program that it runs", text: (*sim.Job).Application},
}

// logged is a field that logs have.
func logged[N int32 | float64](name, unit, doc string, of func(*sim.Record) N, names func(*sim.Names) []string) JobField {
	if names != nil {
		doc = "name of the " + name + " " + doc + ", or its number"
	}
	return JobField{Name: name, Unit: unit, Doc: doc + ", where the log says it", names: names, number: func(s *sim.View, j *sim.Job) float64 {
		r, there := s.Record(j)
		if !there {
			return math.NaN()
		}
		return known(float64(of(&r)))
	}}
}

// known is NaN for the number by which records mark an unknown value.
func known(v float64) float64 {
	if v < 0 {
		return math.NaN()
	}
	return v
}

// Test compares a field of a job with a number, or with a name. It fails where the
// field is unknown.
type Test struct {
	Field *JobField
	// Op is ==, !=, and for numbers also <, <=, > and >=.
	Op     string
	Number float64
	Text   string

	codes []float64 // the number of the name in this run
}

// find looks up the number of the name.
func (t *Test) find(names sim.Names) {
	if t.Field.names == nil {
		return
	}
	list := t.Field.names(&names)
	t.codes = t.codes[:0]
	for n, name := range list {
		if name == t.Text && name != "" {
			t.codes = append(t.codes, float64(n))
		}
	}
	if n, err := strconv.ParseInt(t.Text, 10, 32); err == nil && n >= 0 && (int(n) >= len(list) || list[n] == "") {
		t.codes = append(t.codes, float64(n))
	}
}

func (t *Test) holds(s *sim.View, j *sim.Job) bool {
	if t.Field.text != nil {
		name := t.Field.text(j)
		return name != "" && (name == t.Text) == (t.Op == "==")
	}
	v := t.Field.number(s, j)
	if t.Field.names != nil {
		return !math.IsNaN(v) && slices.Contains(t.codes, v) == (t.Op == "==")
	}
	return t.Passes(v)
}

// Passes compares a value of a field of numbers.
func (t *Test) Passes(v float64) bool {
	switch t.Op {
	case "<":
		return v < t.Number
	case "<=":
		return v <= t.Number
	case ">":
		return v > t.Number
	case ">=":
		return v >= t.Number
	case "!=":
		return v < t.Number || v > t.Number // NaN is unknown
	default:
		return v == t.Number
	}
}
