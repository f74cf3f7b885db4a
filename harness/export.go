package harness

import (
	"fmt"

	"schedsweep/harness/store"
	"schedsweep/sweep"
)

const (
	// exportRows is how many rows an export holds in memory at once, where that
	// takes at most exportPasses goes through the part files: rows that lie far from
	// their places in the plan cost a go for each batch.
	exportRows   = store.DefaultRowsPerPart
	exportPasses = 32
)

// Export writes the rows of a run folder that are instances of the manifest to
// one file, Parquet or CSV by its name, in the order of the plan. It returns how
// many there are. Memory: exportRows rows or a 32nd of them, and about 40 bytes
// for each.
func Export(m *sweep.Manifest, dir, path string) (n int, err error) {
	p, err := ReadProvenance(dir)
	if err != nil {
		return 0, err
	}
	err = WithRows(m, dir, func(r *RunRows) error {
		n = len(r.plan)
		batch := max(exportRows, (n+exportPasses-1)/exportPasses)
		return r.export(path, partMeta(m.Name, m.Hash(), p.Program), batch)
	})
	if err != nil {
		return 0, fmt.Errorf("export: %w", err)
	}
	return n, nil
}

// export holds so many rows in memory at once.
func (r *RunRows) export(path string, meta map[string]string, batch int) error {
	var w *store.FileWriter
	for from := 0; from < len(r.plan); from += batch {
		t, err := r.read(from, min(from+batch, len(r.plan)), nil)
		if err == nil && w == nil {
			w, err = store.CreateFile(path, t.Schema(), meta)
		}
		if err == nil {
			err = w.Write(t)
		}
		if err != nil {
			if w != nil {
				w.Abort()
			}
			return err
		}
	}
	return w.Close()
}
