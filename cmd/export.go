package cmd

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/harness/folder"
	"schedsweep/harness/rows"
	"schedsweep/sweep/text"
)

func exportCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "export",
		Usage:     "write the rows of a sweep as one file for other programs",
		ArgsUsage: "MANIFEST",
		Description: `Writes one row for each instance of the manifest that has run, in the order of
the plan, as Parquet or CSV by the file's name. It leaves out rows of
instances that are no longer in the manifest, and rows that others replace or
repeat, as analyze does. They stay in the run folder. A file of that name is
replaced. With --reproducible the file is the same, byte for byte, however, where
and how often the sweep was run, by any build with one semantic version. It leaves
out columns of measurements, such as wall_time, and the name of the program.

With --dataset it writes the rows of jobs, or of series, that belong to these
instances: once, and none of an instance without an answer. Files of jobs also
have wait_time, response_time, slowdown and bounded_slowdown, which figures call
jobs.wait_time and so on. With --columns evalys jobs have the names that evalys
reads (JobSet.from_csv).

Files that are Parquet say in their footers what they are: schedsweep.title,
.manifest, .seed, .program, .semantic_version, .manifest_hash. What the columns
hold is in schedsweep list columns.

` + example(`schedsweep export manifests/quickstart.yaml --to quickstart.parquet
schedsweep export manifests/quickstart.yaml --to quickstart.csv
schedsweep export sweep.yaml --dataset jobs --to jobs.parquet
schedsweep export sweep.yaml --dataset jobs --columns evalys --to evalys.csv`),
		Flags: manifestFlags(outFlag(), columnsFlag(),
			&cli.StringFlag{Name: "to", Usage: "`FILE`.parquet or .csv"},
			&cli.BoolFlag{Name: "reproducible", Usage: "leave out columns that differ between runs, so that checksums can be compared"},
			&cli.StringFlag{Name: "dataset", Usage: "`NAME` of the dataset: " + join(append([]string{folder.Instances}, rows.DatasetNames()...)),
				Value: folder.Instances, DefaultText: folder.Instances}),
		Action: func(c *cli.Context) error {
			to, err := needed(c, "to")
			if err != nil {
				return err
			}
			st, err := openRun(env, c)
			if err != nil {
				return err
			}
			if err := exportable(st.dir, to); err != nil {
				return err
			}
			if err := st.spares("to", to); err != nil {
				return err
			}
			evalys, err := columnsOf(c, c.String("dataset") == "jobs", "--dataset jobs")
			if err != nil {
				return err
			}
			if name := c.String("dataset"); name != folder.Instances {
				if !slices.Contains(rows.DatasetNames(), name) {
					return misuse("export --dataset %s: there is no such dataset; %s", name,
						text.MeantOneOf(name, append([]string{folder.Instances}, rows.DatasetNames()...)))
				}
				side, err := rows.ExportDataset(st.manifest, st.dir, name, to, !c.Bool("reproducible"), evalys)
				if err != nil {
					return st.ofOtherFiles(err)
				}
				if lacking := side.Missing(); lacking != "" {
					env.note(lacking)
				}
				return env.printf("%s of %s in %s\n", text.Counted(side.Rows, "row"), text.Counted(side.Instances, "instance"), to)
			}
			n, err := rows.Export(st.manifest, st.dir, to, !c.Bool("reproducible"))
			if err != nil {
				return st.ofOtherFiles(err)
			}
			return env.printf("%s of %d planned in %s\n", text.Counted(n, "row"), st.plan.Len(), to)
		},
	})
}

// exportable refuses names of no format, folders, and files that the run would take
// for rows of its own.
func exportable(dir, to string) error {
	if ext := strings.ToLower(filepath.Ext(to)); ext != ".parquet" && ext != ".csv" {
		return misuse("export --to %s: the ending of the name chooses the format; use .parquet or .csv", to)
	}
	if info, err := os.Stat(to); err == nil && info.IsDir() {
		return misuse("export --to %s: this is a folder; give a file in it", to)
	}
	for _, name := range append([]string{folder.Instances}, rows.DatasetNames()...) {
		rows, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			continue // nothing to be mistaken for
		}
		if at, err := os.Stat(filepath.Dir(to)); err == nil && os.SameFile(rows, at) {
			return misuse("export --to %s: this folder holds the rows of the run; choose another", to)
		}
	}
	return nil
}
