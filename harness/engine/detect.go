// Package engine knows batch engines by their messages to a process: which task of how
// many it is, how many processors and how much time it was given.
//
//	environment, job ad -> [Detect] -> [Found] -> shard, workers, deadline
//
// What the engines call things is a table (table.go); [Detect] is a pure function of
// what it is handed. Engines may be nested, such as srun in a Slurm array: a [Found]
// holds all of them, and the innermost that divides work says which shard this is.
package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Outside is all that [Detect] looks at.
type Outside struct {
	Getenv   func(string) string
	ReadFile func(string) ([]byte, error)
}

// Task holds the data of this process from one engine.
type Task struct {
	// Engine is its name in the table, such as slurm, srun, pbs, sge, hyperqueue.
	Engine string
	// Indexed reports that the process is one of several that Index numbers, Counted
	// that they are First, First+Step, ... Last. Step is at least 1.
	Indexed, Counted         bool
	Index, First, Last, Step int
	Threads                  int
	// Attempt is as the engine counts, "" where it does not.
	Attempt string
	// Deadline is the time at which the engine ends the task; zero if no variable states it. Ask is a command that
	// tells it then; [TimeLeft] reads its output.
	Deadline time.Time
	Ask      []string
	// ErrorFile is the file from which the engine reads why a task failed; "" for none.
	ErrorFile string
	// IDs are the variables by which the engine's books name the job, with their values.
	IDs map[string]string

	name  string
	usual int
	// wrong is the text that cannot be read, uneven reports that the tasks are no range.
	wrong, uneven error
}

type Found struct{ Tasks []Task }

// Detect looks for engines around the process.
func Detect(o Outside) Found {
	var f Found
	for _, e := range engines {
		if o.Getenv(e.here) != "" {
			f.Tasks = append(f.Tasks, e.task(o))
		}
	}
	return f
}

func (e *facts) task(o Outside) Task {
	t := Task{Engine: e.id, Step: 1, name: e.name, usual: e.usual, IDs: map[string]string{}}
	tell := o.Getenv
	if e.ad != "" {
		ad, err := readAd(o, o.Getenv(e.ad))
		if t.wrong = err; err != nil {
			t.Indexed = true // of an unknown number
			return t
		}
		tell = func(name string) string { return ad[name] }
	}
	for _, name := range e.ids {
		if v := tell(name); v != "" {
			t.IDs[name] = v
		}
	}
	if e.attempt != "" {
		t.Attempt = tell(e.attempt)
	}
	if e.errorFile != "" {
		t.ErrorFile = tell(e.errorFile)
	}
	if index := tell(e.index); index != "" && index != e.none {
		t.Indexed = true
		t.number(e, tell)
	}
	t.limits(e, tell)
	return t
}

func (t *Task) number(e *facts, tell func(string) string) {
	var count int
	read := func(name string, to *int, least int) bool {
		if name == "" || tell(name) == "" {
			return false
		}
		n, err := strconv.Atoi(tell(name))
		if err != nil || n < least {
			t.wrong = errors.Join(t.wrong, fmt.Errorf("%s is %q: want a number of at least %d; give --shard I/N", name, tell(name), least))
			return false
		}
		*to = n
		return true
	}
	t.First = e.usual
	read(e.index, &t.Index, 0)
	read(e.step, &t.Step, 1)
	if e.first == "" && e.step != "" { // the first that is this many steps away, from the usual one
		t.First = e.usual + (t.Index-e.usual)%t.Step
	}
	read(e.first, &t.First, 0)
	t.Counted = read(e.last, &t.Last, 0)
	counted := read(e.count, &count, 1)
	switch {
	case t.Counted && counted && (t.Last-t.First)/t.Step+1 != count:
		t.uneven = fmt.Errorf("the %s array has %d tasks from %d to %d, which is no range with a step: name the range that they belong to "+
			"with --shards FIRST-LAST[:STEP], or give --shard I/N", t.name, count, t.First, t.Last)
	case !t.Counted && counted:
		t.Last, t.Counted = t.First+(count-1)*t.Step, true
	}
}

func (t *Task) limits(e *facts, tell func(string) string) {
	for _, name := range e.threads {
		number, _, _ := strings.Cut(tell(name), " ") // HyperQueue: "4 compact"
		if n, err := strconv.Atoi(number); err == nil && n > 0 && t.Threads == 0 {
			t.Threads = n
		}
	}
	if t.Threads == 0 && e.single && (!t.Counted || t.Tasks() > 1) {
		t.Threads = 1
	}
	if e.deadline != "" {
		if s, err := strconv.ParseInt(tell(e.deadline), 10, 64); err == nil && s > 0 {
			t.Deadline = time.Unix(s, 0)
		} else if e.ask != nil {
			job := tell(e.here)
			if array := tell("SLURM_ARRAY_JOB_ID"); array != "" { // which is also the id of one of its tasks
				job = array + "_" + tell(e.index)
			}
			t.Ask = append(e.ask[:len(e.ask):len(e.ask)], job)
		}
	}
}

// Tasks returns the number of tasks, 0 where that is not known.
func (t *Task) Tasks() int {
	if !t.Counted || t.Last < t.First {
		return 0
	}
	return (t.Last-t.First)/t.Step + 1
}

// readAd reads the attributes of a job ad, one a line: Name = value.
func readAd(o Outside, path string) (map[string]string, error) {
	text, err := o.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("HTCondor's job ad: %w: give --shard I/N", err)
	}
	ad := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " = "); ok {
			ad[name] = strings.Trim(value, `"`)
		}
	}
	return ad, nil
}

// TimeLeft reads the deadline in the answer of the command [Task].Ask; zero and
// false where there is none, as for a job without a time limit.
func TimeLeft(answer []byte) (time.Time, bool) {
	for field := range strings.FieldsSeq(string(answer)) {
		if end, ok := strings.CutPrefix(field, "EndTime="); ok {
			if s, err := strconv.ParseInt(end, 10, 64); err == nil && s > 0 {
				return time.Unix(s, 0), true
			}
		}
	}
	return time.Time{}, false
}
