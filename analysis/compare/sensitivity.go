package compare

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Sensitivity is the effect of a knob of a sample on a metric, at a point of the axes that are no knobs.
type Sensitivity struct {
	By           []string
	Point        []frame.Value
	Metric, Unit string
	Knob         string
	Moments      []Moment
	Noise        float64 // of trajectories: see [stats.Effects]; else NaN
	Units        int     // trajectories or scrambles that the intervals are over; 0 of a knob that was varied alone
	Replications int
	Warnings     []stats.Warning
}

// Moment is a statistic of a knob: mu_star, mu, sigma; first, total; or range.
type Moment struct {
	Name string
	stats.Interval
}

// Sensitivities are those of all knobs on all metrics that the design has, by point and metric; none of a sample that has no
// indices. The warnings name metrics that have answers, but too few.
func Sensitivities(f *frame.Frame, d frame.Design) (out []Sensitivity, few []stats.Warning, err error) {
	d, err = d.Resolved(f)
	if err != nil {
		return nil, nil, fmt.Errorf("sensitivity: %w", err)
	}
	if !d.Sample.Indexed() || f.Rows == 0 {
		return nil, nil, nil
	}
	s := newSampled(f, &d)
	by := d.Without(d.Sample.Knobs...)
	err = f.EachGroup(frame.GroupBy(f, by, d.Order).Groups, d.Metrics, len(d.Metrics), func(g *frame.Group, values frame.ValuesOf) {
		s.in(g.Rows)
		var lacking []string
		for k, m := range d.Metrics {
			answers := values(k)
			all := s.of(g.Rows, answers)
			var notes []stats.Warning
			if len(all) > 0 {
				notes = s.notes(g.Rows, m)
			}
			for _, one := range all {
				one.Warnings = append(one.Warnings, notes...)
				one.By, one.Point, one.Metric, one.Unit = by, g.Key, m, f.Head(m).Unit
				out = append(out, one)
			}
			if len(all) == 0 && s.some(g.Rows, answers) {
				lacking = append(lacking, m)
			}
		}
		if len(lacking) > 0 {
			few = append(few, s.lacks(by, g.Key, lacking))
		}
	})
	return out, few, err
}

// notes count the means of a metric at the points of the sample that have a warning.
func (s *sampled) notes(rows []int32, metric string) []stats.Warning {
	at := map[int32][]int32{}
	for _, row := range rows {
		at[s.points[row]] = append(at[s.points[row]], row)
	}
	var n stats.Noted
	for _, of := range at {
		n.See(slices.Concat(s.drifts.Of(metric, of), s.shares.Of(of).Remarks()))
	}
	return n.Of("mean")
}

// some reports whether any of the values is an answer.
func (s *sampled) some(rows []int32, values []float64) bool {
	for i, row := range rows {
		if s.answered(row, values[i]) {
			return true
		}
	}
	return false
}

func (s *sampled) answered(row int32, value float64) bool {
	return (s.ok == nil || s.ok[row]) && stats.Finite(value)
}

// lacks lists the metrics without sensitivities at a point.
func (s *sampled) lacks(by []string, point []frame.Value, metrics []string) stats.Warning {
	at := ""
	for i, axis := range by {
		at += fmt.Sprintf(", %s=%s", axis, point[i])
	}
	takes := "trajectories take answers to all of their points"
	switch {
	case s.Sample.Design.Sobol != nil:
		takes = "indices take answers to most points, and two replications or more"
	case s.Sample.Design.Alone != nil:
		takes = "a range takes answers to two values of a knob or more"
	}
	return stats.Warnf(stats.TooFew, "there are no sensitivities of %s%s: %s", text.FirstOf(metrics, 3, "metric"), at, takes)
}

// sampled finds the answers to the rows of a sample's design.
type sampled struct {
	*frame.Design
	ok       []bool
	replicas []int32         // replication of each row of the frame
	points   []int32         // knobs' values of each row of the frame
	keys     [][]frame.Value // those values
	design   [][]frame.Value // of each point of the design
	at       []int32         // of each row of the design, its place among keys in the group in hand; -1 for none
	most     int             // replications
	drifts   frame.Drifts
	shares   *frame.Sharers
}

func newSampled(f *frame.Frame, d *frame.Design) *sampled {
	r := frame.NewReplications(f, d)
	s := &sampled{Design: d, ok: d.Answered(f), drifts: frame.NewDrifts(f, d, r), shares: frame.NewSharers(f, d, r)}
	s.replicas, s.most = frame.ReplicationCodes(f.Held(d.Replication))
	grouping := frame.GroupBy(f, s.Sample.Knobs, d.Order)
	s.points = grouping.Of
	s.keys = text.Each(grouping.Groups, func(g frame.Group) []frame.Value { return g.Key })
	s.design = text.Each(s.Sample.Points, func(point []params.Value) []frame.Value { return text.Each(point, frame.ValueOf) })
	return s
}

// in takes a group of rows in hand. A knob that the kind of an instance does not have is null in its row, also where
// the design has a value: which are is the same for all rows of a group with one kind.
func (s *sampled) in(rows []int32) {
	known, masks := map[string]int32{}, map[string][]bool{}
	key := func(values []frame.Value, null []bool) string {
		values = slices.Clone(values)
		for k, is := range null {
			if is {
				values[k] = frame.Null()
			}
		}
		return frame.PointKey(values)
	}
	seen := make([]bool, len(s.keys))
	for _, row := range rows {
		p := s.points[row]
		if seen[p] {
			continue
		}
		seen[p] = true
		known[key(s.keys[p], nil)] = p
		null := text.Each(s.keys[p], func(v frame.Value) bool { return v.IsNull })
		masks[fmt.Sprint(null)] = null
	}
	of := make([]int32, len(s.design))
	for p, values := range s.design {
		of[p] = -1
		for _, name := range slices.Sorted(maps.Keys(masks)) {
			if at, ok := known[key(values, masks[name])]; ok {
				of[p] = at
				break
			}
		}
	}
	s.at = text.Each(s.Sample.Row, func(p int) int32 { return of[p] })
}

// of are the sensitivities of all knobs on a metric, whose values at some rows of the frame are given.
func (s *sampled) of(rows []int32, values []float64) []Sensitivity {
	answers := make([][]float64, len(s.keys))
	seen, repeats := map[int32]bool{}, 0 // replications
	for i, row := range rows {
		seen[s.replicas[row]] = true
		if a := answers[s.points[row]]; a == nil {
			answers[s.points[row]] = slices.Repeat([]float64{math.NaN()}, s.most)
		}
		if v := values[i]; s.answered(row, v) {
			a := &answers[s.points[row]][s.replicas[row]]
			switch {
			case math.IsNaN(*a):
				*a = v
			case stats.Finite(*a):
				repeats++
				fallthrough
			default:
				repeats++
				*a = math.Inf(1) // which of them counts is not known: none does
			}
		}
	}
	// A replication that most points lack has not been run, or the metric has no value in it: it would leave out most points.
	var complete []int
	for r := range s.most {
		there := text.Count(s.at, func(at int32) bool { return at >= 0 && answers[at] != nil && stats.Finite(answers[at][r]) })
		if 2*there > len(s.at) {
			complete = append(complete, r)
		}
	}
	if len(complete) == 0 {
		return nil
	}
	y := make([][]float64, len(s.at)) // by row of the design, nil where an answer is missing
	for i, at := range s.at {
		if at < 0 || answers[at] == nil {
			continue
		}
		if y[i] = text.Each(complete, func(r int) float64 { return answers[at][r] }); !stats.Finite(stats.Sum(y[i])) {
			y[i] = nil
		}
	}
	var out []Sensitivity
	switch d := s.Sample.Design; {
	case d.Steps != nil:
		out = s.effects(y)
	case d.Sobol != nil:
		out = s.indices(y, len(complete))
	default:
		out = s.ranges(y)
	}
	for i := range out {
		out[i].Replications = len(complete)
		if repeats > 0 {
			out[i].Warnings = append(slices.Clip(out[i].Warnings), stats.Warnf(stats.Duplicate,
				"%d %s left out", repeats, text.Either(repeats, "row repeats an instance, and was", "rows repeat an instance, and were")))
		}
		if lost := len(seen) - len(complete); lost > 0 {
			out[i].Warnings = append(slices.Clip(out[i].Warnings), stats.Warnf(stats.Unpaired, "%d of %d replications %s left out", lost, len(seen),
				text.Either(lost, "lacks values at most points, and is", "lack values at most points, and are")))
		}
	}
	return out
}

// effects are those of a sample of trajectories. A trajectory with a point that lacks an answer is left out as a whole.
func (s *sampled) effects(y [][]float64) []Sensitivity {
	effects := make([][][]float64, len(s.Sample.Knobs))
	lost := 0
	for _, steps := range s.Sample.Design.Steps {
		lacks := false
		for _, step := range steps {
			lacks = lacks || y[step.From] == nil || y[step.To] == nil
		}
		if lacks {
			lost++
			continue
		}
		for _, step := range steps {
			e := make([]float64, len(y[step.From]))
			for r := range e {
				e[r] = stats.Change(y[step.From][r], y[step.To][r]) / step.Length
			}
			effects[step.Knob] = append(effects[step.Knob], e)
		}
	}
	if len(effects[0]) == 0 {
		return nil
	}
	warnings := without(lost, len(s.Sample.Design.Steps), "trajectories")
	if len(effects[0][0]) == 1 {
		warnings = append(warnings, stats.Warnf(stats.TooFew, "there is one replication: its noise is in sigma"))
	}
	out := make([]Sensitivity, len(s.Sample.Knobs))
	for k, e := range effects {
		of := stats.EffectsOf(e)
		out[k] = Sensitivity{Knob: s.Sample.Knobs[k], Units: len(e), Noise: of.Noise, Warnings: warnings,
			Moments: []Moment{{"mu_star", of.MuStar.NotNegative(s.Confidence)}, {"mu", of.Mu.Interval(s.Confidence)},
				{"sigma", of.Sigma(s.Confidence)}}}
	}
	return out
}

// indices are Sobol' indices. A point without an answer is left out of its scramble.
func (s *sampled) indices(y [][]float64, replications int) []Sensitivity {
	if replications < 2 {
		return nil // noise would count as effects
	}
	var answers [][]stats.Base
	lost, points := 0, 0
	for _, picks := range s.Sample.Design.Sobol {
		points += len(picks)
		of := make([]stats.Base, replications)
		for r := range of {
			of[r].AB = make([][]float64, len(s.Sample.Knobs))
		}
		for _, p := range picks {
			if y[p.A] == nil || y[p.B] == nil || slices.ContainsFunc(p.AB, func(i int) bool { return y[i] == nil }) {
				lost++
				continue
			}
			for r := range of {
				of[r].A, of[r].B = append(of[r].A, y[p.A][r]), append(of[r].B, y[p.B][r])
				for k, i := range p.AB {
					of[r].AB[k] = append(of[r].AB[k], y[i][r])
				}
			}
		}
		if len(of[0].A) > 1 {
			answers = append(answers, of)
		}
	}
	if len(answers) == 0 {
		return nil
	}
	warnings := without(lost, points, "points")
	if replications == 2 {
		warnings = append(warnings, stats.Warnf(stats.TooFew, "with two replications intervals are over scrambles alone: that other seeds "+
			"would give others is not in them"))
	}
	out, all := make([]Sensitivity, len(s.Sample.Knobs)), stats.IndicesOf(answers)
	if math.IsNaN(all[0].Total.Value) {
		warnings = append(warnings, stats.Warnf(stats.Degenerate, "the means of the points do not vary, or no more than their noise: there "+
			"are no shares"))
	}
	for k, of := range all {
		own := append(slices.Clip(warnings), lacking(&of, len(answers), s.Confidence)...)
		out[k] = Sensitivity{Knob: s.Sample.Knobs[k], Units: len(answers), Noise: math.NaN(), Warnings: own,
			Moments: []Moment{{"first", of.First.Interval(s.Confidence)}, {"total", of.Total.Interval(s.Confidence)}}}
	}
	return out
}

// wideIndex is the half-width of an index from which on it tells little, a share of the variance; fewScrambles is below how many
// Student's quantile is what makes intervals wide.
const (
	wideIndex    = .1
	fewScrambles = 8
)

// lacking returns notes on the means to narrow the wide intervals of a knob's indices.
func lacking(of *stats.Indices, scrambles int, confidence float64) []stats.Warning {
	worst, name := of.Total, "total"
	if of.First.SE > of.Total.SE {
		worst, name = of.First, "first"
	}
	half := worst.Interval(confidence).HalfWidth()
	if !(half > wideIndex) {
		return nil
	}
	known := fmt.Sprintf("is known to +-%.2g of the variance only", half)
	if math.IsInf(half, 1) {
		known = "has no interval"
	}
	more := "more points in each of them"
	switch {
	case worst.OverReplications > .5:
		more = fmt.Sprintf("more replications, over which %.0f %% of the variance of its error are", 100*worst.OverReplications)
	case scrambles == 1:
		more = "more scrambles: there is one, which has no spread"
	case scrambles < fewScrambles:
		more = fmt.Sprintf("more scrambles: there are %d, and their spread is hardly known", scrambles)
	}
	return []stats.Warning{stats.Warnf(stats.Imprecise, "the %s index %s, for lack of %s", name, known, more)}
}

// ranges are those of means of knobs that were varied alone.
func (s *sampled) ranges(y [][]float64) []Sensitivity {
	var out []Sensitivity
	for k, rows := range s.Sample.Design.Alone {
		var levels [][]float64
		for _, i := range rows {
			if y[i] != nil {
				levels = append(levels, y[i])
			}
		}
		if len(levels) > 1 {
			out = append(out, Sensitivity{Knob: s.Sample.Knobs[k], Noise: math.NaN(), Warnings: without(len(rows)-len(levels), len(rows), "values"),
				Moments: []Moment{{"range", stats.RangeOf(levels).NotNegative(s.Confidence)}}})
		}
	}
	return out
}

// without remarks on missing answers; units names the parts of the sample.
func without(lost, of int, units string) []stats.Warning {
	if lost == 0 {
		return nil
	}
	return []stats.Warning{stats.Warnf(stats.Unpaired, "%d of %d %s of the sample %s left out", lost, of, units,
		text.Either(lost, "lacks an answer, and was", "lack an answer, and were"))}
}

// BySize puts the knobs that do most first, and those alike in the order of the manifest. The size of a knob is its first moment, of
// Sobol' indices the last, as a share of the largest of the same metric at the same point: no point decides by its unit.
func BySize(list []Sensitivity) []Sensitivity {
	most := map[string]float64{}
	at := func(s *Sensitivity) string { return fmt.Sprint(s.Metric, s.Point) }
	for i := range list {
		s := &list[i]
		most[at(s)] = max(most[at(s)], s.Size())
	}
	share := func(s *Sensitivity) float64 {
		if m := most[at(s)]; m > 0 {
			return s.Size() / m
		}
		return s.Size()
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Sensitivity) int { return cmp.Compare(share(&b), share(&a)) })
	return list
}

// Size is the moment that orders knobs: their mean size of effects, total index or range.
func (s *Sensitivity) Size() float64 {
	if m := s.Moments; m[0].Name == "first" {
		return m[1].Estimate
	}
	return s.Moments[0].Estimate
}
