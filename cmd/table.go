package cmd

import (
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/harness"
)

func dataFolders(env environment, c *cli.Context) []string {
	return append(c.StringSlice("data"), filepath.SplitList(env.getenv("SCHEDSWEEP_DATA"))...)
}

func mapCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "map",
		Usage:     "print the column map that a table of jobs seems to want",
		ArgsUsage: "FILE",
		Description: `FILE is CSV, an accounting dump with |, JSON or Parquet. What is printed is YAML: the
columns, what they give and in which unit, which rows count, and what is not used.
Correct it, keep it in a file, and name that in a manifest:
  workload: {kind: table, path: FILE, map: jobs.yaml, zone: Europe/Rome}
Maps that come with the program are named without a file: ` + strings.Join(harness.ShippedMaps(), ", ") + `.

` + example(`schedsweep workload map eagle-sample.csv --data ../shared/traces/today > jobs.yaml`),
		Flags: []cli.Flag{&cli.StringSliceFlag{Name: "data", Usage: "look for the table in `FOLDER` too"}},
		Action: func(c *cli.Context) error {
			file, err := oneArgument(c, "the table")
			if err != nil {
				return err
			}
			return harness.GuessMap(file, dataFolders(env, c), env.stdout)
		},
	})
}

func redactCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "redact",
		Usage:     "replace users, groups, names and paths in a log, consistently",
		ArgsUsage: "FILE",
		Description: `Every column of a table is replaced but those which its map takes for times, numbers,
states, queues or partitions; --keep names others. The same text becomes the same name
everywhere, in several logs too, where they share the translation table. That table is
written for its owner's eyes (mode 0600). In SWF users, groups and executables are replaced.

` + example(`schedsweep workload redact dump.txt --map sacct --out redacted.txt --private names.csv`),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "map", Usage: "column map: `NAME` of a shipped one or a YAML file; SWF needs none"},
			&cli.StringFlag{Name: "out", Usage: "the redacted log: `FILE`"},
			&cli.StringFlag{Name: "private", Usage: "the translation table: `FILE`, gone on with where it exists"},
			&cli.StringSliceFlag{Name: "keep", Usage: "keep `COLUMN` as it is"},
			&cli.StringSliceFlag{Name: "data", Usage: "look for the log in `FOLDER` too"},
		},
		Action: func(c *cli.Context) error {
			file, err := oneArgument(c, "the log")
			if err != nil {
				return err
			}
			out, err := needed(c, "out")
			if err != nil {
				return err
			}
			private, err := needed(c, "private")
			if err != nil {
				return err
			}
			return harness.Redact(harness.Redaction{Log: file, Map: c.String("map"), Keep: c.StringSlice("keep"), To: out, Private: private, Data: dataFolders(env, c)}, env.stderr)
		},
	})
}
