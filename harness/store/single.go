package store

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// FileWriter writes one table to one file, such as the jobs of one simulation:
// Parquet or CSV by the extension of its name. Rows are streamed (a row group
// is buffered at most), and the file appears complete or not at all; a file of
// that name is replaced.
type FileWriter struct {
	buf     *columnBuffers
	meta    map[string]string
	parquet *parquetFile // or nil
	csv     *atomicFile  // or nil
	line    []byte
	rows    int
	done    error // the reason why no row can be appended any more
}

// CreateFile begins a file. The folder is made when it is missing. Meta goes
// into the footer of a Parquet file; a CSV file has no place for it.
func CreateFile(path string, s Schema, meta map[string]string) (*FileWriter, error) {
	return createFile(osFiles{}, path, s, meta)
}

func createFile(files fileSystem, path string, s Schema, meta map[string]string) (*FileWriter, error) {
	if err := errors.Join(s.Validate(), checkMeta(meta)); err != nil {
		return nil, fmt.Errorf("store: file %s: %w", path, err)
	}
	ext := strings.ToLower(filepath.Ext(path))
	if ext != ".parquet" && ext != ".csv" {
		return nil, fmt.Errorf("store: file %s: unknown extension %q: use .parquet or .csv", path, ext)
	}
	w := &FileWriter{buf: newColumnBuffers(slices.Clone(s)), meta: meta}
	temp := uniqueTemp(path)
	var err error
	if ext == ".parquet" {
		w.parquet, err = createParquet(files, path, temp, w.buf)
	} else if w.csv, err = createAtomic(files, path, temp, shared); err == nil {
		_, err = w.csv.Write(appendHeader(nil, s))
	}
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Append adds a row. A *RowError means that only this row was refused; after
// any other error the file is gone.
func (w *FileWriter) Append(row *Row) error {
	if w.done != nil {
		return w.done
	}
	if err := w.buf.accept(row); err != nil {
		return &RowError{Dir: w.path(), Err: err}
	}
	w.rows++
	if w.csv != nil {
		w.line = row.appendCSV(w.line[:0])
		if _, err := w.csv.Write(w.line); err != nil {
			w.done = w.csv.failed(err)
		}
		return w.done
	}
	w.buf.append(row)
	if w.buf.rows < DefaultRowsPerPart && w.buf.text < maxBufferedText {
		return nil
	}
	return w.group()
}

func (w *FileWriter) group() error {
	if w.buf.rows == 0 {
		return nil
	}
	w.done = w.parquet.write(w.buf)
	w.buf.reset()
	return w.done
}

// Close makes the file appear under its name. The same rows, schema and meta make the same
// file, byte for byte.
func (w *FileWriter) Close() error {
	f := footer{meta: w.meta, segments: []segment{{Shard: "0-of-1", Attempt: "file", Rows: w.rows}}}
	if w.parquet != nil && w.done == nil {
		if err := w.group(); err != nil {
			return err
		}
		var err error
		if f.part, err = w.parquet.contentID(f); err != nil {
			w.Abort()
			return err
		}
	}
	return w.closeWith(f, true)
}

func (w *FileWriter) closeWith(f footer, replace bool) error {
	if w.done != nil {
		return w.done
	}
	if w.csv != nil {
		w.done = w.csv.commit(replace)
	} else if w.done = w.group(); w.done == nil {
		w.done = w.parquet.finish(f, replace)
	}
	if w.done != nil {
		return w.done
	}
	w.done = fmt.Errorf("store: file %s is closed", w.path())
	return nil
}

// Abort removes the file as far as it was written. After Close it does nothing.
func (w *FileWriter) Abort() {
	if w.done != nil {
		return
	}
	w.done = fmt.Errorf("store: file %s was given up", w.path())
	if w.csv != nil {
		w.csv.abort()
	} else {
		w.parquet.abort()
	}
}

func (w *FileWriter) path() string {
	if w.csv != nil {
		return w.csv.final
	}
	return w.parquet.final
}

// Write appends the rows of t; columns that t lacks are null. After an error the
// file is to be given up.
func (w *FileWriter) Write(t *Table) error { return t.EachRow(w.buf.schema, w.Append) }

// appendHeader begins RFC 4180 text with a header line and "\n" line ends. Floats
// are written in the shortest form that reads back exactly, and as NaN, inf, -inf;
// null is an empty field and empty text a quoted one ("").
func appendHeader(b []byte, s Schema) []byte {
	for i, c := range s {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendField(b, c.Name)
	}
	return append(b, '\n')
}

func (r *Row) appendCSV(b []byte) []byte {
	for i := range r.cells {
		if i > 0 {
			b = append(b, ',')
		}
		c := &r.cells[i]
		if !c.Set {
			continue
		}
		switch r.schema[i].Type {
		case Float64:
			b = AppendFloat(b, math.Float64frombits(c.Bits))
		case Int64, Int32:
			b = strconv.AppendInt(b, int64(c.Bits), 10)
		case Bool:
			b = strconv.AppendBool(b, c.Bits != 0)
		default:
			b = appendField(b, c.Text)
		}
	}
	return append(b, '\n')
}

func AppendFloat(b []byte, v float64) []byte {
	switch {
	case math.IsInf(v, 1):
		return append(b, "inf"...)
	case math.IsInf(v, -1):
		return append(b, "-inf"...)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

func appendField(b []byte, s string) []byte {
	if s != "" && !strings.ContainsAny(s, ",\"\r\n") && s[0] != ' ' && s[len(s)-1] != ' ' {
		return append(b, s...)
	}
	b = append(b, '"')
	for i := range len(s) {
		if s[i] == '"' {
			b = append(b, '"')
		}
		b = append(b, s[i])
	}
	return append(b, '"')
}
