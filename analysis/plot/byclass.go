package plot

import (
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/study"
)

// byClass makes classes of jobs an axis: each row comes once for each class, with the metrics of the figure of its jobs.
func byClass(f *frame.Frame, d frame.Design, s *study.Figure) (*frame.Frame, frame.Design, error) {
	var of []string
	for _, name := range []string{s.X, s.Y} {
		if name != "" && name != manifest.ClassAxis && !slices.Contains(d.Axes, name) && f.Quantity(name) == nil && !slices.Contains(of, name) {
			of = append(of, name)
		}
	}
	melted, err := f.Melted(manifest.ClassAxis, d.Classes, of, manifest.ByClass)
	if err != nil {
		return f, d, err
	}
	d.Axes = append(slices.Clone(d.Axes), manifest.ClassAxis)
	return melted.Labelled(d.Labels), d, nil
}

func (p *plotter) instances() []int32 {
	all := frame.Every(p.frame)
	if p.unmelted == nil || len(all) == 0 {
		return all
	}
	class := p.frame.Column(manifest.ClassAxis).Codes
	return slices.DeleteFunc(all, func(row int32) bool { return class[row] != class[0] })
}

// withoutEmpty leaves out the classes without a row with the metric of the figure, unless all are.
func withoutEmpty(f *frame.Frame, s *study.Figure) (*frame.Frame, []stats.Warning) {
	metric := s.Y
	if f.Quantity(metric) != nil {
		return f, nil // that is known when the jobs are read
	}
	class, values := f.Column(manifest.ClassAxis), f.Column(metric).Numbers
	filled := make([]bool, len(class.Levels))
	for row, code := range class.Codes {
		filled[code] = filled[code] || stats.Finite(values[row])
	}
	var ws []stats.Warning
	for code, name := range class.Levels {
		if !filled[code] && slices.Contains(class.Codes, int32(code)) {
			ws = append(ws, stats.Warnf(stats.NotDrawn, "no instance has %s of the class %s: the class has no jobs, or the rows were made "+
				"without it", metric, name))
		}
	}
	if len(ws) > 0 && slices.Contains(filled, true) {
		f = f.Take(slices.DeleteFunc(frame.Every(f), func(row int32) bool { return !filled[class.Codes[row]] }))
	}
	return f, ws
}

// readByClass is [beside.read] where each instance has a row for each class, to which the jobs of the class belong.
func (b *beside) readByClass(names []string, begin func() func(row int32, values [][]float64)) error {
	class := b.frame.Column(manifest.ClassAxis)
	at := make([][]int32, len(class.Levels)) // by class and instance
	for code := range at {
		at[code] = slices.Repeat([]int32{-1}, b.unmelted.Rows)
	}
	for row, origin := range b.frame.Origin(frame.Every(b.frame)) {
		at[class.Codes[row]][origin] = int32(row)
	}
	var shown []int // codes of classes
	asked := slices.Clone(names)
	for code, name := range class.Levels {
		if slices.Contains(class.Codes, int32(code)) {
			shown, asked = append(shown, code), append(asked, manifest.JobsOf(name))
		}
	}
	rows := b.frame.Origin(slices.DeleteFunc(b.instances(), func(row int32) bool { return b.ok != nil && !b.ok[row] }))
	values := make([][]float64, len(names))
	lacking, err := b.unmelted.Quantities(asked, rows, func() func(int, [][]float64) {
		take := begin()
		clear(b.has)
		return func(i int, all [][]float64) {
			for k, code := range shown {
				for n := range names {
					values[n] = values[n][:0]
					for job, in := range all[len(names)+k] {
						if in == 1 {
							values[n] = append(values[n], all[n][job])
						}
					}
				}
				if row := at[code][rows[i]]; len(values[0]) > 0 {
					b.has[row] = true
					take(row, values)
				}
			}
		}
	})
	b.lacks(lacking, len(rows))
	for _, code := range shown {
		if err == nil && !slices.ContainsFunc(at[code], func(row int32) bool { return row >= 0 && b.has[row] }) {
			b.besideWarnings = append(b.besideWarnings, stats.Warnf(stats.NotDrawn, "no job is in the class %s", class.Levels[code]))
		}
	}
	return err
}
