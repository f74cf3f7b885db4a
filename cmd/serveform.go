package cmd

import (
	"cmp"
	"net/url"
	"reflect"
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/harness/input"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	asked "schedsweep/sweep/study"
)

// notOffered are fields of figures that the form leaves out: the page has its own way of selecting, and layout is for paper.
var notOffered = []string{"id", "title", "published", "x_label", "y_label", "x_limits", "y_limits", "width", "height", "columns"}

// mostBoxes is the most values of an axis that a filter lists; of more numbers it asks for a range. A baseline offers ten times as many.
const mostBoxes = 24

// formField is a field of a form: a text; a box; a choice among options, or of several of them.
type formField struct {
	Name, Label, Doc, Value string
	Options                 []option
	Box, Several            bool
}

type option struct {
	Value, Text string
	Chosen      bool
}

// chosen are options among which those of an address are chosen.
func chosen(values []string, of ...string) (all []option) {
	for _, o := range of {
		all = append(all, option{o, cmp.Or(o, "-"), slices.Contains(values, o)})
	}
	return all
}

// fieldsOf are the fields of figures of a kind.
func fieldsOf(kind *asked.FigureKind) []*params.Field {
	all := slices.Concat(params.MustReflect(reflect.TypeFor[asked.Figure]()).Fields, kind.Fields().Fields)
	return slices.DeleteFunc(all, func(f *params.Field) bool { return slices.Contains(kind.Without, f.Name) })
}

// fields are the form of the figure: one field for each that its kind has.
func (p *shownPage) fields(q url.Values, l *loaded) (all []formField) {
	kind := cmp.Or(asked.FigureKindOf(q.Get("kind")), asked.FigureKindOf(""))
	for _, f := range fieldsOf(kind) {
		var values []string
		value := q.Get(f.Name)
		switch {
		case slices.Contains(notOffered, f.Name):
			continue
		case f.Name == "kind":
			value = kind.Name
			for _, k := range asked.FigureKinds { // without a dataset beside the rows, some have no data
				needs := k.Dataset != "" && slices.Contains(k.Required, "y") || k.Name == "heat" || k.Name == "timeline"
				if !needs || slices.Contains(p.st.manifest.Datasets, k.Dataset) {
					values = append(values, k.Name)
				}
			}
		case f.Name == "x":
			values = slices.Concat(l.spec.Design.Axes, p.quantities(l))
			if len(l.spec.Design.Classes) > 0 {
				values = append(values, manifest.ClassAxis)
			}
		case f.Name == "y":
			values = p.quantities(l)
		case f.Name == "series" || f.Name == "panels" || f.Name == "rows":
			values = append([]string{""}, l.spec.Design.Axes...)
			if len(l.spec.Design.Classes) > 0 {
				values = append(values, manifest.ClassAxis)
			}
		case len(f.Enum) > 0 && f.Initial == "":
			values = append([]string{""}, f.Enum...)
		default:
			values = f.Enum
		}
		all = append(all, formField{Name: f.Name, Label: frame.Words(f.Name), Doc: f.Doc, Value: value, Box: f.Type.Kind() == reflect.Bool,
			Options: chosen([]string{value}, values...)})
	}
	return all
}

// quantities are the metrics of the rows, and quantities of the datasets beside them.
func (p *shownPage) quantities(l *loaded) []string {
	names := slices.Clone(l.spec.Design.Metrics)
	for _, m := range input.MetricsOf(p.st.manifest) {
		c := l.frame.Head(m.Name)
		if c != nil && !c.IsText() && !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	for _, q := range input.Registry().Quantities {
		if slices.Contains(p.st.manifest.Datasets, asked.DatasetOf(q.Name)) {
			names = append(names, q.Name)
		}
	}
	return names
}

// selecting are the filters by the values of each axis, by class and by outcome, and the baseline of paired figures; without a choice it
// is the manifest's own.
func (p *shownPage) selecting(q url.Values, l *loaded) (filters, baselines []formField) {
	add := func(axis string, values ...string) {
		filters = append(filters, formField{Name: "where." + axis, Label: axis, Several: true, Options: chosen(q["where."+axis], values...)})
	}
	for _, axis := range l.spec.Design.Axes {
		levels := l.levels[axis]
		if len(levels) < 2 {
			continue
		}
		values := frame.Printed(levels)
		if len(values) > mostBoxes && !levels[len(levels)-1].IsText {
			for _, end := range []string{"from", "to"} {
				filters = append(filters, formField{Name: end + "." + axis, Label: axis + " " + end, Value: q.Get(end + "." + axis)})
			}
		} else {
			add(axis, values...)
		}
		baselines = append(baselines, formField{Name: "baseline." + axis, Label: axis, Doc: axis + " that paired differences are to",
			Options: chosen(q["baseline."+axis], append([]string{""}, values[:min(len(values), 10*mostBoxes)]...)...)})
	}
	// Only a figure that tells classes apart has rows by class.
	if slices.Contains([]string{q.Get("x"), q.Get("series"), q.Get("panels"), q.Get("rows")}, manifest.ClassAxis) {
		add(manifest.ClassAxis, l.spec.Design.Classes...)
	}
	add(asked.OutcomeKey, l.frame.Column(l.spec.Design.Outcome).Levels...)
	return filters, baselines
}
