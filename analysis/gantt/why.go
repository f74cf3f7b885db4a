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

// Machine holds the facts on the machine and the policy that explain waits, by the manifest of a trace.
type Machine struct {
	Procs   int    // of the platform; 0: the manifest does not state it
	Classes []Pool // of nodes, or clusters, in the order of their processors; of one, all processors are alike
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

// Limit bounds the running jobs of each user, or of all.
type Limit struct {
	Field   string // of the manifest
	PerUser bool
	Most    int
	Of      string // the bounded noun: "job" or "processor"
}

// waiting is a job of a schedule that waits.
type waiting struct {
	*Submission
	at          int // its place among the submitted
	s           *Schedule
	m           *Machine
	total       float64        // processors of the machine
	taken, gone []figure.Point // processors that are busy or out of service, and those out of service, over time
}

func (w *waiting) free(at float64) float64 { return w.total - heightAt(w.taken, at) }

// Why says in sentences why a job of a trace waited. It divides the wait by its causes: busy processors, outages, limits. Of the rest it
// says what kept the job from free processors at the beginning. Where neither trace nor manifest tells a cause, a sentence says so.
func (s *Schedule) Why(at int, m *Machine) (sentences []string) {
	say := func(format string, args ...any) { sentences = append(sentences, fmt.Sprintf(format, args...)) }
	w := &waiting{&s.Submitted[at], at, s, m, float64(m.Procs),
		s.levels("taken", func(s *Schedule) []change { return append(s.busy(), s.gone...) }),
		s.levels("gone", func(s *Schedule) []change { return slices.Clone(s.gone) })}
	until := w.Start
	if w.Requeued > 0 {
		say("It was requeued, and its last start was at %.6g s. The reasons below are those of its first wait, up to %.6g s.", w.Last, w.Start)
	}
	switch {
	case w.Start == w.Submit:
		return append(sentences, "It started when it was submitted.")
	case w.State == "reject" && w.Finish == w.Submit:
		return []string{"The policy refused it."}
	case w.State == "reject":
		until = w.Finish
		say("The policy gave it up at %.6g s.", until)
	case math.IsNaN(until):
		until = math.Inf(1)
		say("It has not started in this trace.")
	}
	of := "%g processors"
	if m.Procs == 0 {
		_, w.total = s.Size()
		for _, p := range w.taken {
			w.total = max(w.total, p.Y)
		}
		of = "the %g processors that the schedule uses at most"
	}
	missing := heightAt(w.gone, w.Submit)
	say("At its submission %s waited before it. Of "+of+", %g were busy and %g were out of service.",
		text.Counted(len(w.before(w.Submit)), "job"), w.total, w.total-w.free(w.Submit)-missing, missing)
	if float64(w.Procs) > w.total {
		say("It asks for %s, which is more.", text.Counted(int(w.Procs), "processor"))
	}
	all, spent, unknown := w.causes(until)
	for _, why := range all {
		say("For %.6g s %s.", spent[why], why)
	}
	if !math.IsNaN(unknown) {
		say("%s", w.kept(unknown))
	}
	if i := slices.IndexFunc(s.Submitted, func(o Submission) bool { return o.Finish == w.Start && o.Start < o.Finish }); i >= 0 {
		say("It started when job %d ended.", s.Submitted[i].Job)
	}
	if overtaken := text.Count(s.Submitted[at+1:], func(o Submission) bool { return o.Start < until }); overtaken > 0 {
		say("Jobs that were submitted later and started before it: %d.", overtaken)
	}
	return sentences
}

// before are the jobs submitted before it that wait at a time.
func (w *waiting) before(at float64) (all []*Submission) {
	for i := range w.s.Submitted[:w.at] {
		o := &w.s.Submitted[i]
		if over := o.State != "" && o.Finish <= at; !(o.Start <= at) && !over { // over: rejected, or at its end
			all = append(all, o)
		}
	}
	return all
}

// causes divide the wait, in order of their first times; spent has the s of each. unknown is the first time of a cause that they do not
// tell; else NaN.
func (w *waiting) causes(until float64) (all []string, spent map[string]float64, unknown float64) {
	spent, unknown = map[string]float64{}, math.NaN()
	if n := len(w.taken); math.IsInf(until, 1) && n > 0 {
		until = max(w.Submit, w.taken[n-1].X)
	}
	needs := float64(w.Procs)
	for from := w.Submit; from < until; {
		to := until
		if i := after(w.taken, from); i < len(w.taken) {
			to = min(until, w.taken[i].X)
		}
		why := "enough processors were free, and neither an outage nor a limit explains the wait"
		switch by := w.limited(w.Submission, from); {
		case w.free(from)+heightAt(w.gone, from) < needs:
			why = fmt.Sprintf("too few processors were free for the %d that it needs: it waited for jobs to end", w.Procs)
		case w.free(from) < needs:
			why = "enough processors would have been free, but for those out of service"
		case by != "":
			why = fmt.Sprintf("enough processors were free, and %s held it", by)
		case math.IsNaN(unknown):
			unknown = from
		}
		all = text.Once(all, why)
		spent[why], from = spent[why]+to-from, to
	}
	return all, spent, unknown
}

// limited names the limit that a job would have exceeded at a time, "" for none that the trace shows.
func (w *waiting) limited(j *Submission, at float64) string {
	for _, l := range w.m.Limits {
		user, whose := "", "all users"
		if l.PerUser {
			if whose = "users that the log does not name"; j.User >= 0 {
				user = strconv.FormatInt(j.User, 10)
				whose = "user " + user
			}
		}
		may, asks, each := "run", 1.0, func(*Job) float64 { return 1 }
		if l.Of == "processor" {
			may, asks, each = "use", float64(j.Procs), func(o *Job) float64 { return width(o.Rows) }
		}
		have := w.s.levels(l.Of+" of "+whose, func(s *Schedule) []change {
			return s.during(func(o *Job) float64 {
				if l.PerUser && o.User != user {
					return 0
				}
				return each(o)
			})
		})
		if heightAt(have, at)+asks > float64(l.Most) {
			return fmt.Sprintf("a limit (%s: %s may %s %s at one time)", l.Field, whose, may, text.Counted(l.Most, l.Of))
		}
	}
	return ""
}

// kept returns the causes that kept the job from free processors at a time.
func (w *waiting) kept(at float64) string {
	m, free, missing := w.m, w.free(at), heightAt(w.gone, at) > 0
	were := fmt.Sprintf("%s %s free", text.Counted(int(free), "processor"), text.Either(int(free), "was", "were"))
	var held [][2]float64
	for i := range w.s.Jobs {
		if o := &w.s.Jobs[i]; o.Start <= at && o.Finish > at {
			held = append(held, o.Rows...)
		}
	}
	neighbours := 0.
	for _, g := range gaps(0, float64(m.Procs), held) {
		neighbours = max(neighbours, g[1]-g[0])
	}
	if m.Contiguous && !missing && m.Procs > 0 && neighbours < float64(w.Procs) {
		return fmt.Sprintf("At %.6g s %s, but no more than %g of them were neighbours: the free nodes did not suit it.", at, were,
			neighbours)
	}
	if names, left := m.suitable(w.Allocated, held); len(m.Classes) > 1 && names != "" && !missing && left < float64(w.Procs) {
		return fmt.Sprintf("At %.6g s %s, but only %g of them in %s, where it started: no suitable node was free for it there.", at, were,
			left, names)
	}
	heads := slices.DeleteFunc(w.before(at), func(o *Submission) bool { return w.limited(o, at) != "" })
	if len(heads) > 0 && m.InOrder && m.Policy == "fcfs" {
		return fmt.Sprintf("At %.6g s job %d waited before it, and the policy %s starts jobs in order of their submission.", at, heads[0].Job,
			m.Policy)
	}
	if len(heads) > 0 && m.InOrder && (m.Policy == "easy" || m.Policy == "conservative") && len(m.Classes) < 2 && !missing {
		if shadow, delays := w.delays(heads[0], at); delays {
			until := fmt.Sprintf("until %.6g s", at+w.Walltime)
			if math.IsInf(w.Walltime, 1) {
				until = "without a bound"
			}
			return fmt.Sprintf("At %.6g s it waited behind the reservation of job %d: by their walltimes, running jobs leave that job its %d "+
				"processors at %.6g s, and this job would have used some of them %s.", at, heads[0].Job, heads[0].Procs, shadow, until)
		}
	}
	why := fmt.Sprintf("At %.6g s %s. The trace does not tell why the policy %s did not start it then.", at, were, m.Policy)
	if len(m.Unseen) > 0 {
		why += fmt.Sprintf(" The manifest has fields that may be the cause: %s.", strings.Join(m.Unseen, ", "))
	}
	return why
}

// delays reports when running jobs leave head enough processors, if each runs up to its walltime. It also reports whether the job would
// delay that if it started at that time.
func (w *waiting) delays(head *Submission, at float64) (shadow float64, delays bool) {
	free := w.free(at)
	if free >= float64(head.Procs) { // it waited for something else
		return math.NaN(), false
	}
	var ends []change
	for i := range w.s.Submitted {
		if o := &w.s.Submitted[i]; o.Start <= at && !(o.Finish <= at) {
			if o.Preempted+o.Requeued > 0 { // its walltime does not begin at its first start
				return math.NaN(), false
			}
			parts, _ := processors(o.Allocated)
			ends = append(ends, change{max(at, o.Start+o.Walltime), width(parts)})
		}
	}
	slices.SortFunc(ends, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	for i, e := range ends {
		if free += e.by; free >= float64(head.Procs) && (i+1 == len(ends) || ends[i+1].at > e.at) {
			return e.at, !math.IsInf(e.at, 1) && at+w.Walltime > e.at && free-float64(head.Procs) < float64(w.Procs)
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
