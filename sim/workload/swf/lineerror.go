package swf

import (
	"fmt"
	"strconv"
)

// LineError is a line that cannot be read.
type LineError struct {
	// Name is the log's name as given to [Parse].
	Name string
	// Line is the line in the file, from 1.
	Line int
	// Field is the field's number from 1, or 0 where the line as a whole is
	// wrong.
	Field int
	// Text is the beginning of what stands there.
	Text string
	// Problem says what is wrong with it.
	Problem string

	short bool
}

// Error names the place, the field, the text and the remedy.
func (e *LineError) Error() string {
	where := e.Name + ":" + strconv.Itoa(e.Line) + ": "
	if e.Field > 0 {
		where += fmt.Sprintf("field %d (%s): ", e.Field, append(fieldNames[:], todayNames[:]...)[e.Field-1])
	}
	return where + fmt.Sprintf("%s: %q; correct the line, or set invalid: skip to leave such lines out", e.Problem, e.Text)
}

func excerpt(text []byte) string {
	const most = 60
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}

// check reads a line into v and returns what is wrong with it, nil if nothing.
func check(name string, number int, line []byte, v *[Fields]float64) *LineError {
	n, plain, bad := scan(line, v)
	switch {
	case bad != nil && n == 0:
		return &LineError{Name: name, Line: number, Field: 1, Text: excerpt(bad),
			Problem: "not a number (the lines of an SWF log hold 18 numbers)"}
	case bad != nil:
		return &LineError{Name: name, Line: number, Field: n + 1, Text: excerpt(bad), Problem: "not a number"}
	case n < Fields:
		return &LineError{Name: name, Line: number, Text: excerpt(line), short: true,
			Problem: fmt.Sprintf("the line has %d fields, an SWF line has %d", n, Fields)}
	case n > Fields:
		return &LineError{Name: name, Line: number, Text: excerpt(line), short: true,
			Problem: fmt.Sprintf("the line has more than the %d fields of an SWF line", Fields)}
	}
	if plain {
		return nil
	}
	for i, x := range v {
		if !whole[i] {
			continue
		}
		if x != float64(int64(x)) {
			return &LineError{Name: name, Line: number, Field: i + 1, Text: strconv.FormatFloat(x, 'g', -1, 64), Problem: "not a whole number"}
		}
		if lo, hi := limits(i); x < lo || x > hi {
			return &LineError{Name: name, Line: number, Field: i + 1, Text: strconv.FormatFloat(x, 'g', -1, 64),
				Problem: fmt.Sprintf("out of the range [%.0f, %.0f]", lo, hi)}
		}
	}
	return nil
}
