package input

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"schedsweep/sim/workload/logtable"
	"schedsweep/sweep/text"
)

// parquetRows is a Parquet file of others as a table. Row groups are read one by one,
// and each column must give as many values as the footer says: a reader that misses
// some would lose jobs.
type parquetRows struct {
	name   string
	file   *parquet.File
	leaves []parquetLeaf
	use    []*parquetColumn
	cells  []logtable.Cell
	group  int // the next
	row    int // rows given out
	left   int64
	most   int64 // bytes of memory; 0 is no bound
}

// checkedRows is after how many rows the memory is looked at.
const checkedRows = 1 << 12

// parquetLeaf is a column of plain values.
type parquetLeaf struct {
	name string
	at   int // among the leaves of the file
	cell func(parquet.Value, *logtable.Cell)
}

type parquetColumn struct {
	parquetLeaf
	pages  parquet.Pages
	values parquet.ValueReader
	page   parquet.Page
	buf    [512]parquet.Value
	next   int
	have   int
}

const parquetRemedy = "write the file again with plain encodings (in Python: " +
	"pyarrow.parquet.write_table(pyarrow.parquet.read_table(file), other)), or as CSV"

// guard turns a panic of the reader into an error that names the file and the remedy.
func (p *parquetRows) guard(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s: row group %d cannot be read: %v: %s", p.name, p.group, r, parquetRemedy)
	}
}

// newParquet opens a file with trusted pages: a damaged page may state a run so long that the library takes gigabytes
// for it.
func newParquet(name string, f *os.File) (rows logtable.Rows, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return openParquet(name, f, info.Size())
}

func openParquet(name string, r io.ReaderAt, size int64) (_ *parquetRows, err error) {
	p := &parquetRows{name: name, most: ceiling()}
	defer p.guard(&err)
	// The library makes room for as large a footer as the last bytes say.
	end := make([]byte, min(8, max(size, 0)))
	if _, err := r.ReadAt(end, size-int64(len(end))); err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if text, ok := bytes.CutSuffix(end, []byte("PAR1")); ok && len(text) == 4 && int64(binary.LittleEndian.Uint32(text)) > size-8 {
		return nil, fmt.Errorf("%s: its footer would have %d bytes, the file has %d: it is damaged; fetch it again", name,
			binary.LittleEndian.Uint32(text), size)
	}
	if p.file, err = parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true)); err != nil {
		return nil, fmt.Errorf("%s: the Parquet footer cannot be read, the file may be incomplete: %w", name, err)
	}
	rows := int64(0)
	for _, g := range p.file.RowGroups() {
		rows += g.NumRows()
	}
	if rows != p.file.NumRows() {
		return nil, fmt.Errorf("%s: the footer counts %d rows and its row groups %d: the file is damaged", name, p.file.NumRows(), rows)
	}
	stored, _ := p.file.Lookup("ARROW:schema")
	elapsed := elapsedIn(stored)
	for at, path := range p.file.Schema().Columns() {
		leaf, ok := p.file.Schema().Lookup(path...)
		if !ok || leaf.MaxRepetitionLevel > 0 {
			continue // lists, such as of power
		}
		name, cell := strings.Join(path, "."), cellOf(leaf.Node.Type())
		if unit := elapsed[name]; unit > 0 && leaf.Node.Type().Kind() == parquet.Int64 {
			cell = scaled(unit, logtable.Elapsed)
		}
		if cell != nil {
			p.leaves = append(p.leaves, parquetLeaf{name, at, cell})
		}
	}
	return p, nil
}

// Columns implements [logtable.Rows]. Lists are none.
func (p *parquetRows) Columns() []string {
	return text.Each(p.leaves, func(l parquetLeaf) string { return l.name })
}

func (p *parquetRows) Use(columns []int, _ logtable.Fit, _ logtable.Found) {
	for _, c := range columns {
		p.use = append(p.use, &parquetColumn{parquetLeaf: p.leaves[c]})
	}
	p.cells = make([]logtable.Cell, len(columns))
}

func (p *parquetRows) Next() (cells []logtable.Cell, line int, err error) {
	defer p.guard(&err)
	for p.left == 0 {
		if err := p.close(); err != nil {
			return nil, 0, err
		}
		groups := p.file.RowGroups()
		if p.group == len(groups) {
			if int64(p.row) != p.file.NumRows() {
				return nil, 0, fmt.Errorf("%s: %d of %d rows were read: %s", p.name, p.row, p.file.NumRows(), parquetRemedy)
			}
			return nil, 0, io.EOF
		}
		g := groups[p.group]
		p.group++
		p.left = g.NumRows()
		for _, c := range p.use {
			chunk := g.ColumnChunks()[c.at]
			if n := chunk.NumValues(); n != p.left {
				return nil, 0, fmt.Errorf("%s: row group %d has %d rows, and its column %s %d values: %s", p.name, p.group, p.left, c.name, n,
					parquetRemedy)
			}
			c.pages = chunk.Pages()
		}
	}
	if p.most > 0 && p.row%checkedRows == 0 {
		if err := within(p.most); err != nil {
			return nil, 0, fmt.Errorf("%s: after row %d of %d: %w", p.name, p.row, p.file.NumRows(), err)
		}
	}
	p.left--
	p.row++
	for i, c := range p.use {
		v, err := c.value()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("it ends before its row group does")
			}
			return nil, 0, fmt.Errorf("%s: row group %d, column %s: %w: %s", p.name, p.group, c.name, err, parquetRemedy)
		}
		p.cells[i] = logtable.Cell{Kind: logtable.Null, Text: p.cells[i].Text[:0]}
		if !v.IsNull() {
			c.cell(v, &p.cells[i])
		}
	}
	return p.cells, p.row, nil
}

// close checks that the row group at hand has no values left over.
func (p *parquetRows) close() error {
	for _, c := range p.use {
		if c.pages == nil {
			continue
		}
		_, err := c.value()
		if cerr := c.pages.Close(); !errors.Is(err, io.EOF) {
			return errors.Join(fmt.Errorf("%s: row group %d: its column %s has more values than rows: %s", p.name, p.group, c.name, parquetRemedy),
				cerr)
		}
		parquet.Release(c.page)
		*c = parquetColumn{parquetLeaf: c.parquetLeaf}
	}
	return nil
}

func (c *parquetColumn) value() (parquet.Value, error) {
	for c.next == c.have {
		if c.values != nil {
			n, err := c.values.ReadValues(c.buf[:])
			c.next, c.have = 0, n
			if n > 0 {
				break
			}
			if err != nil && !errors.Is(err, io.EOF) {
				return parquet.Value{}, err
			}
			parquet.Release(c.page)
			c.values, c.page = nil, nil
		}
		page, err := c.pages.ReadPage()
		if err != nil {
			return parquet.Value{}, err
		}
		c.page, c.values = page, page.Values()
	}
	v := c.buf[c.next]
	c.next++
	return v, nil
}

// scaled returns the conversion of whole numbers of a unit in s.
func scaled(unit float64, kind logtable.Kind) func(parquet.Value, *logtable.Cell) {
	return func(v parquet.Value, c *logtable.Cell) {
		// Whole seconds first, so that they stay exact.
		n, per := v.Int64(), int64(1/unit+.5)
		c.Kind, c.Number = kind, float64(n/per)+float64(n%per)*unit
	}
}

// cellOf returns the conversion of values of a type to cells, nil where there is none.
func cellOf(t parquet.Type) func(parquet.Value, *logtable.Cell) {
	number := func(of func(parquet.Value) float64) func(parquet.Value, *logtable.Cell) {
		return func(v parquet.Value, c *logtable.Cell) { c.Kind, c.Number = logtable.Number, of(v) }
	}
	logical := t.LogicalType()
	if logical != nil {
		switch of := logical.Value.(type) {
		case *format.TimestampType:
			kind := logtable.LocalTime
			if of.IsAdjustedToUTC {
				kind = logtable.Time
			}
			switch of.Unit.Value.(type) {
			case *format.MilliSeconds:
				return scaled(1e-3, kind)
			case *format.MicroSeconds:
				return scaled(1e-6, kind)
			case *format.NanoSeconds:
				return scaled(1e-9, kind)
			}
			return nil
		case *format.DateType:
			return func(v parquet.Value, c *logtable.Cell) {
				c.Kind, c.Number = logtable.LocalTime, float64(v.Int32())*86400
			}
		case *format.TimeType:
			return nil
		case *format.DecimalType:
			return decimal(t.Kind(), int(of.Scale))
		case *format.IntType:
			switch {
			case of.IsSigned:
			case t.Kind() == parquet.Int32:
				return number(func(v parquet.Value) float64 { return float64(v.Uint32()) })
			case t.Kind() == parquet.Int64:
				return number(func(v parquet.Value) float64 { return float64(v.Uint64()) })
			}
		}
	}
	switch t.Kind() {
	case parquet.Boolean:
		return number(func(v parquet.Value) float64 {
			if v.Boolean() {
				return 1
			}
			return 0
		})
	case parquet.Int32:
		return number(func(v parquet.Value) float64 { return float64(v.Int32()) })
	case parquet.Int64:
		return number(func(v parquet.Value) float64 { return float64(v.Int64()) })
	case parquet.Int96:
		// Nanoseconds of a day and the Julian day, as old writers have times: on UTC.
		return func(v parquet.Value, c *logtable.Cell) {
			c.Kind, c.Number = logtable.Time, int96(v.Int96())
		}
	case parquet.Float:
		return number(func(v parquet.Value) float64 { return float64(v.Float()) })
	case parquet.Double:
		return number(parquet.Value.Double)
	case parquet.ByteArray:
		return func(v parquet.Value, c *logtable.Cell) {
			c.Kind, c.Text = logtable.Text, append(c.Text, v.ByteArray()...)
		}
	}
	return nil
}

func int96(v deprecated.Int96) float64 {
	const unixDay = 2440588 // of 1970-01-01 by Julian days
	nanos := int64(v[1])<<32 | int64(v[0])
	return float64(int64(v[2])-unixDay)*86400 + float64(nanos)/1e9
}

// decimal reads unscaled whole numbers, in two's complement where they are bytes.
func decimal(kind parquet.Kind, scale int) func(parquet.Value, *logtable.Cell) {
	if !slices.Contains([]parquet.Kind{parquet.Int32, parquet.Int64, parquet.ByteArray, parquet.FixedLenByteArray}, kind) || scale < 0 ||
		scale > 38 {
		return nil
	}
	return func(v parquet.Value, c *logtable.Cell) {
		var n big.Int
		switch kind {
		case parquet.Int32:
			n.SetInt64(int64(v.Int32()))
		case parquet.Int64:
			n.SetInt64(v.Int64())
		default:
			b := v.ByteArray()
			if n.SetBytes(b); len(b) > 0 && b[0]&0x80 != 0 {
				n.Sub(&n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
			}
		}
		x, err := strconv.ParseFloat(n.String()+"e-"+strconv.Itoa(scale), 64)
		if c.Kind, c.Number = logtable.Number, x; err != nil {
			c.Kind = logtable.Null
		}
	}
}
