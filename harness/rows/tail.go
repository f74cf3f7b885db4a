package rows

import (
	"path/filepath"
	"slices"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// Tail follows the rows of a plan's instances while runs write them. It reads every part file once. For each instance it
// keeps the row that counts: an answer, else the row of the latest attempt. Memory: 29 to 35 bytes an instance and 16 a failed one.
type Tail struct {
	follow store.Follower
	ids    []sweep.ID // by number in the plan
	find   func(id [16]byte) (number int, planned bool)
	state  []tailed // by number in the plan

	Tally    Tally
	Errors   map[int32]string // of the instances without an answer, by number in the plan
	Foreign  int              // rows of no instance of the plan
	Last     int              // number of the instance whose row was read last; -1 before the first
	Problems []*store.Problem
}

type tailed struct {
	attempt int32
	outcome uint8 // position in [harness.Outcomes], from 1; 0: no row
}

func NewTail(plan *sweep.Plan, dir string) *Tail {
	t := &Tail{ids: plan.KeepIDs(),
		follow: store.Follower{Dir: filepath.Join(dir, folder.Instances), Columns: []string{"id", "outcome", "error"}}}
	known, _ := store.NewLookup(len(t.ids), func(number int) *[16]byte { return (*[16]byte)(&t.ids[number]) }) // each is there once
	t.find = known.Finder()
	t.begin()
	return t
}

func (t *Tail) begin() {
	t.state, t.Errors = make([]tailed, len(t.ids)), map[int32]string{}
	t.Tally, t.Foreign, t.Last = Tally{}, 0, -1
}

// Look reads the new rows and returns the number of part files read. A folder that cannot be listed is an error, and the
// next call tries again.
func (t *Tail) Look() (news int, err error) {
	news, t.Problems, err = t.follow.Look(t.begin, t.read)
	return news, err
}

// Outcome returns the outcome of an instance with a row.
func (t *Tail) Outcome(number int32) harness.Outcome {
	return harness.Outcomes[t.state[number].outcome-1]
}

func (t *Tail) read(rows *store.Table, from, to, attempt int) {
	for i := from; i < to; i++ {
		id, err := sweep.ParseID(rows.Columns[0].Text(i))
		number, planned := t.find(id)
		at := slices.Index(harness.Outcomes, harness.Outcome(rows.Columns[1].Text(i)))
		if err != nil || !planned || at < 0 {
			t.Foreign++
			continue
		}
		s, n, outcome := &t.state[number], int32(number), harness.Outcomes[at]
		if s.outcome > 0 {
			was := t.Outcome(n)
			if was == harness.OK || outcome != harness.OK && int32(attempt) < s.attempt {
				continue
			}
			t.Tally[was]--
			delete(t.Errors, n)
		}
		*s = tailed{int32(attempt), uint8(1 + at)}
		t.Tally[outcome]++
		t.Last = number
		if outcome != harness.OK {
			t.Errors[n] = rows.Columns[2].Text(i)
		}
	}
}
