// Package gantt draws schedules: processors over time, a rectangle for each job, or
// shares of sites over time.
// It reads what simulate --jobs and --shares write, and any CSV with the same
// columns, such as those of Batsim and evalys.
package gantt

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/analysis/figure"
)

// Schedule is what one file holds.
type Schedule struct {
	Title string
	Jobs  []Job
	// Sites is how many sites there are of whose time jobs have shares; 0: jobs have
	// processors.
	Sites int
}

// Job is a job that ran, or a time for which it had one share.
type Job struct {
	ID            string
	Start, Finish float64 // in s
	// Rows are what it has from bottom to top: processors by their numbers, or a
	// share of site n between n and n+1.
	Rows [][2]float64
}

// columns are those that are read, by their names in our files and in Batsim's;
// shares of sites have others.
var (
	columns      = [][]string{{"job_id", "jobID"}, {"start", "starting_time"}, {"finish", "finish_time"}, {"allocated", "allocated_resources", "allocated_processors"}}
	shareColumns = [][]string{{"job"}, {"from"}, {"to"}, {"share"}, {"site"}}
)

// Read reads a schedule. Rows without a start or processors are left out: such jobs
// did not run.
func Read(title string, r io.Reader) (*Schedule, error) {
	s := &Schedule{Title: title}
	in := csv.NewReader(r)
	header, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("schedule %s: %w", title, err)
	}
	wanted := columns
	if slices.Contains(header, shareColumns[3][0]) {
		wanted = shareColumns
	}
	at := make([]int, len(wanted))
	for i, names := range wanted {
		at[i] = slices.IndexFunc(header, func(h string) bool { return slices.Contains(names, strings.TrimSpace(h)) })
		if at[i] < 0 {
			return nil, fmt.Errorf("schedule %s: no column %s; it has %s", title, names[0], strings.Join(header, ", "))
		}
	}
	var pieces []piece
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			s.stack(pieces)
			return s, nil
		}
		if err != nil {
			return nil, fmt.Errorf("schedule %s: %w", title, err)
		}
		line, _ := in.FieldPos(0)
		if row[at[1]] == "" || row[at[3]] == "" {
			continue
		}
		p := piece{Job: Job{ID: row[at[0]]}}
		var errs [3]error
		p.Start, errs[0] = strconv.ParseFloat(row[at[1]], 64)
		p.Finish, errs[1] = strconv.ParseFloat(row[at[2]], 64)
		if len(at) == len(columns) {
			p.Rows, errs[2] = processors(row[at[3]])
		} else {
			errs[2] = p.shareOf(row[at[3]], row[at[4]])
		}
		if err := errors.Join(errs[:]...); err != nil {
			return nil, fmt.Errorf("schedule %s: line %d: job %s: %w", title, line, p.ID, err)
		}
		if !(p.Start >= 0 && p.Finish >= p.Start) || math.IsInf(p.Finish, 1) {
			return nil, fmt.Errorf("schedule %s: line %d: job %s runs from %g to %g s; both must be finite, at least 0 and in this order", title, line, p.ID, p.Start, p.Finish)
		}
		if len(at) == len(columns) {
			s.Jobs = append(s.Jobs, p.Job)
		} else {
			pieces = append(pieces, p)
		}
	}
}

// processors reads an interval set such as 0-3 7.
func processors(text string) ([][2]float64, error) {
	var out [][2]float64
	for _, f := range strings.Fields(text) {
		lo, hi, several := strings.Cut(f, "-")
		if !several {
			hi = lo
		}
		a, err1 := strconv.Atoi(lo)
		b, err2 := strconv.Atoi(hi)
		if err1 != nil || err2 != nil || a < 0 || b < a {
			return nil, fmt.Errorf("processors %q: write sets such as 0-3 7", text)
		}
		out = append(out, [2]float64{float64(a), float64(b + 1)})
	}
	return out, nil
}

// Options say what is drawn beside the jobs.
type Options struct {
	// Clusters are numbers of processors; a line lies under each.
	Clusters []int
	// Slot is the length of slots in s that are marked; 0: none.
	Slot float64
}

// mostSlots bounds the marks of slots in a panel.
const mostSlots = 1000

// Draw draws schedules side by side on the same axes.
func Draw(id string, schedules []*Schedule, o Options) (*figure.Figure, error) {
	f := &figure.Figure{ID: id, X: figure.Axis{Label: "time", Unit: "s", Zero: true}, Y: figure.Axis{Label: "processor", Zero: true}, Series: []string{"jobs"}, Columns: min(2, len(schedules))}
	end := 0.0
	colours := map[string]int{} // a job has one colour in all schedules
	for _, s := range schedules {
		if (s.Sites > 0) != (schedules[0].Sites > 0) {
			return nil, fmt.Errorf("schedules %s and %s are of processors and of shares; draw each kind by itself", schedules[0].Title, s.Title)
		}
		for i := range s.Jobs {
			j := &s.Jobs[i]
			end = max(end, j.Finish)
			if _, known := colours[j.ID]; !known {
				colours[j.ID] = len(colours)
			}
		}
	}
	if o.Slot > 0 && end/o.Slot > mostSlots {
		return nil, fmt.Errorf("slots of %g s in %g s: more than %d cannot be told apart", o.Slot, end, mostSlots)
	}
	for _, s := range schedules {
		blocks := &figure.Blocks{}
		last := 0.0
		for i := range s.Jobs {
			j := &s.Jobs[i]
			last = max(last, j.Finish)
			for _, p := range j.Rows {
				blocks.Blocks = append(blocks.Blocks, figure.Block{Left: j.Start, Right: j.Finish, Low: p[0], High: p[1], Label: j.ID, Colour: colours[j.ID]})
			}
		}
		panel := figure.Panel{Title: s.Title, Marks: []figure.Mark{blocks}}
		if o.Slot > 0 {
			rules := &figure.Rules{}
			for k := 0; float64(k)*o.Slot <= end*1.05; k++ {
				rules.X = append(rules.X, float64(k)*o.Slot)
			}
			panel.Marks = append(panel.Marks, rules)
		}
		at := 0
		for k, n := range o.Clusters {
			panel.Marks = append(panel.Marks, &figure.Reference{Y: float64(at), Label: fmt.Sprintf("cluster %d", k+1)})
			at += n
		}
		for k := range s.Sites {
			if s.Sites > 1 {
				panel.Marks = append(panel.Marks, &figure.Reference{Y: float64(k), Label: fmt.Sprintf("site %d", k+1)})
			}
		}
		panel.Notes = append(panel.Notes, figure.Note{Series: -1, Text: "last end " + lasting(last)})
		f.Panels = append(f.Panels, panel)
	}
	f.Caption = "Each rectangle is a job on its processors."
	if len(schedules) > 0 && schedules[0].Sites > 0 {
		f.Y = figure.Axis{Label: "share of the site", Limits: &[2]float64{0, float64(schedules[0].Sites)}}
		f.Caption = "Each rectangle is a job; its height is its share of the site's time."
		f.Columns, f.Width = 1, 7*72 // short jobs are to be seen
	}
	if o.Slot > 0 {
		f.Caption += fmt.Sprintf(" Dotted: slots of %s.", lasting(o.Slot))
	}
	return f, nil
}

// lasting is a time in the unit in which it is read best.
func lasting(seconds float64) string {
	if seconds < 7200 {
		return fmt.Sprintf("%.4g min", seconds/60)
	}
	return fmt.Sprintf("%.4g h", seconds/3600)
}
