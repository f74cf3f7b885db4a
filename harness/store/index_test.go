package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"
)

var byID = Records{Key: "id", Status: "outcome", Answered: "ok", Writer: "program", Answer: func(c Column) bool { return c.Name != "wall" }}

// answersSchema is that of small instances datasets.
var answersSchema = Schema{{Name: "id", Type: String}, {Name: "outcome", Type: Category},
	{Name: "wait", Type: Float64, Unit: "s", Nullable: true},
	{Name: "note", Type: String, Nullable: true}, {Name: "wall", Type: Float64}}

type answer struct {
	id, outcome string
	wait, wall  float64
}

// writeAnswers writes rows as an attempt that begins at the time and is named as
// the folder says.
func writeAnswers(t testing.TB, dir, shard, program string, start time.Time, answers ...answer) string {
	t.Helper()
	attempt, err := NewAttempt(start, "host", dir)
	if err != nil {
		t.Fatal(err)
	}
	return writeAttempt(t, dir, shard, attempt, program, answersSchema, answers...)
}

func writeAttempt(t testing.TB, dir, shard, attempt, program string, schema Schema, answers ...answer) string {
	t.Helper()
	w := mustWriter(t, Options{Dir: dir, Shard: shard, Attempt: attempt, Schema: schema, Meta: map[string]string{"program": program},
		files: unsynced{}})
	row := w.NewRow()
	for _, a := range answers {
		row.Reset()
		row.SetString(0, a.id)
		row.SetString(1, a.outcome)
		if a.outcome == "ok" && schema.Index("wait") >= 0 {
			row.SetFloat(schema.Index("wait"), a.wait)
		}
		row.SetFloat(schema.Index("wall"), a.wall)
		if err := w.Append(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return partsOf(w, 0)[0]
}

// unsynced leaves it to the system when files reach the disk: property tests
// write hundreds.
type unsynced struct{ osFiles }

type unsyncedFile struct{ partHandle }

func (unsynced) create(path string, mode fs.FileMode) (partHandle, error) {
	h, err := osFiles{}.create(path, mode)
	return unsyncedFile{h}, err
}

func (unsynced) syncDir(string) error { return nil }
func (unsyncedFile) Sync() error      { return nil }

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// An answer counts in spite of wrong clocks. Of rows without an answer, the row of the last attempt counts. The last attempt is
// the one that saw the others' rows when it began.
func TestClocksDecideNothing(t *testing.T) {
	dir := t.TempDir()
	writeAnswers(t, dir, "0-of-1", "p", noon, answer{"x", "timeout", 0, 1}, answer{"y", "failed", 0, 1})
	// The next nodes' clocks are behind.
	writeAnswers(t, dir, "0-of-1", "p", noon.Add(-time.Hour), answer{"x", "ok", 5, 2}, answer{"y", "timeout", 0, 2})
	writeAnswers(t, dir, "0-of-1", "p", noon.Add(-2*time.Hour), answer{"x", "failed", 0, 3})
	for _, when := range []string{"as written", "merged"} {
		table := mustScan(t, dir, ScanOptions{Records: byID})
		got := map[string]string{}
		for i := range table.Rows {
			got[table.Columns[0].Text(i)] = table.Columns[1].Text(i)
		}
		if table.Rows != 2 || got["x"] != "ok" || got["y"] != "timeout" {
			t.Errorf("%s: %v of %d rows", when, got, table.Rows)
		}
		if _, err := Merge(dir, MergeOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// Folders of earlier programs name their attempts by the time alone. Attempts of this program come after them.
func TestAttemptsOfOldFoldersAreRead(t *testing.T) {
	dir := t.TempDir()
	writeAttempt(t, dir, "0-of-1", "20260102T120000.000000000Z-node-1", "p", answersSchema, answer{"x", "timeout", 0, 1})
	writeAttempt(t, dir, "0-of-1", "20260103T120000.000000000Z-node-2", "p", answersSchema, answer{"x", "failed", 0, 2})
	want := func(outcome string) {
		t.Helper()
		if table := mustScan(t, dir, ScanOptions{Records: byID}); table.Rows != 1 || table.Columns[1].Text(0) != outcome {
			t.Errorf("%d rows, outcome %s, want %s", table.Rows, table.Columns[1].Text(0), outcome)
		}
	}
	want("failed")
	writeAnswers(t, dir, "0-of-1", "p", noon.AddDate(-1, 0, 0), answer{"x", "event-budget", 0, 3})
	want("event-budget")
}

func TestAttemptsAreNumberedFromTheFolder(t *testing.T) {
	dir := t.TempDir()
	next := func() string {
		t.Helper()
		name, err := NewAttempt(noon, "host/ä-9", dir)
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	if name, err := NewAttempt(noon, "", filepath.Join(dir, "none")); err != nil || attemptNumber(name) != 1 {
		t.Errorf("in no folder: %s, %v", name, err)
	}
	name := next()
	if name != "a000001-20260102T120000.000000000Z-host__-9" || checkAttempt(name) != nil {
		t.Fatalf("%q", name)
	}
	for want := 2; want < 5; want++ {
		writeAttempt(t, dir, "0-of-1", name, "p", answersSchema, answer{fmt.Sprint(want), "ok", 1, 1})
		if _, err := Merge(dir, MergeOptions{}); err != nil {
			t.Fatal(err)
		}
		if name = next(); attemptNumber(name) != want {
			t.Fatalf("attempt %s, want number %d", name, want)
		}
	}
	shard, attempt, seq, ok := parsePartName(partName("0-of-1", name, 12))
	if !ok || shard != "0-of-1" || attempt != name || seq != 12 {
		t.Fatalf("%q %q %d %v", shard, attempt, seq, ok)
	}
	// A killed writer's leftover counts too.
	if err := os.WriteFile(filepath.Join(dir, tempName(partName("1-of-2", "a000041-x", 0))), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if name = next(); attemptNumber(name) != 42 {
		t.Errorf("attempt %s beside an unfinished file of attempt 41", name)
	}
	// Nine digits are more than a folder can see, and still sort as numbers.
	if (segment{Attempt: "a1000000-x"}).compare(segment{Attempt: "a999999-y"}) <= 0 {
		t.Error("attempt 1000000 is before 999999")
	}
}

// The table depends on the rows only. File names, the order of writing, the writers, wrong clocks, duplicate files and merging
// do not change it.
func TestTheTableDependsOnTheRowsOnly(t *testing.T) {
	root := t.TempDir()
	n := 0
	fresh := func() string {
		n++
		return filepath.Join(root, fmt.Sprint(n))
	}
	rapid.Check(t, func(rt *rapid.T) {
		type file struct {
			number int
			shard  string
			rows   []answer
		}
		ids := []string{"a", "b", "c", "d"}
		var files []file
		for i := range rapid.IntRange(1, 6).Draw(rt, "files") {
			f := file{number: i/2 + 1, shard: fmt.Sprintf("%d-of-2", i%2)}
			for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 1, 4, rapid.ID[string]).Draw(rt, "ids") {
				outcome := rapid.SampledFrom([]string{"ok", "failed", "timeout"}).Draw(rt, "outcome")
				f.rows = append(f.rows, answer{id: id, outcome: outcome, wait: float64(id[0])})
			}
			files = append(files, f)
		}
		write := func(dir string, order []int) {
			for _, i := range order {
				f := files[i]
				clock := noon.Add(time.Duration(rapid.IntRange(-1e6, 1e6).Draw(rt, "clock")) * time.Second)
				name := fmt.Sprintf("a%06d-%s-h", f.number, clock.Format("20060102T150405.000000000Z"))
				path := writeAttempt(t, dir, f.shard, name, "p", answersSchema, f.rows...)
				// Files may be renamed.
				if name := rapid.IntRange(0, 99).Draw(rt, "name"); name > 50 {
					if err := os.Rename(path, filepath.Join(dir, fmt.Sprintf("%d-%d.parquet", name, i))); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		one := fresh()
		all := make([]int, len(files))
		for i := range all {
			all[i] = i
		}
		write(one, all)
		want := textOf(mustScan(t, one, ScanOptions{Records: byID}))

		other := fresh()
		order := rapid.Permutation(all).Draw(rt, "order")
		for range rapid.IntRange(0, 2).Draw(rt, "copies") {
			order = append(order, order[rapid.IntRange(0, len(order)-1).Draw(rt, "copied")])
		}
		write(other, order)
		if rapid.Bool().Draw(rt, "merged") {
			if _, err := Merge(other, MergeOptions{rowsPerPart: rapid.IntRange(1, 12).Draw(rt, "rows"), files: unsynced{}}); err != nil {
				t.Fatal(err)
			}
		}
		if got := textOf(mustScan(t, other, ScanOptions{Records: byID})); strings.Join(got, "\n") != strings.Join(want, "\n") {
			rt.Fatalf("\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

func TestTheSameAnswerTwiceIsCounted(t *testing.T) {
	dir := t.TempDir()
	writeAnswers(t, dir, "0-of-2", "old", noon, answer{"x", "failed", 0, 1}, answer{"y", "ok", 2, 1}, answer{"z", "ok", 3, 1})
	writeAnswers(t, dir, "1-of-2", "new", noon, answer{"x", "ok", 1, 5}, answer{"y", "ok", 2, 7}, answer{"y", "timeout", 0, 7})
	if err := WithIndex(dir, byID, func(x *Index) error {
		if x.Len() != 3 || x.Repeated != 1 || x.Superseded != 2 {
			t.Errorf("%d records, %d repeated and %d superseded rows", x.Len(), x.Repeated, x.Superseded)
		}
		if _, ok := x.Find("w"); ok {
			t.Error("there is a record w")
		}
		at, ok := x.Find("y")
		table, err := x.Read([]string{"wait", "id"}, []int32{int32(at)})
		if !ok || err != nil || table.Columns[1].Text(0) != "y" || table.Columns[0].Floats[0] != 2 {
			t.Errorf("record %d, %v: %+v, %v", at, ok, table, err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// Two answers for one record are an error that says which files and programs gave
// them and where they part.
func TestTwoAnswersForOneRecord(t *testing.T) {
	dir := t.TempDir()
	a := writeAnswers(t, dir, "0-of-2", "0.1.0-abc", noon, answer{"x", "ok", 1, 1}, answer{"y", "ok", 2, 1}, answer{"z", "ok", 3, 1})
	b := writeAnswers(t, dir, "1-of-2", "0.1.0-def", noon, answer{"y", "ok", 2.5, 1}, answer{"z", "ok", 3.5, 1})
	want := func(parts ...string) {
		t.Helper()
		_, err := Scan(dir, ScanOptions{Records: byID})
		var p *Problem
		if !errors.As(err, &p) || p.Kind != Disagreement {
			t.Fatalf("error %v", err)
		}
		for _, part := range parts {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q is missing in: %v", part, err)
			}
		}
	}
	want(a+" (written by 0.1.0-abc)", b, "id y has two answers", "(and 1 more have)", "wait is 2.5 s here (written by 0.1.0-def)",
		"but 2 s in ", "move the file")
	agree := byID
	agree.Answer = nil
	if table := mustScan(t, dir, ScanOptions{Records: agree}); table.Rows != 3 {
		t.Errorf("who does not compare reads %d rows", table.Rows)
	}
	if _, err := Merge(dir, MergeOptions{}); err != nil {
		t.Fatal(err)
	}
	want("id y has two answers", "merged-", "0.1.0-abc or 0.1.0-def")
}

// A null is an answer too; a column that one of the files lacks says nothing.
func TestAnswersOfDifferentColumns(t *testing.T) {
	for _, test := range []struct {
		name   string
		column Column
		clash  bool
	}{
		{"null", Column{Name: "wait", Type: Float64, Unit: "s", Nullable: true}, true},
		{"absent", Column{Name: "response", Type: Float64, Unit: "s", Nullable: true}, false},
	} {
		dir := t.TempDir()
		writeAnswers(t, dir, "0-of-2", "p", noon, answer{"x", "ok", 1, 1})
		w := mustWriter(t, Options{Dir: dir, Shard: "1-of-2", Attempt: "b",
			Schema: Schema{answersSchema[0], answersSchema[1], test.column, answersSchema[4]}})
		row := w.NewRow()
		row.SetString(0, "x")
		row.SetString(1, "ok")
		row.SetFloat(3, 1)
		if err := errors.Join(w.Append(row), w.Close()); err != nil {
			t.Fatal(err)
		}
		_, err := Scan(dir, ScanOptions{Records: byID})
		if (err != nil) != test.clash || err != nil && !strings.Contains(err.Error(), "wait is null here") &&
			!strings.Contains(err.Error(), "null (written") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// TestReadersAtOnce holds that several goroutines read one index, and each has its own rows.
func TestReadersAtOnce(t *testing.T) {
	dir := t.TempDir()
	for part := range 4 {
		var all []answer
		for i := range 500 {
			all = append(all, answer{fmt.Sprint(part*500 + i), "ok", float64(part*500 + i), 0})
		}
		writeAnswers(t, dir, fmt.Sprintf("%d-of-4", part), "p", noon, all...)
	}
	if err := WithIndex(dir, byID, func(x *Index) error {
		var readers errgroup.Group
		for first := range 8 {
			readers.Go(func() error {
				var records []int32
				for at := first; at < 2000; at += 1 + first {
					record, _ := x.Find(fmt.Sprint(at))
					records = append(records, int32(record))
				}
				table, err := x.Read([]string{"wait"}, records)
				for i := range records {
					if err == nil && table.Columns[0].Floats[i] != float64(first+i*(1+first)) {
						return fmt.Errorf("reader %d: row %d is %v", first, i, table.Columns[0].Floats[i])
					}
				}
				return err
			})
		}
		return readers.Wait()
	}); err != nil {
		t.Fatal(err)
	}
}
