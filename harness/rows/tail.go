package rows

import (
	"bytes"
	"math/bits"
	"path/filepath"
	"slices"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// Tail follows the rows of a plan's instances while runs write them. It reads every part file once. For each instance it
// keeps the row that counts: an answer, else the row of the latest attempt. Memory: 24 to 28 bytes an instance and 16 a failed one.
type Tail struct {
	plan   *sweep.Plan
	follow store.Follower
	ids    []sweep.ID // each is there once
	next   int        // number of the instance after the one that was found last
	passed int        // ids that were looked at one by one
	known  []int32    // numbers in the plan, by id; nil while looking at ids one by one takes less time than sorting
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

func NewTail(plan *sweep.Plan, dir string) *Tail {
	t := &Tail{plan: plan, ids: plan.KeepIDs(),
		follow: store.Follower{Dir: filepath.Join(dir, folder.Instances), Columns: []string{"id", "outcome", "error"}}}
	t.begin()
	return t
}

func (t *Tail) begin() {
	t.state, t.errs = make([]tailed, t.plan.Len()), map[int32]string{}
	t.Tally, t.Foreign, t.Last = Tally{}, 0, -1
}

// Look reads the new rows and returns the number of part files read. A folder that cannot be listed is an error, and the
// next call tries again.
func (t *Tail) Look() (news int, err error) {
	news, t.Problems, err = t.follow.Look(t.begin, t.read)
	t.Parts += news
	return news, err
}

func (t *Tail) read(rows *store.Table, attempt func(int) int) error {
	for i := range rows.Rows {
		id, err := sweep.ParseID(rows.Columns[0].Text(i))
		at := t.find(id)
		outcome := slices.Index(harness.Outcomes, harness.Outcome(rows.Columns[1].Text(i)))
		if err != nil || at < 0 || outcome < 0 {
			t.Foreign++
			continue
		}
		t.take(int32(at), outcome, int32(attempt(i)), rows.Columns[2].Text(i))
	}
	return nil
}

// nearby is how far rows that follow each other usually are from each other in the plan, in instances.
const nearby = 2048

// find is the number of the instance with that id; -1 for none. Runs write rows nearly in the order of the plan, so that most are
// found near the one before.
func (t *Tail) find(id sweep.ID) int {
	from := max(0, t.next-nearby/2)
	near := t.ids[from:min(from+nearby, len(t.ids))]
	at := slices.Index(near[min(t.next-from, len(near)):], id)
	switch {
	case at >= 0:
		at += t.next
	case slices.Contains(near, id):
		at = from + slices.Index(near, id)
	case t.known == nil && t.passed < len(t.ids)*bits.Len(uint(len(t.ids))):
		at = slices.Index(t.ids, id)
		t.passed += len(t.ids)
	default:
		at = t.search(id)
	}
	if at >= 0 {
		t.next = at + 1
	}
	return at
}

// search finds an id by halving, and sorts the ids first where that was not done before.
func (t *Tail) search(id sweep.ID) int {
	if t.known == nil {
		t.known = store.AllRows(len(t.ids))
		slices.SortFunc(t.known, func(a, b int32) int { return bytes.Compare(t.ids[a][:], t.ids[b][:]) })
		t.begins = store.BeginsOf(len(t.known), func(i int) [16]byte { return t.ids[t.known[i]] })
	}
	at, found := t.begins.Find(id, func(i int) int { return bytes.Compare(t.ids[t.known[i]][:], id[:]) })
	if !found {
		return -1
	}
	return int(t.known[at])
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
