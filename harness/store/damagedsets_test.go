package store

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDamagedSets flips bits of part files and swaps pieces of them, within a file and
// between two: the rows that are read are right, or there is an error that names a file.
func TestDamagedSets(t *testing.T) {
	damages := 400
	if testing.Short() {
		damages = 60
	}
	dir := t.TempDir()
	want := map[string]int{}
	for i := range 3 {
		w := mustWriter(t, Options{Dir: dir, Attempt: fmt.Sprintf("a%06d-x", i+1), Schema: setSchema})
		for k := range 3 {
			key := fmt.Sprint("set ", i, k)
			want[key] = 40 + 7*k
			b := w.NewBatch()
			mustAppendSet(t, b, key, want[key])
			if err := b.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	checkDamages(t, dir, damages, func() ([32]byte, error) {
		var hash [32]byte
		err := WithSets(dir, "of", "of", nil, func(s *Sets) error {
			all := make([]int, s.Len())
			for i := range all {
				all[i] = i
			}
			return s.Each(all, func(table *Table) error { hash = table.Hash(); return nil })
		})
		return hash, err
	})
}

// checkDamages damages the parts of a dataset, each time anew, and reads it: the hash is
// that of the whole one, or the error names a file.
func checkDamages(t *testing.T, dir string, damages int, read func() ([32]byte, error)) {
	t.Helper()
	whole, err := read()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, name := range listDir(t, dir) {
		files[name] = mustRead(t, filepath.Join(dir, name))
	}
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range files {
			if !yield(name) {
				return
			}
		}
	})
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	refused := 0
	for n := range damages {
		a, b := names[r.IntN(len(names))], names[r.IntN(len(names))]
		x, y := bytes.Clone(files[a]), bytes.Clone(files[b])
		switch n % 3 {
		case 0: // a bit
			x[r.IntN(len(x))] ^= 1 << r.IntN(8)
		case 1: // two pieces of a file
			long := 1 + r.IntN(200)
			i, k := r.IntN(len(x)-long), r.IntN(len(x)-long)
			first, second := bytes.Clone(x[i:i+long]), bytes.Clone(x[k:k+long])
			copy(x[i:], second)
			copy(x[k:], first)
		case 2: // pieces of two files at one place
			long := 1 + r.IntN(min(len(x), len(y))-1)
			i := r.IntN(min(len(x), len(y)) - long)
			part := bytes.Clone(x[i : i+long])
			copy(x[i:i+long], y[i:i+long])
			copy(y[i:i+long], part)
		}
		write := func(name string, content []byte) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if write(a, x); a != b && n%3 == 2 {
			write(b, y)
		}
		hash, err := read()
		switch {
		case err != nil && !strings.Contains(err.Error(), dir):
			t.Fatalf("seed %d, damage %d: error without a file: %v", seed, n, err)
		case err != nil:
			refused++
		case hash != whole:
			t.Fatalf("seed %d, damage %d of kind %d: the rows are others, and no error", seed, n, n%3)
		}
		write(a, files[a])
		write(b, files[b])
	}
	if refused < damages/3 {
		t.Fatalf("%d of %d damages were noticed", refused, damages)
	}
}

// TestDamagedParts is TestDamagedSets of rows that are no sets.
func TestDamagedParts(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		writeSequence(t, Options{Dir: dir, Attempt: fmt.Sprintf("a%06d-x", i+1)}, 100*i, 100*i+100)
	}
	checkDamages(t, dir, 400, func() ([32]byte, error) {
		table, err := Scan(dir, ScanOptions{Records: Records{Key: "id"}})
		if err != nil {
			return [32]byte{}, err
		}
		return table.Hash(), nil
	})
}
