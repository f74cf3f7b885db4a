package artifact

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"schedsweep/harness"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// AddRows exports the datasets that a run folder holds of the manifest's instances.
func AddRows(stage string, m *sweep.Manifest, dir string) (all []Rows, err error) {
	n := map[string]int{}
	path := func(name string) string { return filepath.Join(stage, filepath.FromSlash(RowsFile(name))) }
	if n[harness.InstancesDir], err = harness.Export(m, dir, path(harness.InstancesDir)); err != nil {
		return nil, err
	}
	sides, err := harness.Sides(m, dir)
	if err != nil {
		return nil, err
	}
	for _, s := range sides {
		if n[s.Name] = s.Rows; s.Rows == 0 {
			continue
		}
		if _, err := harness.ExportDataset(m, dir, s.Name, path(s.Name), false); err != nil {
			return nil, err
		}
	}
	for _, d := range harness.Datasets() {
		if n[d.Name] == 0 {
			continue
		}
		parts, err := store.Parts(filepath.Dir(path(d.Name)))
		if err != nil {
			return nil, err
		}
		d.Columns = parts[0].Schema // with the axes
		all = append(all, Rows{Dataset: d, Rows: n[d.Name]})
	}
	return all, nil
}

// AddInputs lists the files that a manifest names, and copies them where they are
// wanted, to where the manifest looks for them.
func AddInputs(stage string, inputs *harness.Inputs, wanted bool) (all []Input, err error) {
	for path, sum := range inputs.Hashes() {
		in := Input{Path: path, SHA256: sum, Packed: wanted}
		if wanted {
			if folder, _, _ := strings.Cut(filepath.ToSlash(path), "/"); folder == harness.InstancesDir || slices.Contains(harness.DatasetNames(), folder) {
				return nil, fmt.Errorf("%w: %s lies in a folder of the name that one of rows has: move it", harness.ErrInput, path)
			}
			if !filepath.IsLocal(path) {
				return nil, fmt.Errorf("%w: the manifest names %s, which lies outside of every artifact: name it by itself and point to its folder with --data", harness.ErrInput, path)
			}
			from, err := inputs.Find(path)
			if err != nil {
				return nil, err
			}
			for _, file := range append([]string{from}, inputs.Beside(path)...) {
				if err := AddFile(filepath.Join(stage, filepath.Dir(path), filepath.Base(file)), file); err != nil {
					return nil, err
				}
			}
		}
		for _, file := range inputs.Beside(path) {
			in.Beside = append(in.Beside, filepath.Base(file))
		}
		all = append(all, in)
	}
	slices.SortFunc(all, func(a, b Input) int { return cmp.Compare(a.Path, b.Path) })
	return all, nil
}

func AddFile(to, from string) error {
	r, err := store.OpenRegular(from)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	err = store.NewFile(to, func(w io.Writer) error {
		_, err := io.Copy(w, r)
		return err
	})
	return inTheWay(err, filepath.Base(to))
}
