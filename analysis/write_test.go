package analysis

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"schedsweep/analysis/table"
	"schedsweep/harness/store/golden"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

func TestTablesGolden(t *testing.T) {
	r, err := Analyse(sampleOf(t, 6, 3), wholeSpec())
	if err != nil {
		t.Fatal(err)
	}
	for _, tb := range r.Tables() {
		var text, records bytes.Buffer
		if err := tb.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		if err := tb.WriteCSV(&records); err != nil {
			t.Fatal(err)
		}
		for ending, got := range map[string]string{".txt": text.String(), ".csv": records.String()} {
			golden.Check(t, filepath.Join("testdata", tb.ID+ending), got)
		}
	}
}

// TestTextFitsATerminal: a table as text has lines of 80 characters at most.
func TestTextFitsATerminal(t *testing.T) {
	r, err := Analyse(sampleOf(t, 6, 3), wholeSpec())
	if err != nil {
		t.Fatal(err)
	}
	for _, tb := range r.Tables() {
		var b bytes.Buffer
		if err := tb.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("%s has a line of %d characters: %s", tb.ID, n, line)
			}
		}
	}
}

func TestWriteLeavesEveryForm(t *testing.T) {
	dir := t.TempDir()
	r, err := Analyse(sample(t), wholeSpec())
	if err != nil {
		t.Fatal(err)
	}
	paths, err := r.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, id := range []string{"statistics", "comparisons", "trends"} {
		want = append(want, id+".txt", id+".csv", id+".md")
	}
	for _, id := range []string{"fig1", "fig2", "fig3", "fig4"} {
		for _, ending := range []string{".svg", ".png", ".pdf", ".csv", ".vl.json"} {
			want = append(want, filepath.Join(FiguresDir, id+ending))
		}
	}
	var got []string
	for _, p := range paths {
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, rel)
		if info, err := os.Stat(p); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", p, err)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	var found []string
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found = append(found, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	slices.Sort(found)
	if d := cmp.Diff(paths, found); d != "" {
		t.Errorf("files left over or missing:\n%s", d)
	}
}

// TestStaleNamesEveryTable: an earlier analysis had questions, readings, and several trends. Now there are only statistics.
func TestStaleNamesEveryTable(t *testing.T) {
	dir := t.TempDir()
	ids := []string{"statistics", "questions", "question-points", "trends-quadratic", "trends-2", "comparisons-2", "readings", "readings-2"}
	old := text.Each(ids, func(id string) *table.Table { return &table.Table{ID: id} })
	if _, err := WriteTables(dir, append(old, &table.Table{ID: "mine"})); err != nil {
		t.Fatal(err)
	}
	paths, err := WriteTables(dir, old[:1])
	if err != nil {
		t.Fatal(err)
	}
	want := text.Each(ids[1:], func(id string) string { return id + ".*" })
	got := Stale(dir, paths)
	slices.Sort(want)
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestWriteRefusesNamesThatLeaveTheFolder(t *testing.T) {
	r, err := Analyse(sample(t), Spec{Design: design(), Figures: []study.Figure{{ID: "../x", X: "policy.placement", Y: "makespan"}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Write(t.TempDir()); err == nil || !strings.Contains(err.Error(), "cannot name files") {
		t.Errorf("error %v", err)
	}
}

func TestWriteIntoAFileFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(sample(t), Spec{Design: design()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Write(file); err == nil || !strings.Contains(err.Error(), `table "statistics"`) {
		t.Errorf("error %v", err)
	}
}

// written returns the output of a form of a table.
func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
