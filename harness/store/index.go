package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Records joins the rows that belong to one record, and selects the one that counts: an
// answer before a row without one, then the later attempt.
type Records struct {
	Key string // column that names the record a row belongs to: text or a whole number; "": every row is one
	// Status is the column, of text, that says how an attempt at a record ended,
	// and Answered what it says of an answer; without it every row is one.
	Status, Answered string
	// Answer chooses the columns in which all answers to one record must agree, bit
	// for bit; nil chooses none. A part without the column says nothing about it.
	Answer func(Column) bool
	// Partial is a column that marks a row whose nulls may be values that the run did not compute; "" for none.
	Partial string
	// Writer is the key of the provenance that names the program that wrote a part,
	// for the message about two answers that disagree.
	Writer string
}

// marks are the columns that every part has.
func (r Records) marks() []string {
	return slices.DeleteFunc([]string{r.Key, r.Status}, func(name string) bool { return name == "" })
}

// Index knows of each record of a dataset which row counts. It takes 30 to 35 bytes a
// row, and 4 once the keys are forgotten. Records are numbered from 0, in no meaningful order.
type Index struct {
	dir     string
	parts   []*part
	schema  Schema
	entries []entry // one a record; in file order where no record has several rows
	keys    Lookup  // of the entries
	places  []place // in their stead, once the keys are forgotten
	rows    int
	reading sync.Mutex
	to      []int32 // scratch of Read: all negative in between
	// Repeated rows hold the answer of another once more. Superseded rows have no
	// answer and another of their record beside them. Neither counts.
	Repeated, Superseded int
}

type entry struct {
	key  [16]byte // digest of the key
	rank uint32   // in order of precedence: the highest of a key counts
	row  int32    // in file order
}

const answered = 1 << 31 // bit of a rank and of a place

// place is the row of an entry, and whether it is an answer.
type place uint32

func (e entry) place() place { return place(uint32(e.row) | e.rank&answered) }

func (x *Index) at(record int32) place {
	if x.places != nil {
		return x.places[record]
	}
	return x.entries[record].place()
}

func (p place) row() int32 { return int32(p &^ answered) }

// Keep frees the memory of what Find and Ordered need, which must not be called any more. The index then has
// these records: record i was records[i] before. Nil: all, with their numbers.
func (x *Index) Keep(records []int32) {
	n := len(records)
	if records == nil {
		n = len(x.entries)
	}
	x.places = make([]place, n)
	for i := range x.places {
		record := i
		if records != nil {
			record = int(records[i])
		}
		x.places[i] = x.entries[record].place()
	}
	x.entries, x.keys = nil, Lookup{}
}

func (x *Index) needKeys() {
	if x.places != nil {
		panic("store: the keys of this index are forgotten")
	}
}

// WithIndex calls fn with an index of the dataset. Where a merge takes files away
// meanwhile it does so again.
func WithIndex(dir string, r Records, fn func(*Index) error) error {
	return untilSettled(dir, func() error {
		parts, schema, err := listDataset(dir, r.marks()...)
		if err != nil {
			return err
		}
		x, err := newIndex(dir, parts, schema, r)
		if err != nil {
			return err
		}
		return fn(x)
	})
}

// newIndex reads the key and the status of every row, and where a record has
// several answers their columns. O(rows), and O(rows log rows) where a record has several.
func newIndex(dir string, parts []*part, schema Schema, r Records) (*Index, error) {
	x := &Index{dir: dir, parts: parts, schema: schema}
	for _, p := range parts {
		x.rows += p.rows
	}
	if x.rows > math.MaxInt32 { // of which positions are
		return nil, fmt.Errorf("store: %s holds %d rows, one scan takes at most %d: scan fewer parts", filepath.Clean(dir), x.rows, math.MaxInt32)
	}
	if x.rows == 0 {
		return x, nil
	}
	x.entries = make([]entry, x.rows)
	ranks := precedence(parts)
	if r.Key == "" {
		for row := range x.entries {
			x.entries[row] = entry{rank: uint32(ranks.of(row)), row: int32(row)}
		}
		return x, nil
	}
	columns, err := choose(dir, schema, r.marks())
	if err != nil {
		return nil, err
	}
	if t := columns[0].Type; !t.isText() && t != Int64 && t != Int32 {
		return nil, fmt.Errorf("store: dataset %s: column %q cannot be the key: it is %v; a key is text or a whole number", dir, r.Key, t)
	}
	starts, errs := startsOf(parts), make([]error, len(parts))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for k, p := range parts {
		g.Go(func() error {
			errs[k] = eachGroup(p, columns, func(t *Table, first int) error {
				for i := range t.Rows {
					if t.Columns[0].IsNull(i) {
						return fmt.Errorf("store: %s: row %d has no %s", p.path, first+i, r.Key)
					}
					at := starts[k] + first + i
					e := entry{key: digest(t.Columns[0].Text(i)), rank: uint32(ranks.of(at)), row: int32(at)}
					if r.Status == "" || t.Columns[1].Text(i) == r.Answered {
						e.rank |= answered
					}
					x.entries[at] = e
				}
				return nil
			})
			return nil
		})
	}
	_ = g.Wait()
	if at := slices.IndexFunc(errs, func(err error) bool { return err != nil }); at >= 0 { // of the same part each time
		return nil, errs[at]
	}
	if x.hash() {
		return x, nil
	}
	slices.SortFunc(x.entries, func(a, b entry) int { return cmp.Or(bytes.Compare(a.key[:], b.key[:]), cmp.Compare(a.rank, b.rank)) })
	twins := x.decide()
	x.hash()
	if r.Answer == nil || len(twins) == 0 {
		return x, nil
	}
	return x, x.disagreements(twins, r)
}

// hash makes the entries known by their keys. It is false where two have one key.
func (x *Index) hash() (distinct bool) {
	x.keys, distinct = NewLookup(len(x.entries), func(i int) *[16]byte { return &x.entries[i].key })
	return distinct
}

// digest is the form by which a key is found: the bytes that 32 small hexadecimal digits stand for, and of other texts a hash.
func digest(key string) (d [16]byte) {
	if len(key) == 2*len(d) && key == strings.ToLower(key) {
		if _, err := hex.Decode(d[:], []byte(key)); err == nil {
			return d
		}
	}
	sum := sha256.Sum256([]byte(key))
	return [16]byte(sum[:16])
}

type twin struct {
	row    int32
	record int32 // they are numbered
}

// decide keeps the last entry of each record, counts the others, and returns the
// answers of records that have several, in file order.
func (x *Index) decide() []twin {
	var twins []twin
	kept := x.entries[:0]
	several := int32(0)
	for i := 0; i < len(x.entries); {
		end, answers := i, 0
		for end < len(x.entries) && x.entries[end].key == x.entries[i].key {
			if x.entries[end].rank&answered != 0 {
				answers++
			}
			end++
		}
		x.Superseded += end - i - max(1, answers)
		if answers > 1 {
			x.Repeated += answers - 1
			for _, e := range x.entries[end-answers : end] {
				twins = append(twins, twin{e.row, several})
			}
			several++
		}
		last := x.entries[end-1]
		kept = append(kept, last)
		i = end
	}
	x.entries = kept
	slices.SortFunc(twins, func(a, b twin) int { return int(a.row - b.row) })
	return twins
}

func (x *Index) Len() int { return max(len(x.entries), len(x.places)) }

// Find returns the record of that key. It takes the same time however many records there are.
func (x *Index) Find(key string) (record int, ok bool) {
	x.needKeys()
	return x.keys.Find(digest(key))
}

// Finder is Find by the 16 bytes of keys of 32 hexadecimal digits, quicker where keys mostly come in the order of the files.
func (x *Index) Finder() func(key [16]byte) (record int, ok bool) {
	x.needKeys()
	return x.keys.Finder()
}

// Answered reports whether the row that counts is an answer.
func (x *Index) Answered(record int) bool { return x.at(int32(record))&answered != 0 }

// Ordered are the records by attempt, shard, part and position of the rows that count.
func (x *Index) Ordered() []int32 {
	x.needKeys()
	byRank := slices.Repeat([]int32{-1}, x.rows)
	for record, e := range x.entries {
		byRank[e.rank&^answered] = int32(record)
	}
	return slices.DeleteFunc(byRank, func(record int32) bool { return record < 0 })
}

// Source is the part that holds the row of a record that counts.
func (x *Index) Source(record int32) Part { return x.partOf(x.at(record).row()).public() }

func (x *Index) Schema() Schema { return x.schema }

// Read decodes the wanted columns of the rows that count into a table: row i is
// that of records[i]; no record may be named twice. Memory: the table, and 4
// bytes a row of the dataset. Row groups without a wanted row are not decoded.
func (x *Index) Read(columns []string, records []int32) (*Table, error) {
	wanted, err := choose(x.dir, x.schema, columns)
	if err != nil {
		return nil, err
	}
	x.reading.Lock()
	defer x.reading.Unlock()
	if x.to == nil {
		x.to = slices.Repeat([]int32{-1}, x.rows)
	}
	for i, record := range records {
		x.to[x.at(record).row()] = int32(i)
	}
	t, problems := readParts(x.parts, wanted, x.to, len(records))
	for row := range x.to {
		x.to[row] = -1
	}
	if at := slices.IndexFunc(problems, (*Problem).gone); at >= 0 {
		return nil, problems[at] // untilSettled looks again
	}
	return t, JoinProblems(problems)
}

// ranking numbers the rows of a dataset by attempt, shard, part and position,
// independent of the names of files and of merges.
type ranking []span

// span is a segment of a part: rows from start in file order rank from rank.
type span struct {
	segment
	start, rank int
}

func precedence(parts []*part) ranking {
	var r ranking
	at := 0
	for _, p := range parts {
		for _, s := range p.segments {
			r = append(r, span{segment: s, start: at})
			at += s.Rows
		}
	}
	byRank := AllRows(len(r))
	// Stable: what compares equal (one writer's segment written in two goes)
	// stays in file order.
	slices.SortStableFunc(byRank, func(a, b int32) int { return r[a].compare(r[b].segment) })
	at = 0
	for _, i := range byRank {
		r[i].rank = at
		at += r[i].Rows
	}
	return r
}

func (r ranking) of(row int) int {
	i := sort.Search(len(r), func(i int) bool { return r[i].start > row }) - 1
	return r[i].rank + row - r[i].start
}
