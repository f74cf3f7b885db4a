package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/harness"
)

func exportCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "export",
		Usage:     "write the rows of a sweep as one file for other programs",
		ArgsUsage: "MANIFEST",
		Description: `Writes one row for each instance of the manifest that has run, in the order of
the plan, as Parquet or CSV by the file's name. Rows of instances that the
manifest has no more, and rows that others replace or repeat, stay in the run
folder and are left out, as analyze leaves them out. The file is the same however the
sweep was run, but for the column wall_time. A file of that name is replaced.

` + example(`schedsweep export manifests/quickstart.yaml --to quickstart.parquet
schedsweep export manifests/quickstart.yaml --to quickstart.csv`),
		Flags: manifestFlags(outFlag(), &cli.StringFlag{Name: "to", Usage: "`FILE`.parquet or .csv"}),
		Action: func(c *cli.Context) error {
			to, err := needed(c, "to")
			if err != nil {
				return err
			}
			st, dir, err := openRun(env, c)
			if err != nil {
				return err
			}
			if err := exportable(dir, to); err != nil {
				return err
			}
			n, err := harness.Export(st.manifest, dir, to)
			if err != nil {
				return err
			}
			p := printer{w: env.stdout}
			p.printf("%s of %d planned in %s\n", counted(n, "row"), st.plan.Len(), to)
			return p.err
		},
	})
}

// exportable refuses names of no format, folders, and files that the run would take
// for rows of its own.
func exportable(dir, to string) error {
	if ext := strings.ToLower(filepath.Ext(to)); ext != ".parquet" && ext != ".csv" {
		return misuse("export --to %s: the format goes by the name; use .parquet or .csv", to)
	}
	if info, err := os.Stat(to); err == nil && info.IsDir() {
		return misuse("export --to %s: this is a folder; give a file in it", to)
	}
	rows, err := os.Stat(filepath.Join(dir, harness.InstancesDir))
	if err != nil {
		return nil // nothing to be mistaken for
	}
	if at, err := os.Stat(filepath.Dir(to)); err == nil && os.SameFile(rows, at) {
		return misuse("export --to %s: this folder holds the rows of the run; choose another", to)
	}
	return nil
}
