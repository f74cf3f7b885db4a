package store

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
)

// batchRows is how many values are decoded at once: small enough for the cache.
const batchRows = 4096

// scratch is the memory one decoding goroutine uses again and again.
type scratch struct {
	defs   [batchRows]int16
	floats [batchRows]float64
	longs  [batchRows]int64
	ints   [batchRows]int32
	bools  [batchRows]bool
	texts  [batchRows]parquet.ByteArray
	arena  []byte
	ends   []int
}

// decodeColumn reads the part's column leaf into rows [at, at+p.rows) of v,
// whose Nulls must all be true there. For a Category it returns the part's own
// dictionary: v.Codes then index that one. It may panic on damaged input.
func decodeColumn(p *part, rd *file.Reader, leaf int, v *Vector, at int, s *scratch) (dict []string, err error) {
	nullable := p.schema[leaf].Nullable
	var codes map[string]int32
	s.arena, s.ends = s.arena[:0], s.ends[:0]
	start := at
	for g := range rd.NumRowGroups() {
		group := rd.RowGroup(g)
		chunk, err := group.Column(leaf)
		if err != nil {
			return nil, fmt.Errorf("row group %d: %w", g, err)
		}
		n := int(group.NumRows())
		switch r := chunk.(type) {
		case *file.Float64ColumnChunkReader:
			err = readChunk(r, n, nullable, s.defs[:], s.floats[:], v.Nulls[at:at+n], func(i int, x float64) { v.Floats[at+i] = x })
		case *file.Int64ColumnChunkReader:
			err = readChunk(r, n, nullable, s.defs[:], s.longs[:], v.Nulls[at:at+n], func(i int, x int64) { v.Ints[at+i] = x })
		case *file.Int32ColumnChunkReader:
			err = readChunk(r, n, nullable, s.defs[:], s.ints[:], v.Nulls[at:at+n], func(i int, x int32) { v.Ints[at+i] = int64(x) })
		case *file.BooleanColumnChunkReader:
			err = readChunk(r, n, nullable, s.defs[:], s.bools[:], v.Nulls[at:at+n], func(i int, x bool) { v.Bools[at+i] = x })
		case *file.ByteArrayColumnChunkReader:
			if v.Type == String {
				err = readChunk(r, n, nullable, s.defs[:], s.texts[:], v.Nulls[at:at+n], func(_ int, x parquet.ByteArray) {
					s.arena = append(s.arena, x...)
					s.ends = append(s.ends, len(s.arena))
				})
				break
			}
			if codes == nil {
				codes = make(map[string]int32)
			}
			var last []byte
			var code int32
			err = readChunk(r, n, nullable, s.defs[:], s.texts[:], v.Nulls[at:at+n], func(i int, x parquet.ByteArray) {
				if last == nil || !bytes.Equal(last, x) {
					known, ok := codes[string(x)]
					if !ok {
						known = int32(len(dict))
						dict = append(dict, string(x))
						codes[dict[known]] = known
					}
					last, code = x, known
				}
				v.Codes[at+i] = code
			})
		default:
			err = fmt.Errorf("unexpected column reader %T", chunk)
		}
		if err != nil {
			return nil, fmt.Errorf("row group %d: %w", g, err)
		}
		at += n
	}
	if v.Type == String {
		s.placeStrings(v, start, at)
	}
	return dict, nil
}

// placeStrings gives the collected values to the rows that are not null: one
// allocation for all of them.
func (s *scratch) placeStrings(v *Vector, from, to int) {
	all, begin, k := string(s.arena), 0, 0
	for i := from; i < to; i++ {
		if !v.Nulls[i] {
			v.Strings[i] = all[begin:s.ends[k]]
			begin, k = s.ends[k], k+1
		}
	}
}

type batchReader[T any] interface {
	ReadBatch(batchSize int64, values []T, defLevels, repLevels []int16) (total int64, valuesRead int, err error)
	HasNext() bool
	Err() error
}

// readChunk reads the n rows of a column chunk, clears nulls[i] of each row
// that has a value, and passes the value to set.
func readChunk[T any](r batchReader[T], n int, nullable bool, defs []int16, values []T, nulls []bool, set func(int, T)) error {
	if !nullable {
		defs = nil
	}
	for row := 0; row < n; {
		want := min(batchRows, n-row)
		total, got, err := r.ReadBatch(int64(want), values[:want], defs, nil)
		if err == nil {
			err = r.Err()
		}
		if err != nil {
			return fmt.Errorf("at row %d: %w", row, err)
		}
		if total <= 0 || total > int64(want) || got > int(total) {
			return fmt.Errorf("%d rows of %d are there", row, n)
		}
		k := 0
		for i := range int(total) {
			if nullable && defs[i] == 0 {
				continue
			}
			if k == got {
				break
			}
			nulls[row+i] = false
			set(row+i, values[k])
			k++
		}
		if present := countPresent(defs, int(total)); k != got || present != got {
			return fmt.Errorf("after row %d: %d values for %d rows that have one", row, got, present)
		}
		row += int(total)
	}
	if r.HasNext() {
		return fmt.Errorf("more than %d rows are there", n)
	}
	return r.Err()
}

func countPresent(defs []int16, n int) int {
	if defs == nil {
		return n
	}
	k := 0
	for _, d := range defs[:n] {
		k += int(d)
	}
	return k
}
