package artifact

import (
	"cmp"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// AddRows exports the datasets that a run folder holds of the manifest's instances, and of logs themselves.
func AddRows(stage string, m *sweep.Manifest, dir string) (all []Rows, err error) {
	n := map[string]int{}
	path := func(name string) string { return filepath.Join(stage, filepath.FromSlash(RowsFile(name))) }
	m = m.WithLogs() // the analysis reads them
	if n[folder.Instances], err = rows.Export(m, dir, path(folder.Instances), true); err != nil {
		return nil, err
	}
	sides, err := rows.Sides(m, dir)
	if err != nil {
		return nil, err
	}
	for _, s := range sides {
		if n[s.Name] = s.Rows; s.Rows == 0 {
			continue
		}
		if _, err := rows.ExportDataset(m, dir, s.Name, path(s.Name), true, false); err != nil {
			return nil, err
		}
	}
	for _, d := range rows.Datasets() {
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
func AddInputs(stage string, inputs *input.Files, wanted bool) (all []Input, err error) {
	for path, sum := range inputs.Hashes() {
		in := Input{Path: path, SHA256: sum, Packed: wanted}
		if wanted {
			if top, _, _ := strings.Cut(filepath.ToSlash(path), "/"); top == folder.Instances || slices.Contains(rows.DatasetNames(), top) {
				return nil, harness.Unusable("%s lies in a folder of the name that one of rows has: move it", path)
			}
			if !filepath.IsLocal(path) {
				return nil, harness.Unusable("the manifest names %s, which lies outside of every artifact: name it by itself and point to its folder "+
					"with --data", path)
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
	err = store.NewFile(to, func(w io.Writer) error {
		_, err := io.Copy(w, r)
		return err
	})
	return inTheWay(err, filepath.Base(to))
}

type Small struct {
	Text      []byte   // the manifest itself
	Set       []string // changes to the manifest of the whole
	Instances int
	CoreTime  time.Duration // as the rows of the whole study tell
	// Same reports that its instances are instances of the whole study too: their rows
	// must be the same.
	Same bool
}

// fewest are the replications that a verdict needs, and the jobs under which a
// schedule has nothing to queue.
const (
	fewestReplications = 3
	fewestJobs         = 50
)

// Replications are the numbers of replications of small manifests to try, for a study of n:
// they double from the fewest with which a verdict is possible, up to half of the
// study's.
func Replications(study int) (all []int) {
	for r := min(fewestReplications, study); ; r *= 2 {
		if all = append(all, r); 4*r > study {
			return all
		}
	}
}

// JobsWithin returns the number of jobs that an instance keeps, so that instances of that duration stay within the
// limit; 0 for all. Nothing is measured anew: the same rows lead to the same manifest.
func JobsWithin(limit, took time.Duration, jobs int) int {
	share := limit.Seconds() / took.Seconds()
	if n := max(rounded(share*float64(jobs)), fewestJobs); share < 1 && n < jobs {
		return n
	}
	return 0
}

func rounded(x float64) int {
	power := math.Pow(10, math.Floor(math.Log10(max(x, 1))))
	for _, digit := range []float64{5, 2} {
		if digit*power <= x {
			return int(digit * power)
		}
	}
	return int(power)
}
