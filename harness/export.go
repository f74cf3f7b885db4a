package harness

import (
	"cmp"
	"fmt"
	"slices"

	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// Export writes the rows of a run folder that are instances of the manifest to
// one file, Parquet or CSV by its name, in the order of the plan. It returns how
// many there are.
func Export(m *sweep.Manifest, dir, path string) (int, error) {
	t, index, err := numberedRows(m, dir)
	if err != nil {
		return 0, err
	}
	order := make([]int32, t.Rows)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(index[a], index[b]) })
	p, err := ReadProvenance(dir)
	if err != nil {
		return 0, err
	}
	meta := partMeta(m.Name, m.Hash(), p.Program)
	if err := store.WriteFile(path, t.Take(order), meta); err != nil {
		return 0, fmt.Errorf("export of %s: %w", dir, err)
	}
	return t.Rows, nil
}
