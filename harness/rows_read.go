package harness

import (
	"errors"
	"fmt"
	"path/filepath"

	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// Rows reads the rows of a run folder that are instances of the manifest: a
// folder may hold others, of the same study with other values of an axis, and
// they are left out. It is an error when it holds none but others.
func Rows(m *sweep.Manifest, dir string) (*store.Table, error) {
	plan, err := m.Plan()
	if err != nil {
		return nil, err
	}
	t, err := store.Scan(filepath.Join(dir, InstancesDir), store.ScanOptions{Key: "id"})
	if err != nil {
		return nil, fmt.Errorf("rows of %s: %w", dir, err)
	}
	planned := make(map[sweep.ID]struct{}, plan.Len())
	for _, inst := range plan.All() {
		planned[inst.ID] = struct{}{}
	}
	var bad error
	ids := t.Column("id")
	mine := t.Filter(func(row int) bool {
		id, err := sweep.ParseID(ids.Text(row))
		bad = errors.Join(bad, err)
		_, ok := planned[id]
		return ok
	})
	if bad != nil {
		return nil, fmt.Errorf("rows of %s: %w", dir, bad)
	}
	if t.Rows > 0 && mine.Rows == 0 {
		return nil, fmt.Errorf("%w: none of the %d rows of %s is an instance of %q as it is now: run it to another folder with --out", ErrOtherManifest, t.Rows, dir, m.Name)
	}
	return mine, nil
}
