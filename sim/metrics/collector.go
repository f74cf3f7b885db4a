package metrics

import (
	"math"

	"schedsweep/sim"
)

// DefaultThreshold is the threshold of the bounded slowdown in seconds
// (Feitelson, Rudolph, Schwiegelshohn, Sevcik and Wong 1997).
const DefaultThreshold = 10

// Collector is an observer that computes every metric of the catalog. It keeps
// its memory from run to run.
type Collector struct {
	kinds       []Kind // those computed; nil for all
	all         []Observer
	ends        []Observer // those of a run that are not [Idle]; so are all that follow
	submissions []SubmissionObserver
	beside      []BesideObserver
	starts      []StartObserver
	rejections  []RejectionObserver
	holds       []HoldObserver
	wakes       []WakeUpObserver
	spans       []SpanObserver
	extent      Extent
}

func (c *Collector) Reset(s Setting) {
	if c.all == nil {
		for _, k := range c.computed() {
			o := k.New()
			c.all = append(c.all, o)
		}
	}
	c.ends, c.submissions, c.beside, c.starts = c.ends[:0], c.submissions[:0], c.beside[:0], c.starts[:0]
	c.rejections, c.holds, c.wakes, c.spans = c.rejections[:0], c.holds[:0], c.wakes[:0], c.spans[:0]
	c.extent = Extent{math.NaN(), math.NaN(), math.NaN()}
	s.Extent = &c.extent
	for _, o := range c.all {
		o.Reset(s)
		if x, ok := o.(Idle); ok && x.Idle() {
			continue
		}
		c.ends = append(c.ends, o)
		enter(&c.submissions, o)
		enter(&c.beside, o)
		enter(&c.starts, o)
		enter(&c.rejections, o)
		enter(&c.holds, o)
		enter(&c.wakes, o)
		enter(&c.spans, o)
	}
}

// computed are the kinds of metrics.
func (c *Collector) computed() []Kind {
	if c.kinds == nil {
		return kinds
	}
	return c.kinds
}

// enter puts an observer on the list of those who want to see something, if it
// does.
func enter[T any](list *[]T, o Observer) {
	if x, ok := o.(T); ok {
		*list = append(*list, x)
	}
}

func (c *Collector) Submitted(s *sim.View, j *sim.Job) {
	if j.Part() != sim.Measured {
		if c.extent.beside(j) {
			c.closes(s)
		}
		for _, o := range c.beside {
			o.Beside(s, j)
		}
		return
	}
	if c.extent.submitted(j.Submit()) {
		for _, o := range c.spans {
			o.Begins(s)
		}
	}
	for _, o := range c.submissions {
		o.Submitted(s, j)
	}
}

func (c *Collector) Held(s *sim.View, now, before *sim.Hold) {
	for _, o := range c.holds {
		o.Held(s, now, before)
	}
	if now.Job == nil || before.Job != nil || now.Job.Part() != sim.Measured {
		return
	}
	for _, o := range c.starts {
		o.Started(s, now.Job)
	}
}

func (c *Collector) WakeUp(s *sim.View) {
	for _, o := range c.wakes {
		o.WakeUp(s)
	}
}

// Ended tells all of a measured job that ran, and of a rejected one those who want to
// know.
func (c *Collector) Ended(s *sim.View, j *sim.Job) {
	if j.State().Refused() {
		for _, o := range c.rejections {
			o.Rejected(s, j)
		}
		return
	}
	if j.Part() != sim.Measured {
		return
	}
	if c.extent.Last = j.Finish(); math.IsNaN(c.extent.RunOut) {
		c.closes(s)
	}
	for _, o := range c.ends {
		o.Ended(s, j)
	}
}

func (c *Collector) closes(s *sim.View) {
	for _, o := range c.spans {
		o.Closes(s)
	}
}

func (c *Collector) Values(dst []float64) []float64 {
	from := len(dst)
	for i, k := range c.computed() {
		if x, ok := c.all[i].(Idle); ok && x.Idle() {
			for range k.Metrics {
				dst = append(dst, math.NaN())
			}
			continue
		}
		dst = sim.ValuesOf(c.all[i], k.Metrics, dst)
	}
	for i, v := range dst[from:] {
		if math.IsInf(v, 0) {
			dst[from+i] = math.NaN() // 0 divided nothing: a run without extent defines no rate
		}
	}
	return dst
}
