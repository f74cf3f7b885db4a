package backfill

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
)

// Eligible restricts the times at which jobs may start. Nil allows every start.
type Eligible interface {
	// Reset prepares a run.
	Reset(s *sim.State)
	// Submitted comes before any other call about the job.
	Submitted(s *sim.State, j *sim.Job)
	// At returns the largest walltime that may start at time t, and when that changes next.
	At(t float64) (longest, until float64)
	// Earliest is the first time from t on at which a job of this walltime may start, +Inf where it never may.
	Earliest(t, walltime float64) float64
}

// Session is a part of the day or week at whose end the machine is to be empty, as sites have them that keep
// long jobs for nights and weekends: a job starts in it only where its walltime ends it before the next session.
// It begins at the same time on some days and lasts until the next.
type Session struct {
	Begin   float64 `sweep:"begin" unit:"s" min:"0" below:"86400" doc:"time of day, by the log's clock of its first day, or from time 0 on, a Monday 00:00, where there is none"`
	Days    string  `sweep:"days" doc:"days on which it begins" default:"weekdays" enum:"weekdays: Monday to Friday|all: every day"`
	Longest float64 `sweep:"longest" unit:"s" min:"0" default:"0" doc:"largest walltime that starts in it; 0: any job that ends in it"`
}

const (
	day  = 24 * 3600.0 // s
	week = 7 * day
)

// sessions are those of a week, at least one.
type sessions struct {
	begins []weekTime
	offset float64 // from the Monday 00:00 before it to time 0
	placed bool    // the log's time is known to be the workload's, or how much later
}

// weekTime is the beginning of a session, from Monday 00:00, and the largest walltime in it.
type weekTime struct{ at, longest float64 }

// newSessions returns when jobs may start in these sessions, nil where there are none.
func newSessions(all []Session) (Eligible, error) {
	if len(all) == 0 {
		return nil, nil
	}
	s := &sessions{}
	for _, of := range all {
		if of.Longest == 0 {
			of.Longest = math.Inf(1)
		}
		days := 5
		if of.Days == "all" {
			days = 7
		}
		for d := range days {
			s.begins = append(s.begins, weekTime{float64(d)*day + of.Begin, of.Longest})
		}
	}
	slices.SortFunc(s.begins, func(a, b weekTime) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(s.begins); i++ {
		if s.begins[i].at == s.begins[i-1].at {
			return nil, fmt.Errorf("two sessions begin at %g s of a day: keep one", math.Mod(s.begins[i].at, day))
		}
	}
	return s, nil
}

// Reset takes the time of a log.
func (e *sessions) Reset(s *sim.State) {
	e.offset, e.placed = 0, true
	if s.Records() == nil {
		return
	}
	if at, _ := s.Records().Calendar(); !at.IsZero() {
		h, m, sec := at.Clock()
		e.offset, e.placed = float64((int(at.Weekday())+6)%7)*day+float64(3600*h+60*m+sec), false
	}
}

// Submitted takes what the workload's time is less than the log's from the first job that says so.
func (e *sessions) Submitted(s *sim.State, j *sim.Job) {
	if e.placed {
		return
	}
	if of, known := s.Record(j); known {
		e.offset, e.placed = e.offset+of.Submit-j.Submit(), true
	}
}

// At returns the largest walltime that may start at t, and when the session at t ends.
func (e *sessions) At(t float64) (longest, until float64) {
	monday := week * math.Floor((t+e.offset)/week)
	in := t + e.offset - monday
	i, _ := slices.BinarySearchFunc(e.begins, in, func(b weekTime, t float64) int {
		if b.at <= t {
			return -1
		}
		return 1
	})
	next := week + e.begins[0].at
	if i < len(e.begins) {
		next = e.begins[i].at
	}
	of := e.begins[(i+len(e.begins)-1)%len(e.begins)]
	until = monday + next - e.offset
	return min(of.longest, until-t), until
}

// Earliest is the first time from t on at which a job of this walltime may start, +Inf where no session is long enough.
func (e *sessions) Earliest(t, walltime float64) float64 {
	for range len(e.begins) + 2 {
		longest, until := e.At(t)
		if walltime <= longest {
			return t
		}
		t = until
	}
	return math.Inf(1)
}
