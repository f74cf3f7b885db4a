package cmd

import (
	markup "html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	page "schedsweep/analysis/report"
	"schedsweep/analysis/table"
	"schedsweep/cmd/serve"
)

// mostValues is up to how many values of metrics a page of results is of all metrics. Of more it is of one.
var mostValues = 2_000_000

// results shows the contents of the report: claims, comparisons, figures, tables, coverage, warnings, manifest and provenance.
func (p *shownPage) results() error {
	metric := p.r.URL.Query().Get("metric")
	return p.once("results?metric="+metric, func(l *loaded) (int, markup.HTML, error) {
		spec, metrics := l.spec, l.spec.Design.Metrics
		var form []formField
		if len(metrics) > 1 && l.frame.Rows > mostValues/len(metrics) {
			if !slices.Contains(metrics, metric) {
				metric = mattering(p.st.manifest, metrics)[0]
			}
			spec.Only = []string{metric}
			form = []formField{{Name: "metric", Label: "metric", Doc: "metric of the results", Options: chosen([]string{metric}, metrics...)}}
		}
		l.judge(p.st)
		report, err := reportWith(p.site.env, p.st, spec, l.frame, l.rows, l.judged)
		if err != nil {
			p.loaded = loaded{} // files may have been merged since
			return 0, "", err
		}
		shown, err := report.Shown()
		if err != nil {
			return 0, "", err
		}
		of, err := serve.Part("study", struct {
			Form []formField
			Of   any
		}{form, shown})
		return http.StatusOK, of, err
	})
}

// comparison is the page that compares the folder with another.
type comparison struct {
	Form                   []formField
	Heads, Warnings        []string
	Verdict, Reading, Same string
	Tables                 []page.Grid
	Wrong                  string
}

// asOptions takes the options of compare from an address.
type asOptions url.Values

func (o asOptions) String(name string) string { return url.Values(o).Get(name) }
func (o asOptions) Bool(name string) bool     { return url.Values(o).Get(name) == "true" }
func (o asOptions) StringSlice(name string) []string {
	return strings.FieldsFunc(url.Values(o).Get(name), func(r rune) bool { return r == ',' || r == ' ' })
}

// compare compares the folder with the one that the address names by its number, as the verb compare does.
func (p *shownPage) compare() error {
	p.busy.Lock()
	defer p.busy.Unlock()
	q := p.r.URL.Query()
	var with *served
	other := formField{Name: "with", Label: "before", Doc: "folder that is compared with"}
	for _, f := range p.site.folders {
		if f == p.served {
			continue
		}
		if q.Get("with") == f.first.dir || with == nil {
			with = f
		}
		other.Options = append(other.Options, option{f.first.dir, f.first.dir, q.Get("with") == f.first.dir})
	}
	if with == nil {
		return misuse("the server shows one folder; give two to compare them: %s", p.st.command("serve", "OTHER"))
	}
	v := comparison{Form: []formField{other,
		{Name: "across", Label: "may differ in", Doc: "fields in which the manifests may differ, such as policy.kind", Value: q.Get("across")},
		{Name: "metric", Label: "metrics", Doc: "metrics that are compared; those of the manifest when empty", Value: q.Get("metric")},
		{Name: "margin", Label: "margin", Doc: "difference within which means count as equivalent, such as 2%", Value: q.Get("margin")},
		{Name: "independent", Label: "unrelated replications", Doc: "the runs play different jobs", Value: q.Get("independent"), Box: true},
		{Name: "allow-failures", Label: "allow failures", Doc: "compare although instances have no answer",
			Value: q.Get("allow-failures"), Box: true},
		{Name: "strict", Label: "strict", Doc: "pass only if the rows exclude a loss of more than the margin",
			Value: q.Get("strict"), Box: true}}}
	if err := p.compareWith(&v, asOptions(q), with.first.dir); err != nil && len(q) > 0 { // without a choice of the user, the form alone
		v.Wrong = err.Error()
	}
	for _, f := range v.Form { // which the verb has as options
		v.Wrong = strings.ReplaceAll(v.Wrong, "--"+f.Name, strconv.Quote(f.Label))
		v.Verdict = strings.ReplaceAll(v.Verdict, "--"+f.Name, strconv.Quote(f.Label))
	}
	p.send(http.StatusOK, "compare", v)
	return nil
}

func (p *shownPage) compareWith(v *comparison, o asOptions, before string) error {
	all, err := comparedOfFolders(p.site.env, p.site.context, o, before, p.st.dir)
	if err != nil {
		return err
	}
	var tables []*table.Table
	v.Heads, tables, v.Reading, v.Same = all.shown()
	for _, t := range tables {
		g, err := page.GridOf(t, 20)
		if err != nil {
			return err
		}
		v.Tables = append(v.Tables, g)
	}
	for _, w := range all.result.Warnings {
		v.Warnings = append(v.Warnings, w.Text)
	}
	v.Verdict = "No regression is shown."
	if err := all.verdict(o); err != nil {
		v.Verdict = err.Error()
	}
	return nil
}
