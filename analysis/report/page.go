// Package report writes an analysis as one HTML page that needs nothing else: no network, no font, no file beside it.
//
// The pipeline: a [Page] (results, coverage, manifest, provenance) becomes what page.html shows; style.css and page.js go into the
// page as they are. Texts of manifests and rows reach it through html/template, which escapes them, and the page's own policy lets no
// other script or style run. It computes no statistic, reads no clock, and gives the same bytes for the same page.
package report

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"schedsweep/analysis"
	"schedsweep/analysis/claim"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

type Page struct {
	Name, Title string // of the manifest
	Result      *analysis.Result
	Metrics     []string // of the overview, see [analysis.Result.Overview]
	Coverage    Coverage
	Warnings    []string // beside those of the result
	Manifest    string   // as it was resolved
	Provenance  []Facts
	Program     string // that writes the page
	Analyze     string // the command that writes the tables of the page as files
	Replay      string // the command that runs an instance again, but for its id
}

type Facts struct {
	Heading string
	List    []Fact
}

type Fact struct{ Name, Value string }

var (
	//go:embed page.html
	pageHTML string
	//go:embed style.css
	Style string
	// Script makes tables sort and figures tell their points. The event "enliven" does so for elements added since.
	//go:embed page.js
	Script string
)

// Parts has a template for each part of the page: "claims", "results", "figures", "tables", "coverage", "warnings", "manifest" and
// "provenance" of what [Page.Shown] returns, "grid" of a [Grid] and "plot" of a [Drawing].
func Parts() *template.Template { return template.Must(parts().Clone()) }

var page, parts = sync.OnceValue(Parts), sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"class": func(v claim.Verdict) string { return claimClass[v] }, "ours": ours, "between": between,
		"kind": func(k string) string { return claimKind[k] },
	}).Parse(pageHTML))
})

// claimKind holds the names of the kinds that no source states.
var claimKind = map[string]string{study.KindQuestion: "our own question", study.KindRegression: "regression: bounds drawn around a result",
	study.KindArithmetic: "published, and impossible by arithmetic"}

type shown struct {
	*Page
	Heading      string
	Style        template.CSS
	Script       template.JS
	Policy       string
	Cards        []card
	Published    bool // some claim has a published value
	Confidence   string
	Verdicts     []chip // of comparisons
	Compared     int    // comparisons
	Regressions  []string
	More         int // regressions that are not listed
	Reading      string
	Overview     []Grid
	Figures      []Drawing
	Tables       []Grid
	AllWarnings  []string
	FigureFolder string
}

func (p *Page) Write(w io.Writer) error {
	s := shown{Page: p, Heading: cmp.Or(strings.TrimSpace(p.Title), p.Name), Style: template.CSS(Style), Script: template.JS(Script),
		FigureFolder: analysis.FiguresDir, Policy: "default-src 'none'; style-src " + HashOf(Style) + "; script-src " + HashOf(Script) +
			"; base-uri 'none'; form-action 'none'"}
	if err := s.fill(); err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 1<<16)
	err := page().Execute(b, &s)
	if err == nil {
		err = b.Flush()
	}
	if err != nil {
		return fmt.Errorf("report of %s: %w", p.Name, err)
	}
	return nil
}

// HashOf returns the hash by which a content security policy identifies a script or style.
func HashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Shown returns the data of the templates of the parts.
func (p *Page) Shown() (any, error) {
	s := &shown{Page: p, FigureFolder: analysis.FiguresDir}
	return s, s.fill()
}

func (s *shown) fill() error {
	if err := s.lay(); err != nil {
		return fmt.Errorf("report of %s: %w", s.Name, err)
	}
	return nil
}

func (s *shown) lay() error {
	r := s.Result
	s.Confidence = table.Percent(r.Design.Confidence)
	s.Published = slices.ContainsFunc(r.Claims, func(c claim.Result) bool { return c.Claim.Published != "" })
	s.comparisons()
	for _, t := range r.Overview(s.Metrics) {
		g, err := GridOf(t, mostRows) // there are few
		if err != nil {
			return err
		}
		s.Overview = append(s.Overview, g)
	}
	s.Reading = r.Reading()
	for _, d := range slices.SortedStableFunc(slices.Values(r.Figures), plot.PairedFirst) {
		f, err := DrawingOf(d)
		if err != nil {
			return err
		}
		s.Figures = append(s.Figures, f)
	}
	for _, t := range r.Tables() {
		if t.ID == "claims" || t.ID == "claim-parts" {
			continue // which the page shows in its own way
		}
		g, err := GridOf(t, pageRows)
		if err != nil {
			return err
		}
		g.Label = "Table " + g.File // one above may have its title
		s.Tables = append(s.Tables, g)
	}
	s.AllWarnings = append(text.Each(r.Warnings, stats.Warning.String), s.Warnings...)
	s.cards()
	return nil
}
