package gantt

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/analysis/figure"
	"schedsweep/sweep/text"
)

// Schedule holds the contents of one file.
type Schedule struct {
	Title string
	Jobs  []Job
	// Sites is the number of sites where jobs have shares of time; 0: jobs have processors.
	Sites int
	// Waits are from submission to start, and from a return to the queue to the next start; of traces also up to a rejection or the end
	// of the trace. nil where they are not known.
	Waits [][2]float64
	// Dark are the states of nodes that are not on, and Power is the machine's: times in s and watts from then on. Both are of traces.
	Dark  []Dark
	Power [][2]float64
	// gone are the times in s at which processors go out of service, or come back with a minus, of traces.
	gone []change
	// shared are of jobs of traces that have a share of their time, and in other files of processors that several jobs hold.
	shared []lack
	// Submitted are the jobs of a trace in order of submission, and Events its lines; nil of other files.
	Submitted []Submission
	Events    []Event

	heights    map[string][]figure.Point // of step functions; made when they are drawn first
	end, procs float64                   // see Size
}

// Job is a job that ran, or a time for which it had one share.
type Job struct {
	ID            string
	Start, Finish float64 // in s
	// Rows are its lanes from bottom to top: processors by their numbers, or a
	// share of site n between n and n+1.
	Rows     [][2]float64
	User     string // "" where it is not known
	Procs    int    // that it requested
	Requeued bool   // it came back to the queue after it
}

// columns are the columns that are read, by their names in our files and in Batsim's;
// shares of sites have others.
var (
	columns = [][]string{{"job_id", "jobID"}, {"start", "starting_time"}, {"finish", "finish_time"},
		{"allocated", "allocated_resources", "allocated_processors"}}
	optional     = [][]string{{"submit", "submission_time"}, {"user", "user_id"}}
	shareColumns = [][]string{{"job"}, {"from"}, {"to"}, {"share"}, {"site"}}
)

// Read reads a schedule. Rows without a start or processors are left out: such jobs
// did not run.
func Read(title string, r io.Reader) (*Schedule, error) {
	s := &Schedule{Title: title}
	file := bufio.NewReader(r)
	if mark, _ := file.Peek(3); string(mark) == text.ByteOrderMark { // Read finds the error
		_, _ = file.Discard(len(mark))
	}
	in := csv.NewReader(file)
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("schedule %s: the file is empty: give one that simulate --jobs writes", title)
	}
	if err != nil {
		return nil, fmt.Errorf("schedule %s: %w", title, err)
	}
	wanted := columns
	if slices.Contains(header, shareColumns[3][0]) {
		wanted = shareColumns
	}
	at := make([]int, len(wanted)+len(optional))
	for i, names := range append(slices.Clone(wanted), optional...) {
		at[i] = slices.IndexFunc(header, func(h string) bool { return slices.Contains(names, strings.TrimSpace(h)) })
		if at[i] < 0 && i < len(wanted) {
			return nil, fmt.Errorf("schedule %s: no column %s; it has %s (simulate --jobs and export --dataset jobs write schedules)", title,
				names[0], strings.Join(header, ", "))
		}
	}
	instance, of := slices.Index(header, "instance"), ""
	var pieces []placedJob
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			if err := s.stack(pieces); err != nil {
				return nil, fmt.Errorf("schedule %s: %w", title, err)
			}
			s.shared = s.doubles()
			return s, nil
		}
		if err != nil {
			return nil, fmt.Errorf("schedule %s: %w", title, err)
		}
		line, _ := in.FieldPos(0)
		if instance >= 0 {
			if of = cmp.Or(of, row[instance]); row[instance] != of {
				return nil, fmt.Errorf("schedule %s: line %d: the file has jobs of the instances %s and %s; a schedule is of one, such as "+
					"replay --jobs writes", title, line, of, row[instance])
			}
		}
		if row[at[1]] == "" || row[at[3]] == "" {
			continue
		}
		p := placedJob{Job: Job{ID: row[at[0]]}}
		var errs [4]error
		p.Start, errs[0] = strconv.ParseFloat(row[at[1]], 64)
		p.Finish, errs[1] = strconv.ParseFloat(row[at[2]], 64)
		onProcessors := len(wanted) == len(columns)
		if onProcessors {
			p.Rows, errs[2] = processors(row[at[3]])
			for _, r := range p.Rows {
				p.Procs += int(r[1] - r[0])
			}
			if k := at[len(wanted)]; k >= 0 {
				var submit float64
				submit, errs[3] = strconv.ParseFloat(row[k], 64)
				s.Waits = append(s.Waits, [2]float64{submit, p.Start})
			}
			if k := at[len(wanted)+1]; k >= 0 {
				p.User = row[k]
			}
		} else {
			errs[2] = p.shareOf(row[at[3]], row[at[4]])
		}
		if err := errors.Join(errs[:]...); err != nil {
			return nil, fmt.Errorf("schedule %s: line %d: job %s: %w", title, line, p.ID, err)
		}
		if !(p.Start >= 0 && p.Finish >= p.Start) || math.IsInf(p.Finish, 1) {
			return nil, fmt.Errorf("schedule %s: line %d: job %s runs from %g to %g s; both must be finite, at least 0 and in this order", title,
				line, p.ID, p.Start, p.Finish)
		}
		if onProcessors {
			s.Jobs = append(s.Jobs, p.Job)
		} else {
			pieces = append(pieces, p)
		}
	}
}

// processors reads an interval set such as 0-3 7.
func processors(set string) ([][2]float64, error) {
	var out [][2]float64
	wrong := func() error { return fmt.Errorf("processors %q: write sets such as 0-3 7", set) }
	parts := strings.Fields(set)
	if len(parts) == 0 && set != "" {
		return nil, wrong()
	}
	for _, f := range parts {
		lo, hi, several := strings.Cut(f, "-")
		if !several {
			hi = lo
		}
		a, err1 := strconv.Atoi(lo)
		b, err2 := strconv.Atoi(hi)
		if err1 != nil || err2 != nil || a < 0 || b < a {
			return nil, wrong()
		}
		out = append(out, [2]float64{float64(a), float64(b + 1)})
	}
	return out, nil
}
