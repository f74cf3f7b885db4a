package cmd

import (
	"cmp"
	"errors"
	"fmt"
	markup "html/template"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/gantt"
	page "schedsweep/analysis/report"
	"schedsweep/cmd/serve"
	"schedsweep/harness"
	"schedsweep/harness/rows"
	"schedsweep/sweep"
)

// inside is the page of one instance.
type inside struct {
	Name, ID, Outcome, Said string
	Metrics                 []page.Fact
	Ran                     bool
	Narrow                  bool   // schedules are for a narrow screen
	Dense                   bool   // a picture of busy processors in place of jobs
	Other                   string // the address for a screen of the other width
	Again                   string // the address that runs it again
	Against                 []formField
	Hidden                  []formField  // of the forms
	From, To                float64      // the part of the time, in s
	Moves                   []serve.Link // through it
	List                    []serve.Link // tables of the jobs of each schedule
	Schedules               []drawnSchedule
	Differing               page.Grid
	Jobs                    []jobCard // of the job in each schedule
	JobText                 string
	Events                  []serve.Link
	Steps                   []serve.Link
	Wrong                   string
}

type drawnSchedule struct {
	Name, Class string
	SVG         markup.HTML
}

type jobCard struct {
	page.Facts
	Why []string
}

// instance shows one instance: its row, and on request its schedule, its jobs and its events, beside those of another.
func (p *shownPage) instance() error {
	q := p.ofInstance()
	number, err := findInstance(p.st, cmp.Or(q.Get("id"), "0"))
	if err != nil {
		return err
	}
	inst := p.st.at(number)
	v := inside{Name: harness.Name(p.st.plan, &inst), ID: inst.ID.String(), Outcome: "no row yet",
		Again: address("instance", q, "run", "true"), Hidden: hidden(q, "against", "by", "from", "to", "at", "job")}
	there := false
	err = p.reading(func(l *loaded) error {
		var row int
		if row, there = slices.BinarySearch(l.rows.Numbers(nil), int32(number)); !there {
			return nil
		}
		f := l.frame.Take([]int32{int32(row)})
		v.Outcome = f.Column(l.spec.Design.Outcome).At(0).Text
		v.Metrics = factsOf(f, l.spec.Design.Metrics)
		return f.Err()
	})
	if err != nil && (there || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, rows.ErrNone)) {
		v.Wrong = err.Error()
	}
	code := http.StatusOK
	if q.Get("run") == "true" {
		if err := p.schedules(&v, q, number); err != nil {
			v.Wrong, code = err.Error(), http.StatusUnprocessableEntity
		}
	}
	p.send(code, "instance", &v)
	return nil
}

// describe returns the values that tell an instance from others.
func (st study) describe(number int) string {
	inst := st.at(number)
	return harness.Describe(st.plan.Axes(), inst.Values, inst.Replication)
}

// address is one with another value of a field; "" leaves it out.
func address(path string, q url.Values, with ...string) string {
	n := maps.Clone(q)
	for i := 0; i < len(with); i += 2 {
		if n.Del(with[i]); with[i+1] != "" {
			n.Set(with[i], with[i+1])
		}
	}
	return path + "?" + n.Encode()
}

// ofInstance returns the fields of the address of an instance, also of one by a form.
func (p *shownPage) ofInstance() url.Values {
	q := p.r.URL.Query()
	if number := q.Get(formID); number != "" {
		q.Set("id", number)
		q.Del(formID)
	}
	return q
}

// formID is the name of the field id in forms. A field named id would hide the id of the form. Then htmx makes the form anew with each
// change of the page, and text typed meanwhile is lost.
const formID = "instance"

// hidden are the fields of an address that a form has no other fields for.
func hidden(q url.Values, others ...string) (fields []formField) {
	for _, name := range slices.Sorted(maps.Keys(q)) {
		switch {
		case name == "id":
			fields = append(fields, formField{Name: formID, Value: q.Get(name)})
		case !slices.Contains(others, name):
			fields = append(fields, formField{Name: name, Value: q.Get(name)})
		}
	}
	return fields
}

// factsOf are the values of the first row of a frame.
func factsOf(f *frame.Frame, names []string) (all []page.Fact) {
	for _, c := range f.Columns(names) {
		if c != nil {
			all = append(all, page.Fact{Name: c.Name, Value: strings.TrimSpace(c.At(0).String() + " " + c.Unit)})
		}
	}
	return all
}

// Two schedules one above the other fit on a screen; in points. The script asks for narrow ones where the screen is.
const scheduleWidth, scheduleHeight, narrowWidth, narrowHeight = 672, 170, 270, 230

// schedules runs the instance, and the one that it is compared with, and draws a part of both.
func (p *shownPage) schedules(v *inside, q url.Values, number int) error {
	r, err := p.again(number)
	if err != nil {
		return err
	}
	v.Ran, v.Said, v.Narrow, v.Other = true, r.said, q.Get("narrow") == "true", address("instance", q, "narrow", "true")
	if v.Narrow {
		v.Other = address("instance", q, "narrow", "")
	}
	all, begin, end := []*rerun{r}, r.begin, r.end
	v.Against = []formField{p.others(q, r), {Name: "by", Label: "colours", Doc: "meaning of the colours of jobs",
		Options: chosen([]string{cmp.Or(q.Get("by"), gantt.BySize)}, gantt.BySize, gantt.ByUser, gantt.ByJob)},
		{Name: "from", Label: "from (s)", Doc: "begin of the part of the time", Value: q.Get("from")},
		{Name: "to", Label: "to (s)", Doc: "end of the part of the time", Value: q.Get("to")},
		{Name: "at", Label: "go to time (s)", Doc: "shows the schedule and the events around this time", Value: q.Get("at")}}
	o := gantt.Options{By: cmp.Or(q.Get("by"), gantt.BySize), Load: true}
	if against := q.Get("against"); against != "" {
		n, err := findInstance(p.st, against)
		if err != nil {
			return err
		}
		if one, two := p.st.at(number), p.st.at(n); one.WorkloadKey() != two.WorkloadKey() {
			return misuse("instances %d and %d play different jobs, so that their schedules are not compared", number, n)
		}
		other, err := p.again(n)
		if err != nil {
			return err
		}
		all, begin, end = append(all, other), min(begin, other.begin), max(end, other.end)
		d := r.differing(other)
		o.Differs = func(id string) bool { return d.jobs[id] }
		if v.Differing, err = page.GridOf(d.table, 10); err != nil {
			return err
		}
		v.Differing.Link(func(row int) string {
			return address("instance", q, "job", strconv.Itoa(int(d.table.Rows[row].Cells[0].Number)))
		})
	}
	var wrong string
	o.From, o.To, wrong = ends(q, begin, end)
	v.Wrong = cmp.Or(v.Wrong, wrong)
	v.Moves, v.From, v.To = moves(q, o, begin, end), o.From, o.To
	for i, r := range all {
		d, err := r.drawn(o, v.Narrow)
		if err != nil {
			return err
		}
		d.Name = fmt.Sprintf("Schedule %d: %s", i+1, r.Title)
		v.Schedules, v.Dense = append(v.Schedules, d), v.Dense || d.Class != ""
		v.List = append(v.List, serve.Link{Text: fmt.Sprintf("Jobs of schedule %d", i+1), Href: fmt.Sprintf("jobs?id=%d&run=true", r.number)})
	}
	if v.JobText = q.Get("job"); v.JobText != "" {
		for i, r := range all {
			if err := p.job(v, r, i+1); err != nil {
				return err
			}
		}
		if v.Jobs == nil {
			return misuse("there is no job %q in this instance", v.JobText)
		}
	}
	return p.events(v, q, r)
}

// drawn draws a part of the schedule.
func (r *rerun) drawn(o gantt.Options, narrow bool) (d drawnSchedule, err error) {
	r.drawing.Lock()
	defer r.drawing.Unlock()
	f, err := gantt.Draw(fmt.Sprintf("schedule-%d", r.number), []*gantt.Schedule{r.Schedule}, o)
	if err != nil {
		return d, err
	}
	if f.Width, f.Height = scheduleWidth, scheduleHeight; narrow {
		f.Width, f.Height = narrowWidth, narrowHeight
	}
	if f.Colour != nil { // colours that say values stay in the dark
		d.Class = "plate"
	}
	d.SVG, err = page.SVG(f)
	return d, err
}

// ends are those of the part of the time that an address asks for, else those of all of it. wrong says why a time is not shown.
func ends(q url.Values, begin, end float64) (from, to float64, wrong string) {
	asked := func(name string, least, below, otherwise float64) float64 {
		said := q.Get(name)
		if v, err := strconv.ParseFloat(said, 64); err == nil && v >= least && v < below {
			return v
		} else if said != "" {
			wrong = fmt.Sprintf("%q is no time in s that the schedule can show here: the run lasts from %s s to %s s", said,
				number(begin), number(end))
		}
		return otherwise
	}
	to = asked("to", math.Nextafter(begin, end), math.Inf(1), end)
	if to > 2*end {
		to = end
	}
	from = asked("from", 0, to, begin)
	to = max(to, from+1)
	if at := asked("at", 0, math.Nextafter(2*end, math.Inf(1)), from); !(from <= at && at <= to) {
		from, to = max(0, at-(to-from)/2), max(0, at-(to-from)/2)+to-from
	}
	return from, to, wrong
}

// moves lead to other parts of the time.
func moves(q url.Values, o gantt.Options, begin, end float64) (all []serve.Link) {
	length := o.To - o.From
	for _, m := range []struct {
		name     string
		from, to float64
	}{{"Earlier", o.From - length/2, o.To - length/2}, {"Later", o.From + length/2, o.To + length/2},
		{"Zoom in", o.From + length/4, o.To - length/4}, {"Zoom out", o.From - length/2, o.To + length/2}, {"All", begin, end}} {
		if from, to := max(begin, m.from), min(m.to, end); to > from {
			all = append(all, serve.Link{Text: m.name, Href: address("instance", q, "at", "", "from", short(from), "to", short(to))})
		}
	}
	return all
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }

// mostOthers is the most other instances that a page offers to compare with.
const mostOthers = 50

// others are the instances that play the same jobs under other policies. They are looked for once, in the whole plan.
func (p *shownPage) others(q url.Values, r *rerun) formField {
	r.drawing.Lock()
	defer r.drawing.Unlock()
	if r.others == nil {
		var other sweep.Instance
		inst := p.st.at(r.number)
		key := inst.WorkloadKey()
		r.others = []int{}
		for i := 0; i < p.st.plan.Len() && len(r.others) < mostOthers; i++ {
			if p.st.plan.At(i, &other); i != r.number && other.WorkloadKey() == key {
				r.others = append(r.others, i)
			}
		}
	}
	f := formField{Name: "against", Label: "compare with", Doc: "an instance with the same jobs", Options: []option{{"", "-", false}}}
	all, against := r.others, -1
	if n, err := findInstance(p.st, q.Get("against")); err == nil {
		if against = n; !slices.Contains(all, n) {
			all = append(slices.Clone(all), n)
		}
	}
	for _, i := range all {
		f.Options = append(f.Options, option{strconv.Itoa(i), p.st.describe(i), against == i})
	}
	return f
}

// job adds the card of the job that the address names, if the schedule has it: machines leave out other jobs that are too large.
func (p *shownPage) job(v *inside, r *rerun, schedule int) error {
	number, err := strconv.ParseInt(v.JobText, 10, 64)
	at := slices.IndexFunc(r.Submitted, func(j gantt.Submission) bool { return j.Job == number })
	if err != nil || at < 0 {
		return nil
	}
	f, err := jobsOf(r.Submitted[at : at+1])
	if err != nil {
		return err
	}
	facts := append(factsOf(f, f.Names()[1:]), page.Fact{Name: "allocated", Value: cmp.Or(r.Submitted[at].Allocated, "-")})
	r.drawing.Lock()
	defer r.drawing.Unlock()
	v.Jobs = append(v.Jobs, jobCard{page.Facts{Heading: fmt.Sprintf("Job %s in schedule %d", v.JobText, schedule), List: facts},
		r.Why(at, p.machine(r.number))})
	return nil
}

// events are those around the one that the address names, by its time or its number.
func (p *shownPage) events(v *inside, q url.Values, r *rerun) error {
	const around = 6
	last := len(r.Events) - 1
	here, _ := strconv.Atoi(q.Get("event")) // else the first
	if at, err := strconv.ParseFloat(q.Get("at"), 64); err == nil {
		here, _ = slices.BinarySearchFunc(r.Events, at, func(e gantt.Event, at float64) int { return cmp.Compare(e.At, at) })
	}
	here = min(max(here, 0), last)
	to := func(k int) string {
		return address("instance", q, "at", "", "event", strconv.Itoa(min(max(k, 0), last)))
	}
	for k := max(0, here-around); k <= min(last, here+around); k++ {
		from := int64(0)
		if k > 0 {
			from = r.Events[k-1].End
		}
		line := make([]byte, min(r.Events[k].End-from, 4096))
		if _, err := r.trace.ReadAt(line, from); err != nil {
			return err
		}
		text := strings.Trim(strings.TrimSpace(string(line)), "{}")
		v.Events = append(v.Events, serve.Link{Text: fmt.Sprintf("%d: %s", k, text), Href: to(k), Here: k == here})
	}
	for _, s := range []struct {
		name string
		by   int
	}{{"First", -last}, {"100 back", -100}, {"Back", -1}, {"Forward", 1}, {"100 forward", 100}, {"Last", last}} {
		v.Steps = append(v.Steps, serve.Link{Text: s.name, Href: to(here + s.by)})
	}
	return nil
}
