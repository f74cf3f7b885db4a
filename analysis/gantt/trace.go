package gantt

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// event is a line of the traces that replay --trace writes, as far as a schedule needs it.
type event struct {
	T          float64 `json:"t"`
	Event      string  `json:"event"`
	Job        int64   `json:"job"`
	Seq        int64   `json:"seq"`
	Was        int64   `json:"was"`
	Processors int     `json:"processors"`
	User       int64   `json:"user"`
	Allocated  string  `json:"allocated"`
	Walltime   float64 `json:"walltime"`
	Share      float64 `json:"share"`
	State      string  `json:"state"`
	Watts      float64 `json:"watts"`
}

// Submission is a job of a trace, whether or not it ran. Times are in s. A time that the trace lacks is NaN.
type Submission struct {
	Job, Seq                        int64 // its number in the workload, and in order of submission from 0
	Submit, Start, Finish, Walltime float64
	Last                            float64 // its last start: another than Start where it was requeued
	Procs                           int
	User                            int64  // -1 where it is not known
	State                           string // state at its end; "" where the trace ends before
	Allocated                       string // the processors of its first start
	Preempted, Requeued             int    // numbers of preemptions, and of returns to the queue
}

// Wait returns the wait time of the job up to its last start, as rows have it; NaN where it did not start.
func (j *Submission) Wait() float64 { return j.Last - j.Submit }

// Event is a line of a trace: its time in s, and where it ends in the file in bytes.
type Event struct {
	At  float64
	End int64
}

// running is a job of a trace that has not ended.
type running struct {
	Job
	at     int     // among the submissions
	queued float64 // time at which it last came to the queue; NaN once it has started
	share  float64 // of the time of its processors
	since  float64 // time from which it has had this share
}

// hold enters the share of its processors that a job has from now on.
func (s *Schedule) hold(j *running, at, share float64) {
	if j.share != 1 && j.Rows != nil && at > j.since {
		s.shared = append(s.shared, lack{j.since, at, j.Rows, j.share - 1})
	}
	j.share, j.since = share, at
}

// ReadTrace reads a schedule from a trace of events: jobs that were preempted or requeued are in several pieces. Jobs that never end, as
// in a trace that was cut off, hold their processors up to its last event.
func ReadTrace(title string, r io.Reader) (*Schedule, error) {
	s := &Schedule{Title: title}
	jobs := map[int64]*running{}
	var order []int64
	now := 0.0
	var dark darkening
	in := json.NewDecoder(bufio.NewReader(r))
	for line := 1; ; line++ {
		e := event{Walltime: math.Inf(1), Share: 1} // JSON has no infinite number, and jobs that share nothing have no share
		err := in.Decode(&e)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("schedule %s: line %d: %w; a trace is what replay --trace writes", title, line, err)
		}
		if line == 1 && e.Event != "instance" {
			return nil, fmt.Errorf("schedule %s: this is no trace, which begins with the event instance; replay --trace writes some", title)
		}
		now = max(now, e.T)
		s.Events = append(s.Events, Event{now, in.InputOffset()})
		if e.Event == "submit" {
			jobs[e.Seq], order = s.submit(&e), append(order, e.Seq)
			continue
		}
		if e.Event == "power" {
			s.Power = append(s.Power, [2]float64{e.T, e.Watts})
			continue
		}
		if err := dark.see(&e); err != nil {
			return nil, fmt.Errorf("schedule %s: line %d: %w", title, line, err)
		}
		j := jobs[e.Seq]
		switch e.Event {
		case "renumber":
			jobs[e.Seq], order = jobs[e.Was], append(order, e.Seq)
			delete(jobs, e.Was)
		case "start", "resume":
			if j == nil {
				return nil, fmt.Errorf("schedule %s: line %d: job %d starts before it is submitted", title, line, e.Job)
			}
			if j.Rows, err = processors(e.Allocated); err == nil && j.Rows == nil {
				err = errors.New("no processors by number")
			}
			if err != nil {
				return nil, fmt.Errorf("schedule %s: line %d: job %d: %w", title, line, e.Job, err)
			}
			s.hold(j, e.T, e.Share)
			of := &s.Submitted[j.at]
			if math.IsNaN(of.Start) {
				of.Start, of.Allocated = e.T, e.Allocated
			}
			if j.Start = e.T; !math.IsNaN(j.queued) {
				of.Last = e.T
				s.Waits, j.queued = append(s.Waits, [2]float64{j.queued, e.T}), math.NaN()
			}
		case "share":
			if j != nil {
				s.hold(j, e.T, e.Share)
			}
		case "preempt", "requeue", "end", "reject":
			if j == nil {
				continue
			}
			s.hold(j, e.T, 1)
			s.leaves(&j.Job, e.T, e.Event == "requeue")
			switch e.Event {
			case "preempt":
				s.Submitted[j.at].Preempted++
			case "requeue":
				s.Submitted[j.at].Requeued++
				j.queued = e.T
			default:
				s.gaveUp(j.queued, e.T)
				of := &s.Submitted[j.at]
				of.Finish, of.State = e.T, cmp.Or(e.State, e.Event)
				delete(jobs, e.Seq)
			}
		}
	}
	for _, seq := range order {
		if j := jobs[seq]; j != nil {
			s.gaveUp(j.queued, now)
			s.hold(j, now, 1)
			s.leaves(&j.Job, now, false)
		}
	}
	s.Dark, s.gone = dark.all(now), dark.gone
	return s, nil
}

// submit enters a job.
func (s *Schedule) submit(e *event) *running {
	j := &running{Job: Job{ID: strconv.FormatInt(e.Job, 10), Procs: e.Processors}, at: len(s.Submitted), queued: e.T,
		share: 1}
	s.Submitted = append(s.Submitted, Submission{Job: e.Job, Seq: e.Seq, Submit: e.T,
		Start: math.NaN(), Last: math.NaN(), Finish: math.NaN(), Walltime: e.Walltime, Procs: e.Processors, User: e.User})
	if e.User >= 0 {
		j.User = strconv.FormatInt(e.User, 10)
	}
	return j
}

// gaveUp enters the wait of a job that did not start after it: queued is NaN of any other.
func (s *Schedule) gaveUp(queued, at float64) {
	if queued < at {
		s.Waits = append(s.Waits, [2]float64{queued, at})
	}
}

// leaves ends a piece of a job, if it holds processors.
func (s *Schedule) leaves(j *Job, at float64, requeued bool) {
	if j.Rows == nil {
		return
	}
	j.Finish, j.Requeued = at, requeued
	s.Jobs = append(s.Jobs, *j)
	j.Rows = nil
}

// placedJob is a job with its share of a site, for a time in which both stay.
type placedJob struct {
	Job
	share float64
	site  int
}

func (p *placedJob) shareOf(share, site string) error {
	var err error
	if p.share, err = strconv.ParseFloat(share, 64); err != nil || !(p.share >= 0 && p.share <= 1+rounding) {
		return fmt.Errorf("share %q: it must be in [0, 1]", share)
	}
	if p.site, err = strconv.Atoi(site); err != nil || p.site < 0 || p.site > mostSites {
		return fmt.Errorf("site %q: it must be in [0, %d]", site, mostSites)
	}
	return nil
}

const (
	// rounding is the distance that shares may have from their sum.
	rounding = 1e-6
	// mostLost is the most of a share for which there is no place, by the rounding of all others.
	mostLost = 1e-3
	// mostSites is the most sites that can be drawn above one another.
	mostSites = 1000
)

// stack gives each piece its place in its site: where its job was before, else the lowest place that is free for its whole
// time, else in parts, at free places. It refuses shares that have no place beside one another.
func (s *Schedule) stack(pieces []placedJob) error {
	slices.SortStableFunc(pieces, func(a, b placedJob) int { return cmp.Compare(a.Start, b.Start) })
	type key struct {
		job  string
		site int
	}
	was := map[key]float64{}
	var placed []placedJob
	// Who goes on at an instant is placed before those who come.
	for from := 0; from < len(pieces); {
		to := from
		for to < len(pieces) && pieces[to].Start == pieces[from].Start {
			to++
		}
		slices.SortStableFunc(pieces[from:to], func(a, b placedJob) int {
			low := func(p placedJob) float64 {
				if y, known := was[key{p.ID, p.site}]; known {
					return y
				}
				return math.Inf(1)
			}
			return cmp.Compare(low(a), low(b))
		})
		placed = slices.DeleteFunc(placed, func(p placedJob) bool { return p.Finish <= pieces[from].Start })
		for i := from; i < to; i++ {
			p := &pieces[i]
			if p.share == 0 || p.Finish == p.Start {
				continue
			}
			s.Sites = max(s.Sites, p.site+1)
			before, known := was[key{p.ID, p.site}]
			if p.Rows = place(p, placed, before, known); p.share-width(p.Rows) > mostLost {
				return fmt.Errorf("job %s: the shares of site %d at %g s add up to more than 1", p.ID, p.site, p.Start)
			}
			if len(p.Rows) == 0 { // as little as rounding
				continue
			}
			was[key{p.ID, p.site}] = p.Rows[0][0] - float64(p.site)
			placed = append(placed, *p)
			s.Jobs = append(s.Jobs, p.Job)
		}
		from = to
	}
	return nil
}

func place(p *placedJob, placed []placedJob, before float64, known bool) [][2]float64 {
	base := float64(p.site)
	var held [][2]float64
	for _, q := range placed {
		if q.site == p.site {
			held = append(held, q.Rows...)
		}
	}
	free := gaps(base, base+1, held)
	if known {
		at := base + before
		for _, g := range free {
			if g[0] <= at+rounding && g[1] >= at+p.share-rounding {
				return [][2]float64{{at, at + p.share}}
			}
		}
	}
	for _, g := range free {
		if g[1]-g[0] >= p.share-rounding {
			return [][2]float64{{g[0], g[0] + p.share}}
		}
	}
	var out [][2]float64
	left := p.share
	for _, g := range free {
		if take := min(left, g[1]-g[0]); take > rounding {
			out = append(out, [2]float64{g[0], g[0] + take})
			left -= take
		}
	}
	return out
}

// gaps are the parts between two processors, or places of a site, that the parts held leave free.
func gaps(from, to float64, held [][2]float64) (free [][2]float64) {
	slices.SortFunc(held, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	for _, r := range append(held, [2]float64{to, to}) {
		if end := min(r[0], to); end-from > rounding {
			free = append(free, [2]float64{from, end})
		}
		from = max(from, r[1])
	}
	return free
}
