package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/question"
	"schedsweep/analysis/stats"
	"schedsweep/sweep"
	layout "schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// Inquiry is the progress of the questions of a manifest. Its next wanted rows are a function of
// the earlier ones, so that all readers of the same rows want the same.
type Inquiry struct {
	manifest  *sweep.Manifest
	Metrics   []string // of the questions
	deciders  []question.Decider
	points    map[string]*wantedPoint
	wanted    map[string]int // replications of points, since the last Look began
	Questions []Inquired
}

// Inquired is a question and how far it is.
type Inquired struct {
	study.Question
	question.Answer
	axes  []layout.Axis
	units map[string]string // of metrics
	// values are those of the sides' points, null where a side has no such field.
	values [][]params.Value
	// Instances are the ones that it has of the wanted ones, Points where: the sides and
	// values of By with their replications. Lacking are the instances that its next round has still to run.
	Instances, Lacking int
	Points             []question.Demand
	Means              []question.Measured // of Points
	noted              stats.Noted         // the means that say something of themselves; see [Inquiry.Note]
	hasControls        bool                // whether rows have values of the controls
}

type wantedPoint struct {
	layout.Setting             // as many replications as questions may want
	plan           *sweep.Plan // of this point only
	rows           [][]float64
}

// NewInquiry begins with the questions of a manifest. limit is how many replications the
// point of an instance can have, up to a number.
func NewInquiry(m *sweep.Manifest, limit func(inst *sweep.Instance, most int) (int, error)) (*Inquiry, error) {
	q := &Inquiry{manifest: m, points: map[string]*wantedPoint{}}
	for _, asked := range m.Questions {
		var values [][]params.Value
		q.Metrics = text.Once(q.Metrics, append([]string{asked.Asked.Metric, asked.Asked.X, steady(&asked)}, asked.Controlled()...)...)
		q.Metrics = slices.DeleteFunc(q.Metrics, func(name string) bool { return name == "" })
		for side := range asked.Sides {
			at := question.Point{Side: side}
			if len(asked.Lattice) > 0 {
				at.At = asked.Lattice[0]
			}
			p, err := q.point(&asked, at)
			if err != nil {
				return nil, err
			}
			var inst sweep.Instance
			p.plan.At(0, &inst)
			values = append(values, slices.Clone(inst.Values))
			most, err := limit(&inst, asked.Most)
			if err != nil {
				return nil, fmt.Errorf("question %s: %w", asked.ID, err)
			}
			asked.Most = min(asked.Most, most)
		}
		inquired := Inquired{Question: asked, axes: m.Axes, units: m.Units, values: values}
		q.Questions = append(q.Questions, inquired)
		q.deciders = append(q.deciders, inquired.decider(m))
	}
	return q, nil
}

func (q *Inquired) decider(m *sweep.Manifest) question.Decider {
	switch q.Kind {
	case "mean":
		half := q.Half + q.Share // one is given
		return question.Mean{HalfWidth: half, Relative: q.Share > 0, Least: q.Least, Most: q.Most}
	case "best":
		var names []string
		for side := range q.Question.Sides {
			names = append(names, q.SideName(side))
		}
		return question.Best{Sides: len(names), Names: names, Higher: m.Better[q.Asked.Metric] == "higher", Margin: q.Margin,
			Least: q.Least, Most: q.Most}
	}
	c := question.Crossing{Lattice: q.Lattice, Bound: q.Asked.AtMost + q.Asked.AtLeast, Log: q.Asked.Scale == "log", Measured: q.Asked.X != "",
		Growth: q.Asked.Growth, HalfWidth: q.Half, Margin: q.Margin, Least: q.Least, Most: q.Most}
	c.Whole = m.Axes[q.Chosen].Type == params.Int
	if len(q.Question.Sides) > 1 {
		c.Against, c.Fixed = true, !q.Question.Sides[1][q.Chosen].Null
	}
	return c
}

func (q *Inquiry) point(asked *study.Question, at question.Point) (*wantedPoint, error) {
	values := asked.At(at.Side, at.At)
	key := keyOf(values)
	if p := q.points[key]; p != nil && p.Replications >= asked.Most {
		return p, nil
	}
	p := &wantedPoint{Setting: layout.Setting{Values: values, Replications: asked.Most}}
	only, err := q.manifest.Only([]layout.Setting{p.Setting})
	if err == nil {
		p.plan, err = only.Plan()
	}
	if err != nil {
		return nil, fmt.Errorf("question %s: at %s: %w", asked.ID, key, err)
	}
	q.points[key] = p
	return p, nil
}

// steady is the metric that shows whether that of a question is defined, "" where it always is.
func steady(q *study.Question) string {
	if frame.OfSteadyState(q.Asked.Metric) {
		return frame.ResponseGrowth
	}
	return ""
}

func keyOf(values []params.Value) string {
	var text strings.Builder
	for _, v := range values {
		fmt.Fprintf(&text, "%q ", v.String())
	}
	return text.String()
}

// Look follows each question through the rows, which gives the metrics of an instance and
// tells whether there is a row. The manifest is the one of all instances that the questions
// wanted so far; done tells that they want no more.
func (q *Inquiry) Look(rows func(sweep.ID) (values []float64, there bool)) (m *sweep.Manifest, done bool, err error) {
	q.wanted = map[string]int{}
	for _, p := range q.points { // a failed instance may have been run again
		if k := slices.IndexFunc(p.rows, func(v []float64) bool { return !stats.Finite(stats.Sum(v)) }); k >= 0 {
			p.rows = p.rows[:k]
		}
	}
	done = true
	for i := range q.Questions {
		asked := &q.Questions[i]
		seen, lacking := map[question.Point]int{}, map[question.Point]int{}
		ask := func(demands ...question.Demand) ([][]question.Row, bool) {
			if err != nil {
				return nil, false
			}
			var out [][]question.Row
			all := true
			for _, d := range demands {
				there, failed := q.rows(&asked.Question, d, rows)
				err = cmp.Or(err, failed)
				seen[d.Point] = max(seen[d.Point], len(there))
				lacking[d.Point] = max(lacking[d.Point], d.Replications-len(there))
				all = all && len(there) == d.Replications
				out = append(out, there)
			}
			return out, all && err == nil
		}
		asked.Answer = q.deciders[i].Decide(ask)
		done = done && asked.State != question.Open
		asked.Instances, asked.Lacking, asked.Points, asked.Means = 0, 0, nil, nil
		there, lacks := map[string]int{}, map[string]int{} // one side may be a point of the other
		for p, n := range seen {
			key := keyOf(asked.Question.At(p.Side, p.At))
			there[key], lacks[key] = max(there[key], n), max(lacks[key], lacking[p])
			if n > 0 {
				asked.Points = append(asked.Points, question.Demand{Point: p, Replications: n})
			}
		}
		for key, n := range there {
			asked.Instances += n
			asked.Lacking += lacks[key]
		}
		slices.SortFunc(asked.Points, func(a, b question.Demand) int {
			return cmp.Or(cmp.Compare(a.Side, b.Side), cmp.Compare(a.At, b.At))
		})
		for _, p := range asked.Points {
			there, failed := q.rows(&asked.Question, p, rows)
			err = cmp.Or(err, failed)
			asked.Means = append(asked.Means, question.Measure(there))
			asked.hasControls = asked.hasControls || slices.ContainsFunc(there, func(r question.Row) bool {
				return len(r.Controls) > 0 && stats.Finite(stats.Sum(r.Controls))
			})
		}
	}
	if err != nil {
		return nil, false, err
	}
	m, err = q.manifest.Only(q.settings())
	return m, done, err
}

// rows are the first replications of a point, as many as are there of those demanded.
func (q *Inquiry) rows(asked *study.Question, d question.Demand, rows func(sweep.ID) ([]float64, bool)) ([]question.Row, error) {
	p, err := q.point(asked, d.Point)
	if err != nil {
		return nil, err
	}
	key := keyOf(p.Values)
	q.wanted[key] = max(q.wanted[key], d.Replications)
	var inst sweep.Instance
	for len(p.rows) < d.Replications {
		p.plan.At(len(p.rows), &inst)
		values, there := rows(inst.ID)
		if !there {
			break
		}
		p.rows = append(p.rows, values)
	}
	y, x := slices.Index(q.Metrics, asked.Asked.Metric), slices.Index(q.Metrics, asked.Asked.X)
	growth := slices.Index(q.Metrics, steady(asked))
	var out []question.Row
	for _, values := range p.rows[:min(len(p.rows), d.Replications)] {
		r := question.Row{Y: values[y]}
		if x >= 0 && d.Side == 0 { // the other side of a comparison need not have it
			r.X = values[x]
		}
		if growth >= 0 {
			r.Growth = values[growth]
		}
		r.Controls = text.Each(asked.Controlled(), func(name string) float64 { return values[slices.Index(q.Metrics, name)] })
		out = append(out, r)
	}
	return out, nil
}

// settings are the points wanted, in the order of the manifest's axes and of the values
// that they list; numbers that questions choose are in their own order.
func (q *Inquiry) settings() []layout.Setting {
	out := text.Each(slices.Sorted(maps.Keys(q.wanted)), func(key string) layout.Setting {
		return layout.Setting{Values: q.points[key].Values, Replications: q.wanted[key]}
	})
	slices.SortFunc(out, func(a, b layout.Setting) int {
		for i, axis := range q.manifest.Axes {
			chosen := slices.ContainsFunc(q.Questions, func(asked Inquired) bool { return asked.Chosen == i })
			x, y := slices.Index(axis.Values, a.Values[i]), slices.Index(axis.Values, b.Values[i])
			if order := cmp.Compare(x, y); order != 0 && !chosen {
				return order
			}
			if order := cmp.Compare(a.Values[i].As(params.Float).F, b.Values[i].As(params.Float).F); chosen && order != 0 {
				return order
			}
		}
		return 0
	})
	return out
}
