package stats

import (
	"math"
	"sync"
)

// Estimate is a statistic with the data of its intervals. The zero SE is of a statistic that no replication changes.
type Estimate struct {
	Value float64
	SE    float64 // standard error; NaN where it is not known
	DF    int     // degrees of freedom of SE
	// Skew is the skewness of the error of Value: its third cumulant over the cube of SE. For the mean of n values it is
	// G1 / sqrt(n), where G1 = n / ((n-1)(n-2)) sum (x - mean)^3 / sd^3. NaN where too few values tell it.
	Skew float64
}

// Rule names how an interval is made.
type Rule string

// The rules, one for each kind of statistic.
const (
	MayBeNegative Rule = "Student and Hall"        // [Estimate.Interval]
	NotNegative   Rule = "log-Student and Hall"    // [Estimate.NotNegative]
	Logarithm     Rule = "log jackknife"           // [Estimate.Exponential], of ratios of means with [LogRatio]
	Quotient      Rule = "Fieller"                 // [Fieller]
	Share         Rule = "Student and Hall, share" // [Estimate.Interval] within 0 and the whole
	Crossing      Rule = "paired t inverted"       // the set of x at which Student's test accepts equality
	Ordered       Rule = "order statistics"        // [Sample.QuantileInterval], of medians over replications
)

// Student is Value +- t(DF) SE; infinite where there is no standard error.
func (e Estimate) Student(confidence float64) Interval {
	if i, done := e.undecided(); done {
		return i
	}
	half := TQuantile(confidence, e.DF) * e.SE
	return Interval{Estimate: e.Value, Low: e.Value - half, High: e.Value + half}
}

// Interval is for what may be negative, such as differences and slopes: the hull of Student's interval and of that of
// P. Hall 1992, On the removal of skewness by transformation, Journal of the Royal Statistical Society B 54, 221-228,
//
//	[Value - h(t) SE, Value - h(-t) SE],  h(y) = 3/a (cbrt(1 + a (y - a/6)) - 1),  a = Skew.
//
// Student's interval misses the mean of skewed values on one side (log-normal ones with a standard deviation of the
// logarithm of 1: coverage .84 at n = 10 where this has .92), Hall's has no more than the sample to know the skewness by;
// the hull covers where either does. The coverage of every rule is in the table that TestCoverage keeps.
func (e Estimate) Interval(confidence float64) Interval {
	return hull(e.Student(confidence), e.hall(confidence))
}

// NotNegative is for the mean of what cannot be negative, such as times: the hull of Student's interval of its logarithm
// (delta method), Value exp(+- t SE / Value), and of Hall's (see [Estimate.Interval]), from 0 on. If Value is 0, such as that of a
// range, it has Student's own interval in place of the first. Of too few values it is infinite.
func (e Estimate) NotNegative(confidence float64) Interval {
	if i, done := e.undecided(); done {
		return i
	}
	i := e.Student(confidence)
	if e.Value > 0 { // else it has no logarithm
		factor := math.Exp(TQuantile(confidence, e.DF) * e.SE / e.Value)
		i.Low, i.High = e.Value/factor, e.Value*factor
	}
	if !math.IsNaN(e.Skew) {
		i = hull(i, e.hall(confidence))
	}
	i.Estimate, i.Low = e.Value, max(i.Low, 0)
	return i
}

// Exponential is the interval of exp(Value) where Value is a logarithm: Student's ends, exponentiated. Where there is no
// standard error it reaches from 0 to infinity.
func (e Estimate) Exponential(confidence float64) Interval {
	i := e.Student(confidence)
	return Interval{Estimate: math.Exp(i.Estimate), Low: math.Exp(i.Low), High: math.Exp(i.High)}
}

// hall is Hall's interval; Student's where the skewness is not known.
func (e Estimate) hall(confidence float64) Interval {
	i, done := e.undecided()
	switch {
	case done:
		return i
	case math.IsNaN(e.Skew) || e.Skew == 0:
		return e.Student(confidence)
	}
	t, a := TQuantile(confidence, e.DF), e.Skew
	h := func(y float64) float64 {
		x := a * (y - a/6)
		if x > -0.5 {
			return 3 / a * math.Expm1(math.Log1p(x)/3) // cbrt(1+x) - 1 would cancel
		}
		return 3 / a * (math.Cbrt(1+x) - 1)
	}
	return Interval{Estimate: e.Value, Low: e.Value - h(t)*e.SE, High: e.Value - h(-t)*e.SE}
}

// undecided is the interval where there is no estimate or no standard error.
func (e Estimate) undecided() (Interval, bool) {
	return NoInterval(e.Value), math.IsNaN(e.Value+e.SE) || e.DF < 1
}

func hull(a, b Interval) Interval {
	return Interval{Estimate: a.Estimate, Low: min(a.Low, b.Low), High: max(a.High, b.High)}
}

// NoInterval is the interval of an unknown estimate, or of none.
func NoInterval(estimate float64) Interval {
	if math.IsNaN(estimate) {
		return Interval{Estimate: estimate, Low: estimate, High: estimate}
	}
	return Interval{Estimate: estimate, Low: math.Inf(-1), High: math.Inf(1)}
}

// Interval is an estimate with its two-sided confidence interval.
// Low and High are infinite where there were too few values; all three are NaN where there is no estimate at all.
type Interval struct {
	Estimate  float64
	Low, High float64
}

// Bounded reports whether both ends are finite.
func (i Interval) Bounded() bool { return Finite(i.Low) && Finite(i.High) }

// HalfWidth is half the distance between the ends; infinite or NaN where they are.
func (i Interval) HalfWidth() float64 { return (i.High - i.Low) / 2 }

// Contains reports whether v lies inside, ends included.
func (i Interval) Contains(v float64) bool { return i.Low <= v && v <= i.High }

// kept returns of with its results kept: a sweep asks for the same few of them a hundred thousand times.
func kept[K, V any](of func(K) V) func(K) V {
	var cache sync.Map
	return func(key K) V {
		v, ok := cache.Load(key)
		if !ok {
			v = of(key)
			cache.Store(key, v)
		}
		return v.(V)
	}
}

type tKey struct {
	confidence float64
	nu         int
}

var tQuantiles = kept(func(k tKey) float64 { return studentQuantile((1+k.confidence)/2, float64(k.nu)) })

// TQuantile is the two-sided Student quantile: |T| with nu degrees of freedom stays below it with the given
// probability (0 < confidence < 1, nu >= 1). In R: qt((1+confidence)/2, nu).
func TQuantile(confidence float64, nu int) float64 { return tQuantiles(tKey{confidence, nu}) }
