package rows

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

const (
	// exportRows is the number of rows that an export holds in memory at once, where that takes at
	// most exportPasses goes through the part files: rows that lie far from their places in the
	// plan cost a go for each batch.
	exportRows   = store.DefaultRowsPerPart
	exportPasses = 32
)

// Export writes the rows of a run folder that are instances of the manifest to
// one file, Parquet or CSV by its name, in the order of the plan. It returns how
// many there are. Without measured columns, which differ from run to run, and without the program's name, the file is the
// same however, where and how often the sweep was run. Memory: exportRows rows or a 32nd of them, and about 40 bytes for each.
func Export(m *sweep.Manifest, dir, path string, measured bool) (n int, err error) {
	p, err := folder.Read(dir)
	if err != nil {
		return 0, err
	}
	err = With(m, dir, func(r *Rows) error {
		n = len(r.plan)
		batch := max(exportRows, (n+exportPasses-1)/exportPasses)
		var wanted func(string) bool
		if !measured {
			wanted = func(name string) bool { // that says the same in every run of an instance
				c := r.layout.schema[r.layout.schema.Index(name)]
				return c.Name != stackColumn && !slices.Contains(Volatile, c.Name) && !strings.HasPrefix(c.Doc, measuredDoc)
			}
		}
		return r.export(path, about(m, p, measured), batch, wanted)
	})
	if err != nil {
		return 0, fmt.Errorf("export: %w", err)
	}
	return n, nil
}

// about is the metadata of an export.
func about(m *sweep.Manifest, p folder.Provenance, measured bool) map[string]string {
	meta := folder.Meta(m, p.Program)
	if !measured {
		delete(meta, folder.MetaProgram) // provenance.json names the first of several builds, and has no checksum
	}
	return meta
}

func (r *Rows) export(path string, meta map[string]string, batch int, wanted func(name string) bool) error {
	var w *store.FileWriter
	for from := 0; from < len(r.plan); from += batch {
		t, err := r.read(from, min(from+batch, len(r.plan)), wanted)
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

// ExportDataset writes the rows that another dataset of the run folder holds of the instances of the manifest to one
// file, in the order of the plan. Jobs get derived columns, or with evalys the columns that evalys reads. Without measured the file has no
// name of the program, and is the same however, where and how often the sweep was run. Memory: a row group of rows, and 40 bytes for each
// instance.
func ExportDataset(m *sweep.Manifest, dir, name, path string, measured, evalys bool) (out Side, err error) {
	i := slices.IndexFunc(beside, func(d Dataset) bool { return d.Name == name })
	if i < 0 {
		return out, fmt.Errorf("export: there is no dataset %q; there are %s", name, strings.Join(DatasetNames(), ", "))
	}
	d := beside[i]
	plan, err := m.Plan()
	if err != nil {
		return out, err
	}
	p, err := folder.Read(dir)
	if err != nil {
		return out, err
	}
	err = withSets(dir, d, func(x *store.Index, sets *store.Sets) error {
		var wanted []int
		if out, wanted = side(plan, d, x, sets); out.Instances == 0 {
			return fmt.Errorf("%w in it: put datasets: [%s] into the manifest and run it, with --complete where its instances have an answer",
				ErrNone, name)
		}
		var of thresholds
		if d.Name == beside[0].Name && !evalys {
			of = thresholdsOf(plan)
		}
		w, to, err := d.createFile(path, about(m, p, measured), evalys, of)
		if err != nil {
			return err
		}
		defer w.Abort()
		if err := sets.Each(wanted, func(t *store.Table) error { return t.EachRow(d.Columns, to.Append) }); err != nil {
			return err
		}
		return w.Close()
	})
	if err != nil {
		return out, fmt.Errorf("export: %w", err)
	}
	return out, nil
}
