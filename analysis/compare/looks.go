package compare

import (
	"fmt"
	"strconv"
	"strings"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// eachLook judges at one look after the other, each at its share of the error (Bonferroni: for any dependence between
// the looks, a table calls one of them wrong no more often than a table of one look). What a look has decided stays so.
// fn is called with the comparisons of the last look for which there are replications.
func eachLook(f *frame.Frame, d frame.Design, c Contrast, fn func(Comparison)) (all Families, err error) {
	looks := d.Looks
	made, there := d.Looked(f)
	d.Confidence = 1 - (1-d.Filled().Confidence)/float64(len(looks))
	before := map[string]decision{}
	for i, n := range made {
		part := f
		at, rows := d.AtLook(f, n)
		if n < there {
			part = f.Take(rows)
		}
		all = newFamilies(&at, &c)
		all.before, all.look, all.looks = before, n, looks
		if all, err = eachJudged(part, all, c, func(one Comparison) {
			if i == len(made)-1 {
				one.Ahead = max(0, there-n)
				fn(one)
			}
		}); err != nil {
			return all, err
		}
	}
	return all, nil
}

// remember keeps the first verdict of a comparison that is decided, and gives it to later looks.
func (f *Families) remember(c *Comparison) {
	key := strings.Join(append(append(frame.Printed(c.Point), frame.Printed(c.Level)...), c.Metric), "\x00")
	if was, ok := f.before[key]; ok {
		c.Verdict, c.Look, c.Needed = was.verdict, was.look, 0
		return
	}
	if c.Decided() && c.Lost == 0 && c.N > 0 {
		f.before[key] = decision{c.Verdict, f.look}
		c.Look = f.look
	}
}

// Looked returns a note on verdicts of several looks.
func Looked(looks []int, confidence float64) string {
	at := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(looks)), ", "), "[]")
	return fmt.Sprintf("verdicts are of looks at %s replications, each at %s%%, so that all together are wrong no more often than one at the "+
		"stated confidence", at, strconv.FormatFloat(100*confidence, 'g', 4, 64))
}

// looked says at which look the comparison was decided.
func (c *Comparison) looked() stats.Warning {
	decided := "none has decided"
	if c.Look > 0 {
		decided = fmt.Sprintf("that at %d has decided", c.Look)
	}
	return stats.Warnf(stats.Looks, "%s: %s", Looked(c.Looks, c.Confidence), decided)
}
