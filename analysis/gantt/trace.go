package gantt

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// event is a line of the traces that replay --trace writes, as far as a schedule needs it.
type event struct {
	T          float64 `json:"t"`
	Event      string  `json:"event"`
	Job        int64   `json:"job"`
	Seq        int64   `json:"seq"`
	Processors int     `json:"processors"`
	User       int64   `json:"user"`
	Allocated  string  `json:"allocated"`
}

// ReadTrace reads a schedule from a trace of events: jobs that were preempted are in several pieces. Jobs that never end, as
// in a trace that was cut off, hold their processors up to its last event.
func ReadTrace(title string, r io.Reader) (*Schedule, error) {
	s := &Schedule{Title: title}
	type running struct {
		Job
		submit  float64
		started bool
	}
	jobs := map[int64]*running{}
	var order []int64
	now := 0.0
	in := json.NewDecoder(bufio.NewReader(r))
	for line := 1; ; line++ {
		var e event
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
		if e.Event == "submit" {
			j := &running{Job: Job{ID: strconv.FormatInt(e.Job, 10), Procs: e.Processors}, submit: e.T}
			if e.User >= 0 {
				j.User = strconv.FormatInt(e.User, 10)
			}
			jobs[e.Seq], order = j, append(order, e.Seq)
			continue
		}
		j := jobs[e.Seq]
		switch e.Event {
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
			if j.Start = e.T; !j.started {
				s.Waits, j.started = append(s.Waits, [2]float64{j.submit, e.T}), true
			}
		case "preempt", "end", "reject":
			if j != nil && j.Rows != nil {
				j.Finish = e.T
				s.Jobs = append(s.Jobs, j.Job)
				j.Rows = nil
			}
			if e.Event != "preempt" {
				delete(jobs, e.Seq)
			}
		}
	}
	for _, seq := range order {
		if j := jobs[seq]; j != nil && j.Rows != nil {
			j.Finish = now
			s.Jobs = append(s.Jobs, j.Job)
		}
	}
	return s, nil
}
