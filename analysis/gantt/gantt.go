// Package gantt draws schedules: processors over time, a rectangle for each job, or
// shares of sites over time.
// It reads what simulate --jobs and --shares write, any CSV with the same
// columns, such as those of Batsim and evalys, and traces of events.
package gantt

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/sweep/text"
)

// Options choose the marks beside the jobs.
type Options struct {
	// Clusters are numbers of processors; a line lies under each.
	Clusters []int
	// Slot is the length of slots in s that are marked; 0: none.
	Slot float64
	// By is the meaning of a colour: "" or job, user, size.
	By string
	// Load draws queue length and busy processors beneath.
	Load bool
	// From and To are the part of the time that is drawn, in s. A To of 0 is the last end of all schedules.
	From, To float64
	// Differs marks the jobs, by their ids, that have a thick edge because another schedule has them elsewhere; nil: none.
	Differs func(id string) bool
}

// window is the part of the time that is drawn.
type window struct{ from, to float64 }

func (w window) has(j *Job) bool { return j.Finish >= w.from && j.Start <= w.to }

// written is a time in the unit of the axis.
func (w window) written(seconds float64) string {
	unit, name := figure.TimeUnit(w.to)
	if name == "days" && seconds == unit {
		return "1 day"
	}
	return fmt.Sprintf("%.4g %s", seconds/unit, name)
}

const mostSlots = 1000

func (s *Schedule) drawable(first *Schedule, o Options) error {
	switch {
	case o.By != "" && o.By != ByJob && o.By != ByUser && o.By != BySize:
		return fmt.Errorf("colours by %q: they can be by job, user or size", o.By)
	case (s.Sites > 0) != (first.Sites > 0):
		return fmt.Errorf("schedules %s and %s are of processors and of shares; draw each kind by itself", first.Title, s.Title)
	case s.Sites > 0 && (o.Load || o.By != "" && o.By != ByJob):
		return fmt.Errorf("schedule %s is of shares, without queue, users or sizes: leave out --load and --by", s.Title)
	case o.Load && s.Waits == nil && len(s.Jobs) > 0:
		return fmt.Errorf("schedule %s has no submit times (column submit), and --load computes the queue from them", s.Title)
	}
	return nil
}

// Size returns when the last job ends, and how many processors the schedule uses: the highest number and one. They are kept.
func (s *Schedule) Size() (end, procs float64) {
	if s.procs == 0 {
		for i := range s.Jobs {
			s.end = max(s.end, s.Jobs[i].Finish)
			for _, r := range s.Jobs[i].Rows {
				s.procs = max(s.procs, r[1])
			}
		}
	}
	return s.end, s.procs
}

// extent is the range of all schedules together.
type extent struct {
	end, procs   float64
	blocks, jobs int    // in the part that is drawn: the most rectangles of one schedule, and the most jobs
	drawn        window // the part
}

func extentOf(schedules []*Schedule, o Options) (e extent, err error) {
	if !(o.From >= 0 && (o.To > o.From || o.From == 0 && o.To == 0)) || math.IsInf(o.To, 1) {
		return e, fmt.Errorf("a part from %g to %g s: both must be finite, at least 0, and the later one greater", o.From, o.To)
	}
	for _, s := range schedules {
		if err := s.drawable(schedules[0], o); err != nil {
			return e, err
		}
		n, jobs := 0, map[string]bool{} // of traces, jobs are in pieces
		for i := range s.Jobs {
			if j := &s.Jobs[i]; o.To == 0 || (window{o.From, o.To}).has(j) {
				n += len(j.Rows)
				jobs[j.ID] = true
			}
		}
		end, procs := s.Size()
		e.end, e.procs = max(e.end, end), max(e.procs, procs)
		shades := s.shades(window{o.From, cmp.Or(o.To, math.Inf(1))})
		for _, k := range shades {
			e.procs = max(e.procs, k.High)
		}
		e.blocks, e.jobs = max(e.blocks, n+len(shades)), max(e.jobs, len(jobs))
	}
	for _, n := range o.Clusters {
		e.procs = max(e.procs, float64(n))
	}
	if e.drawn = (window{0, e.end}); o.To > 0 {
		e.drawn = window{o.From, o.To}
	}
	if length := e.drawn.to - e.drawn.from; o.Slot > 0 && length/o.Slot > mostSlots {
		return e, fmt.Errorf("slots of %g s in %g s: the drawing cannot show more than %d", o.Slot, length, mostSlots)
	}
	return e, nil
}

// Draw draws schedules side by side on the same axes.
func Draw(id string, schedules []*Schedule, o Options) (*figure.Figure, error) {
	f := &figure.Figure{ID: id, X: figure.Axis{Label: "time", Unit: "s", Zero: true}, Y: figure.Axis{Label: "processor", Zero: true},
		Series: []string{"jobs"}, Columns: min(2, len(schedules))}
	if o.From > 0 && o.To == 0 {
		for _, s := range schedules {
			end, _ := s.Size()
			o.To = max(o.To, end)
		}
	}
	e, err := extentOf(schedules, o)
	if err != nil {
		return nil, err
	}
	if o.To > 0 {
		f.X.Zero, f.X.Limits = false, &[2]float64{o.From, o.To}
	}
	dense := e.blocks > mostBlocks && schedules[0].Sites == 0
	var colourOf func(*Job) int
	if dense {
		f.Colour = &figure.Axis{Label: "busy share of processors", Limits: &[2]float64{0, 1}}
	} else {
		var names []string
		if colourOf, names = coloursOf(schedules, o.By); names != nil {
			f.Series = names
		}
	}
	shown := seen{}
	f.Panels = text.Each(schedules, func(s *Schedule) figure.Panel { return s.panel(o, dense, e.drawn, e.procs, colourOf, &shown) })
	f.Caption = "Each rectangle is a job on its processors."
	switch {
	case dense:
		f.Caption = fmt.Sprintf("The rectangles of %d jobs are too many to draw each. Colours show how many processors are busy; white is idle.",
			e.jobs)
	case len(schedules) > 0 && schedules[0].Sites > 0:
		f.Y = figure.Axis{Label: "share of the site", Limits: &[2]float64{0, float64(schedules[0].Sites)}}
		f.Caption = "Each rectangle is a job; its height is its share of the site's time."
		f.Columns, f.Width = 1, 7*72 // short jobs are to be seen
	}
	if !dense {
		f.Caption += shown.said()
	}
	if slices.ContainsFunc(schedules, func(s *Schedule) bool { return len(s.Dark) > 0 }) {
		f.Caption += saidOfDark(dense)
	} else if slices.ContainsFunc(schedules, func(s *Schedule) bool { return len(s.gone) > 0 }) {
		f.Caption += " Processors out of service are white too."
	}
	if !dense && slices.ContainsFunc(schedules, func(s *Schedule) bool { return len(s.shared) > 0 && s.Events != nil }) {
		f.Caption += " Jobs that share the time of processors lie over one another."
	}
	if (dense || o.Load) && slices.ContainsFunc(schedules, func(s *Schedule) bool { return len(s.shared) > 0 && s.Events == nil }) {
		f.Caption += " Processors that several jobs hold are busy once: the file does not say when jobs were preempted or shared processors. " +
			"A trace (--trace) does."
	}
	if o.Slot > 0 {
		f.Caption += fmt.Sprintf(" Dotted: slots of %s.", e.drawn.written(o.Slot))
	}
	if o.Load {
		addLoad(f, schedules, e.drawn)
	}
	return f, nil
}

// addLoad draws queue length and busy processors beneath.
func addLoad(f *figure.Figure, schedules []*Schedule, drawn window) {
	f.Columns, f.Flat, f.OwnY = len(schedules), true, true
	for i := range f.Panels {
		f.Panels[i].Row = "processor"
	}
	f.Y.Label = ""
	type row struct {
		name string
		of   func(*Schedule) []change
	}
	rows, said := []row{{"waiting", (*Schedule).waiting}, {"busy", (*Schedule).busy}}, " Beneath: jobs that wait, busy processors."
	if slices.ContainsFunc(schedules, func(s *Schedule) bool { return len(s.Power) > 0 }) {
		rows, said = append(rows, row{"power in W", (*Schedule).power}), " Beneath: jobs that wait, busy processors, power."
	}
	averages := ""
	for _, row := range rows {
		for _, s := range schedules {
			steps := stepsOf(row.name, s.levels(row.name, row.of), drawn)
			if len(steps.At) > mostChanges {
				averages = fmt.Sprintf(" Where they change often, these are averages over 1/%d of the time shown.", mostChanges)
			}
			f.Panels = append(f.Panels, figure.Panel{Title: s.Title, Row: row.name, Marks: []figure.Mark{steps}})
		}
	}
	f.Caption += said + averages
}

type seen struct{ across, preempted, requeued, differs bool }

func (s seen) said() (caption string) {
	if s.across {
		caption += " Thick edge: on several clusters."
	}
	if s.differs {
		caption += " Thick edge: elsewhere in the other schedule."
	}
	switch {
	case s.preempted && s.requeued:
		caption += " Dotted line: preempted or requeued."
	case s.preempted:
		caption += " Dotted line: preempted."
	case s.requeued:
		caption += " Dotted line: requeued."
	}
	return caption
}

func (s *Schedule) panel(o Options, dense bool, drawn window, procs float64, colourOf func(*Job) int, shown *seen) figure.Panel {
	panel := figure.Panel{Title: s.Title}
	ties := &figure.Ties{}
	if dense {
		panel.Marks = append(panel.Marks, s.density(procs, drawn))
	} else {
		if shades := s.shades(drawn); len(shades) > 0 {
			panel.Marks = append(panel.Marks, &figure.Blocks{Blocks: shades})
		}
		var blocks *figure.Blocks
		blocks, ties = s.blocks(o, drawn, colourOf, shown)
		panel.Marks = append(panel.Marks, blocks)
	}
	if o.Slot > 0 {
		rules := &figure.Rules{}
		for k := math.Ceil(drawn.from / o.Slot); k*o.Slot <= drawn.to; k++ {
			rules.X = append(rules.X, k*o.Slot)
		}
		panel.Marks = append(panel.Marks, rules)
	}
	if len(ties.At) > 0 {
		panel.Marks = append(panel.Marks, ties)
	}
	if o.To > 0 { // parts beside one another have one scale
		panel.Marks = append(panel.Marks, &figure.Reference{Y: procs})
	}
	at := 0
	for k, n := range o.Clusters {
		if k%2 == 1 {
			panel.Marks = append(panel.Marks, &figure.Stripe{Low: float64(at), High: float64(at + n)})
		}
		panel.Marks = append(panel.Marks, &figure.Reference{Y: float64(at), Label: fmt.Sprintf("cluster %d", k+1)})
		at += n
	}
	for k := range s.Sites {
		if s.Sites > 1 {
			panel.Marks = append(panel.Marks, &figure.Reference{Y: float64(k), Label: fmt.Sprintf("site %d", k+1)})
		}
	}
	last, _ := s.Size()
	panel.Notes = append(panel.Notes, figure.Note{Series: -1, Text: "last end " + drawn.written(last)})
	return panel
}

// blocks returns a rectangle for each job in the part, and the lines between the pieces of preempted jobs.
func (s *Schedule) blocks(o Options, drawn window, colourOf func(*Job) int, shown *seen) (*figure.Blocks, *figure.Ties) {
	blocks, ties := &figure.Blocks{}, &figure.Ties{}
	before := map[string]*Job{} // the piece of a job before
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if !drawn.has(j) {
			continue
		}
		differs := o.Differs != nil && o.Differs(j.ID)
		shown.differs = shown.differs || differs
		across := clusterOf(o.Clusters, j.Rows[0][0]) != clusterOf(o.Clusters, j.Rows[len(j.Rows)-1][1]-1)
		shown.across = shown.across || across
		if p := before[j.ID]; s.Sites == 0 && p != nil && p.Finish < j.Start {
			shown.preempted, shown.requeued = shown.preempted || !p.Requeued, shown.requeued || p.Requeued
			y := (j.Rows[0][0] + j.Rows[0][1]) / 2
			ties.At = append(ties.At, [2]figure.Point{{X: p.Finish, Y: y}, {X: j.Start, Y: y}})
		}
		before[j.ID] = j
		for _, p := range j.Rows {
			blocks.Blocks = append(blocks.Blocks, figure.Block{Left: max(j.Start, drawn.from), Right: min(j.Finish, drawn.to), Low: p[0],
				High: p[1], Label: j.ID, Colour: colourOf(j), Thick: across || differs})
		}
	}
	return blocks, ties
}

func clusterOf(clusters []int, processor float64) int {
	for k, n := range clusters {
		if processor -= float64(n); processor < 0 {
			return k
		}
	}
	return len(clusters)
}
