// Package artifact packs a run folder for committees and readers of a study, and opens such archives. An archive holds
// the manifest, a smaller one, the rows, the results of the analysis, and descriptions. The descriptions are for
// people (README.md, columns.md, CITATION.cff) and for machines (an RO-Crate, Croissant). The package knows run
// folders and their rows, and neither simulates nor analyses: other packages computed the content of the folder that
// it packs.
package artifact

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

// The names in an artifact's folder that others write.
const (
	ManifestFile = "manifest.yaml"
	SmallFile    = "small.yaml"
	ReportFile   = "report.html"
	AnalysisDir  = "analysis"
	programDir   = "bin"
)

func RowsFile(dataset string) string { return dataset + "/rows.parquet" }

func ProgramFile(name string) string { return programDir + "/" + name }

// Contents describes the study of an artifact, whose files lie in a folder.
type Contents struct {
	Manifest   *sweep.Manifest
	Provenance folder.Provenance
	// Datasets are those whose rows lie in the folder.
	Datasets []Rows
	// Answered of the Planned instances have an answer; Checked of them were run again
	// by the program that packs, and repeated bit for bit.
	Planned, Answered, Checked int
	// Logs is the number of answers of logs themselves, which are beside the planned instances.
	Logs int
	// CoreTime is the time that all rows took together on one core.
	CoreTime time.Duration
	Small    Small
	Claims   []Claim
	Figures  bool // there are some in AnalysisDir
	Inputs   []Input
	Program  Program
	// Commands reports that runs start programs that the manifest names.
	Commands bool
	Authors  []string // as "Family, Given", or names of groups; none: the study's name takes their place
	License  string   // SPDX identifier of the artifact's; "" where none is stated
}

type Rows struct {
	rows.Dataset
	Rows int
}

// Input is a file that the manifest names.
type Input struct {
	Path, SHA256 string
	Packed       bool     // it is in the artifact
	Beside       []string // files that are read with it; the sum goes on over one that ends in .machines
}

// Claim is a published claim with its verdicts by the rows, all of them and those of
// the small manifest.
type Claim struct {
	ID, Source, Statement string
	Verdict               string
	Small, SmallReason    string
	Notes                 []string // on the claim in all rows
	Others                []string // runs of other manifests that it is about too
}

// AtSmallSize is a sentence on the claim at the small size.
func (c *Claim) AtSmallSize() string {
	switch {
	case c.Small == c.Verdict:
		return c.Small
	case c.Small == inconclusive:
		return "too small to tell"
	}
	return "comes out otherwise: " + c.Small
}

// inconclusive is the verdict of package claim that the rows do not decide, as people read it.
const inconclusive = "inconclusive"

// Pack writes the manifests and the descriptions into the folder and packs all of it; it returns the
// archive's files and SHA-256. The same folder and contents make the same archive.
func Pack(archive, folder string, c Contents) (files []string, sum string, err error) {
	if err := c.Provenance.Save(folder); err != nil {
		return nil, "", err
	}
	for _, d := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{ManifestFile, store.Content(c.Manifest.Resolved())}, {SmallFile, store.Content(c.Small.Text)},
		{"columns.md", func(w io.Writer) error { return rows.WriteDatasets(w, c.datasets()) }},
		{"CITATION.cff", c.citation}, {"croissant.json", func(w io.Writer) error { return c.croissant(w, folder) }}, {"README.md", c.readme},
		{crateFile, func(w io.Writer) error { return c.crate(w, folder, files) }},
		{SumsFile, func(w io.Writer) error { return sums(w, folder, files) }},
	} {
		if files, err = filesOf(folder); err != nil { // without this one and its temporary file
			return nil, "", fmt.Errorf("artifact: %w", err)
		}
		if err := inTheWay(store.NewFile(filepath.Join(folder, d.name), d.write), d.name); err != nil {
			return nil, "", fmt.Errorf("artifact: %w", err)
		}
	}
	if files, err = filesOf(folder); err == nil {
		err = writeArchive(archive, c.Manifest.Name, folder, files)
	}
	if err == nil {
		sum, _, err = store.SumOf(archive)
	}
	if err != nil {
		return nil, "", fmt.Errorf("artifact: %w", err)
	}
	return files, sum, nil
}

func inTheWay(err error, name string) error {
	if errors.Is(err, fs.ErrExist) {
		return harness.Unusable("two files would be called %s, of the artifact itself or inputs: rename one", name)
	}
	return err
}

func (c *Contents) datasets() (all []rows.Dataset) {
	for _, d := range c.Datasets {
		all = append(all, d.Dataset)
	}
	return all
}

func sums(w io.Writer, folder string, names []string) error {
	for _, name := range names {
		sum, _, err := store.SumOf(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s  %s\n", sum, name); err != nil {
			return err
		}
	}
	return nil
}

func (c *Contents) Title() string { return cmp.Or(c.Manifest.Title, c.Manifest.Name) }

func (c *Contents) description() string {
	analysed := "rows and tables"
	if c.Figures {
		analysed = "rows, tables and figures"
	}
	return fmt.Sprintf("%s: %s of parallel job scheduling by schedsweep, with their manifest, %s.", c.Title(),
		text.Counted(c.Answered, "simulation"), analysed)
}

// ended returns the end of the study's last run, or the time at which its folder was made.
func (c *Contents) ended() time.Time {
	last := c.Provenance.Created
	for _, r := range c.Provenance.Runs {
		if r.Ended.After(last) {
			last = r.Ended
		}
	}
	return last
}

// ran are the runs that have added rows. A folder of an older program knows only when
// it was made, and by which.
func (c *Contents) ran() []folder.Run {
	runs := slices.DeleteFunc(slices.Clone(c.Provenance.Runs), func(r folder.Run) bool { return r.State == nil || r.Ran() == 0 })
	if len(runs) > 0 {
		return runs
	}
	v := &c.Provenance
	return []folder.Run{{Origin: folder.Origin{Program: v.Program}, Go: v.Go, Arithmetic: v.Arithmetic, Shard: 1, Shards: 1,
		Started: v.Created,
		State:   &folder.State{Updated: v.Created, Counts: folder.Counts{OK: c.Answered}}}}
}
