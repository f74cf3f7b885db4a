package store

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"pgregory.net/rapid"
)

// TestBatchesStayWhole writes sets of any sizes through writers beside one another,
// flushes at any moment and merges: every set is whole, in one part, and reads back bit
// for bit; one that is discarded leaves nothing.
func TestBatchesStayWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		defer os.RemoveAll(dir)
		first := mustWriter(t, Options{Dir: dir, Attempt: "a000001-x", Schema: setSchema,
			rowsPerPart: rapid.IntRange(1, 300).Draw(rt, "rows per part")})
		writers := []*Writer{first, first.Beside(), first.Beside()}
		want := map[string]int{}
		for i := range rapid.IntRange(1, 10).Draw(rt, "sets") {
			w := writers[rapid.IntRange(0, 2).Draw(rt, "writer")]
			key, rows := fmt.Sprintf("set-%d", i), rapid.IntRange(1, 90).Draw(rt, "rows")
			b := w.NewBatch()
			mustAppendSet(t, b, key, rows)
			if rapid.IntRange(0, 4).Draw(rt, "discarded") == 0 {
				b.Discard()
			} else if err := b.Commit(); err != nil {
				rt.Fatal(err)
			} else {
				want[key] = rows
			}
			if rapid.IntRange(0, 3).Draw(rt, "flush") == 0 {
				if err := FlushTogether(writers); err != nil {
					rt.Fatal(err)
				}
			}
		}
		if err := FlushTogether(writers); err != nil {
			rt.Fatal(err)
		}
		if len(want) == 0 {
			return
		}
		checkSets(t, dir, len(want), want)
		if _, err := Merge(dir, MergeOptions{rowsPerPart: 500}); err != nil {
			rt.Fatal(err)
		}
		checkSets(t, dir, len(want), want)
	})
}

// TestLargeBatch: a set larger than a row group goes into a part of its own as it grows, through a buffer of bounded size. It is
// not visible before it is complete.
func TestLargeBatch(t *testing.T) {
	dir := t.TempDir()
	w := mustWriter(t, Options{Dir: dir, Attempt: "a000001-x", Schema: setSchema})
	b := w.NewBatch()
	row := setSchema.NewRow()
	const rows = 5*DefaultRowsPerPart/2 + 1
	for k := range rows {
		fillSet(row, "large", k)
		if err := b.Append(row); err != nil {
			t.Fatal(err)
		}
		if b.buf.rows > DefaultRowsPerPart {
			t.Fatalf("%d rows in memory", b.buf.rows)
		}
	}
	small := w.NewBatch()
	mustAppendSet(t, small, "small", 7)
	if err := errors.Join(small.Commit(), w.Flush()); err != nil {
		t.Fatal(err)
	}
	checkSets(t, dir, 1, map[string]int{"small": 7})
	if err := b.Commit(); err != nil {
		t.Fatal(err)
	}
	mustAppendSet(t, b, "lost", DefaultRowsPerPart+1)
	b.Discard()
	checkSets(t, dir, 2, map[string]int{"small": 7, "large": rows})
	if left := listDir(t, dir); len(left) != 2 {
		t.Fatalf("files: %v", left)
	}
}
