package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/apache/arrow/go/v17/parquet/file"
)

// Sets finds the rows of a dataset that was written in batches, each
// the set of rows of one key: they lie one behind the other in one part. Of several
// sets of one key the latest counts. It takes 40 bytes a set.
type Sets struct {
	dir    string
	parts  []*part
	schema Schema
	sets   []set // by key
	count  []int // of each part the sets that count
	idle   []int // and sets without answers
	// Repeated sets have one of the same key beside them that counts. Uncounted are
	// those whose key does not.
	Repeated, Uncounted int
}

// set is rows [first, first+rows) of a part.
type set struct {
	key         [16]byte // digest of the key
	part, rank  int32    // rank: of the segment, in order of precedence
	first, rows int32
}

// WithSets calls fn with the sets of a dataset whose column key, a Category, says to
// which set a row belongs. Every part has the column mark too, which other datasets lack.
// counts, if not nil, tells which keys count. Where a merge takes files away meanwhile it does so again.
func WithSets(dir, key, mark string, counts func(key string) bool, fn func(*Sets) error) error {
	return untilSettled(dir, func() error {
		parts, schema, err := listDataset(dir, key, mark)
		if err != nil {
			return err
		}
		s := &Sets{dir: dir, parts: parts, schema: schema, count: make([]int, len(parts)), idle: make([]int, len(parts))}
		for i := range parts {
			if err := s.read(i, key, counts); err != nil {
				return err
			}
		}
		s.decide()
		return fn(s)
	})
}

func (s *Sets) read(i int, key string, counts func(string) bool) error {
	p := s.parts[i]
	columns, err := choose(s.dir, s.schema, []string{key})
	if err != nil {
		return err
	}
	if columns[0].Type != Category || p.rows > 1<<31-1 {
		return fmt.Errorf("store: %s: column %q of %d rows cannot tell sets apart: it must be a category, of less than 2^31 rows", p.path, key,
			p.rows)
	}
	segment, end, last, open := -1, 0, "", false
	err = eachGroup(p, columns, func(t *Table, first int) error {
		v := &t.Columns[0]
		for from := 0; from < t.Rows; {
			if v.IsNull(from) {
				return fmt.Errorf("store: %s: row %d has no %s", p.path, first+from, key)
			}
			for ; first+from >= end; open = false { // a set ends with its segment
				segment++
				end += p.segments[segment].Rows
			}
			to := from + 1
			for to < t.Rows && first+to < end && v.Codes[to] == v.Codes[from] && !v.IsNull(to) {
				to++
			}
			if text := v.Dict[v.Codes[from]]; open && text == last {
				s.sets[len(s.sets)-1].rows += int32(to - from)
			} else {
				rank := int32(segment)
				if counts != nil && !counts(text) {
					rank = -1
				}
				s.sets = append(s.sets, set{digest(text), int32(i), rank, int32(first + from), int32(to - from)})
				last, open = text, true
			}
			from = to
		}
		return nil
	})
	return err
}

func (s *Sets) decide() {
	newer := func(a, b set) int {
		x, y := s.parts[a.part].segments[a.rank], s.parts[b.part].segments[b.rank]
		return cmp.Or(x.compare(y), cmp.Compare(a.part, b.part), cmp.Compare(a.first, b.first))
	}
	s.sets = slices.DeleteFunc(s.sets, func(x set) bool {
		if x.rank < 0 {
			s.Uncounted++
			s.idle[x.part]++
		}
		return x.rank < 0
	})
	slices.SortFunc(s.sets, func(a, b set) int {
		if c := bytes.Compare(a.key[:], b.key[:]); c != 0 {
			return c
		}
		return newer(b, a)
	})
	s.sets = slices.CompactFunc(s.sets, func(kept, x set) bool {
		if kept.key == x.key {
			s.Repeated++
			s.idle[x.part]++
		}
		return kept.key == x.key
	})
	for _, x := range s.sets {
		s.count[x.part]++
	}
}

func (s *Sets) Len() int { return len(s.sets) }

func (s *Sets) Schema() Schema { return s.schema }

func (s *Sets) Rows(set int) int { return int(s.sets[set].rows) }

// Find returns the set of that key. O(log sets).
func (s *Sets) Find(key string) (at int, ok bool) {
	return slices.BinarySearchFunc(s.sets, digest(key), func(x set, d [16]byte) int { return bytes.Compare(x.key[:], d[:]) })
}

// Settled reports whether all sets of the part file count.
func (s *Sets) Settled(path string) bool {
	i := slices.IndexFunc(s.parts, func(p *part) bool { return p.path == path })
	return i >= 0 && s.idle[i] == 0
}

// ClearEnded removes parts in which no set counts, of processes that have ended: to one
// who holds the lock of the shard and writes as that attempt, those are the earlier
// attempts of the shard, and shards of another number. Parts whose provenance is not ours stay.
func (s *Sets) ClearEnded(shard, attempt string, ours func(meta map[string]string) bool) error {
	for i, p := range s.parts {
		running := slices.ContainsFunc(p.segments, func(g segment) bool { return !g.ended(shard, attempt) })
		if s.count[i] > 0 || s.idle[i] == 0 || running || !ours(p.meta) {
			continue
		}
		if err := (osFiles{}).remove(p.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("store: removing %s, which a killed attempt left: %w", p.path, err)
		}
	}
	return nil
}

const eachRows = maxGroupRows

// Each calls fn with the rows of these sets, one set behind the other, in tables of
// at most eachRows rows, each valid during the call only. Row groups in which several tables have
// rows are decoded for each of them.
func (s *Sets) Each(sets []int, fn func(*Table) error) error {
	var now []set
	rows := 0
	flush := func() error {
		if rows == 0 {
			return nil
		}
		t, err := s.table(now, rows)
		if err != nil {
			return err
		}
		now, rows = now[:0], 0
		return fn(t)
	}
	for _, n := range sets {
		for x := s.sets[n]; x.rows > 0; {
			part := x
			part.rows = min(x.rows, int32(eachRows-rows))
			now, rows = append(now, part), rows+int(part.rows)
			x.first, x.rows = x.first+part.rows, x.rows-part.rows
			if rows == eachRows {
				if err := flush(); err != nil {
					return err
				}
			}
		}
	}
	return flush()
}

// Scan calls fn with the columns of the rows of these sets: rows [from, to) of the table are of the set. Sets come as they
// are stored, each as a whole, in several calls where it is long. The table is valid during the call only. Memory: a row
// group, each decoded once.
func (s *Sets) Scan(columns []string, sets []int, fn func(set int, t *Table, from, to int) error) error {
	wanted, err := choose(s.dir, s.schema, columns)
	if err != nil {
		return err
	}
	sets = slices.Clone(sets)
	slices.SortFunc(sets, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.sets[a].part, s.sets[b].part), cmp.Compare(s.sets[a].first, s.sets[b].first))
	})
	for len(sets) > 0 {
		part, last := s.sets[sets[0]].part, 0
		for last < len(sets) && s.sets[sets[last]].part == part {
			last++
		}
		of := sets[:last]
		sets = sets[last:]
		err := eachGroup(s.parts[part], wanted, func(t *Table, first int) error {
			for len(of) > 0 {
				x := s.sets[of[0]]
				from, to := max(int(x.first), first), min(int(x.first+x.rows), first+t.Rows)
				if from < to {
					if err := fn(of[0], t, from-first, to-first); err != nil {
						return err
					}
				}
				if int(x.first+x.rows) > first+t.Rows {
					return nil // it goes on in the next group
				}
				of = of[1:]
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Sets) table(pieces []set, rows int) (*Table, error) {
	t := NewTable(s.schema, rows)
	dicts := make([]dictionary, len(s.schema))
	byPart := map[int32][]span{}
	at := 0
	for _, x := range pieces {
		byPart[x.part] = append(byPart[x.part], span{segment: segment{Rows: int(x.rows)}, start: int(x.first), rank: at})
		at += int(x.rows)
	}
	scratch := new(scratch)
	var to []int32
	for i, p := range s.parts {
		spans := byPart[int32(i)]
		if len(spans) == 0 {
			continue
		}
		if problem := withGroups(p, func(rd *file.Reader, g, first, rows int) error {
			to = slices.Grow(to[:0], rows)[:rows]
			for i := range to {
				to[i] = -1
			}
			for _, x := range spans {
				for row := max(x.start, first); row < min(x.start+x.Rows, first+rows); row++ {
					to[row-first] = int32(x.rank + row - x.start)
				}
			}
			return decodeGroup(p, rd, g, t, to, dicts, scratch)
		}); problem != nil {
			return nil, problem
		}
	}
	for c := range t.Columns {
		t.Columns[c].Dict = dicts[c].texts
	}
	t.Settle()
	return t, nil
}
