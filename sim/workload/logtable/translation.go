package logtable

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Translation replaces texts consistently: the same text of the same class becomes
// the same name always, such as user0001.
type Translation struct {
	classes map[string]map[string]string
	rows    [][3]string // class, text, name in order of appearance
}

// ReadTranslation goes on with a translation that was written before; nil begins one.
func ReadTranslation(name string, r io.Reader) (*Translation, error) {
	t := &Translation{classes: map[string]map[string]string{}}
	if r == nil {
		return t, nil
	}
	rows := csv.NewReader(r)
	rows.FieldsPerRecord = 3
	for at := 0; ; at++ {
		row, err := rows.Read()
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: this is no translation table (class,text,name): %w", name, err)
		}
		if at > 0 {
			t.enter(row[0], row[1], row[2])
		}
	}
}

func (t *Translation) enter(class, text, name string) {
	if t.classes[class] == nil {
		t.classes[class] = map[string]string{}
	}
	t.classes[class][text] = name
	t.rows = append(t.rows, [3]string{class, text, name})
}

func (t *Translation) Name(class string, text []byte) string {
	if name, ok := t.classes[class][string(text)]; ok {
		return name
	}
	name := fmt.Sprintf("%s%04d", class, len(t.classes[class])+1)
	t.enter(class, string(text), name)
	return name
}

func (t *Translation) Number(class string, text []byte) string {
	return strings.TrimLeft(strings.TrimPrefix(t.Name(class, text), class), "0")
}

// Shift returns the number of weeks by which times are moved, the same in all logs that share the
// translation; draw gives it the first time.
func (t *Translation) Shift(draw func() int) (weeks int, err error) {
	name, known := t.classes["shift"]["weeks"]
	if !known {
		name = strconv.Itoa(draw())
		t.enter("shift", "weeks", name)
	}
	if weeks, err = strconv.Atoi(name); err != nil {
		return 0, fmt.Errorf("the translation's shift is %q weeks: it must be a whole number", name)
	}
	return weeks, nil
}

func (t *Translation) Write(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"class", "text", "name"}); err != nil {
		return err
	}
	for _, row := range t.rows {
		if err := out.Write(row[:]); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
