package cmd

import (
	"cmp"
	"math"
	"net/url"
	"reflect"
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/table"
	"schedsweep/harness/input"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	asked "schedsweep/sweep/study"
)

// notOffered are fields of figures that the form leaves out: the page has its own way of selecting, and layout is for paper.
var notOffered = []string{"id", "title", "published", "x_label", "y_label", "x_limits", "y_limits", "width", "height", "columns"}

// mostBoxes is up to how many values of an axis a filter lists; of more it is a list, or asks for a range of numbers.
const mostBoxes = 24

// fields are the form of the figure: one field for each that its kind has.
func (p *shownPage) fields(q url.Values, l *loaded) []formField {
	kind := asked.FigureKindOf(q.Get("kind"))
	if kind == nil {
		kind = asked.FigureKindOf("")
	}
	var all []formField
	for _, of := range []*params.Struct{params.MustReflect(reflect.TypeFor[asked.Figure]()), kind.Fields()} {
		for _, f := range of.Fields {
			if slices.Contains(notOffered, f.Name) || slices.Contains(kind.Without, f.Name) {
				continue
			}
			field := formField{Name: f.Name, Label: frame.Words(f.Name), Doc: f.Doc, Value: q.Get(f.Name), Box: f.Type.Kind() == reflect.Bool}
			var values []string
			switch {
			case f.Name == "kind":
				values = kindsFor(p.st.manifest.Datasets)
				field.Value = kind.Name
			case f.Name == "x":
				values = slices.Concat(l.spec.Design.Axes, p.quantities(l))
			case f.Name == "y":
				values = p.quantities(l)
			case f.Name == "series" || f.Name == "panels" || f.Name == "rows":
				values = append([]string{""}, l.spec.Design.Axes...)
				if len(l.spec.Design.Classes) > 0 {
					values = append(values, manifest.ClassAxis)
				}
			case len(f.Enum) > 0:
				values = f.Enum
				if f.Initial == "" {
					values = append([]string{""}, f.Enum...)
				}
			}
			for _, v := range slices.Compact(values) {
				field.Options = append(field.Options, option{v, cmp.Or(v, "-"), v == field.Value})
			}
			all = append(all, field)
		}
	}
	return all
}

// kindsFor are the kinds of figures that rows without datasets beside them, or with these, allow.
func kindsFor(datasets []string) (names []string) {
	for _, k := range asked.FigureKinds {
		needs := k.Dataset != "" && slices.Contains(k.Required, "y") || k.Name == "heat" || k.Name == "timeline"
		if !needs || slices.Contains(datasets, k.Dataset) {
			names = append(names, k.Name)
		}
	}
	return names
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

// filters choose rows by the values of each axis, by class and by outcome.
func (p *shownPage) filters(q url.Values, l *loaded) (all []filter) {
	for _, axis := range l.spec.Design.Axes {
		f := filter{Axis: axis, From: q.Get("from." + axis), To: q.Get("to." + axis)}
		values := l.levels[axis]
		many := len(values) > mostBoxes
		f.Ranged = many && !values[len(values)-1].IsText
		if f.Listed = many && !f.Ranged; len(values) > 1 {
			for _, v := range values {
				if !f.Ranged {
					f.Values = append(f.Values, option{v.String(), v.String(), slices.Contains(q["where."+axis], v.String())})
				}
			}
			all = append(all, f)
		}
	}
	// Only a figure that tells classes apart has rows by class.
	if slices.Contains([]string{q.Get("series"), q.Get("panels"), q.Get("rows")}, manifest.ClassAxis) {
		f := filter{Axis: manifest.ClassAxis}
		for _, c := range l.spec.Design.Classes {
			f.Values = append(f.Values, option{c, c, slices.Contains(q["where."+manifest.ClassAxis], c)})
		}
		all = append(all, f)
	}
	f := filter{Axis: asked.OutcomeKey}
	for _, o := range l.frame.Column(l.spec.Design.Outcome).Levels {
		f.Values = append(f.Values, option{o, o, slices.Contains(q["where."+asked.OutcomeKey], o)})
	}
	return append(all, f)
}

// baselines choose the point that paired figures compare with; nothing chosen is the manifest's own.
func (p *shownPage) baselines(q url.Values, l *loaded) (all []formField) {
	for _, axis := range l.spec.Design.Axes {
		name := "baseline." + axis
		f := formField{Name: name, Label: axis, Doc: "value of " + axis + " that paired differences are to", Options: []option{{"", "-", false}}}
		values := l.levels[axis]
		for _, v := range values[:min(len(values), 10*mostBoxes)] {
			f.Options = append(f.Options, option{v.String(), v.String(), q.Get(name) == v.String()})
		}
		if len(values) > 1 {
			all = append(all, f)
		}
	}
	return all
}

// newInstanceTable lists rows of instances, whose numbers in the plan are given.
func newInstanceTable(f *frame.Frame, names []string, numbers []int32, title string) *table.Table {
	t := &table.Table{ID: "instances", Title: title, Columns: []table.Column{{Name: "instance", Key: true}}}
	columns := f.Columns(names)
	for i, name := range names {
		head := name
		if columns[i].Unit != "" {
			head += " (" + columns[i].Unit + ")"
		}
		t.Columns = append(t.Columns, table.Column{Name: name, Head: head})
	}
	for row, n := range numbers {
		cells := []table.Cell{table.Count(int(n))}
		for _, c := range columns {
			v := c.At(row)
			if math.IsNaN(v.Number) || v.Label != "" {
				cells = append(cells, table.Text(v.String()))
			} else {
				cells = append(cells, table.Number(v.Number, -1))
			}
		}
		t.Rows = append(t.Rows, table.Row{Cells: cells})
	}
	return t
}
