package plot

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

func init() {
	Add(Kind{
		FigureKind: ranking(study.FigureKind{
			Name: "critical-difference", Doc: "mean ranks of the levels of series by x, a metric; bars join levels without a significant difference",
			Without: []string{"y", "x_scale", "y_scale", "y_label", "x_limits", "y_limits", "scales"},
		}),
		Prepare: prepareRanking,
		Draw:    drawRanks,
	})
}

// drawRanks draws the mean ranks of the levels of the series, and which of them Nemenyi's test cannot tell apart. Blocks are
// replications, as everywhere: the points of a replication share its random numbers, and are not independent; ranks are within
// a point, and are averaged over the points of a panel.
func drawRanks(p *plotter, _ any) error {
	p.ofOneLook()
	p.figure.X.Label, p.figure.X.Unit, p.figure.Y = label(p.spec.XLabel, "mean rank by "+frame.Words(p.spec.X)+", 1 is best", nil), "",
		figure.Axis{}
	names := p.figure.Series
	p.figure.Bare, p.figure.Series, p.figure.SeriesTitle = true, nil, ""
	p.besideSeries = frame.GroupBy(p.frame, p.design.Without(p.spec.Series), nil).Of
	told, differ, ofAll := 0, 0, ""
	for _, g := range p.ofPanels() {
		sharing := p.shares.Of(g.Rows)
		p.remark(sharing.Remarks()...)
		blocks, levels, lost, lacking := p.blocks(g.Rows)
		f := stats.FriedmanOf(blocks)
		if lost > 0 {
			p.remark(stats.Warnf(stats.Unpaired, "%d %s an answer of a level at a point, and %s in no rank", lost,
				text.Either(lost, "replication lacks", "replications lack"), text.Either(lost, "is", "are")))
		}
		if lacking > 0 {
			ofAll = " that all levels have"
			p.remark(stats.Warnf(stats.NotDrawn, "%d %s not run with every level, and %s in no rank", lacking,
				text.Either(lacking, "point was", "points were"), text.Either(lacking, "is", "are")))
		}
		if f.Blocks < 2 || len(levels) < 2 || sharing.Same() {
			p.remark(stats.Warnf(stats.NotDrawn, "mean ranks need 2 levels and 2 replications that do not repeat one another, with a value of "+
				"each level in each replication: there are %d and %d", len(levels), f.Blocks))
			continue
		}
		p.lineN.see(f.Blocks)
		mark := &figure.Ranks{Difference: f.Nemenyi(p.design.Confidence), N: f.Blocks}
		for _, i := range stats.Order(len(levels), func(a, b int) int { return cmp.Compare(f.MeanRanks[a], f.MeanRanks[b]) }) {
			mark.Names, mark.Ranks = append(mark.Names, names[levels[i]]), append(mark.Ranks, f.MeanRanks[i])
		}
		told++
		if f.P < 1-p.design.Confidence {
			differ++
			mark.Joined = stats.Cliques(mark.Ranks, mark.Difference)
		} else { // the test of all comes first: without it no pair differs
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
		if own := p.logRanks(g.Rows, levels, names); own != "" {
			panel.Notes = append(panel.Notes, figure.Note{Series: -1, Text: own})
		}
		if f.Blocks < fewBlocks {
			p.remark(stats.Warnf(stats.TooFew, "%d replications are few for Friedman's and Nemenyi's tests, whose laws are those of many: from "+
				"about %d on they are good", f.Blocks, fewBlocks))
		}
	}
	if told == 0 {
		return nil
	}
	s := fmt.Sprintf("Mean ranks over replications, %s: each replication ranks the levels at every point%s and averages these ranks. "+
		"Bars join levels without a significant difference (Nemenyi's test) at %s", p.lineN, ofAll, p.confidence())
	if differ < told {
		s += ", or all where Friedman's test (F of Iman and Davenport) finds none"
	}
	p.said = append(p.said, s)
	return nil
}

// logRanks is a sentence on the ranks of the levels in the log itself, in the mean over points; "" where it has none.
func (p *plotter) logRanks(rows, levels []int32, names []string) string {
	var block [][]float64
	for _, at := range p.logLevels(rows) {
		for k, v := range at.values {
			at.values[k] = p.cost(p.spec.X, v)
		}
		block = append(block, at.values)
	}
	if len(block) == 0 {
		return ""
	}
	ranks := stats.FriedmanOf([][][]float64{block}).MeanRanks
	order := stats.Order(len(levels), func(a, b int) int { return cmp.Compare(ranks[a], ranks[b]) })
	return "The log itself: " + strings.Join(text.Each(order, func(k int) string {
		return fmt.Sprintf("%s %.3g", cmp.Or(p.figure.Written[names[levels[k]]], names[levels[k]]), ranks[k])
	}), ", ")
}

// fewBlocks is below which the laws of the tests are rough (Demsar 2006, section 3.2.2: more than 10).
const fewBlocks = 10

// blocks are the values by level, lower being better, at each point of each replication: of the points that every level has,
// and the replications in which all of them have answers; lost counts the other replications, and lacking the other points.
func (p *plotter) blocks(rows []int32) (blocks [][][]float64, levels []int32, lost, lacking int) {
	points := map[int32][][]int32{} // rows of each point by level
	for level, of := range p.byLevel(rows) {
		for _, row := range of {
			at := p.besideSeries[row]
			for len(points[at]) <= len(levels) {
				points[at] = append(points[at], nil)
			}
			points[at][len(levels)] = append(points[at][len(levels)], row)
		}
		levels = append(levels, level)
	}
	replications := map[int32]bool{}
	var means [][]map[int32]float64 // by point and level
	for _, at := range slices.Sorted(maps.Keys(points)) {
		of := points[at]
		if len(of) < len(levels) || slices.ContainsFunc(of, func(rows []int32) bool { return rows == nil }) {
			lacking++
			continue
		}
		var point []map[int32]float64
		for _, rows := range of {
			point = append(point, p.replications.Means(rows, p.y.Number))
			for _, row := range rows {
				replications[p.replications.Of(row)] = true
			}
		}
		means = append(means, point)
	}
	for _, r := range slices.Sorted(maps.Keys(replications)) {
		if block := p.block(means, r); block != nil {
			blocks = append(blocks, block)
		} else {
			lost++
		}
	}
	return blocks, levels, lost, lacking
}

// block is that of a replication; nil where an answer lacks.
func (p *plotter) block(means [][]map[int32]float64, replication int32) (block [][]float64) {
	for _, levels := range means {
		var point []float64
		for _, m := range levels {
			v, ok := m[replication]
			if !ok {
				return nil
			}
			point = append(point, p.cost(p.spec.X, v))
		}
		block = append(block, point)
	}
	return block
}
