package claim

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// dropIncomplete is the value of a claim's incomplete: that goes on without the replications that lost an instance.
const dropIncomplete = "drop"

// hole is a chosen row without an answer: its instance failed, or its metric is not finite.
type hole struct {
	observation
	failed bool
}

func (s *sample) finiteX(x string) {
	if s.reason != "" {
		return
	}
	n := len(s.holes)
	for _, o := range s.obs {
		if !stats.Finite(o.x) {
			s.holes = append(s.holes, hole{observation: o})
		}
	}
	if len(s.holes) == n {
		return
	}
	s.obs = slices.DeleteFunc(s.obs, func(o observation) bool { return !stats.Finite(o.x) })
	s.metric += " and " + x
}

// broken returns the replications that lack an observation of a row that they should have: one at every point that has the
// replication or, where all must have it (common) or nothing says how many there are, as many as the fullest. Such a
// replication would weigh the points differently, and leave a comparison unpaired.
func (s *sample) broken(common bool) []bool {
	n := make([]int, len(s.whole))
	for _, o := range s.obs {
		n[o.replication]++
	}
	most, out := slices.Max(s.whole), make([]bool, len(n))
	for i := range n {
		due := s.whole[i]
		if common || s.run.class == nil {
			due = most
		}
		out[i] = n[i] != due || most == 0
	}
	return out
}

// withoutLostPoints forgets the rows of points that no replication answers, so that replications without them are complete.
func (s *sample) withoutLostPoints() {
	if len(s.holes) == 0 {
		return
	}
	points := s.run.points().Of
	answered := map[int32]bool{}
	for _, o := range s.obs {
		answered[points[o.row]] = true
	}
	for _, h := range s.holes {
		if !answered[points[h.row]] {
			s.whole[h.replication]--
		}
	}
}

const namedPoints = 4

// seek looks for points that have no answer in any replication: without them one side of a comparison would stand at other
// points than the other. It also counts the rows that are not finite.
func (s *sample) seek() {
	if s.reason != "" && len(s.obs) > 0 || len(s.holes) == 0 {
		return
	}
	if n := s.notFinite(); n > 0 {
		s.remarks = append(s.remarks, fmt.Sprintf("%d of %d rows have no finite %s (%s)", n, len(s.chosen), s.metric, s.selected))
	}
	f, design := s.run.Frame, s.run.Design
	axes := slices.DeleteFunc(slices.Clone(design.Axes), func(a string) bool {
		c := f.Held(a)
		return c == nil || len(frame.LevelsOf(c, nil).Values) < 2
	})
	points := frame.GroupBy(f, axes, design.Order)
	rows := make([]struct{ answered, failed, notFinite int }, len(points.Groups))
	for _, o := range s.obs {
		rows[points.Of[o.row]].answered++
	}
	for _, h := range s.holes {
		if at := &rows[points.Of[h.row]]; h.failed {
			at.failed++
		} else {
			at.notFinite++
		}
	}
	var lost []string
	of := 0
	for i, g := range points.Groups {
		n := rows[i]
		if n.answered+n.failed+n.notFinite > 0 {
			of++
		}
		if n.answered > 0 || n.failed+n.notFinite == 0 {
			continue
		}
		var at []string
		for k, a := range axes {
			at = append(at, a+" = "+g.Key[k].String())
		}
		lost = append(lost, fmt.Sprintf("%s (%s)", cmp.Or(strings.Join(at, ", "), "the only one"), lossOf(n.failed, n.notFinite)))
	}
	if lost == nil {
		return
	}
	s.reason = s.run.named(fmt.Sprintf("%d of %d points have no finite %s in any replication%s: %s",
		len(lost), of, s.metric, s.tooShort(), firstOf(lost)))
}

// firstOf names the first of some points.
func firstOf(points []string) string {
	named := strings.Join(points[:min(len(points), namedPoints)], "; ")
	if n := len(points) - namedPoints; n > 0 {
		named += fmt.Sprintf("; and %d more", n)
	}
	return named
}

func (s *sample) notFinite() int {
	return text.Count(s.holes, func(h hole) bool { return !h.failed })
}

func lossOf(failed, notFinite int) string {
	switch {
	case notFinite == 0:
		return fmt.Sprintf("%d failed", failed)
	case failed == 0:
		return fmt.Sprintf("%d not finite", notFinite)
	}
	return fmt.Sprintf("%d failed, %d not finite", failed, notFinite)
}

// refusal names the replications that lost an instance; "" where none did. Those without a partner in the other run would be
// left out anyway and do not count.
func (t *test) refusal(all []activity) string {
	runs := map[float64]int{} // number of the runs with rows of a replication, by its number
	selected := make([][]bool, len(all))
	for i, a := range all {
		selected[i] = make([]bool, len(a.replications))
		for _, s := range t.samples {
			if s.run != a.run || s.reason != "" {
				continue
			}
			for rep, n := range s.whole {
				if n > 0 && !selected[i][rep] {
					selected[i][rep] = true
					runs[a.run.replication.Values[rep].Number]++
				}
			}
		}
	}
	for i, a := range all {
		lost, of := map[int32]bool{}, 0
		failed, notFinite := map[int32]bool{}, map[int32]bool{} // rows, which two samples may share
		counts := func(rep int32) bool {
			return selected[i][rep] && (!t.paired || runs[a.run.replication.Values[rep].Number] == len(all)) &&
				(!t.common() || t.everywhere(a.run, rep))
		}
		for rep := range a.replications {
			if counts(int32(rep)) {
				of++
			}
		}
		for _, s := range t.samples {
			if s.run != a.run {
				continue
			}
			for _, h := range s.holes {
				if !counts(h.replication) {
					continue
				}
				lost[h.replication] = true
				if h.failed {
					failed[h.row] = true
				} else {
					notFinite[h.row] = true
				}
			}
		}
		if len(lost) == 0 {
			continue
		}
		return a.run.named(fmt.Sprintf("%d of %d replications lost instances (%s), and the others may differ from them; incomplete: drop in "+
			"the claim leaves these replications out",
			len(lost), of, lossOf(len(failed), len(notFinite))))
	}
	return ""
}
