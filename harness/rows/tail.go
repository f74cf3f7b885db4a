package rows

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// Tail follows the rows of a plan's instances while runs write them. It reads every part file once. For each instance it
// keeps the row that counts: an answer, else the row of the latest attempt. Memory: 28 bytes an instance and 16 a failed one.
type Tail struct {
	plan   *sweep.Plan
	follow store.Follower
	ids    []sweep.ID
	known  []int32 // numbers in the plan, by id
	begins store.Begins
	state  []tailed // by number in the plan
	errs   map[int32]string

	Tally    Tally
	Foreign  int // rows of no instance of the plan
	Last     int // number of the instance whose row was read last; -1 before the first
	Parts    int // part files that were read, ever
	Problems []*store.Problem
}

type tailed struct {
	attempt int32
	outcome uint8 // position in [harness.Outcomes], from 1; 0: no row
}

// NewTail follows the run folder for the plan.
func NewTail(plan *sweep.Plan, dir string) *Tail {
	t := &Tail{plan: plan, ids: plan.KeepIDs(), known: make([]int32, plan.Len()),
		follow: store.Follower{Dir: filepath.Join(dir, folder.Instances), Columns: []string{"id", "outcome", "error"}}}
	for i := range t.known {
		t.known[i] = int32(i)
	}
	slices.SortFunc(t.known, func(a, b int32) int { return cmp.Or(bytes.Compare(t.ids[a][:], t.ids[b][:]), cmp.Compare(a, b)) })
	t.begins = store.BeginsOf(len(t.known), func(i int) [16]byte { return t.ids[t.known[i]] })
	t.begin()
	return t
}

func (t *Tail) begin() {
	t.state, t.errs = make([]tailed, t.plan.Len()), map[int32]string{}
	t.Tally, t.Foreign, t.Last = Tally{}, 0, -1
}

// Look reads what is new and returns the number of part files read. A folder that cannot be listed is an error, and the next
// call tries again.
func (t *Tail) Look() (news int, err error) {
	news, t.Problems, err = t.follow.Look(t.begin, t.read)
	t.Parts += news
	return news, err
}

func (t *Tail) read(rows *store.Table, attempt func(int) int) error {
	for i := range rows.Rows {
		id, err := sweep.ParseID(rows.Columns[0].Text(i))
		at, known := t.begins.Find(id, func(i int) int { return bytes.Compare(t.ids[t.known[i]][:], id[:]) })
		outcome := slices.Index(harness.Outcomes, harness.Outcome(rows.Columns[1].Text(i)))
		if err != nil || !known || outcome < 0 {
			t.Foreign++
			continue
		}
		for ; at < len(t.known) && t.ids[t.known[at]] == id; at++ {
			t.take(t.known[at], outcome, int32(attempt(i)), rows.Columns[2].Text(i))
		}
	}
	return nil
}

func (t *Tail) take(number int32, at int, attempt int32, why string) {
	s, outcome := &t.state[number], harness.Outcomes[at]
	if s.outcome > 0 {
		was := harness.Outcomes[s.outcome-1]
		if was == harness.OK || outcome != harness.OK && attempt < s.attempt {
			return
		}
		t.Tally[was]--
		delete(t.errs, number)
	}
	*s = tailed{attempt, uint8(1 + at)}
	t.Tally[outcome]++
	t.Last = int(number)
	if outcome != harness.OK {
		t.errs[number] = why
	}
}

// Failures calls fn with every instance without an answer and what it says, in the order of the plan.
func (t *Tail) Failures(fn func(number int, outcome harness.Outcome, why string)) {
	numbers := make([]int32, 0, len(t.errs))
	for n := range t.errs {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		fn(int(n), harness.Outcomes[t.state[n].outcome-1], t.errs[n])
	}
}
