package cmd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v2"

	"schedsweep/harness/folder"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

const lineEvery = 10 * time.Second

func newReporter(env environment, c *cli.Context, st study) run.Reporter {
	switch {
	case c.Bool("json"):
		return &jsonReporter{enc: json.NewEncoder(env.stdout)}
	case env.terminal() && !c.Bool("quiet"):
		return &barReporter{lineReporter: lineReporter{env: env, name: st.manifest.Name, study: st, quiet: true}}
	default:
		return &lineReporter{env: env, name: st.manifest.Name, study: st, quiet: c.Bool("quiet")}
	}
}

type lineReporter struct {
	env         environment
	name        string
	study       study
	quiet       bool
	began, last time.Time
	round       int // of a sweep in rounds, which begin and end one after the other
	causes      causes
}

func (r *lineReporter) printf(format string, args ...any) {
	r.env.tell(strings.TrimSuffix(fmt.Sprintf(format, args...), "\n"))
}

func (r *lineReporter) Began(s run.Summary) {
	r.began = time.Now()
	r.last = r.began
	if r.round++; r.round > 1 {
		return
	}
	before := ""
	if s.Existing > 0 {
		before = fmt.Sprintf(", %d of them done before", s.Existing)
	}
	r.printf("%s: %s%s\n", r.name, text.Counted(s.Planned, "instance"), before)
	for _, note := range leftOut(rows.Holding{Foreign: s.Foreign}, nil) {
		r.printf("note: %s\n", note)
	}
	if s.Elsewhere && s.Planned > s.Existing {
		r.printf("note: the folder was begun on a machine that rounds otherwise; rows made here may differ from its rows in the last digits\n")
	}
}

func (r *lineReporter) Progress(s run.Summary) {
	if r.quiet || time.Since(r.last) < lineEvery {
		return
	}
	r.last = time.Now()
	rate := float64(s.Ran()) / time.Since(r.began).Seconds()
	left := s.Planned - s.Existing - s.Ran()
	rest := fmt.Sprintf("the last %d run", left)
	if takes, known := folder.TimeLeft(left, s.Workers, rate); known {
		rest = timeLeft(takes)
	}
	r.printf("%s: %d of %d done, %d failed, %v/s, %s\n", r.name, s.Existing+s.Ran(), s.Planned, s.Bad(), sigfigs(rate), rest)
}

func (r *lineReporter) Failed(f run.Failure) {
	switch n := r.causes.add(f); {
	case n <= shownFailures:
		r.printf("%s: %s\n    %s\n", f.Outcome, f.Name, f.Err)
		where := ""
		if r.study.archive != "" {
			where = ", in the unpacked artifact"
		}
		r.printf("    see it alone%s: %s\n", where, r.study.command("replay", f.ID.String()[:shownDigits]))
	case n == shownFailures+1:
		r.printf("more instances fail: they are counted by cause at the end\n")
	}
}

func (r *lineReporter) Ended(s run.Summary) {
	if s.Ran() == 0 && s.Cancelled == 0 {
		if r.round <= 1 { // another shard may have a round to itself
			r.printf("%s: nothing left to do\n", r.name)
		}
		return
	}
	if r.causes.n > shownFailures {
		r.printf("%s failed, by cause:\n", text.Counted(r.causes.n, "instance"))
		for _, c := range r.causes.list() {
			r.printf("    %d %s\n", c.Count, c)
		}
	}
	text := fmt.Sprintf("%d ok", s.OK)
	for _, c := range []struct {
		n    int
		what string
	}{{s.Failed, "failed"}, {s.Timeout, "out of time"}, {s.EventBudget, "out of events"}, {s.Cancelled, "not run"}} {
		if c.n > 0 {
			text += fmt.Sprintf(", %d %s", c.n, c.what)
		}
	}
	rate := ""
	if sec := s.Elapsed.Seconds(); sec > 0 && s.Ran() > 0 {
		rate = fmt.Sprintf(" (%v/s)", sigfigs(float64(s.Ran())/sec))
	}
	name, all := r.name, ""
	if r.study.inquiry != nil {
		name, all = fmt.Sprintf("%s, round %d", name, r.round), fmt.Sprintf(", %d in all", s.Existing+s.Ran())
	}
	r.printf("%s: %s in %s%s%s\n", name, text, s.Elapsed.Round(10*time.Millisecond), rate, all)
}

type barReporter struct {
	lineReporter
	bar *progressbar.ProgressBar
	bad int
}

func (r *barReporter) Began(s run.Summary) {
	r.lineReporter.Began(s)
	r.bar = progressbar.NewOptions(s.Planned-s.Existing,
		progressbar.OptionSetWriter(raw(r.env.stderr)), progressbar.OptionSetDescription(text.Visible(r.name)), progressbar.OptionShowCount(),
		progressbar.OptionShowIts(), progressbar.OptionSetItsString("instances"), progressbar.OptionSetPredictTime(true),
		progressbar.OptionFullWidth(),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetRenderBlankState(true), progressbar.OptionClearOnFinish())
}

func (r *barReporter) Progress(s run.Summary) {
	if s.Bad() != r.bad {
		r.bad = s.Bad()
		r.bar.Describe(fmt.Sprintf("%s, %d failed", r.name, r.bad))
	}
	if left := s.Planned - s.Existing - s.Ran(); left <= s.Workers {
		progressbar.OptionSetPredictTime(false)(r.bar) // the last ones may be the longest
	}
	_ = r.bar.Set(s.Ran()) // a run goes on without its bar
}

func (r *barReporter) Failed(f run.Failure) {
	if r.causes.n <= shownFailures {
		_ = r.bar.Clear()
	}
	r.lineReporter.Failed(f)
}

func (r *barReporter) Ended(s run.Summary) {
	_ = r.bar.Clear()
	r.lineReporter.Ended(s)
}

type jsonReporter struct {
	enc    *json.Encoder
	last   time.Time
	now    run.Summary // as last reported, for failures
	causes causes
}

// eventOf is began, progress, failed or ended. Counts are those of
// [run.Summary]; elapsed_s and the causes of all failures are given at the end.
func eventOf(name string, s run.Summary) object {
	e := object{"event", name, "planned", s.Planned, "existing", s.Existing, "unanswered", s.Unanswered, "ok", s.OK, "failed", s.Failed,
		"timeout", s.Timeout, "event_budget", s.EventBudget, "not_run", s.Cancelled}
	if s.Elapsed > 0 {
		e = append(e, "elapsed_s", s.Elapsed.Seconds())
	}
	return e
}

// write ignores what an unreadable pipe answers: a run is worth more than its
// report.
func (r *jsonReporter) write(e object) { _ = r.enc.Encode(e) }

func (r *jsonReporter) Began(s run.Summary) {
	r.now = s
	r.write(eventOf("began", s))
}

func (r *jsonReporter) Progress(s run.Summary) {
	r.now = s
	if time.Since(r.last) >= time.Second {
		r.last = time.Now()
		r.write(eventOf("progress", s))
	}
}

func (r *jsonReporter) Failed(f run.Failure) {
	if r.causes.add(f) > shownFailures {
		return
	}
	failure := object{"id", f.ID.String(), "index", f.Index, "instance", f.Name, "outcome", f.Outcome, "error", f.Err}
	r.write(append(eventOf("failed", r.now), "failure", failure))
}

func (r *jsonReporter) Ended(s run.Summary) {
	e := eventOf("ended", s)
	if all := r.causes.list(); len(all) > 0 {
		e = append(e, "causes", all)
	}
	r.write(e)
}

const (
	shownFailures = 20  // reported one by one
	shownCauses   = 20  // reported at the end, the most frequent first
	keptCauses    = 500 // kept apart: a bound on memory
)

// cause is a reason for which instances failed: one outcome, and messages that differ in numbers
// only.
type cause struct {
	Outcome string `json:"outcome"` // "" where that is not one cause
	Error   string `json:"error"`   // of the first
	Count   int    `json:"count"`
	Varies  bool   `json:"varies,omitempty"` // the others have other numbers

	first sweep.ID // of the instances; zero where that is not one cause
}

func (c cause) String() string {
	text := c.Error
	if c.Outcome != "" {
		text = c.Outcome + ": " + text
	}
	if c.Varies {
		text += " (and the like, with other numbers)"
	}
	return text
}

type causes struct {
	n    int
	seen map[string]*cause
}

func (c *causes) add(f run.Failure) int {
	if c.seen == nil {
		c.seen = map[string]*cause{}
	}
	c.n++
	text, key := f.Line(), f.Cause()
	if c.seen[key] == nil && len(c.seen) < keptCauses {
		c.seen[key] = &cause{Outcome: string(f.Outcome), Error: text, first: f.ID}
	}
	if known := c.seen[key]; known != nil {
		known.Count++
		known.Varies = known.Varies || known.Error != text
	}
	return c.n
}

func (c *causes) list() []cause {
	var all []cause
	for _, known := range c.seen {
		all = append(all, *known)
	}
	slices.SortFunc(all, func(a, b cause) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Outcome, b.Outcome), cmp.Compare(a.Error, b.Error))
	})
	if len(all) <= shownCauses {
		return all
	}
	rest := cause{Error: text.Counted(len(all)-shownCauses, "other cause"), Count: c.n}
	if len(all) == keptCauses {
		rest.Error = "at least " + rest.Error
	}
	for _, k := range all[:shownCauses] {
		rest.Count -= k.Count
	}
	return append(all[:shownCauses], rest)
}
