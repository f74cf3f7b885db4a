package input

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	_ "time/tzdata" // logs name time zones, and not every machine has them

	"schedsweep/sim/workload"
	"schedsweep/sim/workload/logtable"
	"schedsweep/sim/workload/swf"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Table makes a log of a table, once. The log is shared and must not be changed.
func (in *Files) Table(file workload.TableFile) (*swf.Log, error) {
	in.mu.Lock()
	read := in.tables[file]
	if read == nil {
		read = sync.OnceValues(func() (*swf.Log, error) { return in.readTable(file) })
		in.tables[file] = read
	}
	in.mu.Unlock()
	return read()
}

func (in *Files) readTable(file workload.TableFile) (*swf.Log, error) {
	m, err := in.columnMap(file.Map)
	if err != nil {
		return nil, err
	}
	opt := logtable.Options{From: file.From, To: file.To}
	if zone := cmp.Or(file.Zone, m.Zone); zone != "" {
		if opt.Zone, err = logtable.Zone(zone); err != nil {
			return nil, err
		}
	}
	r, err := in.open(file.Path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	rows, err := openRows(file.Path, r, m)
	if err != nil {
		return nil, err
	}
	return logtable.Read(filepath.Base(file.Path), rows, m, opt)
}

// openRows opens a table in the format that its map names; Parquet is recognised by its first bytes.
func openRows(name string, f *os.File, m *logtable.Map) (logtable.Rows, error) {
	name = filepath.Base(name)
	var head [4]byte
	if _, err := f.ReadAt(head[:], 0); err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	text := &bounded{Reader: f, most: ceiling()}
	switch {
	case string(head[:]) == "PAR1":
		return newParquet(name, f)
	case m.Format == "parquet":
		return nil, fmt.Errorf("%s is no Parquet, and its column map says so: give a map with the file's format (schedsweep workload map)", name)
	case m.Format == "pbs":
		return logtable.NewPBS(name, text, m)
	case m.Format == "json":
		return logtable.NewJSON(name, text, m)
	}
	return logtable.NewCSV(name, text, m)
}

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
