package input

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"schedsweep/sim/workload"
	"schedsweep/sim/workload/logtable"
	"schedsweep/sim/workload/swf"
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
			return nil, fmt.Errorf("workload.%w", err) // the map's has been checked
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
