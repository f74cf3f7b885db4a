package analysis

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/table"
	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

// FiguresDir is the folder of the figures inside the folder given to [Result.Write].
const FiguresDir = "figures"

// Write leaves every table as .txt, .csv and .md in the folder. It leaves every figure as .svg, .png, .pdf, .csv and .vl.json
// (Vega-Lite) in its subfolder [FiguresDir]. It makes the folders and replaces files of the same names. It returns the paths in the
// order of writing.
func (r *Result) Write(dir string) ([]string, error) {
	return WriteAll(dir, r.Tables(), text.Each(r.Figures, func(d *plot.Drawing) *figure.Figure { return d.Figure }))
}

// Stale names tables and figures in the folder that are not among the paths which [Result.Write] has written: an earlier analysis, or
// one of another manifest, has left them there. A name such as figures/wait.* means all forms.
func Stale(dir string, paths []string) (names []string) {
	var there []string
	for _, name := range []string{"statistics.csv", "question", "controls.csv", "comparisons", "trends", "sensitivity.csv", "claims.csv",
		"claim-parts.csv", "readings"} {
		there = append(there, store.PathsIn(dir, name, ".csv")...)
	}
	there = append(there, store.PathsIn(filepath.Join(dir, FiguresDir), "", ".vl.json")...)
	for _, path := range there {
		if !slices.Contains(paths, path) {
			name, _ := strings.CutPrefix(path, filepath.Clean(dir)+string(filepath.Separator))
			names = append(names, strings.TrimSuffix(strings.TrimSuffix(name, ".csv"), ".vl.json")+".*")
		}
	}
	return names
}

// WriteAll is [Result.Write] of tables and figures.
func WriteAll(dir string, tables []*table.Table, figures []*figure.Figure) ([]string, error) {
	paths, err := WriteTables(dir, tables)
	for _, f := range figures {
		if err != nil {
			break
		}
		forms := text.Each(figure.Forms, func(of figure.Form) form {
			return form{of.Ending, func(w io.Writer) error { return of.Write(f, w) }}
		})
		var more []string
		more, err = writeForms(filepath.Join(dir, FiguresDir), f.ID, forms)
		if paths = append(paths, more...); err != nil {
			err = fmt.Errorf("figure %q: %w", f.ID, err)
		}
	}
	return paths, err
}

// WriteTables writes tables as ID.txt, ID.csv and ID.md and returns the paths.
func WriteTables(dir string, tables []*table.Table) ([]string, error) {
	var paths []string
	for _, t := range tables {
		more, err := writeForms(dir, t.ID, []form{{".txt", t.WriteText}, {".csv", t.WriteCSV}, {".md", t.WriteMarkdown}})
		paths = append(paths, more...)
		if err != nil {
			return paths, fmt.Errorf("table %q: %w", t.ID, err)
		}
	}
	return paths, nil
}

type form struct {
	ending string
	write  func(io.Writer) error
}

var fileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

func writeForms(dir, id string, forms []form) ([]string, error) {
	if !fileName.MatchString(id) {
		return nil, fmt.Errorf("%q cannot name files: use letters, digits, dots, dashes and underscores", id)
	}
	var paths []string
	for _, f := range forms {
		path := filepath.Join(dir, id+f.ending)
		if err := store.ReplaceFile(path, f.write); err != nil {
			return paths, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}
