package platform

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// element is one of XML.
type element struct {
	name     string
	line     int
	attrs    map[string]string
	children []*element
}

// fault is an error that begins with the line.
func (e *element) fault(format string, args ...any) error {
	id := ""
	if e.attrs["id"] != "" {
		id = fmt.Sprintf(" %q", e.attrs["id"])
	}
	return fmt.Errorf("%d: element %s%s: %w", e.line, e.name, id, fmt.Errorf(format, args...))
}

// deepest is the largest depth of elements.
const deepest = 100

func parseXML(text []byte) (*element, error) {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // bytes that are not UTF-8 are an error with its line
	top := &element{}
	open := []*element{top}
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err // it names the line
		}
		switch t := t.(type) {
		case xml.StartElement:
			line, _ := d.InputPos()
			e := &element{name: t.Name.Local, line: line, attrs: map[string]string{}}
			for _, a := range t.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			if len(open) > deepest {
				return nil, e.fault("elements lie more than %d deep", deepest)
			}
			in := open[len(open)-1]
			in.children = append(in.children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
	if len(top.children) != 1 {
		return nil, fmt.Errorf("%d elements at the top: this is no SimGrid platform", len(top.children))
	}
	return top.children[0], nil
}

// only refuses attributes other than these.
func (e *element) only(names string) error {
	for _, a := range slices.Sorted(maps.Keys(e.attrs)) {
		if !slices.Contains(strings.Fields(names), a) {
			return e.fault("the attribute %s=%q cannot be expressed", a, e.attrs[a])
		}
	}
	return nil
}

// radical counts the members of a set such as "0-15,20".
func radical(text string) (int, error) {
	n := 0
	for _, item := range strings.Split(text, ",") {
		lo, hi, isRange := strings.Cut(strings.TrimSpace(item), "-")
		if !isRange {
			hi = lo
		}
		a, err := strconv.ParseUint(lo, 10, 31)
		b, err2 := strconv.ParseUint(hi, 10, 31)
		if err != nil || err2 != nil || b < a || n+int(b-a) >= math.MaxInt32 {
			return 0, fmt.Errorf("%q is no set of numbers such as 0-15", text)
		}
		n += int(b-a) + 1
	}
	return n, nil
}

var (
	flopUnits = merged(prefixed("f", 1), map[string]float64{"flops": 1, "kiloflops": 1e3, "megaflops": 1e6, "gigaflops": 1e9,
		"teraflops": 1e12, "petaflops": 1e15, "exaflops": 1e18})
	byteUnits = merged(prefixed("Bps", 1), prefixed("bps", 1./8))
	timeUnits = map[string]float64{"": 1, "s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12, "m": 60, "h": 3600, "d": 86400, "w": 604800}
)

// prefixed is a unit with the prefixes that SimGrid knows, and none.
func prefixed(unit string, value float64) map[string]float64 {
	units := map[string]float64{"": 1, unit: value}
	for i, prefix := range []string{"k", "M", "G", "T", "P", "E"} {
		units[prefix+unit] = value * math.Pow(1000, float64(i+1))
		units[strings.ToUpper(prefix[:1])+"i"+unit] = value * math.Pow(1024, float64(i+1))
	}
	return units
}

func merged(a, b map[string]float64) map[string]float64 {
	for unit, value := range b {
		if unit != "" {
			a[unit] = value
		}
	}
	return a
}

// quantity reads a number with a unit.
func quantity(text string, units map[string]float64) (float64, error) {
	text = strings.TrimSpace(text)
	end := strings.LastIndexAny(text, "0123456789.") + 1
	number, unit := text[:end], strings.TrimSpace(text[end:])
	v, err := strconv.ParseFloat(number, 64)
	by, known := units[unit]
	if err != nil || !(v >= 0) || math.IsInf(v*by, 1) {
		return 0, errors.New("it is no number of at least 0")
	}
	if !known {
		return 0, fmt.Errorf("the unit %q is not known", unit)
	}
	// 24us is the number that 24e-6 is, which a product may miss.
	if e := math.Round(math.Log10(by)); math.Pow(10, e) == by {
		if near, err := strconv.ParseFloat(fmt.Sprintf("%se%g", number, e), 64); err == nil {
			return near, nil
		}
	}
	return v * by, nil
}
