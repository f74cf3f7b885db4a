package scojo

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/sim"
	"schedsweep/sim/studies/sodan2003/scojo/protocol"
)

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name: "scojo",
		Doc:  "SCOJO: jobs share all of a site's processors in time, by priorities, joining and backfilling (Sodan, Huang 2003)",
		// 1: agreed starts leave room for rounding, and passes come only when something happens;
		// 2: plans of several sites hold forecasts that follow one another closely;
		// 3: a site with a request knows of launches at the same instant;
		// 4: rounding delays no job behind an agreed start that it ends at, and sites hear that a job is given up;
		// 5: effective reservations count the progress beside parts without time;
		// 6: messages_per_job counts answers to attempts that have failed
		Version: 6,
		Params:  Defaults(),
		Metrics: metrics,
		New: func(params any, env sim.Env) (sim.Policy, error) {
			p := New(*params.(*Params))
			p.env = env
			return p, nil
		},
	})
}

// Params are the parameters of the policy scojo.
type Params struct {
	Variant    string          `sweep:"variant" enum:"fcfs: one job at a time, all with one priority, so in order of submission unless order is share|pri: one job at a time, by priority|prico: jobs join running ones of lower priority|pricob: and backfill" doc:"rule that starts jobs: the paper's FCFS, Pri, PriCo and PriCoB"`
	Level      int             `sweep:"level" min:"1" max:"16" doc:"multiprogramming level: jobs that share a site at a time, of prico and pricob"`
	Positions  []float64       `sweep:"positions" unit:"share" doc:"share that is reserved for the first, second, ... of the jobs on a site, in order of start; of a job that asks for no share"`
	Promote    bool            `sweep:"promote" doc:"give the larger share of a job that has ended to a job with a smaller share"`
	Idle       string          `sweep:"idle" enum:"proportional: jobs get it beside their reserved shares, in proportion to these|kept: it stays idle" doc:"share that is not reserved while several jobs run"`
	Alone      float64         `sweep:"alone" unit:"share" above:"0" max:"1" doc:"share that a job has while no other runs on its site, under prico and pricob at least its reserved share; cross-site jobs have their reserved share"`
	Reserve    string          `sweep:"reserve" enum:"assigned: of the processors' time|effective: of progress; the cost of other jobs comes on top" doc:"guarantee of a reserved share"`
	Kept       float64         `sweep:"kept_share" unit:"share" min:"0" below:"1" doc:"share that is never reserved: for jobs past their reservation, and for urgent ones where all else is taken"`
	Join       Join            `sweep:"join" doc:"jobs that start beside running ones of lower priority"`
	Backfill   Backfill        `sweep:"backfill" doc:"jobs that start beside any others, of pricob"`
	Order      string          `sweep:"order" enum:"submission: earlier submissions first|share: larger requested shares first" doc:"order within a priority"`
	Priorities string          `sweep:"priorities" enum:"walltime: the class of the walltime: special 15, short 10, medium 5, long 0|job: the job's own" doc:"source of priorities"`
	Classes    Classes         `sweep:"classes" doc:"bounds of the classes of walltimes"`
	CrossSite  string          `sweep:"cross_site" enum:"agreed: with a start that is fixed at submission|coscheduled: only under prico and pricob; under fcfs and pri these jobs wait their turn" doc:"cross-site jobs on a machine of one site"`
	Aging      float64         `sweep:"aging" unit:"s" min:"0" doc:"T_age: time after which a waiting job's priority rises, again and again; 0: never"`
	AgingStep  int             `sweep:"aging_step" min:"1" doc:"amount by which the priority rises"`
	Protocol   protocol.Params `sweep:"protocol" doc:"agreement of sites on jobs that run on several sites, or on another than their own; only on platforms of several clusters (a cluster is a site)"`
}

// Join selects the jobs that may start beside running jobs of lower priority.
type Join struct {
	// MinPriority is the paper's CoSl_max, weighted by the run time: short jobs bear
	// being slowed down.
	MinPriority int `sweep:"min_priority" doc:"least priority of a job that joins"`
	// MaxSlowdown is CoSl_max for jobs of one priority.
	MaxSlowdown float64 `sweep:"max_slowdown" min:"0" doc:"CoSl_max: jobs of one priority run at a time where neither slows down the other by more; 0: never"`
	// CrossSite lets any job use the share from which a cross-site job gains nothing.
	CrossSite bool `sweep:"cross_site" doc:"may cross-site jobs run beside any others, and these beside them"`
}

// Backfill selects the jobs that may fill the share that is left before running jobs end.
type Backfill struct {
	MinPriority int `sweep:"min_priority" doc:"least priority of a job that is backfilled"`
}

// Classes are the bounds of walltimes, in s.
type Classes struct {
	Special float64 `sweep:"special" unit:"s" min:"0" doc:"largest walltime of a special (very short) job"`
	Short   float64 `sweep:"short" unit:"s" min:"0" doc:"largest walltime of a short job"`
	Medium  float64 `sweep:"medium" unit:"s" min:"0" doc:"largest walltime of a medium job"`
}

// The classes' priorities, those of the paper's figure 3.
const (
	special = 15
	short   = 10
	medium  = 5
	long    = 0
)

// Defaults are the paper's case 1, with jobs that join and backfill only where being
// slowed down costs them little.
func Defaults() Params {
	return Params{Variant: "pricob", Level: 2, Positions: []float64{.5, .5}, Promote: true, Idle: "proportional", Alone: 1,
		Reserve: "assigned",
		Join:    Join{MinPriority: special}, Backfill: Backfill{MinPriority: short}, Order: "submission", Priorities: "walltime",
		CrossSite: "agreed",
		Classes:   Classes{Special: 90, Short: 300, Medium: 600}, AgingStep: 5, Protocol: protocol.Defaults}
}

// Needs refuses fields that the variant does not read, classes where priorities are the jobs' own, and a step of aging without aging.
func (p *Params) Needs(report func(missing, field, message string)) {
	d, several, ranked := Defaults(), p.shares(), p.Variant != "fcfs"
	for _, x := range []struct {
		field       string
		given, read bool
	}{
		{"level", p.Level != d.Level, several},
		{"positions", !slices.Equal(p.Positions, d.Positions), several},
		{"promote", p.Promote != d.Promote, several},
		{"idle", p.Idle != d.Idle, several},
		{"reserve", p.Reserve != d.Reserve, several},
		{"join.min_priority", p.Join.MinPriority != d.Join.MinPriority, several},
		{"join.max_slowdown", p.Join.MaxSlowdown != d.Join.MaxSlowdown, several},
		{"join.cross_site", p.Join.CrossSite != d.Join.CrossSite, several},
		{"backfill.min_priority", p.Backfill.MinPriority != d.Backfill.MinPriority, p.Variant == "pricob"},
		{"priorities", p.Priorities != d.Priorities, ranked},
		{"aging", p.Aging != d.Aging, ranked},
		{"classes.special", p.Classes.Special != d.Classes.Special, ranked},
		{"classes.short", p.Classes.Short != d.Classes.Short, ranked},
		{"classes.medium", p.Classes.Medium != d.Classes.Medium, ranked},
	} {
		switch {
		case x.given && !x.read:
			report("variant", x.field, "changes nothing with variant "+p.Variant+"; change variant, or drop it")
		case x.given && p.Priorities == "job" && strings.HasPrefix(x.field, "classes."):
			report("priorities", x.field, "changes nothing with priorities job; change priorities, or drop it")
		}
	}
	if p.Aging == 0 && p.AgingStep != d.AgingStep {
		report("aging", "aging_step", fmt.Sprintf("is %d, and no priority rises; give aging, or drop it", p.AgingStep))
	}
}

// Validate checks that there are reserved shares, and that together they fit.
func (p *Params) Validate(report func(field, message string)) {
	if p.level() > len(p.Positions) {
		report("positions", fmt.Sprintf("has %s for a level of %d; give as many", sim.Counted(len(p.Positions), "share"), p.Level))
		return
	}
	sum := 0.0
	for i, s := range p.Positions {
		if !(s > 0 && s <= 1) {
			report("positions", fmt.Sprintf("has %g at %d; shares are above 0 and at most 1", s, i+1))
		}
		if i < p.level() {
			sum += s
		}
	}
	if p.shares() && sum+p.Kept > 1+slack {
		report("positions", fmt.Sprintf("sum to %g, and %g are kept (kept_share): more than a site has", sum, p.Kept))
	}
	if p.Classes.Short < p.Classes.Special || p.Classes.Medium < p.Classes.Short {
		report("classes", fmt.Sprintf("must ascend: special is %g s, short %g s, medium %g s", p.Classes.Special, p.Classes.Short,
			p.Classes.Medium))
	}
}

// Version is 1 where rounding may leave a bit of the site beside reserved shares. A job past its reservation had that bit, and slowed
// the others down. It is 1 too where plans of several sites often had jobs beside reservations that they follow: not so with two equal
// shares, or three that are the whole site. It is 2 for guaranteed progress: plans of several sites took too much time for it, and
// offered starts too late.
func (p *Params) Version() int {
	if !p.shares() || p.Level > len(p.Positions) {
		return 0
	}
	reserved, sum := p.Positions[:p.Level], 0.0
	for _, s := range reserved {
		sum += s
	}
	switch {
	case p.effective():
		return 2
	case p.Kept > 0, p.Level == 1, p.Level > 3, p.Level == 2 && reserved[0] != reserved[1], p.Level == 3 && sum < 1-slack,
		leaves(reserved, 1, p.Level):
		return 1
	}
	return 0
}

// leaves reports whether up to n reserved shares take up the free share of a site but for rounding.
func leaves(reserved []float64, left float64, n int) bool {
	return left > 0 && left <= slack ||
		n > 0 && slices.ContainsFunc(reserved, func(s float64) bool { return left >= s && leaves(reserved, left-s, n-1) })
}

// shares reports whether several jobs run at a time.
func (p *Params) shares() bool { return p.Variant == "prico" || p.Variant == "pricob" }

// agrees reports whether cross-site jobs on a machine of one site have an agreed start.
func (p *Params) agrees() bool { return p.CrossSite != "coscheduled" || p.shares() }

// effective reports whether progress is reserved.
func (p *Params) effective() bool { return p.Reserve == "effective" && p.shares() }

// level returns the number of jobs that run at a time.
func (p *Params) level() int {
	if !p.shares() {
		return 1
	}
	return p.Level
}

// least is the least priority of jobs that may start beside others.
func (p *Params) least() int {
	switch {
	case p.Join.CrossSite:
		return math.MinInt
	case p.Variant != "pricob":
		return min(p.Join.MinPriority, special) // special ones may have the kept share
	}
	return min(p.Join.MinPriority, p.Backfill.MinPriority, special)
}

// priority is the job's before aging.
func (p *Params) priority(j *sim.Job) int {
	switch w := j.Walltime(); {
	case p.Variant == "fcfs":
		return 0
	case p.Priorities == "job":
		return int(j.Priority())
	case w <= p.Classes.Special:
		return special
	case w <= p.Classes.Short:
		return short
	case w <= p.Classes.Medium:
		return medium
	}
	return long
}
