package store

import (
	"math"
	"strconv"
	"strings"
)

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
		if !c.set {
			continue
		}
		switch r.schema[i].Type {
		case Float64:
			b = AppendFloat(b, math.Float64frombits(c.bits))
		case Int64, Int32:
			b = strconv.AppendInt(b, int64(c.bits), 10)
		case Bool:
			b = strconv.AppendBool(b, c.bits != 0)
		default:
			b = appendField(b, c.text)
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
