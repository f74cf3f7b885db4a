package store

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
)

// batchRows is the number of values that are decoded at once: small enough for the cache.
const batchRows = 4096

// scratch is the memory one decoding goroutine uses again and again.
type scratch struct {
	defs   [batchRows]int16
	floats [batchRows]float64
	longs  [batchRows]int64
	ints   [batchRows]int32
	bools  [batchRows]bool
	texts  [batchRows]parquet.ByteArray
	// Strings that were read and have no place yet: value k ends at arena[ends[k]]
	// and goes to row rows[k].
	arena []byte
	ends  []int
	rows  []int32
}

// dictionary numbers the texts of a Category column in the order in which they
// come. The first time, numbering its texts takes time in their number.
type dictionary struct {
	codes map[string]int32
	texts []string
}

func (d *dictionary) code(x []byte) int32 {
	if d.codes == nil {
		d.codes = make(map[string]int32)
		for code, text := range d.texts {
			d.codes[text] = int32(code)
		}
	}
	code, ok := d.codes[string(x)]
	if !ok {
		code = int32(len(d.texts))
		d.texts = append(d.texts, string(x))
		d.codes[d.texts[code]] = code
	}
	return code
}

// decodeGroup reads row group g of the part into the columns of t that the part has: row
// i of the group goes to row to[i], or nowhere where that is negative. The cells must be
// null there. The codes of a Category index its own of the dictionaries.
func decodeGroup(p *part, rd *file.Reader, g int, t *Table, to []int32, dicts []dictionary, s *scratch) error {
	if !slices.ContainsFunc(to, func(row int32) bool { return row >= 0 }) {
		return nil
	}
	for c := range t.Columns {
		v := &t.Columns[c]
		leaf := p.schema.Index(v.Name)
		if leaf < 0 {
			continue
		}
		if err := guard(func() error { return decodeChunk(p, rd, g, leaf, v, to, &dicts[c], s) }); err != nil {
			return fmt.Errorf("column %q: %w", v.Name, err)
		}
		s.placeStrings(v)
	}
	return nil
}

// decodeChunk reads the part's column leaf in row group g; strings wait in s for
// placeStrings. It may panic on damaged input.
func decodeChunk(p *part, rd *file.Reader, g, leaf int, v *Vector, to []int32, dict *dictionary, s *scratch) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("row group %d: %w", g, err)
		}
	}()
	s.arena, s.ends, s.rows = s.arena[:0], s.ends[:0], s.rows[:0]
	chunk, err := rd.RowGroup(g).Column(leaf)
	if err != nil {
		return err
	}
	nullable := p.schema[leaf].Nullable
	switch r := chunk.(type) {
	case *file.Float64ColumnChunkReader:
		return readChunk(r, nullable, s.defs[:], s.floats[:], to, v.Nulls, func(row int32, x float64) { v.Floats[row] = x })
	case *file.Int64ColumnChunkReader:
		return readChunk(r, nullable, s.defs[:], s.longs[:], to, v.Nulls, func(row int32, x int64) { v.Ints[row] = x })
	case *file.Int32ColumnChunkReader:
		return readChunk(r, nullable, s.defs[:], s.ints[:], to, v.Nulls, func(row int32, x int32) { v.Ints[row] = int64(x) })
	case *file.BooleanColumnChunkReader:
		return readChunk(r, nullable, s.defs[:], s.bools[:], to, v.Nulls, func(row int32, x bool) { v.Bools[row] = x })
	case *file.ByteArrayColumnChunkReader:
		if v.Type == String {
			return readChunk(r, nullable, s.defs[:], s.texts[:], to, v.Nulls, func(row int32, x parquet.ByteArray) {
				s.arena = append(s.arena, x...)
				s.ends, s.rows = append(s.ends, len(s.arena)), append(s.rows, row)
			})
		}
		var last []byte
		var code int32
		return readChunk(r, nullable, s.defs[:], s.texts[:], to, v.Nulls, func(row int32, x parquet.ByteArray) {
			if last == nil || !bytes.Equal(last, x) {
				last, code = x, dict.code(x)
			}
			v.Codes[row] = code
		})
	}
	return fmt.Errorf("unexpected column reader %T", chunk)
}

// placeStrings gives the collected values to their rows: one allocation for all
// of them.
func (s *scratch) placeStrings(v *Vector) {
	all, begin := string(s.arena), 0
	for k, row := range s.rows {
		v.Strings[row] = all[begin:s.ends[k]]
		begin = s.ends[k]
	}
}

type batchReader[T any] interface {
	ReadBatch(batchSize int64, values []T, defLevels, repLevels []int16) (total int64, valuesRead int, err error)
	HasNext() bool
	Err() error
}

// readChunk reads a column chunk. Row i goes to row to[i], unless that is
// negative: nulls is cleared there and set called where it has a value.
func readChunk[T any](r batchReader[T], nullable bool, defs []int16, values []T, to []int32, nulls []bool, set func(int32, T)) error {
	n := len(to)
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
			if at := to[row+i]; at >= 0 {
				nulls[at] = false
				set(at, values[k])
			}
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
