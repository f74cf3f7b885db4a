package input

import (
	"errors"
	"fmt"
	"strings"
	_ "time/tzdata" // logs name time zones, and not every machine has them

	"schedsweep/sim/workload/logtable"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// ShippedMaps are the names of the column maps that come with the program.
func ShippedMaps() []string { return logtable.Shipped() }

func parseMap(name string, data []byte) (*logtable.Map, error) {
	var out text.Sink
	src := text.NewSource(name, 0, data)
	n := text.Parse(src, data, &out)
	m := logtable.Default()
	switch {
	case n != nil && n.Shape != text.Map:
		out.Add(n.Pos, "write keys such as columns:", "the column map is %s; want a map", n.What())
	case n != nil:
		params.NewDecoder(&out, nil).Map(n, &m, "", "a column map")
		if out.Count == 0 {
			m.Validate(func(field, message string) { out.Add(n.Place(field), "", "%s %s", field, message) })
		}
	case out.Count == 0:
		out.Add(src.Start(), "", "the column map is empty")
	}
	if err := out.Err(); err != nil {
		return nil, err
	}
	return &m, nil
}

func (in *Files) columnMap(name string) (*logtable.Map, error) {
	data, ok := logtable.ShippedText(name)
	if !ok {
		var err error
		if data, err = in.Read(name); err != nil {
			return nil, noMap(name, err)
		}
	}
	return parseMap(name, data)
}

func noMap(name string, err error) error {
	if strings.Contains(name, ".") {
		return err
	}
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	return fmt.Errorf("%w: there is neither a column map nor a file %q (%s)", ErrNotFound, name, text.MeantOneOf(name, logtable.Shipped()))
}
