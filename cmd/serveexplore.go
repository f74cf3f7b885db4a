package cmd

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	markup "html/template"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
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
	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	asked "schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// loaded is the rows of a folder as of some number of part files. Metrics stay in the files until a view
// asks for them.
type loaded struct {
	parts  int
	plan   *sweep.Plan
	spec   analysis.Spec
	frame  *frame.Frame
	rows   *rows.Rows
	notes  []string                 // what analyze says of the dataset beside its own warnings
	levels map[string][]frame.Value // of each axis, in order of display
	judged judged
}

// mostNamed is up to how many rows the points of a figure tell their instances: ids take memory.
const mostNamed = 200_000

// load reads the rows where there are new ones.
func (p *shownPage) load() (*loaded, error) {
	l := &p.loaded
	if l.frame != nil && l.frame.Err() == nil && l.parts == p.parts && l.plan == p.st.plan {
		return l, nil
	}
	*l = loaded{}
	err := withFrame(p.st, []string{"killed", "jobs"}, func(spec analysis.Spec, f *frame.Frame, r *rows.Rows) error {
		if p.st.plan.Len() <= mostNamed {
			f.IDs = r.ID
		}
		notes, err := r.ClassNotes()
		if note := killed(f); note != "" {
			notes = append(notes, note)
		}
		f.Beside = r
		*l = loaded{p.parts, p.st.plan, spec, f, r, notes, map[string][]frame.Value{}, judged{}}
		labelled := f.Labelled(spec.Design.Labels)
		for _, axis := range spec.Design.Axes {
			l.levels[axis] = frame.LevelsOf(labelled.Held(axis), spec.Design.Order[axis]).Values
		}
		return cmp.Or(err, f.Err())
	})
	if err != nil {
		*l = loaded{}
	}
	return l, err
}

// view is a figure that an address asks for.
type view struct {
	Form     []formField
	Filters  []filter
	Baseline []formField
	Figure   page.Drawing
	Caption  []string // warnings and notes
	Copy     string   // of the manifest
	Files    []formFile
	Behind   string // leads to the instances behind a point, but for the id of one
	Brush    bool   // the figure's axes choose values
	Table    page.Grid
	Pages    []formFile // of the table
	Sorting  []formField
	Outcomes []option
	Wrong    string

	selected []int32 // rows that the figure selects, where it selects by means
}

// Filtered tells that a filter is chosen, and Based that a baseline is.
func (v *view) Filtered() bool {
	return slices.ContainsFunc(v.Filters, func(f filter) bool { return f.From+f.To != "" || slices.ContainsFunc(f.Values, option.is) })
}

func (v *view) Based() bool {
	return slices.ContainsFunc(v.Baseline, func(f formField) bool { return slices.ContainsFunc(f.Options[1:], option.is) })
}

type formField struct {
	Name, Label, Doc, Value string
	Options                 []option // nil: a text, or a box where Box is true
	Box                     bool
}

type option struct {
	Value, Text string
	Chosen      bool
}

func (o option) is() bool { return o.Chosen }

// filter chooses values of an axis: some of few or of a list, or a range of many numbers.
type filter struct {
	Axis     string
	Values   []option
	From, To string
	Ranged   bool // a range
	Listed   bool // too many values for boxes
}

type formFile struct{ Name, Href string }

// explore shows the figure that the address asks for, or one to begin with.
func (p *shownPage) explore() error {
	q := p.r.URL.Query()
	if format := strings.TrimPrefix(p.name, "explore."); format != p.name {
		return p.file(q, format)
	}
	return p.once("explore?"+q.Encode(), func() (int, markup.HTML, error) {
		l, err := p.load()
		if err != nil {
			return 0, "", err
		}
		if q.Get("x") == "" {
			p.begin(q)
		}
		v := view{Brush: q.Get("kind") == "parallel", Form: p.fields(q, l), Filters: p.filters(q, l), Baseline: p.baselines(q, l)}
		fig, spec, yaml, err := p.asked(q, l)
		v.Copy = yaml
		if err == nil {
			err = p.draw(&v, fig, spec, l)
		}
		code := http.StatusOK
		if err != nil {
			v.Wrong, code = err.Error(), http.StatusUnprocessableEntity
		}
		if err := p.behind(&v, q, fig, l); err != nil {
			return 0, "", err
		}
		for _, e := range drawingForms {
			v.Files = append(v.Files, formFile{e.name, "explore." + e.name + "?" + q.Encode()})
		}
		v.Behind = address("explore", q, "like", "") + "&like="
		page, err := serve.Part("explore", &v)
		return code, page, err
	})
}

// begin puts a first view into an address without one: the first paired figure of the manifest, or the first of any kind. A
// manifest without figures gets a metric over its first axis, paired where it has a baseline.
func (p *shownPage) begin(q url.Values) {
	m := p.st.manifest
	for _, b := range m.Analysis.Baseline {
		q.Set("baseline."+b.Path, b.Value.String())
	}
	if len(m.Analysis.Figures) > 0 {
		f := &m.Analysis.Figures[max(0, slices.IndexFunc(m.Analysis.Figures, func(f asked.Figure) bool { return plot.IsPaired(&f) }))]
		for _, field := range params.MustReflect(reflect.TypeFor[asked.Figure]()).Fields {
			if value := reflect.ValueOf(f).Elem().FieldByIndex(field.Index); !value.IsZero() && value.Kind() != reflect.Slice {
				q.Set(field.Name, fmt.Sprint(value))
			}
		}
		for _, field := range asked.FigureKindOf(f.Kind).Fields().Fields {
			if value := reflect.ValueOf(f.Params).Elem().FieldByIndex(field.Index); !value.IsZero() && value.Kind() != reflect.Slice {
				q.Set(field.Name, fmt.Sprint(value))
			}
		}
		return
	}
	x := frame.ReplicationColumn
	if axes := p.st.plan.Axes(); len(axes) > 0 {
		x = axes[0].Path
		if len(axes) > 1 {
			q.Set("series", axes[1].Path)
		}
	}
	y := "mean_wait_time"
	if len(m.Metrics) > 0 {
		y = m.Metrics[0]
	}
	q.Set("x", x)
	q.Set("y", y)
	if b := m.Analysis.Baseline; len(b) == 1 && (b[0].Path == q.Get("series") || b[0].Path == x) {
		q.Set("paired", "ratio")
	} else {
		q.Set("band", "true")
	}
}

// asked is the figure of an address, read and checked as one of the manifest, and how the manifest writes it.
func (p *shownPage) asked(q url.Values, l *loaded) (fig asked.Figure, spec analysis.Spec, yaml string, err error) {
	kind := asked.FigureKindOf(q.Get("kind"))
	if kind == nil {
		return fig, spec, "", misuse("there is no kind of figures %s", text.Quote(q.Get("kind")))
	}
	entries := []string{"id: " + plainYAML(cmp.Or(q.Get("id"), "view"), true)}
	for _, of := range []*params.Struct{params.MustReflect(reflect.TypeFor[asked.Figure]()), kind.Fields()} {
		for _, field := range of.Fields {
			value := strings.TrimSpace(q.Get(field.Name))
			if value == "" || field.Name == "id" || field.Name == "published" || slices.Contains(kind.Without, field.Name) {
				continue
			}
			entries = append(entries, field.Name+": "+plainYAML(value, field.Type.Kind() == reflect.String))
		}
	}
	if where := p.where(q, l); where != "" {
		entries = append(entries, "where: "+where)
	}
	figures, baseline := "["+"{"+strings.Join(entries, ", ")+"}]", baselineOf(q, l)
	yaml = "analysis:\n"
	set := append(slices.Clone(p.st.set), "analysis.figures="+figures)
	if baseline != "" {
		set = append(set, "analysis.baseline="+baseline)
		yaml += "  baseline: " + baseline + "\n"
	}
	yaml += "  figures:\n    - " + strings.TrimSuffix(strings.TrimPrefix(figures, "["), "]") + "\n"
	m, _, err := input.Load(p.st.path, input.Options{Data: p.st.data, Set: set})
	if err != nil {
		return fig, spec, yaml, err
	}
	other, err := analysis.FromManifest(m, nil)
	if err != nil {
		return fig, spec, yaml, err
	}
	spec = l.spec
	spec.Contrasts, spec.Design.Unstable = other.Contrasts, other.Design.Unstable
	return m.Analysis.Figures[0], spec, yaml, nil
}

var plainScalar = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)

// plainYAML writes a value of a flow map; texts are quoted unless they are names.
func plainYAML(value string, isText bool) string {
	names := []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
	if isText && (!plainScalar.MatchString(value) || slices.Contains(names, strings.ToLower(value))) {
		quoted, _ := json.Marshal(value) // a text always has a form
		return string(quoted)
	}
	return value
}

// where is the selection of an address as a flow map; "" for all rows.
func (p *shownPage) where(q url.Values, l *loaded) string {
	var terms []string
	for _, axis := range append(slices.Clone(l.spec.Design.Axes), manifest.ClassAxis, asked.OutcomeKey) {
		if values := q["where."+axis]; len(values) > 0 {
			var all []string
			for _, v := range values {
				all = append(all, valueYAML(l, axis, v))
			}
			terms = append(terms, axis+": ["+strings.Join(all, ", ")+"]")
			continue
		}
		var ends []string
		for _, end := range []string{"from", "to"} {
			if v := strings.TrimSpace(q.Get(end + "." + axis)); v != "" {
				ends = append(ends, end+": "+plainYAML(v, !number64(v)))
			}
		}
		if ends != nil {
			terms = append(terms, axis+": {"+strings.Join(ends, ", ")+"}")
		}
	}
	if terms == nil {
		return ""
	}
	return "{" + strings.Join(terms, ", ") + "}"
}

func number64(s string) bool { return numberPattern.MatchString(s) }

var numberPattern = regexp.MustCompile(`^[+-]?[0-9.]+([eE][+-]?[0-9]+)?[A-Za-z%/]{0,8}$`)

// valueYAML writes a value of an axis: numbers without labels as they are.
func valueYAML(l *loaded, axis, v string) string {
	c := l.frame.Head(axis)
	return plainYAML(v, c == nil || c.IsText() || len(l.spec.Design.Labels[axis]) > 0 || !number64(v))
}

func baselineOf(q url.Values, l *loaded) string {
	var parts []string
	for _, axis := range l.spec.Design.Axes {
		if v := q.Get("baseline." + axis); v != "" {
			parts = append(parts, axis+": "+valueYAML(l, axis, v))
		}
	}
	if parts == nil {
		return ""
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

type drawingForm struct {
	name, mime string
	write      func(*figure.Figure, io.Writer) error
}

// drawingForms are the forms of a figure that can be downloaded.
var drawingForms = []drawingForm{{"svg", "image/svg+xml", (*figure.Figure).SVG}, {"pdf", "application/pdf", (*figure.Figure).PDF},
	{"png", "image/png", (*figure.Figure).PNG}, {"csv", "text/csv; charset=utf-8", (*figure.Figure).CSV},
	{"vl.json", "application/json", (*figure.Figure).Vega}}

// file sends the figure that the address asks for, as a file.
func (p *shownPage) file(q url.Values, format string) error {
	i := slices.IndexFunc(drawingForms, func(f drawingForm) bool { return f.name == format })
	if i < 0 {
		return misuse("there is no form %s of a figure", text.Quote(format))
	}
	var b bytes.Buffer
	id, err := func() (string, error) {
		p.busy.Lock()
		defer p.busy.Unlock()
		l, err := p.load()
		if err != nil {
			return "", err
		}
		if q.Get("x") == "" {
			p.begin(q)
		}
		fig, spec, _, err := p.asked(q, l)
		if err != nil {
			return "", err
		}
		d, _, err := analysis.Draw(l.frame, spec, fig)
		if err != nil {
			return "", err
		}
		return fig.ID, drawingForms[i].write(d.Figure, &b)
	}()
	if err != nil {
		return err
	}
	p.w.Header().Set("Content-Type", drawingForms[i].mime)
	p.w.Header().Set("Content-Disposition", `attachment; filename="`+strings.Map(fileLetter, id)+"."+format+`"`)
	_, err = p.w.Write(b.Bytes())
	return err
}

func fileLetter(r rune) rune {
	if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
		return r
	}
	return '_'
}

func (p *shownPage) draw(v *view, fig asked.Figure, spec analysis.Spec, l *loaded) error {
	d, lost, err := analysis.Draw(l.frame, spec, fig)
	if err != nil {
		return err
	}
	for _, w := range slices.Concat(lost, d.Warnings) {
		if w.Code != stats.NotDrawn || !slices.Contains(v.Caption, w.Text) {
			v.Caption = append(v.Caption, w.Text)
		}
	}
	slices.Sort(v.Caption)
	v.Caption = append(slices.Compact(v.Caption), l.notes...)
	if params, is := fig.Params.(*plot.ParallelParams); is && len(params.Means) > 0 {
		v.selected = append([]int32{}, slices.Sorted(slices.Values(d.Selected))...)
	}
	d.Warnings = nil
	v.Figure, err = page.DrawingOf(d)
	return err
}
