package analysis

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

// instances are rows of the frame, one for each instance.
func (p *plotter) instances() []int32 {
	all := frame.Every(p.frame)
	if p.whole == nil || len(all) == 0 {
		return all
	}
	class := p.frame.Column(manifest.ClassAxis).Codes
	return slices.DeleteFunc(all, func(row int32) bool { return class[row] != class[0] })
}

// emptyClasses warns of classes of which no instance that is shown has a value.
func (p *plotter) emptyClasses() (ws []stats.Warning) {
	if p.whole == nil || p.y.Numbers == nil {
		return nil
	}
	class := p.frame.Column(manifest.ClassAxis)
	for code, name := range class.Levels {
		row := slices.Index(class.Codes, int32(code))
		if row >= 0 && !slices.ContainsFunc(frame.Every(p.frame), func(r int32) bool { return class.Codes[r] == int32(code) && stats.Finite(p.y.Numbers[r]) }) {
			ws = append(ws, stats.Warnf(stats.NotDrawn, "no instance has %s of the class %s, of which there are no jobs, or the rows were made without it", p.spec.Y, name))
		}
	}
	return ws
}
