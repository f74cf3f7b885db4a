package backfill

import (
	"fmt"
	"math"
	"strconv"

	"schedsweep/sim"
)

func init() {
	Priorities.Add(sim.Kind[NewPriority]{
		Name:   "fair-share",
		Doc:    "users by the used part of their shares, least first, with a pass every calculated_every (as OpenPBS)",
		Params: defaultFairShare,
		New:    func(params any, _ sim.Env) (Priority, error) { return &FairShare{p: *params.(*FairShareParams)}, nil },
	})
}

var defaultFairShare = FairShareParams{HalfLife: math.Inf(1), CalculatedEvery: 30}

// FairShareParams are the parameters of the order fair-share.
type FairShareParams struct {
	Shares          []Share `sweep:"shares" keyed:"user" doc:"shares by user; others have 1"`
	HalfLife        float64 `sweep:"half_life" unit:"s" above:"0" doc:"time after which usage counts half; .inf: usage is never forgotten"`
	CalculatedEvery float64 `sweep:"calculated_every" unit:"s" min:"0.001" finite:"yes" doc:"period of the passes that are made while jobs wait; each pass counts the usage up to then"`
	InitialUsage    []Used  `sweep:"initial_usage" keyed:"user" doc:"processor-seconds that users have used before time 0; say so where they are fitted"`
}

// Share is the part of the machine that a user is to get.
type Share struct {
	User   string  `sweep:"user" doc:"name or number of the user"`
	Shares float64 `sweep:"shares" above:"0" finite:"yes" default:"1" doc:"its shares"`
}

// Used is the usage of a user before the run.
type Used struct {
	User  string  `sweep:"user" doc:"name or number of the user"`
	Usage float64 `sweep:"usage" min:"0" finite:"yes" doc:"processor-seconds"`
}

// FairShare puts the jobs of the users with the least usage first, in processor-seconds divided by their shares. Running jobs count up
// to now. Jobs of users with equal usage keep the order of submission. A job that starts counts from the next instant on, so that the
// starts of one pass do not change its order. Every pass looks at the usage anew, and as long as jobs wait there is a pass at each
// multiple of the period.
type FairShare struct {
	p     FairShareParams
	of    map[int32]int32 // user -> its place in users
	users []usage
}

// usage is the use of a user up to a time.
type usage struct {
	used   float64 // processor-seconds, decayed
	procs  float64 // of its running jobs
	at     float64
	shares float64
}

// Reset forgets all usage but the initial one.
func (p *FairShare) Reset(s *sim.State) error {
	p.of, p.users = map[int32]int32{}, p.users[:0]
	numbers := numbersOf(s)
	for _, x := range p.p.Shares {
		user, err := numbers.user("policy.order: shares", x.User)
		if err != nil {
			return err
		}
		p.user(user).shares = x.Shares
	}
	for _, x := range p.p.InitialUsage {
		user, err := numbers.user("policy.order: initial_usage", x.User)
		if err != nil {
			return err
		}
		p.user(user).used = x.Usage
	}
	return nil
}

// user is the usage of a user.
func (p *FairShare) user(number int32) *usage {
	i, ok := p.of[number]
	if !ok {
		i = int32(len(p.users))
		p.of[number], p.users = i, append(p.users, usage{shares: 1})
	}
	return &p.users[i]
}

// until brings the usage up to now and returns it.
func (u *usage) until(now, halfLife float64) float64 {
	if since := now - u.at; since > 0 {
		if math.IsInf(halfLife, 1) {
			u.used += u.procs * since
		} else {
			kept := math.Exp2(-since / halfLife)
			u.used = u.used*kept + u.procs*halfLife/math.Ln2*(1-kept)
		}
		u.at = now
	}
	return u.used
}

// Submitted needs no record.
func (p *FairShare) Submitted(*sim.State, *sim.Job) {}

// Started counts the job's processors from now on.
func (p *FairShare) Started(s *sim.State, j *sim.Job) {
	u := p.user(j.User())
	u.until(s.Now(), p.p.HalfLife)
	u.procs += float64(j.Width())
}

// Ended counts them up to now.
func (p *FairShare) Ended(s *sim.State, j *sim.Job) {
	u := p.user(j.User())
	u.until(s.Now(), p.p.HalfLife)
	u.procs -= float64(j.Width())
}

// Key returns the usage of the job's user by its shares, rounded to 40 bits, so that equal usage in other parts stays equal.
func (p *FairShare) Key(s *sim.State, j *sim.Job) float64 {
	u := p.user(j.User())
	return math.Float64frombits((math.Float64bits(u.until(s.Now(), p.p.HalfLife)/u.shares) + 1<<12) &^ (1<<13 - 1))
}

func (p *FairShare) byUsers() string { return "policy.order.fair_share" }

// admits takes any user. Unknown users count as one.
func (p *FairShare) admits(int32) error { return nil }

// Period is 0: every pass looks at the usage.
func (p *FairShare) Period() float64 { return 0 }

// Next is the next multiple of the period.
func (p *FairShare) Next(t float64) float64 { return nextMultiple(t, p.p.CalculatedEvery) }

// AbsoluteTimes says that the period does not scale with the jobs.
func (p *FairShare) AbsoluteTimes() bool { return true }

// nextMultiple is the first multiple of the period after t.
func nextMultiple(t, period float64) float64 {
	n := math.Floor(t/period) + 1
	for n*period <= t {
		n++
	}
	return n * period
}

// numbers are the numbers of the run's names.
type numbers struct {
	users map[string]int32
	drawn bool // users have other numbers than in the log
}

func numbersOf(s *sim.State) numbers {
	n := numbers{users: map[string]int32{}}
	if s.Records() != nil {
		names := s.Records().Names()
		n.drawn = names.LogUsers != nil
		for i, name := range names.Users {
			n.users[name] = int32(i)
		}
	}
	return n
}

// user is the number of a user that a field names.
func (n numbers) user(field, name string) (int32, error) {
	if n.drawn {
		return 0, fmt.Errorf("%s names the user %s, and users of drawn logs are others than the log's: leave the user or workload.replicate out",
			field, name)
	}
	if i, ok := n.users[name]; ok && name != "" {
		return i, nil
	}
	if i, err := strconv.ParseInt(name, 10, 32); err == nil {
		return int32(i), nil
	}
	return 0, fmt.Errorf("%s names the user %s, whom the workload does not have: correct the name, or drop it", field, name)
}
