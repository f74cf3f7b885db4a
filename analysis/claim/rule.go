package claim

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/analysis/stats"
)

// valueOfLeft computes a number with a replication left out; where there is none its reason says why.
type valueOfLeft func(left) (v float64, reason string)

// statistic is a number computed from samples, with the rule of its interval. Tables, trends and figures use the same rules:
// [stats.Sample.MeanInterval], [stats.ComparePaired] and the slopes of a [Fitter] are special cases.
type statistic struct {
	value   valueOfLeft
	rule    stats.Rule
	percent bool                // value is 100 (1 - ratio)
	of, to  *statistic          // of a difference or ratio
	average float64             // the power that is an average of nonnegative values: 1 of a mean, 2 of a spread; 0 if none is
	top     float64             // the whole of a share: 1 or 100
	curves  *crossing           // of a crossing
	each    func() stats.Sample // of a median over replications: their values
}

func (s *statistic) positive() bool {
	return s.rule == stats.NotNegative || s.rule == stats.Share || s.rule == stats.Logarithm && !s.percent
}

// rate gives the estimate its interval. A reason or remark says why there is none.
func (e *estimated) rate(t *test, active []activity) {
	s := &t.statistic
	switch s.rule {
	case stats.Crossing:
		e.interval = s.curves.interval(t, active)
		return
	case stats.Ordered:
		each := s.each()
		e.interval = func(c float64) stats.Interval { return each.QuantileInterval(0.5, c) }
		e.p = each.MedianPNot(0)
		return
	case stats.Logarithm:
		e.rateLogarithm(t, active)
	case stats.Quotient:
		e.rateFieller(t, active)
	default:
		est, reason := t.jackknife(active, s.value)
		if reason != "" {
			e.reason = reason
			return
		}
		switch s.rule {
		case stats.NotNegative:
			e.interval = est.NotNegative
		case stats.Share:
			e.interval = func(c float64) stats.Interval { return shareInterval(est, s.top, c) }
		default:
			e.interval, e.p = est.Interval, est.PNot(0)
		}
	}
	if s.of != nil && s.of.rule == stats.Share && s.to.rule == stats.Share {
		e.widen(t, active)
	}
	if ratio := e.interval; s.percent {
		e.interval = func(c float64) stats.Interval {
			i := ratio(c)
			return stats.Interval{Estimate: e.value, Low: 100 * (1 - i.High), High: 100 * (1 - i.Low)}
		}
	}
}

func (e *estimated) rateLogarithm(t *test, active []activity) {
	s := &t.statistic
	number := func(l left) (float64, string) {
		v, reason := s.value(l)
		if s.percent {
			v = 1 - v/100
		}
		return v, reason
	}
	ratio, _ := number(left{})
	est, reason := t.jackknife(active, func(l left) (float64, string) {
		v, reason := number(l)
		return math.Log(max(v, 0)), reason
	})
	if reason != "" {
		e.reason = reason
		return
	}
	if s.of != nil && s.of.average > 0 && s.of.average == s.to.average {
		of, reason := t.pseudoValues(active, s.of)
		to, other := t.pseudoValues(active, s.to)
		if e.reason = cmp.Or(reason, other); e.reason != "" {
			return
		}
		est = stats.LogRatio(est, of, to, 1/s.of.average)
	}
	if math.IsNaN(est.SE) || math.IsInf(est.Value, 0) {
		e.remarks = append(e.remarks, "the numerator is 0, or is without one of the replications: the interval has no bounds")
		e.interval = func(float64) stats.Interval {
			return stats.Interval{Estimate: ratio, Low: 0, High: math.Inf(1)}
		}
		return
	}
	e.interval = func(c float64) stats.Interval {
		i := est.Exponential(c)
		i.Estimate = ratio
		return i
	}
}

// pseudoValues are the contributions of each replication to the power of a numerator or denominator that is an average, by
// independent set; none where points have unequal numbers of replications.
func (t *test) pseudoValues(active []activity, s *statistic) (out [][]float64, reason string) {
	power := func(l left) (float64, string) {
		v, reason := s.value(l)
		return math.Pow(v, s.average), reason
	}
	value, reason := power(left{})
	if reason != "" {
		return nil, reason
	}
	sets, reason := t.leftOut(active, power)
	if reason != "" {
		return nil, reason
	}
	for _, classes := range sets {
		if len(classes) > 1 {
			return nil, ""
		}
		values := slices.DeleteFunc(classes[0].LeftOut, math.IsNaN)
		n := float64(len(values))
		for i, v := range values {
			values[i] = n*value - (n-1)*v
			if math.Abs(values[i]) <= 1e-14*n*n*math.Abs(value) {
				values[i] = 0 // a replication of zeros, but for rounding: it has no ratio
			}
		}
		out = append(out, values)
	}
	return out, ""
}

func (e *estimated) rateFieller(t *test, active []activity) {
	s := &t.statistic
	of, _ := s.of.value(left{})
	to, _ := s.to.value(left{})
	ratio := of / to
	var ests [3]stats.Estimate
	for i, weights := range [][2]float64{{1, 0}, {0, 1}, {1, 1}} { // of the rest, of the denominator, of their sum
		var reason string
		ests[i], reason = t.jackknife(active, func(l left) (float64, string) {
			a, reason := s.of.value(l)
			if reason != "" {
				return nan, reason
			}
			b, reason := s.to.value(l)
			return weights[0]*(a-ratio*b) + weights[1]*b, reason
		})
		if reason != "" {
			e.reason = reason
			return
		}
	}
	e.interval = func(c float64) stats.Interval {
		i, _ := stats.Fieller(ratio, ests[0], ests[1], ests[2], c)
		return i
	}
}

// widen adds to the interval of a difference or ratio of shares what a side brings on which all replications agree: its own interval has
// a width, and the jackknife has none. Both sides are taken to err in the worst way.
func (e *estimated) widen(t *test, active []activity) {
	s, joined := &t.statistic, e.interval
	var sides [2]func(confidence float64) stats.Interval
	for k, side := range []*statistic{s.of, s.to} {
		est, reason := t.jackknife(active, side.value)
		if e.reason = cmp.Or(e.reason, reason); e.reason != "" || s.rule == stats.Logarithm && est.Value == 0 {
			return
		}
		sides[k] = func(c float64) stats.Interval {
			if est.SE <= agreed*side.top {
				return shareInterval(est, side.top, c)
			}
			return stats.Interval{Estimate: est.Value, Low: est.Value, High: est.Value}
		}
	}
	e.interval = func(c float64) stats.Interval {
		i, of, to := joined(c), sides[0](c), sides[1](c)
		if s.rule == stats.Logarithm {
			i.Low, i.High = i.Low*(of.Low/of.Estimate)*(to.Estimate/to.High), i.High*(of.High/of.Estimate)*(to.Estimate/to.Low)
			return i
		}
		i.Low, i.High = i.Low-(of.Estimate-of.Low)-(to.High-to.Estimate), i.High+(of.High-of.Estimate)+(to.Estimate-to.Low)
		return i
	}
}

// agreed is the standard error, over the whole, up to which replications agree on a share.
const agreed = 1e-12

// shareInterval is Student's and Hall's, within 0 and the whole. Where all replications agree, the jackknife has no width. The interval is
// then that of n successes in n trials (C. J. Clopper and E. S. Pearson 1934, Biometrika 26, 404-413): a trial is a replication, and a
// success is that it has this share. Of the replications that do not have it, each may have any share.
func shareInterval(est stats.Estimate, top, confidence float64) stats.Interval {
	i := est.Interval(confidence)
	switch {
	case !i.Bounded():
	case est.SE <= agreed*top:
		sure := math.Pow((1-confidence)/2, 1/float64(est.DF+1))
		i.Low, i.High = sure*est.Value, top-sure*(top-est.Value)
	default:
		i.Low, i.High = max(i.Low, 0), min(i.High, top)
	}
	return i
}
