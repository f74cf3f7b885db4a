package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/sim"
	"schedsweep/sim/platform"
	"schedsweep/sim/progress"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/logtable"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

// ErrCombination reports that parts of a manifest do not go together.
var ErrCombination = errors.New("impossible combination")

// Check makes the parts of every different combination that the plan holds and
// asks them whether they go together, without running anything. It reports each
// reason why combinations make no sense once, with the first instance that has it. The
// notes returns, once each, facts that a person should know though nothing is wrong, such
// as how many jobs of a log are left out.
func Check(plan *sweep.Plan, inputs *input.Files) (notes []string, err error) {
	b := newBuilder(input.NewWorkloads(inputs))
	b.workloads.Looks = maxLooked
	var all []*refusal
	stopped := ""
	for _, inst := range plan.Distinct() {
		more, err := b.check(inst)
		notes = text.Once(notes, more...)
		if errors.Is(err, harness.ErrInput) {
			return notes, err // it would come again with every policy
		}
		if err != nil {
			if k := slices.IndexFunc(all, func(r *refusal) bool { return r.err.Error() == err.Error() }); k >= 0 {
				all[k].others++
				continue
			}
			all = append(all, &refusal{at: harness.Name(plan, inst), err: err})
			if len(all) == maxCombinations {
				stopped = fmt.Sprintf("and perhaps more: stopped at %d", maxCombinations)
				break
			}
		}
	}
	notes = text.Once(notes, unmet(plan, inputs)...)
	if n := b.workloads.Unlooked; n > 0 {
		notes = append(notes, fmt.Sprintf("%d of the workloads %s not looked through for jobs that are too large, after %d jobs of others", n,
			text.Either(n, "was", "were"), maxLooked))
	}
	errs := text.Each(all, func(r *refusal) error { return r })
	if stopped != "" {
		errs = append(errs, errors.New(stopped))
	}
	return notes, errors.Join(errs...)
}

// refusal is the reason of an impossible combination, with its first instance and the number of other combinations for which it holds.
type refusal struct {
	at     string
	others int
	err    error
}

func (r *refusal) Error() string {
	more := ""
	if r.others > 0 {
		more = " and " + text.Counted(r.others, "other combination")
	}
	return fmt.Sprintf("%v: %s%s: %v", ErrCombination, r.at, more, r.err)
}

func (r *refusal) Unwrap() []error { return []error{ErrCombination, r.err} }

func (b *builder) check(inst *sweep.Instance) (notes []string, err error) {
	defer b.host.end()
	sc, err := b.prepare(inst)
	if err != nil {
		return nil, err
	}
	if note := sc.played.Info.Note; note != "" {
		notes = append(notes, note)
	}
	if h := sc.played.Info.Hygiene; h != nil && h.Dropped() > 0 {
		notes = append(notes, h.LeftOut())
	}
	notes = append(append(notes, unstated(sc.played.Info)...), unzoned(sc.played.Info)...)
	if note := input.KnownRunTimes(inst, &sc.played.Info); note != "" {
		notes = append(notes, note)
	}
	given := inst.Sections[harness.SectionPlatform].Params.(*platform.Params)
	for _, note := range []string{sc.played.Misfit(sc.cfg.Platform), outOfService(given, &sc)} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	for _, at := range given.Late(sc.surroundings(b.workloads.Files), sc.played.Last()) {
		notes = append(notes, fmt.Sprintf("%s: it begins after the last job of %s is submitted, so few jobs or none meet it: check its time, "+
			"or drop it", at, sc.played.Info.Name))
	}
	if d := sc.played.Info.Divisor; d != 1 && !sc.played.Info.Start.IsZero() && given.Dated() {
		notes = append(notes, fmt.Sprintf("%s: its submit times are scaled (load_factor, offered_load), and the dates and times of day of the "+
			"platform are not: they meet other jobs than in the log", sc.played.Info.Name))
	}
	if err := sc.played.Unfit(sc.cfg.Platform); err != nil {
		return notes, err
	}
	if err := b.engine.Check(sc.cfg); err != nil {
		return notes, err
	}
	if note := sc.played.OverCap(sc.cfg.Platform); note != "" {
		notes = append(notes, note)
	}
	of := []sim.Policy{sc.cfg.Policy}
	if several, ok := sc.cfg.Policy.(interface{ Policies() []sim.Policy }); ok {
		of = several.Policies()
	}
	for _, p := range of {
		if p, ok := p.(admitting); ok {
			if err := admits(p, &sc); err != nil {
				return notes, err
			}
		}
	}
	if p, ok := sc.cfg.Policy.(sim.SitePolicy); ok {
		more, err := limited(p, &sc)
		if notes = append(notes, more...); err != nil {
			return notes, err
		}
	}
	return notes, b.tryHome(&sc)
}

// limited notes the jobs that limits of the policy never let start, and refuses a limit that lets no job start.
func limited(p sim.SitePolicy, sc *scenario) (notes []string, err error) {
	least, most := sc.played.Sizes(sc.cfg.Platform)
	var passed []sim.Limit
	for i, l := range p.Limits() {
		for _, of := range []struct {
			field, what string
			most, least int64
		}{{"cores", "processors", l.Running.Procs, least.Procs}, {"gpus", "GPUs", l.Running.GPUs, least.GPUs}} {
			if of.most > 0 && of.most < of.least {
				return notes, fmt.Errorf("policy.limits[%d].running.%s is %d, and the smallest job needs %d %s, so that no job could ever "+
					"start: raise it to %d at least, or drop the limit", i, of.field, of.most, of.least, of.what, of.least)
			}
		}
		if most.Exceeds(l.Running) {
			passed = append(passed, l)
			notes = append(notes, beyond(fmt.Sprintf("policy.limits[%d].running", i), []sim.Limit{l}, sc)...)
		}
	}
	if len(passed) > 1 {
		notes = append(notes, beyond("policy.limits together", passed, sc)...)
	}
	return notes, nil
}

// beyond notes the jobs that limits never let start: one limit by itself, or several together if each admits the job on some class.
func beyond(at string, limits []sim.Limit, sc *scenario) []string {
	n, all, first := 0, 0, ""
	var choices []sim.Choice
	_ = sc.played.Each(sc.cfg.Platform, func(j *sim.JobSpec, in sim.Records) error { // which gives no error of its own
		all++
		choices = sc.cfg.Platform.Choices(j, choices[:0])
		about := slices.DeleteFunc(slices.Clone(limits), func(l sim.Limit) bool { _, is := l.About(j, in); return !is })
		if len(about) < min(len(limits), 2) || !bar(about, choices) {
			return nil
		}
		for i := range about {
			if len(limits) > 1 && bar(about[i:i+1], choices) {
				return nil // which has a note of its own
			}
		}
		needs := sim.Least(choices)
		if n++; n == 1 {
			first = fmt.Sprintf("job %d with %s", j.ID, text.Counted(int(needs.Procs), "processor"))
			if needs.GPUs > 0 {
				first += " and " + text.Counted(int(needs.GPUs), "GPU")
			}
		}
		return nil
	})
	if n == 0 {
		return nil
	}
	outcome, rejects := sim.Withheld.String(), text.Count(limits, func(l sim.Limit) bool { return l.Reject })
	if rejects == len(limits) {
		outcome = sim.Rejected.String()
	} else if rejects > 0 {
		outcome += " or " + sim.Rejected.String()
	}
	return []string{fmt.Sprintf("%s: %d of %d jobs of %s %s, first %s: they never start (outcome "+
		"%s); raise %s, or leave such jobs out (workload.select.max_processors)", at, n, all, sc.played.Info.Name,
		text.Either(n, "needs more by itself", "need more by themselves"), first, outcome, text.Either(len(limits), "the limit", "a limit"))}
}

// outOfService notes that laws of failures hardly ever leave as many processors in service as the largest job needs.
func outOfService(on *platform.Params, sc *scenario) string {
	mean, sd, err := on.InService(sc.cfg.Platform)
	if err != nil || sd == 0 {
		return "" // there are no laws, or the scenario was refused for them
	}
	if _, most := sc.played.Sizes(sc.cfg.Platform); float64(most.Procs) > mean+rare*sd {
		return fmt.Sprintf("platform.events: laws of failures leave %.3g of %d processors in service in the mean, and the largest job of %s "+
			"needs %d: it hardly ever starts, so the run may not end; check mean_between_failures and repair, or set engine.max_events",
			max(0, mean), sc.cfg.Platform.Procs(), sc.played.Info.Name, most.Procs)
	}
	return ""
}

// bar reports whether each use of a job is beyond one of the limits.
func bar(limits []sim.Limit, choices []sim.Choice) bool {
	return !slices.ContainsFunc(choices, func(c sim.Choice) bool {
		return !slices.ContainsFunc(limits, func(l sim.Limit) bool { return c.Exceeds(l.Running) })
	})
}

// admitting is a policy that needs to know things of jobs.
type admitting interface {
	Admits(j *sim.JobSpec, in sim.Records) error
	ByUsers() string
}

// admits refuses jobs that the policy cannot order or count, and an order by users where no job has one.
func admits(p admitting, sc *scenario) error {
	jobs, users := false, false
	err := sc.played.Each(sc.cfg.Platform, func(j *sim.JobSpec, in sim.Records) error {
		jobs, users = true, users || j.User >= 0
		return p.Admits(j, in)
	})
	if by := p.ByUsers(); err == nil && jobs && !users && by != "" {
		err = fmt.Errorf("%s orders jobs by what their users have used, and no job has a user: give the jobs users, or order them without "+
			"fair share", by)
	}
	return err
}

// tryHome plays the job with the highest home cluster by itself where the platform
// has no such cluster: to some policies that means something, and they refuse it.
func (b *builder) tryHome(sc *scenario) error {
	alone := sc.played.Beyond(len(sc.cfg.Platform.Clusters))
	if alone == nil {
		return nil
	}
	cfg := sc.cfg
	cfg.Source = &alone
	if r, ok := cfg.Progress.(progress.Rehearsing); ok && r.Rehearsal() != nil {
		cfg.Progress = r.Rehearsal()
	}
	_, err := b.engine.Run(context.Background(), cfg)
	return err
}

// unstated are texts on resources that jobs should request, where no job of the log states a request.
func unstated(info workload.Info) (notes []string) {
	if info.Hygiene == nil {
		return nil
	}
	for _, f := range info.Hygiene.Findings {
		if strings.HasPrefix(f.Kind, workload.NoRequest) {
			notes = append(notes, fmt.Sprintf("%s: %s: %s; drop it there, or take a log or a column map that has it", info.Name, f.Kind, f.Why))
		}
	}
	return notes
}

// unzoned is the note on a log that states no time zone, if there is one.
func unzoned(info workload.Info) (notes []string) {
	if info.Hygiene == nil {
		return nil
	}
	for _, note := range info.Hygiene.Notes {
		if strings.HasPrefix(note, logtable.NoZone) {
			notes = append(notes, info.Name+": "+note)
		}
	}
	return notes
}

const maxLooked = 1 << 19

// rare is the number of standard deviations above its mean beyond which a number hardly ever is: 3 in 100,000 of the time.
const rare = 4

const maxCombinations = 10
