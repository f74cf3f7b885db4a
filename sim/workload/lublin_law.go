package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/mathext"
)

// The daily cycle has 48 buckets of half an hour.
const (
	halfHours = 48
	halfHour  = 1800.0 // seconds
)

type lublinLaw struct {
	name                string
	t                   LublinType
	first, second       gamma // of ln(run time)
	gap                 gamma // of ln(inter-arrival)
	longest, gapLongest float64
	weights             [halfHours]float64
	integer             bool
	most                int32 // processors of the machine
}

// newLublinLaw prepares a type's distributions and refuses distributions with hardly any draw within the limits, for
// they would be drawn forever.
func newLublinLaw(name string, t LublinType, p *LublinParams, procs int) (lublinLaw, error) {
	l := lublinLaw{name: name, t: t,
		first: newGamma(t.A1, t.B1), second: newGamma(t.A2, t.B2), gap: newGamma(t.AArr*t.ARAR, t.BArr),
		longest: p.LongestLog, gapLongest: p.LongestGapLog, integer: p.IntegerTime, most: int32(procs)}
	const least = 1e-3
	for _, g := range []struct {
		what         string
		shape, scale float64
		limit        float64
	}{
		{"a1, b1", t.A1, t.B1, l.longest}, {"a2, b2", t.A2, t.B2, l.longest},
		{"aarr, barr, arar", t.AArr * t.ARAR, t.BArr, l.gapLongest},
	} {
		if within := mathext.GammaIncReg(g.shape, g.limit/g.scale); !(within > least) {
			return l, fmt.Errorf("lublin: workload.%s: %s: only %.2g of the draws are below the limit %g; lower shape or scale (their product is "+
				"the mean of the logarithm)", name, g.what, within, g.limit)
		}
	}
	var err error
	l.weights, err = cycles.get(cycle{t.ANum, t.BNum, p.DayStart}, func() ([halfHours]float64, error) {
		return dailyCycle(t.ANum, t.BNum, p.DayStart)
	})
	if err != nil {
		return l, fmt.Errorf("lublin: workload.%s: %w", name, err)
	}
	return l, nil
}

type cycle struct {
	shape, scale float64
	dayStart     int
}

// known keeps the results computed last for laws: one costs more than a hundred jobs, and the points of a sweep share it.
type known[K comparable, V any] struct {
	mu sync.Mutex
	of map[K]V
}

var (
	cycles known[cycle, [halfHours]float64]
	works  known[lublinWork, float64]
)

func (k *known[K, V]) get(key K, make func() (V, error)) (V, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if v, ok := k.of[key]; ok {
		return v, nil
	}
	v, err := make()
	if k.of == nil || len(k.of) == 64 {
		k.of = map[K]V{}
	}
	if err == nil {
		k.of[key] = v
	}
	return v, err
}

// dailyCycle returns the weights of the half hours of a day, mean 1. The half
// hours from day start on, 48 of them, have the probabilities of the gamma
// distribution around their number: F(i+.5) - F(i-.5).
func dailyCycle(shape, scale float64, dayStart int) (w [halfHours]float64, err error) {
	cdf := func(x float64) float64 { return mathext.GammaIncReg(shape, x/scale) }
	sum := 0.0
	for i := dayStart; i < dayStart+halfHours; i++ {
		p := cdf(float64(i)+.5) - cdf(float64(i)-.5)
		w[(i-1)%halfHours] = p
		sum += p
	}
	for i := range w {
		w[i] *= halfHours / sum
		if !(w[i] > 0) {
			return w, fmt.Errorf("anum, bnum: the daily cycle gives half hour %d no weight; choose a wider distribution", i+1)
		}
	}
	return w, nil
}

type lublinLane struct {
	law                       *lublinLaw
	arrivals, sizes, runTimes *rand.Rand

	time     float64 // of the arrival at hand, seconds
	bucket   int     // half hour of the day, from 0
	points   float64 // work of the arrival process spent in the bucket
	fraction float64 // of the bucket that has passed
}

func (l *lublinLane) arrive() {
	law := l.law
	g := law.gap.draw(l.arrivals)
	for g > law.gapLongest {
		g = law.gap.draw(l.arrivals)
	}
	l.points += math.Exp(g) / halfHour
	gap := 0.0
	for l.points > law.weights[l.bucket] {
		l.points -= law.weights[l.bucket]
		l.bucket = (l.bucket + 1) % halfHours
		gap += halfHour
	}
	fraction := l.points / law.weights[l.bucket]
	gap += (fraction - l.fraction) * halfHour
	l.fraction = fraction
	if law.integer {
		gap = math.Floor(gap)
	}
	// Rounding must not move an arrival back.
	l.time += max(0, gap)
}

func (l *lublinLane) size() int32 {
	t := &l.law.t
	u := l.sizes.Float64()
	if u <= t.Serial {
		return 1
	}
	lo, hi := t.ULow, t.UMed
	if l.sizes.Float64() > t.UProb {
		lo, hi = t.UMed, t.UHi
	}
	x := lo + (hi-lo)*l.sizes.Float64()
	if u <= t.Serial+t.PowerOfTwo {
		x = math.Floor(x + .5)
	}
	return l.law.sizeAt(x)
}

// sizeAt is the size whose binary logarithm is x. Rounding can lead above a machine
// whose size is no power of two.
func (l *lublinLaw) sizeAt(x float64) int32 { return min(int32(math.Floor(math.Exp2(x)+.5)), l.most) }

func (l *lublinLane) runTime(size int32) float64 {
	law := l.law
	p := law.t.PA*float64(size) + law.t.PB
	for {
		of := &law.second
		if l.runTimes.Float64() <= p {
			of = &law.first
		}
		if g := of.draw(l.runTimes); g <= law.longest {
			return max(1, math.Floor(math.Exp(g)))
		}
	}
}

// gamma draws from the gamma distribution of a shape and a scale (mean shape *
// scale) by the method of G. Marsaglia and W. W. Tsang, "A simple method for
// generating gamma variables", ACM TOMS 26(3), 2000.
type gamma struct {
	d, c, scale float64
	boost       float64 // 1/shape where the shape is below 1, else 0
}

func newGamma(shape, scale float64) gamma {
	g := gamma{scale: scale}
	if shape < 1 {
		// A draw of shape+1 times U^(1/shape) has the shape.
		g.boost = 1 / shape
		shape++
	}
	g.d = shape - 1.0/3
	g.c = 1 / math.Sqrt(9*g.d)
	return g
}

func (g *gamma) draw(r *rand.Rand) float64 {
	for {
		x := r.NormFloat64()
		v := 1 + g.c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		u := 1 - r.Float64() // above 0
		x2 := x * x
		if u < 1-0.0331*x2*x2 || math.Log(u) < 0.5*x2+g.d*(1-v+math.Log(v)) {
			y := g.d * v * g.scale
			if g.boost > 0 {
				y *= math.Pow(1-r.Float64(), g.boost)
			}
			return y
		}
	}
}
