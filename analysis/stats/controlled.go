package stats

import "math"

// Controlled is the mean of values without the part of their chance that controls explain.
type Controlled struct {
	Estimate         // DF is n - Used - 1
	Rule     Rule    // of Interval
	Used     int     // controls that vary and say what those before them do not
	R2       float64 // share of the variance that they explain, adjusted for their number; NaN where the values do not vary
	// Gain is the variance of the plain mean over that of this one, which has the price of the regression and of the draws
	// in it: this many times as many replications would bring the same. Below 1 the controls harm.
	Gain float64
}

// sameAs is the share of a control's variance below which the rest of it is rounding.
const sameAs = 1e-12

// fitsAlone is the least distance of the leverage of a replication from 1: the line goes through the answer of one that alone varies.
const fitsAlone = 1e-9

// Control is the mean of y by regression on controls, whose expectation is that of the law behind x, a row for each y,
// and draws. It is the estimator of double sampling: with X the mean of all n + m rows of controls, mean(y) + b' (X -
// mean(x)), of variance V + var(b' x) / (n + m) (W. Cochran 1977, Sampling Techniques, chapter 12; S. Lavenberg and P.
// Welch 1981, Management Science 27, 322-335). V is the jackknife's of the regression at X: the residuals spread more
// where the controls are large, as waits do, and least squares' own V then covers .89 where this covers .91. The
// estimate is biased by O(1/n) where y is not linear in the controls. All numbers are finite. Fewer than Used + 3
// values have no estimate.
func Control(y []float64, x, draws [][]float64) Controlled {
	n := len(y)
	plain := NewSample(y)
	c := Controlled{Estimate: Estimate{Value: math.NaN(), SE: math.NaN(), Skew: math.NaN()}, Rule: plain.MeanRule(), R2: math.NaN(),
		Gain: math.NaN()}
	if n == 0 {
		return c
	}
	r := regress(y, x, draws, func(q []float64) float64 { return Sum(q) / float64(len(q)) })
	c.Used = r.used
	if c.DF = n - c.Used - 1; c.DF < 2 {
		return c
	}
	z := make([]float64, n)
	for i := range z {
		z[i] = r.change(i) * (1 - 1/float64(n))
	}
	moved, df, all := NewSample(r.fitted), c.DF, n+len(draws)
	chance := cumulants{variance: moved.SD() * moved.SD() / float64(all), third: math.NaN(), df: all - 1} // of X
	c.Estimate = combine(plain.Mean()+moved.Mean(), []cumulants{bring(z), chance})
	c.DF = df
	c.R2 = 1 - dot(r.rest, r.rest)/float64(df)/(plain.SD()*plain.SD())
	c.Gain = plain.SD() * plain.SD() / float64(n) / (c.SE * c.SE)
	return c
}

type regression struct {
	fitted           []float64 // by the controls of x and of draws, less mean(y)
	rest             []float64 // part of y that they do not explain
	weight, leverage []float64 // of each of y in the value of the line at the place
	used             int
}

// change returns the difference of the line's value at the place with a replication and without it.
func (r *regression) change(i int) float64 {
	return r.weight[i] * r.rest[i] / (1 - r.leverage[i])
}

// regress finds the line. to is the point on a control at which it is evaluated, of x and then draws less their mean over x.
func regress(y []float64, x, draws [][]float64, to func([]float64) float64) regression {
	plain, n := NewSample(y), len(y)
	all := n + len(draws)
	rest := make([]float64, n)
	for i := range y {
		rest[i] = y[i] - plain.Mean()
	}
	fitted := make([]float64, all) // less mean(y)
	weight, leverage := make([]float64, n), make([]float64, n)
	for i := range y {
		weight[i], leverage[i] = 1/float64(n), 1/float64(n)
	}
	var basis [][]float64 // columns that are orthogonal over x, of x and draws
	for k := range x[0] {
		q := make([]float64, all)
		for i := range q {
			if i < n {
				q[i] = x[i][k]
			} else {
				q[i] = draws[i-n][k]
			}
		}
		size := dot(q[:n], q[:n])
		center := Sum(q[:n]) / float64(n)
		for i := range q {
			q[i] -= center
		}
		whole := dot(q[:n], q[:n])
		for _, b := range basis {
			r := dot(q[:n], b[:n]) / dot(b[:n], b[:n])
			for i := range q {
				q[i] -= r * b[i]
			}
		}
		left := dot(q[:n], q[:n])
		alone := 0.0 // that of the replication that differs most
		for i, v := range q[:n] {
			alone = max(alone, leverage[i]+v*v/left)
		}
		if !(whole > sameAs*size) || !(left > sameAs*whole) || alone > 1-fitsAlone {
			continue
		}
		basis = append(basis, q)
		slope := dot(q[:n], rest) / left
		for i := range q {
			if fitted[i] += slope * q[i]; i < n {
				rest[i] -= slope * q[i]
			}
		}
		place := to(q)
		for i := range y {
			weight[i] += place * q[i] / left
			leverage[i] += q[i] * q[i] / left
		}
	}
	return regression{fitted, rest, weight, leverage, len(basis)}
}

// Adjust gives values without what controls explain of them whose expectation is 0: the jackknife's pseudo-values of
// the mean by regression ([Control], after ever more draws). They give means, differences and their t intervals as values do. Each
// control that is used costs a degree of freedom. x has a row for each value. Where fewer than 2 would be left, or a number is not
// finite, the values stay as they are.
func Adjust(y []float64, x [][]float64) (adjusted []float64, used int) {
	n := len(y)
	for i := range y {
		if !Finite(y[i] + Sum(x[i])) {
			return y, 0
		}
	}
	if n == 0 || len(x[0]) == 0 {
		return y, 0
	}
	r := regress(y, x, [][]float64{make([]float64, len(x[0]))}, func(q []float64) float64 { return q[n] })
	if r.used == 0 || n-r.used-1 < 2 {
		return y, 0
	}
	adjusted = make([]float64, n)
	mean := NewSample(y).Mean() + r.fitted[n]
	for i := range y {
		adjusted[i] = mean + float64(n-1)*r.change(i)
	}
	return adjusted, r.used
}

// Interval is by the rule of plain means, [Sample.MeanInterval], but for an adjusted mean that is not above 0.
func (c Controlled) Interval(confidence float64) Interval {
	if c.Rule == NotNegative && c.Value > 0 {
		return c.NotNegative(confidence)
	}
	return c.Estimate.Interval(confidence)
}

func dot(a, b []float64) float64 {
	var t Total
	for i := range a {
		t.Add(a[i] * b[i])
	}
	return t.Value()
}
