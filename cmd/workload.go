package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/harness/input"
	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

const sourceHelp = `SOURCE is a log (.swf, .swf.gz; with --set map=NAME a table), a manifest (.yaml;
its first instance counts), or a kind of workload with its defaults (schedsweep list workload).
Jobs of the run-up and the run-out of a window are left out.`

func workloadCommand(env environment) *cli.Command {
	return group(cli.Command{
		Name:        "workload",
		Usage:       "generate, describe, convert, map or redact workloads, find outages",
		Description: example("schedsweep workload describe lublin\nschedsweep workload generate lublin --set jobs=1000 --out jobs.swf"),
		Subcommands: []*cli.Command{generateCommand(env), describeCommand(env), convertCommand(env), mapCommand(env), redactCommand(env),
			outagesCommand(env)},
	})
}

func sourceFlags(more ...cli.Flag) []cli.Flag {
	return append([]cli.Flag{
		&cli.StringSliceFlag{Name: "data", Usage: "look for logs in `FOLDER` too"},
		&cli.StringSliceFlag{Name: "set", Usage: "override a field of the workload: `FIELD=VALUE`, such as --set jobs=1000"},
		&cli.Uint64Flag{Name: "seed", Usage: "draw a generated workload from the master seed `SEED`"},
	}, more...)
}

func openSource(env environment, c *cli.Context, what string, set ...string) (*input.Trace, error) {
	source, err := oneArgument(c, what)
	if err != nil {
		return nil, err
	}
	return input.OpenTrace(source, c.Uint64("seed"), input.Options{Data: dataFolders(env, c), Set: append(set, c.StringSlice("set")...)})
}

func describeCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "describe",
		Usage:     "print a summary of a workload",
		ArgsUsage: "SOURCE",
		Description: `Jobs, span, offered load, shares of serial jobs and powers of two, quantiles,
the day and the week, and for a log the hygiene report.
` + sourceHelp + "\n\n" + example(`schedsweep workload describe lublin --set jobs=10000
schedsweep workload describe KTH-SP2-1996-2.2.swf.gz --data ../shared/traces`),
		Flags: sourceFlags(),
		Action: func(c *cli.Context) error {
			t, err := openSource(env, c, "the workload")
			if err != nil {
				return err
			}
			if !terminal(env.stdout) {
				return t.Describe(env.stdout)
			}
			var text strings.Builder
			if err := t.Describe(&text); err != nil {
				return err
			}
			_, err = io.WriteString(env.stdout, folded(text.String(), env.screen().Width))
			return err
		},
	})
}

func generateCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "generate",
		Usage:     "write a generated workload as an SWF log",
		ArgsUsage: "KIND",
		Description: `Streams: any number of jobs takes the same memory.

` + example(`schedsweep workload generate lublin --set jobs=1000 --seed 7 --out jobs.swf
schedsweep workload generate poisson --set clusters=2 --set jobs=100 --out jobs.swf.gz`),
		Flags:  sourceFlags(&cli.StringFlag{Name: "out", Usage: "`FILE`.swf, .swf.gz or .json (Batsim); - is standard output", Value: "-"}),
		Action: func(c *cli.Context) error { return writeTrace(env, c, "the kind of workload", c.String("out")) },
	})
}

func convertCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "convert",
		Usage:     "write a workload in another format",
		ArgsUsage: "SOURCE",
		Description: `Applies the transforms of --set on the way: selection, load, estimates and so on.
` + sourceHelp + "\n\n" + example(`schedsweep workload convert lublin --set jobs=100 --out jobs.json
schedsweep workload convert KTH-SP2-1996-2.2.swf.gz --data ../shared/traces --set select.jobs=500 --out part.swf`),
		Flags: sourceFlags(&cli.StringFlag{Name: "out", Usage: "`FILE`.swf, .swf.gz or .json (Batsim); - is SWF on standard output"}),
		Action: func(c *cli.Context) error {
			out, err := needed(c, "out")
			if err != nil {
				return err
			}
			return writeTrace(env, c, "the workload", out)
		},
	})
}

func writeTrace(env environment, c *cli.Context, what, out string) error {
	batsim := strings.HasSuffix(out, ".json")
	if out != "-" && !batsim && !strings.HasSuffix(out, ".swf") && !strings.HasSuffix(out, ".swf.gz") {
		return misuse("--out %s: the ending of the name chooses the format; use .swf, .swf.gz or .json (Batsim)", out)
	}
	t, err := openSource(env, c, what)
	if err != nil {
		return err
	}
	if t.Reads(out) {
		return misuse("--out %s is the log itself: write to another file", out)
	}
	write := t.WriteSWF
	if batsim {
		write = t.WriteBatsim
	}
	if err := writeCounted(env, out, "job", write); err != nil {
		return err
	}
	for _, note := range t.Notes() {
		env.note(note)
	}
	return nil
}

// writeCounted writes things to a file, and says how many, or to the standard output.
func writeCounted(env environment, path, what string, write func(io.Writer) (int, error)) error {
	if path == "-" {
		b := bufio.NewWriterSize(dataTo(env.stdout), 1<<20)
		_, err := write(b)
		return errors.Join(err, b.Flush())
	}
	n := 0
	err := store.ReplaceLog(path, func(w io.Writer) (err error) {
		n, err = write(w)
		return err
	})
	if err == nil {
		fmt.Fprintf(env.stderr, "%s in %s\n", text.Counted(n, what), path)
	}
	return err
}

func dataFolders(env environment, c *cli.Context) []string {
	return append(c.StringSlice("data"), filepath.SplitList(env.getenv("SCHEDSWEEP_DATA"))...)
}

func mapCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "map",
		Usage:     "print the column map that a table of jobs seems to want",
		ArgsUsage: "FILE",
		Description: `FILE is CSV, an accounting dump with |, JSON or Parquet. The map is YAML: the
columns, their meaning and unit, the rows that count, and the columns without use.
Correct it, keep it in a file, and name that in a manifest:
  workload: {kind: table, path: FILE, map: jobs.yaml, zone: Europe/Rome}
Maps that come with the program are named without a file: ` + strings.Join(input.ShippedMaps(), ", ") + `.

` + example(`schedsweep workload map eagle-sample.csv --data ../shared/traces/today > jobs.yaml`),
		Flags: []cli.Flag{&cli.StringSliceFlag{Name: "data", Usage: "look for the table in `FOLDER` too"}},
		Action: func(c *cli.Context) error {
			file, err := oneArgument(c, "the table")
			if err != nil {
				return err
			}
			return input.GuessMap(file, dataFolders(env, c), env.stdout)
		},
	})
}

func redactCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "redact",
		Usage:     "replace users, groups, names and paths in a log, consistently",
		ArgsUsage: "FILE",
		Description: `Of a table, what its map reads is written: times, durations, counts, sizes, and the
states that it names. All other text becomes a name with a number, such as user0001: users,
accounts, queues, partitions, licences, and columns that the map does not speak of. Jobs get
new numbers. --keep leaves a column as it is. In SWF every field is a number afterwards, and of
the header only numbers and dates are left. The same text becomes the same name everywhere, in
several logs too, where they share the translation table. Only its owner may read that table
(mode 0600).

Waits, run times and sizes stay as recorded. Whoever has the accounting of the machine can find
a job by them, and so its user; --shift-times makes that harder, not impossible. It can also
move times of a part of the log by one hour, where the clock has summer time. The first lines
of the written file say so to its readers.

` + example(`schedsweep workload redact dump.txt --map sacct --out redacted.txt --private names.csv`),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "map", Usage: "column map: `NAME` of a shipped one or a YAML file; SWF needs none"},
			&cli.StringFlag{Name: "out", Usage: "the redacted log: `FILE`, compressed if it ends in .gz"},
			&cli.StringFlag{Name: "private", Usage: "the translation table: `FILE`, gone on with where it exists"},
			&cli.StringSliceFlag{Name: "keep", Usage: "keep `COLUMN` as it is"},
			&cli.BoolFlag{Name: "shift-times", Usage: "move all times by one secret number of weeks (it is in the translation table)"},
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
			return input.Redact(input.Redaction{Log: file, Map: c.String("map"), Keep: c.StringSlice("keep"), Shift: c.Bool("shift-times"),
				To: out, Private: private, Data: dataFolders(env, c)}, env.stderr)
		},
	})
}
