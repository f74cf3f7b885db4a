package store

import (
	"encoding/binary"
	"fmt"
)

// AppendBytes appends the cells to b, for a process of the same program.
func (r *Row) AppendBytes(b []byte) []byte {
	for i := range r.cells {
		switch c := &r.cells[i]; {
		case !c.set:
			b = append(b, 0)
		case r.schema[i].Type.isText():
			b = binary.AppendUvarint(append(b, 1), uint64(len(c.text)))
			b = append(b, c.text...)
		default:
			b = binary.LittleEndian.AppendUint64(append(b, 1), c.bits)
		}
	}
	return b
}

// FromBytes sets the cells to those of a row of the same schema that b begins with, and
// returns the rest of b.
func (r *Row) FromBytes(b []byte) ([]byte, error) {
	r.Reset()
	for i := range r.cells {
		if len(b) > 0 && b[0] == 0 {
			b = b[1:]
			continue
		}
		n, k := uint64(8), 1
		if r.schema[i].Type.isText() {
			text, read := binary.Uvarint(b[min(1, len(b)):])
			if n, k = text, 1+read; read <= 0 {
				k = len(b) + 1
			}
		}
		if k > len(b) || n > uint64(len(b)-k) {
			return nil, fmt.Errorf("store: a row breaks off in column %q", r.schema[i].Name)
		}
		if v := b[k : k+int(n)]; r.schema[i].Type.isText() {
			r.cells[i] = cell{text: string(v), set: true}
		} else {
			r.cells[i] = cell{bits: binary.LittleEndian.Uint64(v), set: true}
		}
		b = b[k+int(n):]
	}
	return b, nil
}
