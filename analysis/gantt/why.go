package gantt

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/analysis/figure"
	"schedsweep/sweep/text"
)

// Machine is what the manifest of a trace says of the machine and of the policy, as far as it explains waits.
type Machine struct {
	Procs   int    // of the platform; 0: the manifest does not state it
	Classes []Pool // of nodes, or clusters, in the order of their processors; nil: all processors are alike
	Policy  string // its kind
	// InOrder: the policy queues jobs by submission. Contiguous: it starts jobs on neighbouring processors alone.
	InOrder, Contiguous bool
	Limits              []Limit
	// Unseen are other fields that may hold jobs. The trace does not show whether they do.
	Unseen []string
}

// Pool is a number of processors that are alike.
type Pool struct {
	Name  string
	Procs int
}

// Limit bounds the running jobs of each user, or of all; 0: no bound.
type Limit struct {
	Field       string // of the manifest
	PerUser     bool
	Jobs, Procs int
}

// around counts the jobs that waited before j at its submission, and those submitted later that started before a time.
func (s *Schedule) around(j *Submission, until float64) (ahead, overtaken int) {
	for i := range s.Submitted {
		o := &s.Submitted[i]
		switch {
		case o.Seq < j.Seq && !(o.Start <= j.Submit) && o.State != "reject":
			ahead++
		case o.Seq > j.Seq && o.Start < until:
			overtaken++
		}
	}
	return ahead, overtaken
}

// taken are the changes of the processors that are busy or out of service, and out of the ones out of service.
func (s *Schedule) taken() []change { return append(s.busy(), s.gone...) }
func (s *Schedule) out() []change   { return slices.Clone(s.gone) }

// cause is why a job waited, and for how long in s.
type cause struct {
	why   string
	spent float64
}

// Why says in sentences why a job of a trace waited. It divides the wait by its causes: busy processors, outages, limits. Of the rest it
// says what kept the job from free processors at the beginning. Where neither trace nor manifest tells a cause, a sentence says so.
func (s *Schedule) Why(at int, m *Machine) (sentences []string) {
	say := func(format string, args ...any) { sentences = append(sentences, fmt.Sprintf(format, args...)) }
	j := &s.Submitted[at]
	until := j.Start
	switch {
	case j.Start == j.Submit:
		return []string{"It started when it was submitted."}
	case j.State == "reject" && j.Finish == j.Submit:
		return []string{"The policy refused it."}
	case j.State == "reject":
		until = j.Finish
		say("The policy gave it up at %.6g s.", until)
	case math.IsNaN(until):
		until = math.Inf(1)
		say("It has not started in this trace.")
	}
	levels, gone := s.levels("taken", (*Schedule).taken), s.levels("out", (*Schedule).out)
	total, of := float64(m.Procs), "%g processors"
	if m.Procs == 0 {
		_, total = s.size()
		for _, p := range levels {
			total = max(total, p.Y)
		}
		of = "the %g processors that the schedule uses at most"
	}
	ahead, overtaken := s.around(j, until)
	before, missing := heightAt(levels, j.Submit), heightAt(gone, j.Submit)
	say("At its submission %s waited before it. Of "+of+", %g were busy and %g were out of service.", text.Counted(ahead, "job"), total,
		before-missing, missing)
	if float64(j.Procs) > total {
		say("It asks for %d processors, which is more.", j.Procs)
	}
	all, unknown := s.causes(j, m, until, total, levels, gone)
	for _, c := range all {
		say("For %.6g s %s.", c.spent, c.why)
	}
	if !math.IsNaN(unknown) {
		sentences = append(sentences, s.kept(j, m, unknown, total-heightAt(levels, unknown), heightAt(gone, unknown))...)
	}
	for i := range s.Jobs {
		if o := &s.Jobs[i]; o.Finish == j.Start {
			say("It started when job %s ended.", o.ID)
			break
		}
	}
	if overtaken > 0 {
		say("Jobs that were submitted later and started before it: %d.", overtaken)
	}
	return sentences
}

// causes divide the wait of j, in order of their first times. unknown is the first time of a cause that they do not tell; else NaN.
func (s *Schedule) causes(j *Submission, m *Machine, until, total float64, levels, gone []figure.Point) (all []cause, unknown float64) {
	unknown = math.NaN()
	if n := len(levels); math.IsInf(until, 1) && n > 0 {
		until = max(j.Submit, levels[n-1].X)
	}
	short := fmt.Sprintf("too few processors were free for the %d that it needs: it waited for jobs to end", j.Procs)
	for from := j.Submit; from < until; {
		to := until
		if i := after(levels, from); i < len(levels) {
			to = min(until, levels[i].X)
		}
		free, why := total-heightAt(levels, from), "enough processors were free, and neither an outage nor a limit explains the wait"
		switch by := s.limited(j, m, from); {
		case free+heightAt(gone, from) < float64(j.Procs):
			why = short
		case free < float64(j.Procs):
			why = "enough processors would have been free, but for those out of service"
		case by != "":
			why = fmt.Sprintf("enough processors were free, and %s held it", by)
		case math.IsNaN(unknown):
			unknown = from
		}
		at := slices.IndexFunc(all, func(c cause) bool { return c.why == why })
		if at < 0 {
			at, all = len(all), append(all, cause{why: why})
		}
		all[at].spent, from = all[at].spent+to-from, to
	}
	return all, unknown
}

// limited names the limit that j would have exceeded at a time, "" for none that the trace shows.
func (s *Schedule) limited(j *Submission, m *Machine, at float64) string {
	for _, l := range m.Limits {
		user, whose := "", "all users"
		if l.PerUser {
			if whose = "users that the log does not name"; j.User >= 0 {
				user = strconv.FormatInt(j.User, 10)
				whose = "user " + user
			}
		}
		has := func(name string, of func(*Job) float64) float64 {
			return heightAt(s.levels(name+" of "+whose, func(s *Schedule) (all []change) {
				for i := range s.Jobs {
					if o := &s.Jobs[i]; !l.PerUser || o.User == user {
						all = append(all, change{o.Start, of(o)}, change{o.Finish, -of(o)})
					}
				}
				return all
			}), at)
		}
		if n := has("jobs", func(*Job) float64 { return 1 }); l.Jobs > 0 && n+1 > float64(l.Jobs) {
			return fmt.Sprintf("a limit (%s: %s may run %s at one time)", l.Field, whose, text.Counted(l.Jobs, "job"))
		}
		if n := has("processors", func(j *Job) float64 { return width(j.Rows) }); l.Procs > 0 && n+float64(j.Procs) > float64(l.Procs) {
			return fmt.Sprintf("a limit (%s: %s may use %s at one time)", l.Field, whose, text.Counted(l.Procs, "processor"))
		}
	}
	return ""
}

// kept says what kept j from free processors at a time.
func (s *Schedule) kept(j *Submission, m *Machine, at, free, missing float64) (sentences []string) {
	say := func(format string, args ...any) { sentences = append(sentences, fmt.Sprintf(format, args...)) }
	var held [][2]float64
	for i := range s.Jobs {
		if o := &s.Jobs[i]; o.Start <= at && o.Finish > at {
			held = append(held, o.Rows...)
		}
	}
	neighbours := 0.
	for _, g := range gaps(0, float64(m.Procs), held) {
		neighbours = max(neighbours, g[1]-g[0])
	}
	if m.Contiguous && missing == 0 && m.Procs > 0 && neighbours < float64(j.Procs) {
		say("At %.6g s %g processors were free, but no more than %g of them were neighbours: the free nodes did not suit it.", at, free,
			neighbours)
		return sentences
	}
	if names, left := m.suitable(j.Allocated, held); len(m.Classes) > 1 && names != "" && missing == 0 && left < float64(j.Procs) {
		say("At %.6g s %g processors were free, but only %g of them in %s, where it started: no suitable node was free for it there.", at, free,
			left, names)
		return sentences
	}
	head := s.head(j, m, at)
	switch {
	case head != nil && m.InOrder && m.Policy == "fcfs":
		say("At %.6g s job %d waited before it, and the policy %s starts jobs in order of their submission.", at, head.Job, m.Policy)
		return sentences
	case head != nil && m.InOrder && (m.Policy == "easy" || m.Policy == "conservative") && len(m.Classes) < 2 && missing == 0:
		if shadow, delays := s.delays(head, j, at, free); delays {
			until := fmt.Sprintf("until %.6g s", at+j.Walltime)
			if math.IsInf(j.Walltime, 1) {
				until = "without a bound"
			}
			say("At %.6g s it waited behind the reservation of job %d: by their walltimes, running jobs leave that job its %d processors at %.6g "+
				"s, and this job would have used some of them %s.", at, head.Job, head.Procs, shadow, until)
			return sentences
		}
	}
	say("At %.6g s %g processors were free. The trace does not tell why the policy %s did not start it then.", at, free, m.Policy)
	if len(m.Unseen) > 0 {
		say("The manifest has fields that may be the cause: %s.", strings.Join(m.Unseen, ", "))
	}
	return sentences
}

// head is the first job in order of submission that waited before j at a time and that no limit held; nil for none.
func (s *Schedule) head(j *Submission, m *Machine, at float64) *Submission {
	for i := range s.Submitted {
		o := &s.Submitted[i]
		over := o.State != "" && o.Finish <= at // rejected, or at its end
		if o.Seq < j.Seq && o.Submit <= at && !(o.Start <= at) && !over && s.limited(o, m, at) == "" {
			return o
		}
	}
	return nil
}

// delays reports when running jobs leave head enough processors, if each runs up to its walltime. It also reports whether j would delay
// that if it started at that time.
func (s *Schedule) delays(head, j *Submission, at, free float64) (shadow float64, delays bool) {
	if free >= float64(head.Procs) { // it waited for something else
		return math.NaN(), false
	}
	var ends []change
	for i := range s.Submitted {
		if o := &s.Submitted[i]; o.Start <= at && !(o.Finish <= at) && o.Preempted == 0 {
			parts, _ := processors(o.Allocated)
			ends = append(ends, change{max(at, o.Start+o.Walltime), width(parts)})
		}
	}
	slices.SortFunc(ends, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	for i, e := range ends {
		if free += e.by; free >= float64(head.Procs) && (i+1 == len(ends) || ends[i+1].at > e.at) {
			return e.at, !math.IsInf(e.at, 1) && at+j.Walltime > e.at && free-float64(head.Procs) < float64(j.Procs)
		}
	}
	return math.NaN(), false
}

// suitable names the classes on which a job started, and counts their processors that the parts held leave free.
func (m *Machine) suitable(allocated string, held [][2]float64) (names string, free float64) {
	mine, _ := processors(allocated)
	first := 0.0
	for _, c := range m.Classes {
		next := first + float64(c.Procs)
		if slices.ContainsFunc(mine, func(r [2]float64) bool { return r[0] < next && r[1] > first }) {
			names, free = names+" and "+c.Name, free+width(gaps(first, next, held))
		}
		first = next
	}
	return strings.TrimPrefix(names, " and "), free
}
