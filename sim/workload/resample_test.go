package workload

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload/swf"
)

// smallLog is a log of jobs by these users, which begins on a Wednesday.
func smallLog(t testing.TB, jobs []swf.Job) *logOrigin {
	t.Helper()
	var b strings.Builder
	b.WriteString("; UnixStartTime: 1000000000\n; TimeZone: 0\n; MaxProcs: 64\n") // Sunday 01:46:40
	for i, j := range jobs {
		fmt.Fprintf(&b, "%d %.0f -1 %.0f %d -1 -1 %d %.0f -1 1 %d -1 -1 -1 -1 -1 -1\n", i+1, j.Submit, j.RunTime, j.Procs, j.Procs, j.RunTime,
			j.User)
	}
	log, err := swf.Parse("small", strings.NewReader(b.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := log.Prepare(swf.Rules{Size: "requested-else-allocated", Walltime: "requested-else-run-time", Overrun: "cut",
		ZeroRunTime: "drop", TooLarge: "drop"})
	if err != nil {
		t.Fatal(err)
	}
	return &logOrigin{log: log, jobs: prepared}
}

// drawJobs is a log of up to seven users over some weeks.
func drawJobs(rt *rapid.T) (jobs []swf.Job) {
	at := 0.0
	for range rapid.IntRange(1, 80).Draw(rt, "jobs") {
		at += float64(rapid.IntRange(0, 4*24*3600).Draw(rt, "gap"))
		jobs = append(jobs, swf.Job{Submit: at, RunTime: float64(rapid.IntRange(1, 1000).Draw(rt, "run time")),
			Procs: int32(rapid.IntRange(1, 64).Draw(rt, "processors")), User: int32(rapid.IntRange(-1, 6).Draw(rt, "user"))})
	}
	return jobs
}

func allOf(t interface{ Fatal(...any) }, s sim.Source) (all []sim.JobSpec) {
	for {
		var j sim.JobSpec
		ok, err := s.Next(&j)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return all
		}
		all = append(all, j)
	}
}

// everyUser draws every user once, at the user's own place.
func everyUser(u *users) (all []drawn) {
	for n := range u.jobs {
		all = append(all, drawn{n, 0})
	}
	return all
}

// TestResampledIdentity: every user once at the user's own place is the log, job for job.
func TestResampledIdentity(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := smallLog(t, drawJobs(rt))
		for _, start := range []string{"monday", "sunday", "zero"} {
			p := defaultReplicate()
			p.WeekStart = start
			u, err := usersOf(o, &p)
			if err != nil {
				rt.Fatal(err)
			}
			again, err := u.log(o, &p, everyUser(u), u.weeks)
			if err != nil {
				rt.Fatal(err)
			}
			was, now := allOf(rt, (&pipeline{origin: o, choice: choice{n: -1}}).selected()), allOf(rt, again.pass())
			if len(was) != len(now) {
				rt.Fatalf("%d jobs became %d", len(was), len(now))
			}
			names := map[int32]int32{}
			for i := range was {
				if other, known := names[was[i].User]; was[i].User >= 0 && known && other != now[i].User {
					rt.Fatalf("user %d is two", was[i].User)
				}
				names[was[i].User] = now[i].User
				was[i].Submit -= u.begin
				if r := again.info().Records.Record(now[i].Record); o.info().Records.Record(was[i].Record) != r {
					rt.Fatalf("job %d has another record: %+v", i, r)
				}
				was[i].User, was[i].ID, was[i].Record = now[i].User, now[i].ID, now[i].Record
				if was[i] != now[i] {
					rt.Fatalf("job %d: %+v became %+v", i, was[i], now[i])
				}
			}
		}
	})
}

// TestBeginOfWeek: weeks begin at local midnight, for each offset of the log's zone.
func TestBeginOfWeek(t *testing.T) {
	for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 2*3600), time.FixedZone("", -9*3600)} {
		wednesday := time.Date(2024, 5, 15, 1, 30, 5, 0, zone) // local time, in any zone
		for begin, want := range map[string]float64{"monday": -(2*24*3600 + 5405), "sunday": -(3*24*3600 + 5405)} {
			if got, err := beginOfWeek(Info{Start: wednesday}, begin, 0); err != nil || got != want {
				t.Errorf("%s in %s: the week begins at %g (%v), want %g", begin, zone, got, err, want)
			}
		}
	}
}

// TestResampledUsers: each new user is a user of the log, moved by whole weeks. All jobs of that user within the new log are
// there.
func TestResampledUsers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := smallLog(t, drawJobs(rt))
		p := defaultReplicate()
		p.Temporary = float64(rapid.IntRange(0, 5).Draw(rt, "temporary"))
		p.Arrivals = rapid.SampledFrom([]string{"poisson", "resampled"}).Draw(rt, "arrivals")
		p.Load = rapid.SampledFrom([]float64{.5, 1, 3}).Draw(rt, "load")
		weeks := rapid.IntRange(1, 30).Draw(rt, "weeks")
		u, err := usersOf(o, &p)
		if err != nil {
			rt.Fatal(err)
		}
		all := u.draw(o, &p, weeks, rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0)))
		log, err := u.log(o, &p, all, weeks)
		if err != nil {
			return // no user came
		}
		jobs := map[int32]int{}
		last := 0.0
		for _, m := range log.(*resampled).jobs {
			d := all[m.user]
			was := o.jobs.Jobs[m.job].Submit - u.begin
			if m.submit-was != float64(d.shift)*week || m.submit < last || m.submit >= float64(weeks)*week {
				rt.Fatalf("a job at %g came to %g (shift %d, after %g, %d weeks)", was, m.submit, d.shift, last, weeks)
			}
			last = m.submit
			jobs[m.user]++
		}
		for k, d := range all {
			want := 0
			for _, i := range u.jobs[d.user] {
				if at := o.jobs.Jobs[i].Submit - u.begin + float64(d.shift)*week; at >= 0 && at < float64(weeks)*week {
					want++
				}
			}
			if jobs[int32(k)] != want {
				rt.Fatalf("user %d of the new log has %d jobs, not %d", k, jobs[int32(k)], want)
			}
		}
	})
}

// TestResampledIsUnbiased: with users of known habits the expected number of jobs is the
// log's, times the load, in the first week as in all.
func TestResampledIsUnbiased(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	r := rand.New(rand.NewPCG(1, 2))
	var jobs []swf.Job
	for user := range 60 {
		first, n := r.Float64()*40*week, 1+r.IntN(30)
		for k := range n {
			jobs = append(jobs, swf.Job{Submit: first + float64(k)*week*(.1+float64(user%5)*.6), RunTime: 10, Procs: 1, User: int32(user)})
		}
	}
	slices.SortStableFunc(jobs, func(a, b swf.Job) int { return cmp.Compare(a.Submit, b.Submit) })
	o := smallLog(t, jobs)
	for _, arrivals := range []string{"poisson", "resampled"} {
		for _, load := range []float64{.7, 2} {
			p := defaultReplicate()
			p.Arrivals, p.Load = arrivals, load
			u, err := usersOf(o, &p)
			if err != nil {
				t.Fatal(err)
			}
			draws := simtest.Cases(700, 2000)
			var whole, first moments
			for k := range draws {
				log, err := u.log(o, &p, u.draw(o, &p, u.weeks, rand.New(rand.NewPCG(uint64(k), 7))), u.weeks)
				if err != nil {
					t.Fatal(err)
				}
				n := 0
				for _, m := range log.(*resampled).jobs {
					if m.submit < week {
						n++
					}
				}
				first.add(float64(n))
				whole.add(float64(len(log.(*resampled).jobs)))
			}
			want := load * float64(len(jobs))
			if z := whole.z(want); !(math.Abs(z) <= 4) {
				t.Errorf("%s, load %g: %g jobs in the mean, not %g (%.1f standard errors)", arrivals, load, whole.mean(), want, z)
			}
			if z := first.z(want / float64(u.weeks)); !(math.Abs(z) <= 4) {
				t.Errorf("%s, load %g: %g jobs in the first week, not %g (%.1f standard errors)", arrivals, load, first.mean(), want/float64(u.weeks),
					z)
			}
		}
	}
}

// TestLoadOfPartOfWeeks: a log from a Sunday to a Sunday two weeks later lies in three calendar weeks. New logs of three weeks with as many
// jobs have two thirds of its load. A stated load, and a log of whole weeks, have no such note.
func TestLoadOfPartOfWeeks(t *testing.T) {
	for _, k := range []struct {
		last  float64
		start string
		load  float64
		note  bool
	}{{2 * week, "monday", 1, true}, {2 * week, "monday", 1.5, false}, {3*week - 3600, "zero", 1, false}} {
		o := smallLog(t, []swf.Job{{Submit: 0, RunTime: 1, Procs: 1}, {Submit: k.last, RunTime: 1, Procs: 1, User: 1}})
		p := defaultReplicate()
		p.WeekStart, p.Load = k.start, k.load
		u, err := usersOf(o, &p)
		if err != nil {
			t.Fatal(err)
		}
		log, err := u.log(o, &p, everyUser(u), u.weeks)
		if err != nil {
			t.Fatal(err)
		}
		const want = "the log fills 67 % of its 3 calendar weeks, and new logs fill them with as many jobs: take replicate: {load: 1.5}"
		if note := log.info().Note; strings.Contains(note, "calendar") != k.note || k.note && !strings.Contains(note, want) {
			t.Errorf("%+v: %s", k, note)
		}
	}
}

// moments are those of a sample.
type moments struct{ n, sum, squares float64 }

func (m *moments) add(x float64) { m.n, m.sum, m.squares = m.n+1, m.sum+x, m.squares+x*x }
func (m *moments) mean() float64 { return m.sum / m.n }
func (m *moments) deviation() float64 {
	return math.Sqrt(max(0, m.squares/m.n-m.mean()*m.mean()) * m.n / (m.n - 1))
}
func (m *moments) z(want float64) float64 {
	return (m.mean() - want) / (m.deviation() / math.Sqrt(m.n))
}

// Fields that would decide nothing are not taken in silence, nor a log whose weeks are
// not known.
func TestReplicateMistakes(t *testing.T) {
	o := smallLog(t, []swf.Job{{Submit: 0, RunTime: 1, Procs: 1}})
	p := defaultRules()
	p.Replicate.Weeks = 3
	transforms := DefaultTransforms()
	var said string
	p.validate(func(field, message string) { said += field + " " + message }, &transforms)
	if !strings.HasPrefix(said, "replicate.by is nothing") {
		t.Errorf("said %q", said)
	}
	p.Replicate.By = "user"
	const few = "the log has 1 user and 0 weeks, and users are drawn from 20 and 2 on"
	if _, err := p.origin(o.log, Input{}, false, transforms); err == nil || !strings.Contains(err.Error(), few) {
		t.Errorf("error %v", err)
	}
	var nameless []swf.Job
	for k := range 30 {
		nameless = append(nameless, swf.Job{Submit: float64(k) * week, RunTime: 1, Procs: 1, User: -1})
	}
	_, err := p.origin(smallLog(t, nameless).log, Input{}, false, transforms)
	if err == nil || !strings.Contains(err.Error(), "the log has 0 users") {
		t.Errorf("without users: %v", err)
	}
	p.Replicate.AllowFew = true
	if _, err := p.origin(o.log, Input{}, false, transforms); err != nil {
		t.Error(err)
	}
	log, err := swf.Parse("dateless", strings.NewReader("1 0 -1 1 1 -1 -1 1 1 -1 1 1 -1 -1 -1 -1 -1 -1\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.origin(log, Input{}, false, transforms); err == nil || !strings.Contains(err.Error(), "week_start: zero") {
		t.Errorf("error %v", err)
	}
}
