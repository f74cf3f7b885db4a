package workload

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// expecting is an origin whose laws tell how much work its jobs bring.
type expecting interface {
	// work is the processor-seconds that jobs bring a second in the long run, with a
	// size_factor.
	work(sizeFactor float64) float64
}

// modelTransforms are those of models, whose load is that of their laws.
func modelTransforms() Transforms {
	t := DefaultTransforms()
	t.OfferedLoadOf = ofModel
	return t
}

// ofModel is the offered_load_of of models.
const ofModel = "model"

// Version is 1 where jobs are scaled to a load, since that load is of the model's laws.
func (p *LublinParams) Version() int { return p.scaled() }

// Version is 1 where jobs are scaled to a load, since that load is of the model's laws.
func (p *PoissonParams) Version() int { return p.scaled() }

func (t *Transforms) scaled() int {
	if t.OfferedLoad > 0 {
		return 1
	}
	return 0
}

// expectedLoad is the load of the laws of a model on a machine. The laws do not tell it where
// select or a transform of a study changes which jobs there are.
func (p *pipeline) expectedLoad(procs int) (float64, error) {
	o, is := p.origin.(expecting)
	if !is {
		return 0, fmt.Errorf("%s: workload.offered_load_of: model needs jobs that are drawn from laws, by lublin or poisson; use selection, or "+
			"log for a window of a log", p.info.Name)
	}
	if !none(p.bounds) || p.choice.picks != nil || len(p.passes(true, p.streams)) > 0 {
		return 0, fmt.Errorf("%s: workload.offered_load scales by the load that the laws of the model lead to. But select or a transform of "+
			"the study changes which jobs there are; state offered_load_of: selection, which scales each replication to exactly the load: "+
			"short runs are then calmer than long ones", p.info.Name)
	}
	return o.work(p.t.SizeFactor) * p.t.RunTimeFactor / float64(procs), nil
}

func (o *poissonOrigin) work(factor float64) float64 {
	sum := 0.0
	for i := range o.p.Clusters {
		c := o.p.cluster(i)
		lo, hi := int32(c.Processors[0]), int32(c.Processors[1])
		size := 0.0
		for s := lo; s < hi; s++ {
			size += sized(s, factor)
		}
		sum += (size + sized(hi, factor)) / float64(hi-lo+1) * c.MeanRunTime / c.MeanInterarrival
	}
	return sum
}

// lublinWork is a type of jobs with a size_factor.
type lublinWork struct {
	law    lublinLaw
	factor float64
}

func (o *lublinOrigin) work(factor float64) float64 {
	sum := 0.0
	for i := range o.types {
		law := &o.types[i]
		// It has no error of its own.
		work, _ := works.get(lublinWork{*law, factor}, func() (float64, error) { return law.meanWork(factor) / law.meanGap(), nil })
		sum += work
	}
	return sum
}

// meanGap is the mean time between arrivals in s: the daily cycle moves them and keeps it.
func (l *lublinLaw) meanGap() float64 {
	gap := meanExp(l.t.AArr*l.t.ARAR, l.t.BArr, l.gapLongest, math.Exp)
	if l.integer {
		gap -= .5 // as the authors' program loses
	}
	return gap
}

// sizeSteps is the number of equal parts of a uniform law of ln(size) over which work is
// averaged; the error is below .1 % (TestExpectedLoad).
const sizeSteps = 2048

// meanWork is the mean of processors times run time in processor-seconds.
func (l *lublinLaw) meanWork(factor float64) float64 {
	floor := func(g float64) float64 { return max(1, math.Floor(math.Exp(g))) }
	type part struct{ work, within float64 } // of the run times of a gamma up to the longest
	law := func(shape, scale float64) part {
		within := mathext.GammaIncReg(shape, l.longest/scale)
		return part{within * meanExp(shape, scale, l.longest, floor), within}
	}
	first, second := law(l.t.A1, l.t.B1), law(l.t.A2, l.t.B2)
	of := func(size int32) float64 {
		p := min(max(l.t.PA*float64(size)+l.t.PB, 0), 1)
		return sized(size, factor) * (p*first.work + (1-p)*second.work) / (p*first.within + (1-p)*second.within)
	}
	uniform := func(lo, hi float64) (power, other float64) {
		for i := range sizeSteps {
			x := lo + (hi-lo)*(float64(i)+.5)/sizeSteps
			power += of(l.sizeAt(math.Floor(x + .5)))
			other += of(l.sizeAt(x))
		}
		return power / sizeSteps, other / sizeSteps
	}
	lowPower, low := uniform(l.t.ULow, l.t.UMed)
	highPower, high := uniform(l.t.UMed, l.t.UHi)
	u := l.t.UProb
	return l.t.Serial*of(1) + l.t.PowerOfTwo*(u*lowPower+(1-u)*highPower) + (1-l.t.Serial-l.t.PowerOfTwo)*(u*low+(1-u)*high)
}

// meanExp is the mean of f of a gamma variable of a shape and a scale that is at most most.
// It averages over equal steps of the variable, weighed by their probabilities.
func meanExp(shape, scale, most float64, f func(g float64) float64) float64 {
	const steps = 4000
	sum, before := 0.0, 0.0
	for i := range steps {
		after := mathext.GammaIncReg(shape, most*float64(i+1)/steps/scale)
		sum += (after - before) * f(most*(float64(i)+.5)/steps)
		before = after
	}
	return sum / before
}
