package harness

import (
	"fmt"
	"path/filepath"
	"strings"

	"schedsweep/harness/store"
)

// Stored is the rows of a run folder as they lie, one an instance, whatever manifest
// and program they are of: an instance is known by the values of its axes, not by an
// id that another version would give it. axes are the columns that varied.
func Stored(dir string) (t *store.Table, axes []string, err error) {
	if t, err = store.Scan(filepath.Join(dir, InstancesDir), store.ScanOptions{Records: Instances}); err != nil {
		return nil, nil, fmt.Errorf("rows of %s: %w", dir, err)
	}
	if t.Rows == 0 {
		return nil, nil, fmt.Errorf("rows of %s: %w", dir, ErrNoRows)
	}
	for i := range t.Columns {
		if strings.HasPrefix(t.Columns[i].Doc, axisDoc) {
			axes = append(axes, t.Columns[i].Name)
		}
	}
	return t, axes, nil
}
