package store

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
)

// sums are the checksums of a part. Those of its pages say that each is whole, these
// that it is the page of this place in this file.
type sums struct {
	// Chunks are the column chunks, row group by row group.
	Chunks []chunkSum `json:"chunks"`
	// Pairs is that of the keys and values of the footer.
	Pairs uint32 `json:"pairs"`
}

// chunkSum is the CRC-32C of the bytes from the beginning of a column chunk to
// that of the next.
type chunkSum struct {
	Bytes int64  `json:"n"`
	Sum   uint32 `json:"crc"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (s *sums) add(key, value string) {
	line := append(appendQuoted(nil, key), ' ')
	s.Pairs = crc32.Update(s.Pairs, castagnoli, append(appendQuoted(line, value), '\n'))
}

// appendQuoted is strconv.AppendQuote, in a third of the time for plain text. Footers have tens of kilobytes of it.
func appendQuoted(out []byte, text string) []byte {
	before := len(out)
	out = append(slices.Grow(out, len(text)+len(text)/4+3), '"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, '\\', 'n')
		case c < ' ' || c > '~':
			return strconv.AppendQuote(out[:before], text)
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

type summingSink struct {
	to io.Writer
	chunkSum
}

func (s *summingSink) Write(p []byte) (int, error) {
	n, err := s.to.Write(p)
	s.Bytes += int64(n)
	s.Sum = crc32.Update(s.Sum, castagnoli, p[:n])
	return n, err
}

func (s *summingSink) take() chunkSum {
	sum := s.chunkSum
	s.chunkSum = chunkSum{}
	return sum
}

// summedFile reads a part whose column chunks must have their sums.
type summedFile struct {
	parquet.ReaderAtSeeker
	chunks map[int64]chunkSum // by the byte at which they begin; nil: none are known
	failed error              // the first of the operating system, which does not depend on the contents of the file
}

// problem is that of the file: unreadable where reading it failed, and otherwise of that kind.
func (f *summedFile) problem(path string, kind Kind, err error) *Problem {
	if f.failed != nil {
		return &Problem{path, Unreadable, f.failed}
	}
	return &Problem{path, kind, err}
}

func (f *summedFile) read(b []byte, at int64) (int, error) {
	n, err := f.ReaderAtSeeker.ReadAt(b, at)
	f.note(err)
	return n, err
}

// Seek is that of the file.
func (f *summedFile) Seek(at int64, from int) (int64, error) {
	n, err := f.ReaderAtSeeker.Seek(at, from)
	f.note(err)
	return n, err
}

func (f *summedFile) note(err error) {
	if err != nil && f.failed == nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		f.failed = err
	}
}

// expect takes the sums that the footer says; want is that of its keys and values.
func (f *summedFile) expect(text string, want uint32, rd *file.Reader) error {
	var s sums
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return fmt.Errorf("footer key %s: %w", keySums, err)
	}
	if s.Pairs != want {
		return fmt.Errorf("footer key %s: the footer is not as it was written", keySums)
	}
	chunks := map[int64]chunkSum{}
	k := 0
	for g := range rd.NumRowGroups() {
		meta := rd.MetaData().RowGroup(g)
		for i := range meta.NumColumns() {
			c, err := meta.ColumnChunk(i)
			if err != nil {
				return err
			}
			start := chunkStart(c)
			if _, twice := chunks[start]; twice || k == len(s.Chunks) {
				return fmt.Errorf("row group %d column %d: there is no such column chunk at byte %d", g, i, start)
			}
			chunks[start] = s.Chunks[k]
			k++
		}
	}
	if k != len(s.Chunks) {
		return fmt.Errorf("footer key %s: %d column chunks of %d", keySums, k, len(s.Chunks))
	}
	f.chunks = chunks
	return nil
}

// ReadAt reads, once the sums are known, a column chunk and nothing else.
func (f *summedFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.read(b, at)
	if err != nil || f.chunks == nil {
		return n, err
	}
	want, ok := f.chunks[at]
	rest := want.Bytes - int64(n)
	if !ok || rest < 0 || rest > maxPageBytes {
		return 0, fmt.Errorf("no column chunk of %d bytes begins at byte %d", n, at)
	}
	sum := crc32.Update(0, castagnoli, b[:n])
	if rest > 0 { // the part of the file that describes the chunk
		more := make([]byte, rest)
		if _, err := f.read(more, at+int64(n)); err != nil {
			return 0, err
		}
		sum = crc32.Update(sum, castagnoli, more)
	}
	if sum != want.Sum {
		return 0, fmt.Errorf("the %d bytes from byte %d on are not as they were written", want.Bytes, at)
	}
	return n, nil
}

func (f *summedFile) Close() error {
	if c, ok := f.ReaderAtSeeker.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Hash returns a digest of the table's content that does not depend on the
// order of rows or columns, on part files, merges or dictionaries: SHA-256 of
// the columns' names and types in name order, then of the rows as CSV, in order.
// 0 and -0 differ, null differs from every value, repeated rows count.
// Columns named in exclude (wall time, attempt, host) are left out. O(rows log rows).
func (t *Table) Hash(exclude ...string) [32]byte {
	schema := slices.DeleteFunc(t.Schema(), func(c Column) bool { return slices.Contains(exclude, c.Name) })
	slices.SortFunc(schema, func(a, b Column) int { return strings.Compare(a.Name, b.Name) })
	var rows []string
	_ = t.EachRow(schema, func(r *Row) error { // whose columns are the table's
		rows = append(rows, string(r.appendCSV(nil)))
		return nil
	})
	slices.Sort(rows)
	var all []byte
	for _, c := range schema {
		all = fmt.Appendf(all, "%q %v\n", c.Name, c.Type)
	}
	return sha256.Sum256(append(all, strings.Join(rows, "")...))
}
