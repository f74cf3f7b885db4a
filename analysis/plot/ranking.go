package plot

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// checkRanking checks that the figure can tell what is better.
func checkRanking(s *study.Figure, d frame.Design) error {
	var errs []error
	if s.Series == "" {
		errs = append(errs, fmt.Errorf("a figure of the kind %s sets the levels of an axis against one another: give series", s.Kind))
	}
	if d.Replication == "" {
		errs = append(errs, errors.New("the design has no replication column: nothing to set levels against one another by"))
	}
	for _, m := range slices.Compact([]string{s.X, s.Y}) {
		if d.Better[m] == "" {
			errs = append(errs, fmt.Errorf("of %s neither lower nor higher values are better, so that it cannot tell what is best", m))
		}
	}
	return errors.Join(errs...)
}

// addRanking draws which levels of the series are better than others.
func (p *plotter) addRanking() error {
	switch p.spec.Kind {
	case study.KindPareto:
		return p.addPareto()
	case study.KindProfile:
		p.addProfile()
	default:
		p.addRanks()
	}
	return nil
}

// cost is a value of the metric so that lower is better.
func (p *plotter) cost(metric string, v float64) float64 {
	if p.design.Better[metric] == "higher" {
		return -v
	}
	return v
}

// addRanks draws the mean ranks of the levels of the series, and which of them Nemenyi's test cannot tell apart. Blocks are
// replications, as everywhere: the points of a replication share its random numbers, and are not independent; within one
// the points of a panel are averaged.
func (p *plotter) addRanks() {
	p.figure.X.Label, p.figure.X.Unit, p.figure.Y = label(p.spec.XLabel, "mean rank by "+frame.Words(p.spec.X)+", 1 is best", nil), "", figure.Axis{}
	names := p.figure.Series
	p.figure.Bare, p.figure.Series, p.figure.SeriesTitle = true, nil, ""
	told, differ := 0, 0
	for _, g := range p.ofPanels() {
		sharing := p.shares.Of(g.Rows)
		p.remark(sharing.Remarks()...)
		blocks, levels, lost := p.blocks(g.Rows)
		f := stats.FriedmanOf(blocks)
		if lost > 0 {
			p.remark(stats.Warnf(stats.Unpaired, "%d replications lack an answer of a level at a point, and are in no rank", lost))
		}
		if f.Blocks < 2 || len(levels) < 2 || sharing.Same() {
			p.remark(stats.Warnf(stats.NotDrawn, "%d levels and %d replications that all have an answer of and do not repeat one another: mean ranks need 2 of each", len(levels), f.Blocks))
			continue
		}
		p.lineN.see(f.Blocks)
		mark := &figure.Ranks{Difference: f.Nemenyi(p.design.Confidence)}
		for _, i := range stats.Order(len(levels), func(a, b int) int { return cmp.Compare(f.MeanRanks[a], f.MeanRanks[b]) }) {
			mark.Names, mark.Ranks = append(mark.Names, names[levels[i]]), append(mark.Ranks, f.MeanRanks[i])
		}
		told++
		if f.P < 1-p.design.Confidence {
			differ++
			mark.Joined = stats.Cliques(mark.Ranks, mark.Difference)
		} else { // the test of all comes first: without it no pair is told apart
			mark.Joined = [][2]int{{0, len(levels) - 1}}
		}
		p.add(g.Rows[0], mark)
		note := "Friedman's test: all replications tie"
		switch {
		case math.IsInf(f.F, 1):
			note = "Friedman's test: all replications agree, " + equalsP(f.P)
		case f.P >= 0:
			note = fmt.Sprintf("Friedman's test: F = %.3g, %s", f.F, equalsP(f.P))
		}
		panel := &p.figure.Panels[p.panelOf(g.Rows[0])]
		panel.Notes = append(panel.Notes, figure.Note{Series: -1, Text: note})
		if f.Blocks < fewBlocks {
			p.remark(stats.Warnf(stats.TooFew, "%d replications are few for Friedman's and Nemenyi's tests, whose laws are those of many: from about %d on they are good", f.Blocks, fewBlocks))
		}
	}
	if told == 0 {
		return
	}
	s := fmt.Sprintf("Mean ranks over replications, %s; points of a replication are averaged first. Bars join what Nemenyi's test does not tell apart at %s", p.lineN, p.confidence())
	if differ < told {
		s += ", or all where Friedman's test (F of Iman and Davenport) tells no difference"
	}
	p.said = append(p.said, s)
}

// fewBlocks is below which the laws of the tests are rough (Demsar 2006, section 3.2.2: more than 10).
const fewBlocks = 10

// blocks are the values of each replication by level, lower being better, of those replications in which every level that
// occurs has all its answers; lost counts the others.
func (p *plotter) blocks(rows []int32) (blocks [][]float64, levels []int32, lost int) {
	var means []map[int32]float64
	replications := map[int32]bool{}
	for level, of := range p.byLevel(rows) {
		levels, means = append(levels, level), append(means, p.replications.Means(of, p.y.Numbers))
		for _, row := range of {
			replications[p.replications.Of(row)] = true
		}
	}
	for _, r := range slices.Sorted(maps.Keys(replications)) {
		block := make([]float64, 0, len(means))
		for _, m := range means {
			if v, ok := m[r]; ok {
				block = append(block, p.cost(p.spec.X, v))
			}
		}
		if len(block) == len(means) {
			blocks = append(blocks, block)
		} else {
			lost++
		}
	}
	return blocks, levels, lost
}

// byLevel yields the levels of the series that occur in some rows, and their rows.
func (p *plotter) byLevel(rows []int32) iter.Seq2[int32, []int32] {
	of := map[int32][]int32{}
	for _, row := range rows {
		of[p.series.Codes[row]] = append(of[p.series.Codes[row]], row)
	}
	return func(yield func(int32, []int32) bool) {
		for _, level := range slices.Sorted(maps.Keys(of)) {
			if !yield(level, of[level]) {
				return
			}
		}
	}
}

// addProfile draws of each level of the series in what share of the instances it is within a factor of the best (Dolan and
// More 2002). An instance is a point of the other axes with a replication. A level that failed there, or has no number, is
// within no factor; an instance that some level was not run on is left out, and so is one with a negative value.
func (p *plotter) addProfile() {
	p.figure.X.Label, p.figure.X.Unit = label(p.spec.XLabel, frame.Words(p.spec.X)+", factor to the best", nil), ""
	p.figure.Y = figure.Axis{Label: label(p.spec.YLabel, "share of instances", nil), Zero: true}
	instance := append(p.design.Without(append(dividing(&p.spec), p.spec.X)...), p.design.Replication)
	of := frame.GroupBy(p.frame, instance, p.design.Order).Of
	var lacking, negative, zero, failed int
	for _, g := range p.ofPanels() {
		var levels []int32
		costs := map[int32][]float64{} // by instance
		for level, rows := range p.byLevel(g.Rows) {
			for _, row := range rows {
				v := p.y.Numbers[row]
				if p.ok != nil && !p.ok[row] {
					v = math.NaN()
				}
				if c := costs[of[row]]; len(c) == len(levels) { // neither lacking before nor there twice
					costs[of[row]] = append(c, v)
				}
			}
			levels = append(levels, level)
		}
		ratios, n := make([][]float64, len(levels)), 0
		for _, i := range slices.Sorted(maps.Keys(costs)) {
			c := costs[i]
			if len(c) < len(levels) {
				lacking++
				continue
			}
			answers := stats.NewSample(c)
			if p.design.Better[p.spec.X] == "higher" { // then the best is so many times as large
				for k := range c {
					c[k] = 1 / c[k]
				}
			}
			r, ok := stats.Ratios(c)
			if !ok {
				negative++
				continue
			}
			n++
			failed += answers.NotFinite()
			if answers.N() > 0 && answers.Min() == 0 {
				zero++
			}
			for k, v := range r {
				ratios[k] = append(ratios[k], v)
			}
		}
		p.lineN.see(n)
		for k, level := range levels {
			s := stats.TakeSample(ratios[k])
			steps := &figure.Steps{Series: int(level), Name: study.KindProfile}
			for v, share := range s.Shares() {
				steps.At = append(steps.At, figure.Point{X: v, Y: share * float64(s.N()) / float64(n)})
			}
			p.add(g.Rows[0], steps)
		}
	}
	for _, left := range []struct {
		n    int
		text string
	}{
		{lacking, "%d instances were not run with every level, and are in no share"},
		{negative, "%d instances have a negative value, to which nothing has a ratio, and are in no share"},
		{zero, "%d instances have a value of 0: where lower is better it counts as the best and all others as within no factor of it, where higher is better it is itself within none"},
		{failed, "%d values failed or are not finite, and count as within no factor of the best"},
	} {
		if left.n > 0 {
			p.remark(stats.Warnf(stats.NotDrawn, left.text, left.n))
		}
	}
	p.said = append(p.said, fmt.Sprintf("Share of instances, points with a replication (%s), in which a level is within a factor of the best of all (performance profile of Dolan and Moré)", p.lineN))
}

// remark adds warnings, each once.
func (p *plotter) remark(ws ...stats.Warning) {
	for _, w := range ws {
		if !slices.Contains(p.pairedWarnings, w) {
			p.pairedWarnings = append(p.pairedWarnings, w)
		}
	}
}
