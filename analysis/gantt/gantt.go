// Package gantt draws schedules: processors over time, a rectangle for each job.
// It reads what simulate --jobs writes, and any CSV with the same columns, such as
// those of Batsim and evalys.
package gantt

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"schedsweep/analysis/figure"
)

// Schedule is what one file holds.
type Schedule struct {
	Title string
	Jobs  []Job
}

// Job is a job that ran.
type Job struct {
	ID            string
	Start, Finish float64 // in s
	Procs         [][2]int
}

// columns are those that are read, by their names in our files and in Batsim's.
var columns = [...][]string{{"job_id", "jobID"}, {"start", "starting_time"}, {"finish", "finish_time"}, {"allocated", "allocated_resources", "allocated_processors"}}

// Read reads a schedule. Rows without a start or processors are left out: such jobs
// did not run.
func Read(title string, r io.Reader) (*Schedule, error) {
	s := &Schedule{Title: title}
	in := csv.NewReader(r)
	header, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("schedule %s: %w", title, err)
	}
	var at [len(columns)]int
	for i, names := range columns {
		at[i] = -1
		for k, h := range header {
			for _, n := range names {
				if strings.TrimSpace(h) == n {
					at[i] = k
				}
			}
		}
		if at[i] < 0 {
			return nil, fmt.Errorf("schedule %s: no column %s; it has %s", title, names[0], strings.Join(header, ", "))
		}
	}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return nil, fmt.Errorf("schedule %s: %w", title, err)
		}
		line, _ := in.FieldPos(0)
		if row[at[1]] == "" || row[at[3]] == "" {
			continue
		}
		j := Job{ID: row[at[0]]}
		var errs [3]error
		j.Start, errs[0] = strconv.ParseFloat(row[at[1]], 64)
		j.Finish, errs[1] = strconv.ParseFloat(row[at[2]], 64)
		j.Procs, errs[2] = processors(row[at[3]])
		if err := errors.Join(errs[:]...); err != nil {
			return nil, fmt.Errorf("schedule %s: line %d: job %s: %w", title, line, j.ID, err)
		}
		if !(j.Start >= 0 && j.Finish >= j.Start) || math.IsInf(j.Finish, 1) {
			return nil, fmt.Errorf("schedule %s: line %d: job %s runs from %g to %g s; both must be finite, at least 0 and in this order", title, line, j.ID, j.Start, j.Finish)
		}
		s.Jobs = append(s.Jobs, j)
	}
}

// processors reads an interval set such as 0-3 7.
func processors(text string) ([][2]int, error) {
	var out [][2]int
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
		out = append(out, [2]int{a, b})
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
			for _, p := range j.Procs {
				blocks.Blocks = append(blocks.Blocks, figure.Block{Left: j.Start, Right: j.Finish, Low: float64(p[0]), High: float64(p[1] + 1), Label: j.ID, Colour: colours[j.ID]})
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
		panel.Notes = append(panel.Notes, figure.Note{Series: -1, Text: fmt.Sprintf("last end %.4g h", last/3600)})
		f.Panels = append(f.Panels, panel)
	}
	f.Caption = "Each rectangle is a job on its processors."
	if o.Slot > 0 {
		f.Caption += fmt.Sprintf(" Dotted: slots of %.4g h.", o.Slot/3600)
	}
	return f, nil
}
