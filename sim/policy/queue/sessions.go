package queue

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
)

// Session is a part of the day or week at whose end the machine is to be empty, as sites have them that keep
// long jobs for nights and weekends: a job starts in it only where its walltime ends it before the next session.
// It begins at the same time on some days and lasts until the next.
type Session struct {
	Begin   float64 `sweep:"begin" unit:"s" min:"0" below:"86400" doc:"time of day, by the log's clock of its first day, or from time 0 on, a Monday 00:00, where there is none"`
	Days    string  `sweep:"days" doc:"days on which it begins" default:"weekdays" enum:"weekdays: Monday to Friday|all: every day"`
	Longest float64 `sweep:"longest" unit:"s" min:"0" default:"0" doc:"largest walltime that starts in it; 0: whatever ends in it"`
}

const (
	day  = 24 * 3600.0 // s
	week = 7 * day
)

// sessions are those of a week; without any nothing is held to them.
type sessions struct {
	begins []weekTime
	offset float64 // from the Monday 00:00 before it to time 0
	placed bool    // the log's time is known to be the workload's, or how much later
}

// weekTime is when a session begins, from Monday 00:00, and the largest walltime in it.
type weekTime struct{ at, longest float64 }

func newSessions(all []Session) (sessions, error) {
	var s sessions
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
			return s, fmt.Errorf("two sessions begin at %g s of a day: keep one", math.Mod(s.begins[i].at, day))
		}
	}
	return s, nil
}

// reset takes the time of a log.
func (s *sessions) reset(r sim.Records) {
	s.offset, s.placed = 0, true
	if r == nil || len(s.begins) == 0 {
		return
	}
	if at := r.Calendar().Start; !at.IsZero() {
		h, m, sec := at.Clock()
		s.offset, s.placed = float64((int(at.Weekday())+6)%7)*day+float64(3600*h+60*m+sec), false
	}
}

// place takes what the workload's time is less than the log's from the first job that says so.
func (s *sessions) place(v *sim.State, j *sim.Job) {
	if s.placed {
		return
	}
	if of, known := v.Record(j); known {
		s.offset, s.placed = s.offset+of.Submit-j.Submit(), true
	}
}

// at is when the session at time t ends, and the largest walltime that may start in it at t.
func (s *sessions) at(t float64) (end, longest float64) {
	if len(s.begins) == 0 {
		return math.Inf(1), math.Inf(1)
	}
	monday := week * math.Floor((t+s.offset)/week)
	in := t + s.offset - monday
	i, _ := slices.BinarySearchFunc(s.begins, in, func(b weekTime, t float64) int {
		if b.at <= t {
			return -1
		}
		return 1
	})
	next := week + s.begins[0].at
	if i < len(s.begins) {
		next = s.begins[i].at
	}
	of := s.begins[(i+len(s.begins)-1)%len(s.begins)]
	end = monday + next - s.offset
	return end, min(of.longest, end-t)
}

// next is the first time from t on at which a job of this walltime may start, +Inf where no session is long enough.
func (s *sessions) next(t, walltime float64) float64 {
	for range len(s.begins) + 2 {
		end, longest := s.at(t)
		if walltime <= longest {
			return t
		}
		t = end
	}
	return math.Inf(1)
}
