package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/schema"
)

// part holds the checked facts in the footer of a complete part.
type part struct {
	path   string
	schema Schema
	rows   int
	file   *summedFile // which the reader of the part reads; nil once it is closed
	said   uint64      // hash of the keys and values of the footer, in this process
	pairs  uint32      // their checksum
	bytes  int         // of the footer
	kept   *keptFooter // of the last time; nil where the footer is parsed each time that the file is opened
	footer
}

// keptFooter is a footer that was parsed and checked. It takes some six times its bytes.
type keptFooter struct {
	of     fs.FileInfo
	meta   *metadata.FileMetaData
	chunks map[int64]chunkSum
}

// openPart opens a part file and checks its footer against itself, the schema
// and the file's size. The caller closes the reader. A footer that the part before
// keeps of the same file is not read again, nor the texts of one that says the same.
func openPart(path string, before *part) (p *part, rd *file.Reader, problem *Problem) {
	f, err := OpenRegular(path)
	if err != nil {
		return nil, nil, &Problem{path, Unreadable, err}
	}
	var kept *keptFooter
	if before != nil {
		kept = before.kept
	}
	is, err := f.Stat()
	if err != nil {
		kept = nil
	}
	if kept != nil && os.SameFile(is, kept.of) && is.Size() == kept.of.Size() && is.ModTime().Equal(kept.of.ModTime()) {
		again := *before
		again.file = &summedFile{ReaderAtSeeker: f, chunks: kept.chunks}
		if rd, err = file.NewParquetReader(again.file, readProps, file.WithMetadata(kept.meta)); err == nil {
			return &again, rd, nil
		}
		problem = again.file.problem(path, Damaged, err)
	} else if p, rd, problem = readPart(path, f, before); problem == nil && err == nil {
		p.kept = &keptFooter{is, rd.MetaData(), p.file.chunks}
	}
	if problem != nil {
		_ = f.Close() // nothing was written
	}
	return p, rd, problem
}

var readProps = file.WithReadProps(parquet.NewReaderProperties(&pageAllocator{}))

// readFooter returns a part that keeps its footer: the first reader of its rows need not parse it again.
func readFooter(path string) (*part, *Problem) {
	p, rd, problem := openPart(path, nil)
	if problem == nil {
		p.file = nil
		if err := rd.Close(); err != nil {
			problem = &Problem{path, Unreadable, err}
		}
	}
	return p, problem
}

// readPart is openPart on an open file, which rd closes if it can be closed.
func readPart(path string, f parquet.ReaderAtSeeker, before *part) (p *part, rd *file.Reader, problem *Problem) {
	summed := &summedFile{ReaderAtSeeker: f}
	size, err := checkFrame(summed)
	if err != nil {
		return nil, nil, summed.problem(path, Truncated, err)
	}
	err = guard(func() error {
		rd, err = file.NewParquetReader(summed, readProps)
		if err != nil {
			return err
		}
		p, err = checkFooter(path, rd, size, summed, before)
		return err
	})
	if err == nil {
		p.file = summed
		return p, rd, nil
	}
	if !errors.As(err, &problem) {
		problem = summed.problem(path, Damaged, err)
	}
	return nil, nil, problem
}

// checkFrame looks for the marks at both ends of a complete Parquet file and
// for a footer that fits between them.
func checkFrame(f parquet.ReaderAtSeeker) (size int64, err error) {
	const mark = "PAR1"
	if size, err = f.Seek(0, io.SeekEnd); err != nil {
		return 0, err
	}
	if size < 12 {
		return 0, fmt.Errorf("%d bytes are too few for a Parquet file", size)
	}
	var head [4]byte
	var tail [8]byte
	if _, err = f.ReadAt(head[:], 0); err != nil {
		return 0, err
	}
	if _, err = f.ReadAt(tail[:], size-8); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	if string(head[:]) != mark {
		return 0, errors.New("the Parquet mark at its beginning is missing")
	}
	if string(tail[4:]) != mark {
		return 0, errors.New("the Parquet mark at its end is missing: the file was cut or is no Parquet file")
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:4])); n > size-12 {
		return 0, fmt.Errorf("its footer of %d bytes does not fit into %d bytes", n, size)
	}
	return size, nil
}

var seedOfFooters = maphash.MakeSeed()

func checkFooter(path string, rd *file.Reader, size int64, f *summedFile, before *part) (*part, error) {
	kv := rd.MetaData().KeyValueMetadata()
	var said maphash.Hash
	said.SetSeed(seedOfFooters)
	sum := ""
	for i, k := range kv.Keys() {
		for _, text := range []string{k, kv.Values()[i]} {
			_ = binary.Write(&said, binary.LittleEndian, int64(len(text))) // it never fails
			_, _ = said.WriteString(text)
		}
		if k == keySums {
			sum = kv.Values()[i]
		}
	}
	p := &part{path: path, said: said.Sum64(), bytes: rd.MetaData().Size()}
	if before != nil && before.said == p.said {
		p.schema, p.footer, p.pairs = before.schema, before.footer, before.pairs
	} else if err := p.readTexts(kv); err != nil {
		return nil, err
	}
	if err := p.checkColumns(rd.MetaData().Schema); err != nil {
		return nil, err
	}
	if err := p.checkRows(rd, size); err != nil {
		return nil, err
	}
	return p, f.expect(sum, p.pairs, rd)
}

// readTexts reads the keys and values of the footer, and makes their checksum.
func (p *part) readTexts(kv metadata.KeyValueMetadata) error {
	p.meta = map[string]string{}
	own := map[string]string{}
	var pairs sums
	for i, k := range kv.Keys() {
		if k != keySums {
			pairs.add(k, kv.Values()[i])
		}
		switch v := kv.Values()[i]; {
		case k == keyArrow:
		case len(k) > len(keyReserved) && k[:len(keyReserved)] == keyReserved:
			own[k] = v
		default:
			p.meta[k] = v
		}
	}
	switch v, ok := own[keyFormat]; {
	case !ok:
		return &Problem{p.path, Foreign, fmt.Errorf("footer key %s is missing", keyFormat)}
	case v != formatVersion:
		return &Problem{p.path, Foreign, fmt.Errorf("format version %q, this program reads %s", v, formatVersion)}
	}
	p.part = own[keyPart]
	for _, entry := range []struct {
		key  string
		into any
	}{{keySchema, &p.schema}, {keySegments, &p.segments}, {keySources, &p.sources}} {
		text, ok := own[entry.key]
		if !ok && entry.key == keySources {
			continue
		}
		if err := json.Unmarshal([]byte(text), entry.into); err != nil {
			return fmt.Errorf("footer key %s: %w", entry.key, err)
		}
	}
	if err := p.schema.Validate(); err != nil {
		return err
	}
	if p.part == "" {
		return fmt.Errorf("footer key %s is missing", keyPart)
	}
	p.pairs = pairs.Pairs
	return nil
}

func (p *part) checkColumns(s *schema.Schema) error {
	if s.NumColumns() != len(p.schema) {
		return fmt.Errorf("%d Parquet columns, the footer describes %d", s.NumColumns(), len(p.schema))
	}
	for i, c := range p.schema {
		leaf := s.Column(i)
		var levels int16
		if c.Nullable {
			levels = 1
		}
		if leaf.Name() != c.Name || leaf.PhysicalType() != columnTypes[c.Type].physical || leaf.MaxDefinitionLevel() != levels ||
			leaf.MaxRepetitionLevel() != 0 {
			return fmt.Errorf("parquet column %d is %q %v, the footer describes %q %v", i, leaf.Name(), leaf.PhysicalType(), c.Name, c.Type)
		}
	}
	return nil
}

// checkRows makes the counts of row groups, column chunks and segments agree,
// and the chunks lie inside the file: nothing after it allocates more than the
// file can hold.
func (p *part) checkRows(rd *file.Reader, size int64) error {
	for g := range rd.NumRowGroups() {
		meta := rd.MetaData().RowGroup(g)
		n := meta.NumRows()
		if n < 0 || n > maxGroupRows || meta.NumColumns() != len(p.schema) {
			return fmt.Errorf("row group %d of %d rows and %d columns is none of ours", g, n, meta.NumColumns())
		}
		for i := range p.schema {
			c, err := meta.ColumnChunk(i)
			if err != nil {
				return fmt.Errorf("row group %d column %q: %w", g, p.schema[i].Name, err)
			}
			start, length := chunkStart(c), c.TotalCompressedSize()
			if c.NumValues() != n || start < 4 || length < 0 || length > size || start > size-length {
				return fmt.Errorf("row group %d column %q: %d values at byte %d, %d bytes long, contradict %d rows and %d bytes of file",
					g, p.schema[i].Name, c.NumValues(), start, length, n, size)
			}
		}
		p.rows += int(n)
	}
	if rd.NumRows() != int64(p.rows) {
		return fmt.Errorf("footer counts %d rows, its row groups %d", rd.NumRows(), p.rows)
	}
	sum := 0
	for _, s := range p.segments {
		if s.Rows < 0 || s.Rows > p.rows {
			return fmt.Errorf("segment of %d rows in a part of %d", s.Rows, p.rows)
		}
		sum += s.Rows
	}
	if sum != p.rows {
		return fmt.Errorf("segments count %d rows, the row groups %d", sum, p.rows)
	}
	return nil
}

func chunkStart(c *metadata.ColumnChunkMetaData) int64 {
	if c.HasDictionaryPage() && c.DictionaryPageOffset() > 0 {
		return min(c.DictionaryPageOffset(), c.DataPageOffset())
	}
	return c.DataPageOffset()
}

// pageAllocator bounds the memory that a damaged page header can request.
type pageAllocator struct{ memory.GoAllocator }

func (a *pageAllocator) Allocate(n int) []byte {
	if n > maxPageBytes {
		panic(fmt.Errorf("page of %d bytes, at most %d are possible", n, maxPageBytes))
	}
	return a.GoAllocator.Allocate(n)
}

func (a *pageAllocator) Reallocate(n int, b []byte) []byte {
	if n > maxPageBytes {
		panic(fmt.Errorf("page of %d bytes, at most %d are possible", n, maxPageBytes))
	}
	return a.GoAllocator.Reallocate(n, b)
}

// Part describes one complete part of a dataset.
type Part struct {
	Path   string
	Schema Schema
	Meta   map[string]string // provenance
}

// Parts returns the complete parts of the dataset in scan order, without their
// rows, and without leftovers that a merge has replaced.
func Parts(dir string) ([]Part, error) {
	parts, err := completeParts(dir)
	if err != nil {
		return nil, err
	}
	out := make([]Part, len(parts))
	for i, p := range parts {
		out[i] = p.public()
	}
	return out, nil
}

func (p *part) public() Part { return Part{p.path, p.schema, p.meta} }
