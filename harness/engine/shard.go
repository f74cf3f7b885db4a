package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// Choice is the part of a sweep that falls to this process.
type Choice struct {
	Shard, Shards int
	// Said describes the choice and its reason for people.
	Said string
}

// Shard returns the shard of this process. given is how many tasks there are, as N or
// FIRST-LAST[:STEP], where the engine tells an index only or something else than is
// meant; "" takes them from the engine. Of several engines the innermost with more
// than one task counts. Where none has, the process is the only one.
func (f Found) Shard(given string) (Choice, error) {
	var several []Task
	for _, t := range f.Tasks {
		if t.Indexed && t.Tasks() != 1 {
			several = append(several, t)
		}
	}
	if len(several) == 0 {
		if given != "" {
			return Choice{}, fmt.Errorf("--shards %s: %s, so that nothing tells which of them this is: give --shard I/N", given, f.alone())
		}
		return Choice{Shards: 1, Said: f.alone() + ": the whole sweep"}, nil
	}
	t := several[len(several)-1]
	if t.wrong != nil {
		return Choice{}, fmt.Errorf("--shard auto: %w", t.wrong)
	}
	if given != "" {
		if err := t.count(given); err != nil {
			return Choice{}, err
		}
	} else if t.uneven != nil {
		return Choice{}, fmt.Errorf("--shard auto: %w", t.uneven)
	} else if !t.Counted {
		return Choice{}, fmt.Errorf("--shard auto: %s tells that this is task %d, but not of how many: add --shards N, or FIRST-LAST as in "+
			"the job's array option", t.name, t.Index)
	}
	n := t.Tasks()
	if t.Index < t.First || t.Index > t.Last || (t.Index-t.First)%t.Step != 0 {
		return Choice{}, fmt.Errorf("--shard auto: %s task %d is none of %s: say with --shards FIRST-LAST[:STEP] how the tasks are counted",
			t.name, t.Index, t.span())
	}
	c := Choice{Shard: (t.Index - t.First) / t.Step, Shards: n}
	c.Said = fmt.Sprintf("shard %d/%d: %s", c.Shard+1, n, t.String())
	for _, outer := range several[:len(several)-1] {
		c.Said += fmt.Sprintf("; it is within %s, and each of its tasks runs the same %d shards (--shard I/N divides further)", outer.String(), n)
	}
	return c, nil
}

func (f Found) alone() string {
	if len(f.Tasks) == 0 {
		return "no batch engine is around"
	}
	return f.Tasks[len(f.Tasks)-1].name + " runs this as a single task"
}

// count takes the number of tasks, or their range, from a person.
func (t *Task) count(given string) error {
	span, step, stepped := strings.Cut(given, ":")
	first, last, ranged := strings.Cut(span, "-")
	var wrong [3]error
	t.Step = 1
	if stepped {
		t.Step, wrong[0] = strconv.Atoi(step)
	}
	if ranged {
		t.First, wrong[1] = strconv.Atoi(first)
		t.Last, wrong[2] = strconv.Atoi(last)
	} else {
		var n int
		n, wrong[1] = strconv.Atoi(first)
		t.First, t.Last = t.usual, t.usual+(n-1)*t.Step
	}
	t.Counted = true
	if wrong != [3]error{} || t.Step < 1 || t.Tasks() < 1 {
		return fmt.Errorf("--shards %s: write how many tasks there are, such as 8, or their range as in the job's array option, such as 1-8 "+
			"or 0-14:2", given)
	}
	return nil
}

func (t *Task) span() string {
	s := fmt.Sprintf("%d-%d", t.First, t.Last)
	if t.Step > 1 {
		s += fmt.Sprintf(":%d", t.Step)
	}
	return s
}

// String names the task, such as "Slurm task 5 of 3-7:2".
func (t *Task) String() string {
	text := fmt.Sprintf("%s task %d", t.name, t.Index)
	if t.Counted {
		text += " of " + t.span()
	}
	return text
}

// Threads returns the number of processors that the innermost engine gives; 0 if no engine states
// it.
func (f Found) Threads() int {
	for i := len(f.Tasks) - 1; i >= 0; i-- {
		if n := f.Tasks[i].Threads; n > 0 {
			return n
		}
	}
	return 0
}
