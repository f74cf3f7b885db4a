package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/klauspost/compress/zstd"
)

const (
	// maxGroupRows is the largest row group: readers take one at a time.
	maxGroupRows = 131_072
	// maxBufferedText is the text, in bytes, that makes a part or a row group full before its rows do.
	maxBufferedText = 256 << 20
	// dictionaryBytes is the size to which the dictionary of a Category column grows
	// before the rest of the row group is stored plain.
	dictionaryBytes = 16 << 20
)

// parquetFile writes one Parquet file through an atomicFile. It uses arrow's
// column writers directly: the path for arrow dictionaries takes time quadratic
// in the size of the dictionary, and runs goroutines whose panics no caller can
// recover.
type parquetFile struct {
	*atomicFile
	schema Schema
	writer *file.Writer
	sink   *summingSink
	sums   sums
	rows   int
}

func createParquet(files fileSystem, final, temp string, b *columnBuffers) (*parquetFile, error) {
	a, err := createAtomic(files, final, temp, shared)
	if err != nil {
		return nil, err
	}
	props := []parquet.WriterProperty{
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1),
		parquet.WithDictionaryDefault(false), parquet.WithDictionaryPageSizeLimit(dictionaryBytes),
		parquet.WithMaxRowGroupLength(maxGroupRows),
	}
	for _, c := range b.schema {
		if c.Type == Category {
			props = append(props, parquet.WithDictionaryPath(parquet.ColumnPath{c.Name}, true))
		}
	}
	// Arrow closes what it can close, before the sync; a sink that sums cannot.
	p := &parquetFile{atomicFile: a, schema: b.schema, sink: &summingSink{to: a}}
	if err := guard(func() error {
		wp := parquet.NewWriterProperties(props...)
		root, err := b.schema.root(wp)
		if err != nil {
			return err
		}
		p.writer = file.NewParquetWriter(p.sink, root, file.WithWriterProps(wp))
		return nil
	}); err != nil {
		return nil, a.failed(err)
	}
	return p, nil
}

// write adds the buffered rows in row groups of at most maxGroupRows. After an
// error the file is gone.
func (p *parquetFile) write(b *columnBuffers) error {
	err := guard(func() error {
		values := make([]int, len(b.cols)) // of each column, how many are written
		for from := 0; from < b.rows; from += maxGroupRows {
			to := min(from+maxGroupRows, b.rows)
			group := p.writer.AppendRowGroup()
			p.sink.take()
			for i := range b.cols {
				w, err := group.NextColumn()
				if err == nil {
					values[i], err = b.writeColumn(w, i, from, to, values[i])
				}
				if err == nil {
					err = w.Close()
				}
				if err != nil {
					return fmt.Errorf("column %q: %w", p.schema[i].Name, err)
				}
				p.sums.Chunks = append(p.sums.Chunks, p.sink.take())
			}
			if err := group.Close(); err != nil {
				return err
			}
		}
		return nil
	})
	if err = cmp.Or(p.err, err); err != nil { // err may tell of p.err again
		return p.failed(err)
	}
	p.rows += b.rows
	return nil
}

func (p *parquetFile) contentID(f footer) (string, error) {
	pairs, err := f.pairs(p.schema)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal([]any{p.sums.Chunks, pairs})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12]), err
}

// finish writes the footer and commits. After an error the file is gone.
func (p *parquetFile) finish(f footer, replace bool) error {
	pairs, err := f.pairs(p.schema)
	if err == nil {
		err = guard(func() error {
			var arrowSchema bytes.Buffer // a stream without records, as all implementations write it
			if err := ipc.NewWriter(&arrowSchema, ipc.WithSchema(p.schema.arrow())).Close(); err != nil {
				return err
			}
			pairs = append(pairs, [2]string{keyArrow, base64.StdEncoding.EncodeToString(arrowSchema.Bytes())})
			for _, kv := range pairs {
				p.sums.add(kv[0], kv[1])
			}
			text, err := json.Marshal(p.sums)
			if err != nil {
				return err
			}
			for _, kv := range append(pairs, [2]string{keySums, string(text)}) {
				if err := p.writer.AppendKeyValueMetadata(kv[0], kv[1]); err != nil {
					return err
				}
			}
			return p.writer.Close()
		})
	}
	if err == nil && p.writer.NumRows() != p.rows {
		err = fmt.Errorf("file holds %d rows of %d", p.writer.NumRows(), p.rows)
	}
	if err = cmp.Or(p.err, err); err != nil { // err may tell of p.err again
		return p.failed(err)
	}
	return p.commit(replace)
}

// guard turns a panic of the Parquet library into an error. The library panics
// on write errors and on damaged input; f must not start goroutines.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(error); ok {
				err = e
			} else {
				err = fmt.Errorf("%v", r)
			}
		}
	}()
	return f()
}

// maxPageBytes bounds what one compressed page may expand to when it is read
// (a damaged or hostile file must not fill the memory). Pages are written at
// about 1 MiB; one string of a page may be longer.
const maxPageBytes = 1 << 30

// pooledZstd is the zstd codec at level 1 with pooled encoders. The codec that
// arrow brings makes a new encoder for every page, which costs more than the
// compression itself and tens of gigabytes of garbage in a long run.
// Every frame carries a checksum, verified on reading. The streaming forms, which Parquet
// pages do not use, are arrow's.
type pooledZstd struct{ compress.Codec }

var (
	zstdEncoders = sync.Pool{New: func() any {
		e, err := zstd.NewWriter(nil, zstd.WithZeroFrames(true), zstd.WithEncoderLevel(zstd.SpeedFastest),
			zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
		if err != nil {
			panic(fmt.Sprintf("store: constant zstd encoder options refused: %v", err))
		}
		return e
	}}
	zstdDecoders = sync.Pool{New: func() any {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPageBytes))
		if err != nil {
			panic(fmt.Sprintf("store: constant zstd decoder options refused: %v", err))
		}
		return d
	}}
)

func init() {
	arrows, err := compress.GetCodec(compress.Codecs.Zstd)
	if err != nil {
		panic(fmt.Sprintf("store: arrow has no zstd: %v", err))
	}
	compress.RegisterCodec(compress.Codecs.Zstd, pooledZstd{arrows})
}

// EncodeLevel compresses src into dst. The level is always 1.
func (pooledZstd) EncodeLevel(dst, src []byte, _ int) []byte {
	e := zstdEncoders.Get().(*zstd.Encoder)
	defer zstdEncoders.Put(e)
	return e.EncodeAll(src, dst[:0])
}

// Decode expands src into dst. The interface has no error result, so damage is
// a panic, which the reader turns into an error at the file boundary.
func (pooledZstd) Decode(dst, src []byte) []byte {
	d := zstdDecoders.Get().(*zstd.Decoder)
	defer zstdDecoders.Put(d)
	out, err := d.DecodeAll(src, dst[:0])
	if err != nil {
		panic(fmt.Errorf("zstd page: %w", err))
	}
	return out
}
