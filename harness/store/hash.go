package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
)

// Hash returns a digest of the table's content that does not depend on the
// order of rows or columns, on part files, merges or dictionaries: SHA-256 of
// the columns' names and types in name order, then of the sorted digests of the
// rows. Values count bit for bit (0 and -0 differ, and so do two NaNs of
// different payload), null differs from every value, repeated rows count.
// Columns named in exclude (wall time, attempt, host) are left out. O(rows log rows).
func (t *Table) Hash(exclude ...string) [32]byte {
	var columns []*Vector
	for i := range t.Columns {
		if !slices.Contains(exclude, t.Columns[i].Name) {
			columns = append(columns, &t.Columns[i])
		}
	}
	slices.SortFunc(columns, func(a, b *Vector) int { return strings.Compare(a.Name, b.Name) })

	var line []byte
	for _, v := range columns {
		line = appendText(line, v.Name)
		line = append(line, byte(v.Type))
	}
	rows := make([][32]byte, t.Rows)
	all := sha256.New()
	all.Write(binary.LittleEndian.AppendUint64(line, uint64(t.Rows)))
	for i := range rows {
		line = line[:0]
		for _, v := range columns {
			line = v.appendBits(line, i)
		}
		rows[i] = sha256.Sum256(line)
	}
	slices.SortFunc(rows, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
	for i := range rows {
		all.Write(rows[i][:])
	}
	return [32]byte(all.Sum(nil))
}

func (v *Vector) appendBits(b []byte, i int) []byte {
	c := v.cell(i)
	switch {
	case !c.set:
		return append(b, 0)
	case v.Type.isText():
		return appendText(append(b, 1), c.text)
	case v.Type == Bool:
		return append(b, 1, byte(c.bits))
	}
	return binary.LittleEndian.AppendUint64(append(b, 1), c.bits)
}

func appendText(b []byte, s string) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(len(s)))
	return append(b, s...)
}
