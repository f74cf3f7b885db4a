// Package scripts tests the command as people and programs meet it: as a process, by transcripts.
package scripts

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"schedsweep/cmd"
	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/harness/store/golden"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"schedsweep": cmd.Main, "nolocks": nolocks, "schedsweep-breaking": breaking, "eager": eager,
		"schedsweep-violating": violating})
}

// TestScripts runs the transcripts under testdata/script: what a person types
// and what the command answers. Each runs in a folder of its own.
func TestScripts(t *testing.T) {
	logs, err := filepath.Abs(dataFolder())
	if err != nil {
		t.Fatal(err)
	}
	python, err := filepath.Abs("../python")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"otherprogram": otherProgram, "columns": columnCounts,
			"sametable": sameTable},
		UpdateScripts: *golden.Update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("LOGS", logs)
			e.Setenv("MODULES", filepath.Join(python, "schedsweep"))
			e.Setenv("PYTHONPATH", python)
			e.Setenv("PYTHONDONTWRITEBYTECODE", "1")
			e.Setenv("GOGC", os.Getenv("GOGC")) // that of make test saves a sixth of the processor time
			e.Setenv("COLUMNS", "400")          // so that patterns find whole lines
			return damagedLogs(e.WorkDir)
		},
		Condition: func(name string) (bool, error) {
			_, err := os.Stat(logs)
			return name == "logs" && err == nil || name == "root" && os.Getuid() == 0, nil
		},
	})
}

// dataFolder returns the folder of real logs, if any.
func dataFolder() string {
	if d := os.Getenv("SCHEDSWEEP_DATA"); d != "" {
		return filepath.SplitList(d)[0]
	}
	return filepath.Join("..", "..", "..", "shared", "traces")
}

// damagedLogs writes the inputs that a text archive cannot hold: a compressed
// log that breaks off, and bytes that are no log.
func damagedLogs(dir string) error {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	for i := range 1000 {
		fmt.Fprintf(w, "%d %d -1 %d 4 -1 -1 4 %d -1 1 1 1 1 1 1 -1 -1\n", i+1, 7*i, 100+i*i%977, 3600+i)
	}
	if err := w.Close(); err != nil {
		return err
	}
	garbage := make([]byte, 4096)
	for i := range garbage {
		garbage[i] = byte(i * i * 2654435761 >> 7)
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "truncated.swf.gz"), z.Bytes()[:z.Len()/2], 0o644),
		os.WriteFile(filepath.Join(dir, "garbage.swf"), garbage, 0o644))
}

// otherProgram is "otherprogram RUN BY": a part part-other.parquet with the rows of the
// run as another program would have written them, whose mean wait times are
// longer by a share.
func otherProgram(ts *testscript.TestScript, _ bool, args []string) {
	dir := filepath.Join(ts.MkAbs(args[0]), folder.Instances)
	by, err := strconv.ParseFloat(args[1], 64)
	ts.Check(err)
	table, err := harnesstest.Scan(dir, store.Records{})
	ts.Check(err)
	wait := table.Column("mean_wait_time")
	for i := range wait.Floats {
		wait.Floats[i] *= 1 + by
	}
	w, err := store.CreateFile(filepath.Join(dir, "part-other.parquet"), table.Schema(),
		map[string]string{"schedsweep.program": "0.0.0-other"})
	ts.Check(err)
	ts.Check(w.Write(table))
	ts.Check(w.Close())
}

// columnCounts is "columns RUN NAME": how many rows of the run's files have each
// value of the column, as they lie.
func columnCounts(ts *testscript.TestScript, _ bool, args []string) {
	table, err := harnesstest.Scan(filepath.Join(ts.MkAbs(args[0]), folder.Instances), store.Records{}, args[1:2]...)
	ts.Check(err)
	counts := map[string]int{}
	for i := range table.Rows {
		value := "null"
		if !table.Columns[0].IsNull(i) {
			value = table.Columns[0].Text(i)
		}
		counts[value]++
	}
	for value, n := range counts {
		fmt.Fprintf(ts.Stdout(), "%d %s\n", n, value)
	}
}

// sameTable is "sametable RUN RUN COLUMN...": two run folders hold the same rows, but
// for these columns.
func sameTable(ts *testscript.TestScript, _ bool, args []string) {
	var hashes [2][32]byte
	for i := range hashes {
		table, err := harnesstest.Scan(filepath.Join(ts.MkAbs(args[i]), folder.Instances), rows.Instances)
		ts.Check(err)
		hashes[i] = table.Hash(append(args[2:], rows.Volatile...)...)
	}
	if hashes[0] != hashes[1] {
		ts.Fatalf("the rows of %s and %s differ", args[0], args[1])
	}
}
