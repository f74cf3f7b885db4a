package cmd

import (
	"bytes"
	"cmp"
	"errors"
	markup "html/template"
	"io/fs"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"schedsweep/analysis"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/plot"
	page "schedsweep/analysis/report"
	"schedsweep/analysis/stats"
	"schedsweep/cmd/serve"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	asked "schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// loaded is the rows of a folder as far as they were seen. Metrics stay in the files until a view
// asks for them.
type loaded struct {
	seen
	spec   analysis.Spec
	frame  *frame.Frame
	rows   *rows.Rows
	notes  []string                 // notes of analyze on the dataset, beside its own warnings
	levels map[string][]frame.Value // of each axis, in order of display
	judged *judged
	pages  map[string]markup.HTML // by their addresses, without their frame
}

// mostNamed is up to how many rows the points of a figure tell their instances: ids take memory.
const mostNamed = 200_000

// reading calls do with the rows, which no other page uses meanwhile. It reads them where there are new ones. It reads them again, and
// calls do again, if a merge has taken files away since.
func (p *shownPage) reading(do func(*loaded) error) error {
	p.busy.Lock()
	defer p.busy.Unlock()
	err := p.read(do)
	if errors.Is(err, fs.ErrNotExist) {
		p.loaded = loaded{}
		err = p.read(do)
	}
	return err
}

func (p *shownPage) read(do func(*loaded) error) error {
	l := &p.loaded
	if l.frame != nil && l.frame.Err() == nil && l.seen == p.seen {
		return do(l)
	}
	*l = loaded{}
	go p.st.plan.KeepIDs() // meanwhile; what looks for one before they are there makes it
	err := withFrame(p.st, func(spec analysis.Spec, f *frame.Frame, r *rows.Rows) error {
		if p.st.plan.Len() <= mostNamed {
			f.IDs = r.ID
		}
		notes, err := r.ClassNotes()
		f.Beside = r
		*l = loaded{p.seen, spec, f, r, notes, map[string][]frame.Value{}, &judged{}, map[string]markup.HTML{}}
		labelled := f.Labelled(spec.Design.Labels)
		for _, axis := range spec.Design.Axes {
			l.levels[axis] = frame.LevelsOf(labelled.Held(axis), spec.Design.Order[axis]).Values
		}
		return cmp.Or(err, f.Err())
	})
	if err != nil {
		*l = loaded{}
		return err
	}
	return do(l)
}

// judge judges the claims beside the pages. A page that needs verdicts meets the same fault, and reports it.
func (l *loaded) judge(st study) {
	of, design, f, r := l.judged, l.spec.Design, l.frame.Apart(), l.rows
	design.Log = design.Log.Apart()
	go func() {
		defer func() { _ = recover() }()
		_ = of.make(st, design, f, r)
	}()
}

// view is a figure that an address asks for.
type view struct {
	Form     []formField
	Filters  []formField
	Baseline []formField
	Figure   page.Drawing
	Caption  []string // warnings and notes
	Copy     string   // of the manifest
	Files    []serve.Link
	Behind   string // leads to the instances behind a point, but for the id of one
	Brush    bool   // the figure's axes choose values
	Wrong    string
	listing

	selected []int32 // rows that the figure selects, where it selects by means
}

// Given tells that a field has a value.
func (*view) Given(fields []formField) bool {
	return slices.ContainsFunc(fields, func(f formField) bool {
		return f.Value != "" || slices.ContainsFunc(f.Options, func(o option) bool { return o.Chosen && o.Value != "" })
	})
}

// explore shows the figure that the address asks for, or one to begin with.
func (p *shownPage) explore() error {
	q := p.r.URL.Query()
	if ending := strings.TrimPrefix(p.name, "explore"); ending != "" {
		return p.file(q, ending)
	}
	return p.once("explore?"+q.Encode(), func(l *loaded) (int, markup.HTML, error) {
		p.begin(q, l)
		v := view{Brush: q.Get("kind") == "parallel", Form: p.fields(q, l)}
		v.Filters, v.Baseline = p.selecting(q, l)
		fig, d, yaml, err := p.asked(q, l)
		v.Copy = yaml
		if err == nil {
			v.Caption = text.Each(d.Warnings, func(w stats.Warning) string { return w.Text })
			slices.Sort(v.Caption)
			v.Caption = append(slices.Compact(v.Caption), l.notes...)
			if params, is := fig.Params.(*plot.ParallelParams); is && len(params.Means) > 0 {
				v.selected = append([]int32{}, slices.Sorted(slices.Values(d.Selected))...)
			}
			d.Warnings = nil // they are in the caption
			v.Figure, err = page.DrawingOf(d)
		}
		code := http.StatusOK
		if err != nil {
			v.Wrong, code = err.Error(), http.StatusUnprocessableEntity
		}
		if err := p.behind(&v, q, fig, l); err != nil {
			return 0, "", err
		}
		for _, form := range figure.Forms {
			v.Files = append(v.Files, serve.Link{Text: form.Ending[1:], Href: "explore" + form.Ending + "?" + q.Encode()})
		}
		v.Behind = address("explore", q, "like", "") + "&like="
		of, err := serve.Part("explore", &v)
		return code, of, err
	})
}

// begin puts a first view into an address without one: the first paired figure of the manifest, or the first of any kind. A
// manifest without figures gets a metric over its first axis, paired where it has a baseline. Without axes it gets the
// distribution of the metric.
func (p *shownPage) begin(q url.Values, l *loaded) {
	if q.Get("x") != "" {
		return
	}
	m := p.st.manifest
	for _, b := range m.Analysis.Baseline {
		q.Set("baseline."+b.Path, b.Value.String())
	}
	root := text.Parse(text.NewSource(p.st.path, 0, m.Resolved()), m.Resolved(), &text.Sink{})
	if figures := root.Find([]string{"analysis", "figures"}).All(); len(figures) > 0 {
		paired := max(0, slices.IndexFunc(figures, func(n *text.Node) bool { return n.Get("paired") != nil }))
		for _, e := range figures[paired].Pairs() {
			switch e.Value.Shape {
			case text.Scalar:
				q.Set(e.Key, e.Value.Text)
			case text.List:
				q.Set(e.Key, text.Flow(e.Value))
			}
		}
		for _, t := range m.Analysis.Figures[paired].Where {
			l.choose(q, t)
		}
		return
	}
	y, axes := append(slices.Clone(m.Metrics), "mean_wait_time")[0], p.st.plan.Axes()
	if len(axes) == 0 {
		q.Set("kind", "ecdf")
		q.Set("x", y)
		return
	}
	x := axes[0].Path
	if len(axes) > 1 {
		q.Set("series", axes[1].Path)
	}
	q.Set("x", x)
	q.Set("y", y)
	if b := m.Analysis.Baseline; len(b) == 1 && (b[0].Path == q.Get("series") || b[0].Path == x) {
		q.Set("paired", "ratio")
	} else {
		q.Set("band", "true")
	}
}

// choose puts a term of a figure into the filter of an address.
func (l *loaded) choose(q url.Values, t asked.Term) {
	for _, v := range t.Values {
		q.Add("where."+t.Path, v.String())
	}
	if t.Range && len(l.levels[t.Path]) > mostBoxes { // the form has a range there
		q.Set("from."+t.Path, params.FormatFloat(t.From))
		q.Set("to."+t.Path, params.FormatFloat(t.To))
	} else if t.Range {
		for _, v := range l.levels[t.Path] {
			if t.From <= v.Number && v.Number <= t.To {
				q.Add("where."+t.Path, v.String())
			}
		}
	}
}

// asked is the figure of an address, read and checked as one of the manifest, its drawing, and how the manifest writes it.
func (p *shownPage) asked(q url.Values, l *loaded) (fig asked.Figure, d *plot.Drawing, yaml string, err error) {
	kind := asked.FigureKindOf(q.Get("kind"))
	if kind == nil {
		return fig, nil, "", misuse("there is no kind of figures %s", text.Quote(q.Get("kind")))
	}
	set := func(m *text.Node, key string, value *text.Node) {
		m.Entries = append(m.Entries, text.Entry{Key: key, Value: value})
	}
	scalars := func(values []string, isText bool) (all []*text.Node) {
		for _, v := range values {
			all = append(all, &text.Node{Text: v, Quoted: isText})
		}
		return all
	}
	drawn, where, baseline := &text.Node{Shape: text.Map}, &text.Node{Shape: text.Map}, &text.Node{Shape: text.Map}
	set(drawn, "id", &text.Node{Text: cmp.Or(q.Get("id"), "view"), Quoted: true})
	for _, field := range fieldsOf(kind) {
		value := strings.TrimSpace(q.Get(field.Name))
		switch {
		case value == "" || field.Name == "id" || field.Name == "published":
		case field.Type.Kind() == reflect.Slice:
			items := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("[], ", r) })
			set(drawn, field.Name, &text.Node{Shape: text.List, Items: scalars(items, false)})
		default:
			set(drawn, field.Name, &text.Node{Text: value, Quoted: field.Type.Kind() == reflect.String})
		}
	}
	for _, axis := range append(slices.Clone(l.spec.Design.Axes), manifest.ClassAxis, asked.OutcomeKey) {
		c, ends := l.frame.Head(axis), &text.Node{Shape: text.Map}
		isText := c == nil || c.IsText() || len(l.spec.Design.Labels[axis]) > 0
		for _, end := range []string{"from", "to"} {
			if v := strings.TrimSpace(q.Get(end + "." + axis)); v != "" {
				set(ends, end, &text.Node{Text: v})
			}
		}
		if values := q["where."+axis]; len(values) > 0 {
			set(where, axis, &text.Node{Shape: text.List, Items: scalars(values, isText)})
		} else if len(ends.Entries) > 0 {
			set(where, axis, ends)
		}
		if v := q.Get("baseline." + axis); v != "" {
			set(baseline, axis, &text.Node{Text: v, Quoted: isText})
		}
	}
	if len(where.Entries) > 0 {
		set(drawn, "where", where)
	}
	more := append(slices.Clone(p.st.set), "analysis.figures=["+text.Flow(drawn)+"]")
	yaml = "analysis:\n"
	if len(baseline.Entries) > 0 {
		more = append(more, "analysis.baseline="+text.Flow(baseline))
		yaml += "  baseline: " + text.Flow(baseline) + "\n"
	}
	yaml += "  figures:\n    - " + text.Flow(drawn) + "\n"
	m, _, err := input.Load(p.st.path, input.Options{Data: p.st.data, Set: more})
	if err != nil {
		return fig, nil, yaml, err
	}
	spec := l.spec
	other, err := analysis.FromManifest(m, nil)
	if fig = m.Analysis.Figures[0]; err == nil {
		spec.Contrasts, spec.Design.Unstable = other.Contrasts, other.Design.Unstable
		d, err = analysis.Draw(l.frame, spec, fig)
	}
	return fig, d, yaml, err
}

// file sends the figure that the address asks for, as a file.
func (p *shownPage) file(q url.Values, ending string) error {
	form := figure.FormOf(ending)
	if form == nil {
		return misuse("there is no form %s of a figure", text.Quote(ending))
	}
	var b bytes.Buffer
	var fig asked.Figure
	err := p.reading(func(l *loaded) error {
		p.begin(q, l)
		f, d, _, err := p.asked(q, l)
		if fig = f; err != nil {
			return err
		}
		return form.Write(d.Figure, &b)
	})
	if err != nil {
		return err
	}
	p.w.Header().Set("Content-Type", form.MIME)
	p.w.Header().Set("Content-Disposition", `attachment; filename="`+fig.ID+ending+`"`) // ids can name files
	_, err = p.w.Write(b.Bytes())
	return err
}
