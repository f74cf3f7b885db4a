package study

import (
	"math"
	"reflect"
	"strconv"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Region is the region in which a claim expects its statistic: between Low and High, each part of
// the region unless it is open.
type Region struct {
	// Given reports that the claim expects anything; otherwise it only reports.
	Given bool
	// Low and High are infinite where there is no bound.
	Low, High float64
	// LowOpen and HighOpen leave the bound itself out.
	LowOpen, HighOpen bool
	// Value is the middle of a region that was given as a value with a tolerance.
	Value *float64
}

// String writes the region as a condition, such as "> 0" or "1.16 .. 1.24".
func (r Region) String() string {
	low, high := !math.IsInf(r.Low, -1), !math.IsInf(r.High, 1)
	sign := func(open bool, with, without string) string {
		if open {
			return without
		}
		return with
	}
	switch {
	case !r.Given || !low && !high:
		return "any"
	case low && !high:
		return sign(r.LowOpen, ">= ", "> ") + shown(r.Low)
	case high && !low:
		return sign(r.HighOpen, "<= ", "< ") + shown(r.High)
	}
	return shown(r.Low) + sign(r.LowOpen, " <=", " <") + " .. " + sign(r.HighOpen, "<= ", "< ") + shown(r.High)
}

// shown leaves out the last digits, which are rounding where a border is a value
// and its tolerance.
func shown(x float64) string { return strconv.FormatFloat(x, 'g', 12, 64) }

// Bounds are the keys of a claim that give the expected region.
type Bounds struct {
	Above             float64    `sweep:"above" doc:"the statistic lies above this"`
	Below             float64    `sweep:"below" doc:"the statistic lies below this"`
	AtLeast           float64    `sweep:"at_least" doc:"the statistic is this or more"`
	AtMost            float64    `sweep:"at_most" doc:"the statistic is this or less"`
	Between           [2]float64 `sweep:"between" doc:"the statistic lies between these, ends included"`
	Value             float64    `sweep:"value" doc:"the value expected, which is the published one where a source states the claim; give a tolerance with it"`
	Tolerance         float64    `sweep:"tolerance" above:"0" doc:"largest distance of the statistic from value"`
	RelativeTolerance float64    `sweep:"relative_tolerance" above:"0" unit:"share" doc:"largest distance of the statistic from value, as a share of value"`
}

// BoundsInUnit are the bounds in the unit of the statistic.
var BoundsInUnit = []string{"above", "below", "at_least", "at_most", "between", "value", "tolerance"}

// unitOf is the unit of a mean or of a difference, "" of other statistics and where quantities cannot be written in it. known is
// false where there is no such metric.
func (l *reader) unitOf(s *Statistic) (unit string, known bool) {
	switch {
	case s.Kind == "difference" && s.Parts != nil:
		return l.unitOf(&s.Parts[0])
	case s.Kind == "mean" || s.Kind == "difference":
		return l.metricUnit(&text.Node{Text: s.Metric})
	}
	return "", true
}

// region reads the expectation of a claim. Nothing is expected of a claim that gives
// no bound: it is reported.
func (l *reader) region(n *text.Node, info *params.Struct) Region {
	r := Region{Low: math.Inf(-1), High: math.Inf(1)}
	var b Bounds
	before := l.Out.Count
	has := map[string]*text.Node{}
	for _, f := range info.Fields {
		if v := n.Get(f.Name); v != nil {
			has[f.Name] = v
			l.Decoder.Field(v, f, reflect.ValueOf(&b).Elem().FieldByIndex(f.Index), params.Scope{Path: "claims." + f.Name})
		}
	}
	clash := func(key string, with ...string) {
		for _, w := range with {
			if has[key] != nil && has[w] != nil {
				l.Out.Add(has[w].Pos, "keep one", "%s and %s contradict each other or repeat themselves", key, w)
			}
		}
	}
	clash("above", "at_least")
	clash("below", "at_most")
	clash("between", "above", "at_least", "below", "at_most", "value")
	clash("value", "above", "at_least", "below", "at_most")
	clash("tolerance", "relative_tolerance")
	l.tolerance(has, b.Value)
	if before != l.Out.Count {
		return r
	}
	r.Given = len(has) > 0
	low := func(v float64, open bool) { r.Low, r.LowOpen = v, open }
	high := func(v float64, open bool) { r.High, r.HighOpen = v, open }
	for key := range has {
		switch key {
		case "above":
			low(b.Above, true)
		case "at_least":
			low(b.AtLeast, false)
		case "below":
			high(b.Below, true)
		case "at_most":
			high(b.AtMost, false)
		case "between":
			low(b.Between[0], false)
			high(b.Between[1], false)
		case "value":
			t := b.Tolerance
			if has["relative_tolerance"] != nil {
				t = b.RelativeTolerance * math.Abs(b.Value)
			}
			low(b.Value-t, false)
			high(b.Value+t, false)
			r.Value = &b.Value
		}
	}
	if r.Low > r.High || r.Low == r.High && (r.LowOpen || r.HighOpen) {
		l.Out.Add(n.Pos, "correct the bounds", "no number is %s", r)
	}
	return r
}

// tolerance checks the fields around a value.
func (l *reader) tolerance(has map[string]*text.Node, value float64) {
	for _, key := range []string{"tolerance", "relative_tolerance"} {
		if has[key] != nil && has["value"] == nil {
			l.Out.Add(has[key].Pos, "add value: or use between: [low, high]", "%s has no value to lie around", key)
		}
	}
	if has["value"] != nil && has["tolerance"] == nil && has["relative_tolerance"] == nil {
		l.Out.Add(has["value"].Pos, "add tolerance: or relative_tolerance:, or give it as published:",
			"value has no tolerance: nothing that is measured meets it exactly")
	}
	if has["relative_tolerance"] != nil && has["value"] != nil && value == 0 {
		l.Out.Add(has["relative_tolerance"].Pos, "use tolerance:", "a share of value 0 is 0, and nothing that is measured meets it exactly")
	}
}
