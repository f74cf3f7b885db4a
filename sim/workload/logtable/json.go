package logtable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"schedsweep/sim/workload/lines"
)

// JSON is a table of objects, in an array or one behind the other. A column is a path
// such as attempts.last.start_time: names of members, positions in arrays from 0,
// last, * for all, # at the end for how many there are.
type JSON struct {
	name    string
	decode  *json.Decoder
	array   bool
	row     int
	first   any // the first object, whose members are the columns
	columns []string
	paths   [][]string
	cells   []Cell
}

// NewJSON reads objects, plain or compressed by gzip.
func NewJSON(name string, r io.Reader, m *Map) (*JSON, error) {
	text, _, err := lines.Open(name, r)
	if err != nil {
		return nil, err
	}
	j := &JSON{name: name, decode: json.NewDecoder(text)}
	j.decode.UseNumber()
	head, _ := text.Peek(text.Size()) // the decoder finds a reading error
	if j.array = bytes.HasPrefix(bytes.TrimSpace(head), []byte("[")); j.array {
		if _, err := j.decode.Token(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	first, err := j.object()
	if err == io.EOF {
		return nil, fmt.Errorf("%s: there are no objects", name)
	}
	if err != nil {
		return nil, err
	}
	j.first, j.columns = first, m.names()
	if o, ok := first.(map[string]any); ok {
		var names []string
		for name := range o {
			if !slices.ContainsFunc(j.columns, func(c string) bool { return c == name || strings.HasPrefix(c, name+".") }) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		j.columns = append(j.columns, names...)
	}
	return j, nil
}

func (j *JSON) Columns() []string { return j.columns }

func (j *JSON) Use(columns []int, _ Fit, _ Found) {
	for _, c := range columns {
		j.paths = append(j.paths, strings.Split(j.columns[c], "."))
	}
	j.cells = make([]Cell, len(columns))
}

func (j *JSON) Next() ([]Cell, int, error) {
	o := j.first
	if j.first = nil; o == nil {
		var err error
		if o, err = j.object(); err != nil {
			return nil, 0, err
		}
	}
	j.row++
	for i, path := range j.paths {
		j.cells[i] = cellOf(at(o, path))
	}
	return j.cells, j.row, nil
}

func (j *JSON) object() (any, error) {
	fail := func(err error) error {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) {
			return fmt.Errorf("%s: after object %d: the file breaks off; fetch it again: %w", j.name, j.row, err)
		}
		return fmt.Errorf("%s: after object %d: %w", j.name, j.row, err)
	}
	if j.array && !j.decode.More() {
		if _, err := j.decode.Token(); err != nil {
			return nil, fail(io.ErrUnexpectedEOF)
		}
		return nil, io.EOF
	}
	var o any
	err := j.decode.Decode(&o)
	if err == io.EOF && !j.array {
		return nil, io.EOF
	}
	if err != nil {
		return nil, fail(err)
	}
	if _, ok := o.(map[string]any); !ok {
		return nil, fail(fmt.Errorf("there is %T; want an object", o))
	}
	return o, nil
}

func at(v any, path []string) any {
	for i, step := range path {
		list, isList := v.([]any)
		object, isObject := v.(map[string]any)
		switch {
		case step == "#" && isList:
			return json.Number(strconv.Itoa(len(list)))
		case step == "*" && isList:
			sum := 0
			for _, item := range list {
				c := cellOf(at(item, path[i+1:]))
				n, ok := c.number()
				if !ok {
					return nil
				}
				sum += int(n)
			}
			return json.Number(strconv.Itoa(sum))
		case isList && len(list) > 0 && step == "last":
			v = list[len(list)-1]
		case isList:
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(list) {
				return nil
			}
			v = list[n]
		case isObject:
			v = object[step]
		default:
			return nil
		}
	}
	return v
}

func cellOf(v any) Cell {
	switch v := v.(type) {
	case string:
		return Cell{Text: []byte(v)}
	case json.Number:
		return Cell{Text: []byte(v)}
	case bool:
		return Cell{Text: strconv.AppendBool(nil, v)}
	}
	return Cell{Kind: Null}
}
