package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// setSchema is a dataset of sets with every kind of buffer.
var setSchema = Schema{
	{Name: "of", Type: Category},
	{Name: "n", Type: Int32},
	{Name: "time", Type: Float64, Unit: "s", Nullable: true},
	{Name: "text", Type: String, Nullable: true},
	{Name: "kind", Type: Category, Nullable: true},
	{Name: "id", Type: Int64},
	{Name: "flag", Type: Bool},
}

// fillSet sets row k of the set of a key.
func fillSet(r *Row, key string, k int) {
	r.Reset()
	r.SetString(0, key)
	r.SetInt(1, int64(k))
	if k%3 > 0 {
		r.SetFloat(2, awkwardFloats[k%len(awkwardFloats)])
		r.SetString(3, awkwardTexts[k%(len(awkwardTexts)-1)])
		r.SetString(4, fmt.Sprint(key, k%5))
	}
	r.SetInt(5, int64(len(key)*k))
	r.SetBool(6, k%2 == 0)
}

func mustAppendSet(t testing.TB, b *Batch, key string, rows int) {
	t.Helper()
	row := setSchema.NewRow()
	for k := range rows {
		fillSet(row, key, k)
		if err := b.Append(row); err != nil {
			t.Fatal(err)
		}
	}
}

// checkSets reads the sets of these keys and compares every value; count says how many
// there must be.
func checkSets(t testing.TB, dir string, count int, want map[string]int) {
	t.Helper()
	err := WithSets(dir, "of", "of", nil, func(s *Sets) error {
		if s.Len() != count {
			return fmt.Errorf("%d sets, want %d", s.Len(), count)
		}
		var sets []int
		var keys []string
		for key, rows := range want {
			n, ok := s.Find(key)
			if !ok || s.Rows(n) != rows {
				return fmt.Errorf("set %s: %v, %d rows of %d", key, ok, s.Rows(n), rows)
			}
			sets, keys = append(sets, n), append(keys, key)
		}
		if _, ok := s.Find("none"); ok {
			return errors.New("a set that nobody wrote")
		}
		at, k := 0, 0
		expected, got := setSchema.NewRow(), setSchema.NewRow()
		err := s.Each(sets, func(table *Table) error {
			columns := make([]int, len(setSchema))
			for j := range columns {
				columns[j] = table.Schema().Index(setSchema[j].Name)
			}
			for i := range table.Rows {
				for k == want[keys[at]] {
					at, k = at+1, 0
				}
				fillSet(expected, keys[at], k)
				table.setCells(got, i, columns)
				for j := range got.cells {
					if got.cells[j] != expected.cells[j] {
						return fmt.Errorf("set %s row %d column %s: %+v, want %+v", keys[at], k, setSchema[j].Name, got.cells[j], expected.cells[j])
					}
				}
				k++
			}
			return nil
		})
		if err == nil && (at != len(keys)-1 || k != want[keys[at]]) {
			err = fmt.Errorf("ended in set %d of %d", at, len(keys))
		}
		if err == nil {
			err = scanSets(s, sets, keys, want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// scanSets reads columns of the sets in the order in which they are stored: each as a whole, row after row.
func scanSets(s *Sets, sets []int, keys []string, want map[string]int) error {
	read, open := map[string]int{}, ""
	err := s.Scan([]string{"of", "id"}, sets, func(set int, table *Table, from, to int) error {
		key := keys[slices.Index(sets, set)]
		if key != open && read[key] > 0 {
			return fmt.Errorf("set %s is parted", key)
		}
		open = key
		for i := from; i < to; i++ {
			if of, id := table.Column("of").Text(i), table.Column("id").Ints[i]; of != key || id != int64(len(key)*read[key]) {
				return fmt.Errorf("set %s row %d is %s, %d", key, read[key], of, id)
			}
			read[key]++
		}
		return nil
	})
	for key, rows := range want {
		if err == nil && read[key] != rows {
			err = fmt.Errorf("%d rows of %d of set %s", read[key], rows, key)
		}
	}
	return err
}

// TestSetsThatCount: of one key's sets one counts; sets of other keys do not; parts
// of ended processes in which none counts are removed, and no others.
func TestSetsThatCount(t *testing.T) {
	dir := t.TempDir()
	write := func(shard, attempt string, keys ...string) {
		t.Helper()
		w := mustWriter(t, Options{Dir: dir, Shard: shard, Attempt: attempt, Schema: setSchema,
			Meta: map[string]string{"by": shard + attempt}})
		for _, key := range keys {
			b := w.NewBatch()
			mustAppendSet(t, b, key, 3)
			if err := b.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	write("0-of-2", "a000001-x", "a", "b")
	write("0-of-2", "a000002-x", "orphan", "orphan 2")
	write("0-of-2", "a000003-x", "b", "orphan 3") // mixed: stays
	write("1-of-2", "a000001-x", "orphan 4")      // perhaps running: stays
	write("0-of-3", "a000001-x", "orphan 5")      // of another number: has ended
	write("0-of-3", "a000001-z", "orphan 7")      // of another folder: stays
	write("0-of-2", "a000004-x", "orphan 6")      // the attempt that looks
	write("0-of-3", "a000001-y", "a")             // repeated, earlier by its shard's number of... any one counts
	err := WithSets(dir, "of", "of", func(key string) bool { return len(key) == 1 }, func(s *Sets) error {
		if s.Len() != 2 || s.Repeated != 2 || s.Uncounted != 7 {
			t.Errorf("%d sets, %d repeated, %d uncounted", s.Len(), s.Repeated, s.Uncounted)
		}
		for _, p := range s.parts {
			if strings.Contains(p.path, "a000003") && s.Settled(p.path) {
				t.Error("a part with a set that does not count is merged")
			}
		}
		return s.ClearEnded("0-of-2", "a000004-x", func(meta map[string]string) bool { return meta["by"] != "0-of-3a000001-z" })
	})
	if err != nil {
		t.Fatal(err)
	}
	left := strings.Join(listDir(t, dir), " ")
	for name, stays := range map[string]bool{"0-of-2-a000002": false, "0-of-2-a000003": true, "1-of-2-a000001": true,
		"0-of-3-a000001-x": false, "0-of-3-a000001-z": true, "0-of-2-a000004": true} {
		if strings.Contains(left, name) != stays {
			t.Errorf("%s: stays %v, want %v", name, !stays, stays)
		}
	}
	if err := WithSets(dir, "of", "of", func(key string) bool { return len(key) == 1 }, func(s *Sets) error {
		if s.Len() != 2 {
			t.Errorf("%d sets are left", s.Len())
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestMergedSetsOfOneKeyAreTwo: two sets of one key that a merge puts side by side are
// not one of twice the rows.
func TestMergedSetsOfOneKeyAreTwo(t *testing.T) {
	dir := t.TempDir()
	for _, attempt := range []string{"a000001-x", "a000002-x"} {
		w := mustWriter(t, Options{Dir: dir, Attempt: attempt, Schema: setSchema})
		b := w.NewBatch()
		mustAppendSet(t, b, "k", 4)
		if err := errors.Join(b.Commit(), w.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if res, err := Merge(dir, MergeOptions{}); err != nil || res.After != 1 {
		t.Fatalf("%+v, %v", res, err)
	}
	checkSets(t, dir, 1, map[string]int{"k": 4})
}

// TestKilledWhileItWritesSets kills the writing of batches, small ones and one with a
// part of its own, between any two system calls: the sets on disk read back whole, and
// a second attempt completes them.
func TestKilledWhileItWritesSets(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	want := map[string]int{"a": 3, "b": DefaultRowsPerPart + 5, "c": 9}
	write := func(dir, attempt string, files fileSystem) error {
		w, err := NewWriter(Options{Dir: dir, Attempt: attempt, Schema: setSchema, rowsPerPart: 4, files: files})
		if err != nil {
			return err
		}
		for _, key := range []string{"a", "b", "c"} {
			b := w.NewBatch()
			row := setSchema.NewRow()
			for k := range want[key] {
				fillSet(row, key, k)
				if err := b.Append(row); err != nil {
					return err
				}
			}
			if err := b.Commit(); err != nil {
				return err
			}
		}
		return w.Close()
	}
	for calls := 0; ; calls++ {
		dir := t.TempDir()
		err := write(dir, "a000001-x", &killed{left: calls})
		if err != nil && !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		there := map[string]int{}
		if e := WithSets(dir, "of", "of", nil, func(s *Sets) error {
			for key, rows := range want {
				if _, ok := s.Find(key); ok {
					there[key] = rows
				}
			}
			return nil
		}); e != nil {
			t.Fatalf("after %d calls: %v", calls, e)
		}
		if len(there) > 0 {
			checkSets(t, dir, len(there), there)
		}
		if e := write(dir, "a000002-x", nil); e != nil {
			t.Fatal(e)
		}
		checkSets(t, dir, 3, want)
		for _, name := range listDir(t, dir) {
			if strings.HasSuffix(name, tempSuffix) {
				t.Fatalf("after %d calls: %s is left", calls, name)
			}
		}
		if err == nil {
			if calls < 15 {
				t.Fatalf("only %d system calls", calls)
			}
			return
		}
	}
}
