package store

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestKeys(t *testing.T) {
	dir := t.TempDir()
	writeKeyed(t, dir, "0-of-2", "c", []string{"x"}, 3)
	writeKeyed(t, dir, "0-of-2", "a", []string{"x", "y", "z"}, 1)
	writeKeyed(t, dir, "1-of-2", "b", []string{"y", "w"}, 2)
	for _, test := range []struct{ name, key, want string }{
		{"none", "", "x=1 y=1 z=1 y=2 w=2 x=3"},
		{"text", "id", "z=1 y=2 w=2 x=3"},
		{"whole number", "value", "z=1 w=2 x=3"},
		{"category", "outcome", "z=1 w=2 x=3"},
	} {
		if got := pairsOf(mustScan(t, dir, ScanOptions{Records: Records{Key: test.key}})); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestLookup: every key of a list is found at its place, others are not, and two equal keys are noticed.
func TestLookup(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 3, 1000} {
		keys := make([][16]byte, n)
		for i := range keys {
			binary.BigEndian.PutUint64(keys[i][:], rng.Uint64())
		}
		at := func(i int) *[16]byte { return &keys[i] }
		l, distinct := NewLookup(n, at)
		for i, key := range keys {
			if place, ok := l.Find(key); !ok || place != i {
				t.Fatalf("key %d of %d is at %d, %t", i, n, place, ok)
			}
		}
		find := l.Finder()
		for k, i := range slices.Concat(rng.Perm(n), rng.Perm(n)) {
			if k < n { // first in their order
				i = k
			}
			if _, ok := find([16]byte{1, 2, 3}); ok {
				t.Fatalf("another key is found behind one of %d", n)
			}
			if place, ok := find(keys[i]); !ok || place != i {
				t.Fatalf("key %d of %d is found at %d, %t", i, n, place, ok)
			}
		}
		if _, ok := l.Find([16]byte{1, 2, 3}); ok || !distinct {
			t.Fatalf("another key is among %d, or two are equal: %t", n, !distinct)
		}
		if keys = append(keys, keys...); n > 0 {
			if _, distinct := NewLookup(2*n, at); distinct {
				t.Fatalf("%d keys twice are distinct", n)
			}
		}
	}
}

// TestIndexFindsEveryKey: small and capital digits are other keys, no other key is found, and rows that come again change no number.
func TestIndexFindsEveryKey(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	var all []answer
	for i := range 3000 {
		id := fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64())
		all = append(all, answer{id: id, outcome: "ok", wait: float64(i)})
		if i%3 == 0 {
			all = append(all, answer{id: strings.ToUpper(id), outcome: "ok", wait: -1}, answer{id: id[:31] + "x", outcome: "ok", wait: -2})
		}
	}
	for again := range 3 {
		writeAnswers(t, dir, "0-of-1", fmt.Sprint("p", again), time.Unix(1e9+int64(again), 0), all[:len(all)>>again]...)
		err := WithIndex(dir, byID, func(x *Index) error {
			if x.Len() != len(all) || x.Repeated != []int{0, len(all) / 2, len(all)/2 + len(all)/4}[again] {
				t.Errorf("%d entries of %d, %d rows are repeated", x.Len(), len(all), x.Repeated)
			}
			found := map[int]bool{}
			for row, a := range all {
				record, ok := x.Find(a.id)
				if last := again == 0 || row >= len(all)/2; !ok || found[record] || last && x.entries[record].row != int32(row) {
					t.Fatalf("%s is not found in row %d", a.id, row)
				}
				found[record] = true
				if _, ok := x.Find(a.id[1:] + "0"); ok {
					t.Fatalf("%s is found, and is no key", a.id[1:]+"0")
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestFooterIsReadAgain: of a part that changed after its footer was read nothing of the old footer is used.
func TestFooterIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	path := writeAnswers(t, dir, "0-of-1", "one", time.Unix(1e9, 0), answer{id: "a", outcome: "ok"})
	before, problem := readFooter(path)
	if problem != nil {
		t.Fatal(problem)
	}
	other := t.TempDir()
	later := writeAnswers(t, other, "0-of-1", "two", time.Unix(1e9, 0), answer{id: "a", outcome: "ok"})
	for _, before.kept = range []*keptFooter{before.kept, nil} { // a footer that is not kept, too
		for path, program := range map[string]string{path: "one", later: "two"} {
			for range 2 {
				p, rd, problem := openPart(path, before)
				if problem != nil {
					t.Fatal(problem)
				}
				if err := rd.Close(); err != nil || p.meta["program"] != program || (p.said == before.said) != (program == "one") {
					t.Errorf("%s: %v says program %q", path, err, p.meta["program"])
				}
				if before.kept != nil && program == "one" && before.kept.meta != rd.MetaData() {
					t.Errorf("%s: its footer is not kept", path)
				}
			}
		}
	}
}

// TestIndexKeeps: an index that keeps some records in another order reads these.
func TestIndexKeeps(t *testing.T) {
	dir := t.TempDir()
	writeAnswers(t, dir, "0-of-1", "p", noon, answer{"x", "ok", 1, 1}, answer{"y", "failed", 2, 2}, answer{"z", "ok", 3, 3},
		answer{"w", "ok", 4, 4})
	for _, test := range []struct {
		keep []int // places in the order of the files; nil: all
		want []float64
	}{{nil, nil}, {[]int{3, 1}, []float64{4, 2}}, {[]int{0, 1, 2, 3}, []float64{1, 2, 3, 4}}} {
		err := WithIndex(dir, byID, func(x *Index) error {
			before, err := x.Read([]string{"wall"}, AllRows(x.Len()))
			if err != nil {
				return err
			}
			var keep []int32
			want := before.Columns[0].Floats
			if test.keep != nil {
				for _, at := range test.keep {
					keep = append(keep, x.Ordered()[at])
				}
				want = test.want
			}
			x.Keep(keep)
			after, err := x.Read([]string{"wall"}, AllRows(x.Len()))
			if err != nil {
				return err
			}
			for record, wall := range after.Columns[0].Floats {
				if x.Answered(record) != (wall != 2) {
					t.Errorf("keep %v: record %d is an answer: %t", test.keep, record, x.Answered(record))
				}
			}
			if !slices.Equal(after.Columns[0].Floats, want) {
				t.Errorf("keep %v: the index reads %v, want %v", test.keep, after.Columns[0].Floats, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
