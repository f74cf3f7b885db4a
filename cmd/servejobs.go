package cmd

import (
	"cmp"
	"math"
	"net/http"
	"net/url"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/gantt"
	"schedsweep/sweep/text"
)

// jobsOf are jobs by column. Times are to the millisecond, which people can read. A job without a bound or a user has none.
func jobsOf(jobs []gantt.Submission) (*frame.Frame, error) {
	var columns []frame.Column
	add := func(name, unit string, of func(*gantt.Submission) float64) {
		values := make([]float64, len(jobs))
		for i := range jobs {
			if values[i] = math.Round(1000*of(&jobs[i])) / 1000; values[i] < 0 || math.IsInf(values[i], 1) {
				values[i] = math.NaN()
			}
		}
		columns = append(columns, frame.NumberColumn(name, unit, values))
	}
	add("job", "", func(j *gantt.Submission) float64 { return float64(j.Job) })
	add("submitted", "s", func(j *gantt.Submission) float64 { return j.Submit })
	add("started", "s", func(j *gantt.Submission) float64 { return j.Last })
	add("wait", "s", (*gantt.Submission).Wait)
	add("ended", "s", func(j *gantt.Submission) float64 { return j.Finish })
	add("walltime", "s", func(j *gantt.Submission) float64 { return j.Walltime })
	add("processors", "", func(j *gantt.Submission) float64 { return float64(j.Procs) })
	add("user", "", func(j *gantt.Submission) float64 { return float64(j.User) })
	add("preempted", "", func(j *gantt.Submission) float64 { return float64(j.Preempted) })
	add("requeued", "", func(j *gantt.Submission) float64 { return float64(j.Requeued) })
	states := text.Each(jobs, func(j gantt.Submission) string { return cmp.Or(j.State, "-") })
	return frame.NewFrame(append(columns, frame.TextColumn("state", states))...)
}

// jobsPage is the table of the jobs of one instance.
type jobsPage struct {
	Name, Back string
	Hidden     []formField
	listing
}

// jobs lists the jobs of an instance that runs again on request. The address has their order and the page.
func (p *shownPage) jobs() error {
	q := p.ofInstance()
	number, err := findInstance(p.st, cmp.Or(q.Get("id"), "0"))
	if err != nil {
		return err
	}
	if q.Get("run") != "true" {
		return misuse("the jobs of instance %d are known once it runs again: open instance?id=%d", number, number)
	}
	r, err := p.again(number)
	if err != nil {
		return err
	}
	f, err := jobsOf(r.Submitted)
	if err != nil {
		return err
	}
	of := url.Values{"id": {q.Get("id")}, "run": {"true"}}
	v := jobsPage{Name: p.st.describe(number), Back: address("instance", of), Hidden: hidden(q, "sort", "descending", "page"),
		listing: listing{path: "jobs", of: "job", title: "Jobs of the instance", frame: f, rows: frame.Every(f), names: f.Names()[1:],
			number: func(row int32) int64 { return r.Submitted[row].Job },
			href:   func(job string) string { return address("instance", of, "job", job) }}}
	if err := v.show(q); err != nil {
		return err
	}
	p.send(http.StatusOK, "jobs", &v)
	return nil
}
