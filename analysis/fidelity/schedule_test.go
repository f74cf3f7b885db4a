package fidelity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawnJobs are a few jobs on a small clock, so that times collide.
func drawnJobs(t *rapid.T) []Job {
	jobs := make([]Job, rapid.IntRange(1, 25).Draw(t, "jobs"))
	at := 0
	for i := range jobs {
		at += rapid.IntRange(0, 3).Draw(t, "gap")
		jobs[i] = Job{ID: int64(i), Submit: float64(60 * at), Recorded: float64(60 * rapid.IntRange(0, 6).Draw(t, "recorded")),
			Wait: float64(60 * rapid.IntRange(0, 6).Draw(t, "wait")),
			Run:  float64(60 * rapid.IntRange(0, 5).Draw(t, "run")), Procs: int32(rapid.IntRange(1, 4).Draw(t, "procs")),
			User: int32(rapid.IntRange(-1, 3).Draw(t, "user")), Queue: -1, Partition: -1}
	}
	return jobs
}

// ownBefore reports whether another job of the user of job i ended in the 30 s before it started.
func ownBefore(jobs []Job, i int) bool {
	for k := range jobs {
		apart := jobs[i].Submit + jobs[i].Recorded - (jobs[k].Submit + jobs[k].Recorded + jobs[k].Run)
		if k != i && jobs[i].User >= 0 && jobs[k].User == jobs[i].User && 0 <= apart && apart <= 30 {
			return true
		}
	}
	return false
}

// TestReplayedIsTheDelayOfEachMinute: the mean delay of a replay, from a simulation that looks at every minute.
func TestReplayedIsTheDelayOfEachMinute(t *testing.T) {
	late := 0
	rapid.Check(t, func(t *rapid.T) {
		jobs := drawnJobs(t)
		for i := range jobs {
			jobs[i].Run += 60 // none takes no time
		}
		order := slices.Clone(jobs)
		slices.SortStableFunc(order, func(a, b Job) int { return cmp.Compare(a.start(), b.start()) })
		began, delay := map[int64]float64{}, 0.0
		for now := 0.0; len(began) < len(jobs); now += 60 {
			free := int32(5)
			for _, j := range jobs {
				if at, runs := began[j.ID]; runs && now < at+j.Run {
					free -= j.Procs
				}
			}
			for _, j := range order {
				if _, runs := began[j.ID]; !runs && j.start() <= now && j.Procs <= free {
					began[j.ID], delay, free = now, delay+now-j.start(), free-j.Procs
				}
			}
		}
		if delay > 0 {
			late++
		}
		if got, want := replayed(jobs, 5), delay/float64(len(jobs)); !(math.Abs(got-want) <= 1e-9) {
			t.Fatalf("mean delay %v, want %v", got, want)
		}
	})
	if late == 0 {
		t.Error("no job was late")
	}
}

// TestCausesAreThoseOfTheSchedule: each cause by its definition, from the processors in use in every minute.
func TestCausesAreThoseOfTheSchedule(t *testing.T) {
	const procs = 5
	seen := map[int]bool{}
	rapid.Check(t, func(t *rapid.T) {
		jobs := drawnJobs(t)
		s := newSchedule(jobs)
		busyAt := func(minute float64) (busy int) {
			for _, k := range jobs {
				if start := k.Submit + k.Recorded; start <= minute && minute < start+k.Run {
					busy += int(k.Procs)
				}
			}
			return busy
		}
		for i := range jobs {
			j := &jobs[i]
			always, sometimes, empty, ahead := true, false, false, false
			minutes := 0 // without a running job, up to now
			for m := j.Submit; m < j.Submit+j.Recorded; m += 60 {
				fits := busyAt(m)+int(j.Procs) <= procs
				if minutes++; busyAt(m) > 0 {
					minutes = 0
				}
				always, sometimes, empty = always && fits, sometimes || fits, empty || minutes > 1
			}
			for _, k := range jobs {
				ahead = ahead || k.Submit < j.Submit && k.Submit+k.Recorded > j.Submit
			}
			want := full
			switch {
			case j.Recorded == 0:
				want = prompt
			case j.Recorded <= 60:
				want = cycle
			case empty:
				want = emptied
			case ownBefore(jobs, i):
				want = afterOwn
			case always && !ahead:
				want = held
			case always:
				want = passed
			case sometimes:
				want = partly
			}
			seen[want] = true
			if got := s.cause(j, procs); got != want {
				t.Fatalf("job %d of %+v: %s, want %s", i, jobs, causeNames[got], causeNames[want])
			}
		}
		m := s.machine(procs)
		emptyTime := 0.0
		last, first := 0.0, 1e9
		for _, k := range jobs {
			if k.Run > 0 {
				first, last = min(first, k.Submit+k.Recorded), max(last, k.Submit+k.Recorded+k.Run)
			}
		}
		for at := first; at < last; at += 60 {
			waits := 0
			for _, k := range jobs {
				if k.Submit <= at && at < k.Submit+k.Recorded {
					waits++
				}
			}
			if busyAt(at) == 0 && waits > 0 {
				emptyTime += 60
			}
		}
		if m.EmptyTime > emptyTime { // which also counts times that are over within a minute, and jobs without a run time that start
			t.Fatalf("empty for %v s while jobs wait, want at most %v: %+v", m.EmptyTime, emptyTime, jobs)
		}
	})
	if len(seen) != len(causeNames) && !testing.Short() { // a few cases may not meet all causes
		t.Errorf("only %v of the causes are met", fmt.Sprint(seen))
	}
}

// TestEmptied: the machine is empty from 100 s to 700 s although a job waits from 200 s on.
func TestEmptied(t *testing.T) {
	s := newSchedule([]Job{{Submit: 0, Run: 100, Procs: 2}, {Submit: 200, Recorded: 500, Run: 300, Procs: 3}})
	if m := s.machine(4); m.Emptied != 1 || m.EmptyTime != 500 || m.Peak != 3 || m.Beyond != 0 || m.Use != (200.0+900)/4/1000 {
		t.Errorf("%+v", m)
	}
	if m := s.machine(2); m.Beyond != 300 {
		t.Errorf("beyond its processors for %v s, want 300", m.Beyond)
	}
}
