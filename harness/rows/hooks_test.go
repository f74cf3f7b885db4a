package rows

import "schedsweep/harness/store"

// ExportInBatches is Export with at most batch rows in memory.
func (r *Rows) ExportInBatches(path string, meta map[string]string, batch int) error {
	return r.export(path, meta, batch, nil)
}

// JobsColumns are those of the jobs dataset, which a test may change.
func JobsColumns() *store.Schema { return &beside[0].Columns }
