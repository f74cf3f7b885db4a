package analysis

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// remark is a common note on several means of a table: one sentence, with numbers of their own, and the points that it is about.
type remark struct {
	texts  []string
	points [][2]string // row and column
	note   string      // of all of them

	ofReplications bool
}

// numberIn finds the numbers of a remark.
var numberIn = regexp.MustCompile(`\d+(\.\d+)?(e[+-]?\d+)?`)

// sentenceOf is the remark on a mean without its numbers; "" for a remark that is not about one mean.
func sentenceOf(w stats.Warning) string {
	if slices.Contains([]stats.Code{stats.Drift, stats.Unfinished, stats.LogItself, stats.Failed}, w.Code) || ofReplications(w) {
		return numberIn.ReplaceAllString(w.Text, "#")
	}
	return ""
}

// ofReplications reports whether a remark is about replications that share jobs or are identical.
func ofReplications(w stats.Warning) bool {
	return w.Code == stats.Sharing || w == frame.IdenticalRemark()
}

// undefined reports whether the mean has no value because runs are too short for it.
func (s *Summary) undefined() bool {
	return s.N == 0 && slices.ContainsFunc(s.Warnings, func(w stats.Warning) bool { return w.Code == stats.Drift })
}

// lost reports whether all instances of the point failed.
func (s *Summary) lost() bool { return s.OK == 0 && s.Failed > 0 }

// shown reports whether tables have the mean, or the reason why it has no value.
func (s *Summary) shown() bool { return s.N > 0 || s.undefined() || s.lost() }

// remarksOn gathers the remarks on the means of a metric by their sentence, in the rows that the table shows.
func (o *overview) remarksOn(metric string, all []Summary) map[string]*remark {
	remarks, rows, means := map[string]*remark{}, map[string]bool{}, 0
	for i := range all {
		s := &all[i]
		if s.Metric != metric || !s.shown() {
			continue
		}
		point, column := o.split(s.Point)
		row := strings.Join(text.Each(point, readValue), " ")
		if rows[row] = true; len(rows) > mostRows {
			break
		}
		means++
		for _, w := range s.Warnings {
			if key := sentenceOf(w); key != "" {
				r := text.At(remarks, key)
				r.ofReplications = ofReplications(w)
				r.texts, r.points = append(r.texts, w.Text), append(r.points, [2]string{row, strings.Join(o.varying(o.printed(column)), " ")})
			}
		}
	}
	for key, r := range remarks {
		if r.note = r.together(means); r.ofReplications && len(r.points) == means { // it needs no names
			delete(remarks, key)
		}
	}
	return remarks
}

// mostNamed is the most means that a remark names. The notes of the rows tell which they are, and the table statistics.
const mostNamed = 12

// together is the sentence once, behind its points or their number among the means: numbers that differ are from the least to the most.
func (r *remark) together(means int) string {
	var at []string
	rows := map[string]int{}
	for _, p := range r.points {
		k, known := rows[p[0]]
		switch {
		case known && p[1] != "":
			at[k] += ", " + p[1]
		case !known:
			rows[p[0]] = len(at)
			at = append(at, strings.TrimSpace(p[0]+" "+p[1]))
		}
	}
	names := strings.Join(at, "; ")
	if len(r.points) > mostNamed {
		names = fmt.Sprintf("%d of %d means (the table statistics says which)", len(r.points), means)
	}
	place := -1
	return names + ": " + numberIn.ReplaceAllStringFunc(r.texts[0], func(first string) string {
		place++
		low, high := first, first
		for _, t := range r.texts {
			n := numberIn.FindAllString(t, -1)[place]
			if below(n, low) {
				low = n
			}
			if below(high, n) {
				high = n
			}
		}
		if low == high {
			return first
		}
		return fmt.Sprintf("%s to %s", low, high)
	})
}

func below(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x < y
}

// attributed names the points of a remark on means, because a row has means of several columns. Remarks that several means share are
// in one note; named gathers these notes.
func (o *overview) attributed(s *Summary, column []frame.Value, remarks map[string]*remark, named *[]string) []stats.Warning {
	ws := slices.Clone(s.Warnings)
	name := o.told(column)
	if s.Planned.N == 1 && s.N == 1 { // a sentence below the tables says it of all
		ws = slices.DeleteFunc(ws, func(w stats.Warning) bool { return w.Code == stats.TooFew })
	}
	if s.undefined() || s.lost() { // others are about numbers
		ws = slices.DeleteFunc(ws, func(w stats.Warning) bool { return w.Code != stats.Drift && w.Code != stats.Failed })
	}
	for i, w := range ws {
		r := remarks[sentenceOf(w)]
		switch {
		case r == nil:
		case len(r.points) > 1:
			ws[i].Text = r.note
			*named = text.Once(*named, r.note)
		case name != "":
			ws[i].Text = name + ": " + w.Text
		}
	}
	return ws
}

// overPairs says over which pairs a mean is, where these are not all replications of both sides.
func overPairs(c *compare.Comparison) string {
	switch {
	case c.Lost > 0 && c.Independent:
		return fmt.Sprintf("%s of the two runs %s lost; its mean is over the others", text.Counted(c.Lost, "replication"),
			text.Either(c.Lost, "is", "are"))
	case c.Lost > 0:
		return fmt.Sprintf("%d of %d pairs are lost; its mean is over the other %d", c.Lost, c.Lost+c.N, c.N)
	case c.Unpaired > 0:
		return fmt.Sprintf("%d of the instances %s no partner; its mean is over %s", c.Unpaired, text.Either(c.Unpaired, "has", "have"),
			text.Counted(c.N, "pair"))
	case c.Ahead > 0:
		return fmt.Sprintf("the %s after these %d %s in no look yet; its mean is over %s", text.Counted(c.Ahead, "replication"), c.N,
			text.Either(c.Ahead, "is", "are"), text.Counted(c.N, "pair"))
	}
	return ""
}
