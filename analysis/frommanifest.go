package analysis

import (
	"fmt"
	"slices"
	"sync"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// FromManifest makes the specification that a manifest asks for, over the dataset of its instances. metrics are analysed
// where the manifest names none. Those of its questions are analysed in any case, see [Inquiry.Note].
//
// A trend without by: has one line for each combination of the axes other than its x.
func FromManifest(m *sweep.Manifest, metrics []string) (Spec, error) {
	plan, err := m.Plan()
	if err != nil {
		return Spec{}, fmt.Errorf("analysis: %w", err)
	}
	if len(m.Metrics) > 0 {
		metrics = slices.Clip(m.Metrics)
		for i := range m.Questions {
			metrics = text.Once(metrics, m.Questions[i].Asked.Metric)
		}
	}
	a := m.Analysis
	s := Spec{Trends: a.Trends, Figures: a.Figures, Design: frame.Design{
		Replication: frame.ReplicationColumn, Outcome: frame.OutcomeColumn, Metrics: metrics, Order: map[string][]string{},
		Labels: map[string][]frame.Label{}, Written: map[string]map[string]string{}, Units: map[string]string{},
		Margins: map[string]stats.Margin{}, Precision: map[string]float64{},
		PlannedTotal: frame.Exactly(plan.Len()), Confidence: a.Confidence, Looks: a.LooksAt(), Quantiles: a.Quantiles, Sample: m.Sample,
	}}
	s.Design.PlannedPerPoint, s.Design.PlannedOf = plannedOf(m, plan)
	if len(m.Questions) == 0 {
		s.Design.Points = sync.OnceValues(func() (*frame.Frame, error) { return frame.PlannedPoints(m) })
	}
	for _, axis := range plan.Axes() {
		s.Design.Axes = append(s.Design.Axes, axis.Path)
		if len(axis.Written) > 0 {
			s.Design.Written[axis.Path] = axis.Written
		}
		if axis.Unit != "" && axis.Unit != "share" {
			s.Design.Units[axis.Path] = axis.Unit
		}
		if axis.Type == params.Int {
			s.Design.Whole = append(s.Design.Whole, axis.Path)
		}
		for i, label := range axis.Labels {
			if label != "" {
				s.Design.Labels[axis.Path] = append(s.Design.Labels[axis.Path], frame.Label{Value: frame.ValueOf(axis.Values[i]), Text: label})
			}
		}
		if axis.Type == params.String || axis.Type == params.Bool {
			for _, v := range axis.Values {
				if !v.Null {
					s.Design.Order[axis.Path] = append(s.Design.Order[axis.Path], v.String())
				}
			}
		}
	}
	for _, c := range m.Classes {
		s.Design.Classes = append(s.Design.Classes, c.Name)
		s.Design.Labels[manifest.ClassAxis] = append(s.Design.Labels[manifest.ClassAxis], frame.Label{Value: frame.Text(c.Name), Text: c.Label})
	}
	if len(m.Classes) > 0 {
		s.Design.Order[manifest.ClassAxis] = s.Design.Classes
	}
	if slices.Contains(m.Metrics, frame.UnstableColumn) { // figures mark the points of runs without a steady state
		s.Design.Unstable = frame.UnstableColumn
	}
	if len(a.Baseline) > 0 {
		var c compare.Contrast
		for _, axis := range plan.Axes() {
			for _, b := range a.Baseline {
				if b.Path == axis.Path {
					c.Axes = append(c.Axes, b.Path)
					c.Baseline = append(c.Baseline, frame.ValueOf(b.Value))
				}
			}
		}
		s.Contrasts = []compare.Contrast{c}
	}
	s.Design.Better, s.Design.Sums = m.Better, m.Sums
	for _, g := range a.Margins {
		s.Design.Margins[g.Metric] = stats.Margin{Value: g.Value, Share: g.Share}
	}
	for _, p := range a.Precision {
		s.Design.Precision[p.Metric] = p.HalfWidth
	}
	return s, nil
}

// plannedOf is the number of instances of each point: a number where all points have it, else a function. Where points lack their
// baseline it is a function too, for no pair is planned there. Points of a sample have all levels of the other axes.
func plannedOf(m *sweep.Manifest, plan *sweep.Plan) (each frame.Amount, of func(point []frame.Value) int) {
	fewest, most := plan.Replications()
	all := most
	for _, axis := range plan.Axes() {
		all *= axis.Count
	}
	if fewest == most {
		each = frame.Exactly(most)
	}
	if fewest != most || len(m.Analysis.Baseline) > 0 && m.Sample == nil && plan.Len()-plan.LogsThemselves() != all {
		of = PlannedOf(plan)
	}
	return each, of
}

// PlannedOf is the number of instances of each point of a plan, where points have unequal numbers. Points that the axes do
// not tell apart are one.
func PlannedOf(plan *sweep.Plan) func(point []frame.Value) int {
	type planned struct {
		point []frame.Value
		n     int
	}
	var points []planned
	var in sweep.Instance
	for i := 0; i < plan.Len(); i += in.Replications {
		plan.At(i, &in)
		points = append(points, planned{text.Each(in.Values, frame.ValueOf), in.Replications})
	}
	slices.SortFunc(points, func(a, b planned) int { return slices.CompareFunc(a.point, b.point, frame.Compare) })
	return func(point []frame.Value) int {
		n := 0
		i, _ := slices.BinarySearchFunc(points, point, func(p planned, at []frame.Value) int {
			return slices.CompareFunc(p.point, at, frame.Compare)
		})
		for ; i < len(points) && slices.EqualFunc(points[i].point, point, frame.Value.Equal); i++ {
			n += points[i].n
		}
		return n
	}
}

// Columns are the names of the columns that the analysis and the claims read, each once, but for the design's metrics: a
// dataset of many rows need not be in memory as a whole, see [Frame.Later].
func (s *Spec) Columns(claims []study.Claim) []string {
	d := &s.Design
	names := slices.Concat(d.Axes, []string{d.Replication, d.Outcome, d.Unstable, frame.ColumnSampleOf, frame.ColumnSampleFirst,
		frame.ColumnJobsDigest, frame.ColumnJobs, frame.ColumnMeasured, frame.ColumnStreams, frame.ColumnUsers}, frame.DriftColumns)
	for _, class := range d.Classes {
		names = append(names, text.Each(frame.JobCounts, func(count string) string { return manifest.ByClass(count, class) })...)
	}
	for _, t := range s.Trends {
		names = append(names, t.X, t.Y)
	}
	for _, f := range s.Figures {
		names = append(names, f.X, f.Y)
		for _, class := range d.Classes {
			if f.ByClass() {
				names = append(names, manifest.ByClass(f.X, class), manifest.ByClass(f.Y, class))
			}
		}
	}
	for i := range claims {
		claims[i].Statistic.Walk(func(s *study.Statistic) { names = append(names, s.Metric, s.X) })
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}
