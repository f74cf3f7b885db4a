package scripts

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"schedsweep/cmd"
	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sim/simtest"
)

// eager is the command that makes rows safe all the time, so that a kill at any moment
// meets the writing of parts.
func eager() {
	cmd.FlushEvery = 3 * time.Millisecond
	cmd.Main()
}

// hashOf is that of the sorted table of instances.
func hashOf(t *testing.T, dir string) [32]byte {
	t.Helper()
	table, err := harnesstest.Scan(filepath.Join(dir, folder.Instances), rows.Instances)
	if err != nil {
		t.Fatal(err)
	}
	return table.Hash(rows.Volatile...)
}

// hashesOf are those of the sorted tables of the three datasets, as export writes them;
// the part files must hold the same rows, each once.
func hashesOf(t *testing.T, manifest, dir string, set ...string) (all [3][32]byte) {
	t.Helper()
	m, _, err := input.Load(manifest, input.Options{Set: set})
	if err != nil {
		t.Fatal(err)
	}
	all[0] = hashOf(t, dir)
	for i, name := range rows.DatasetNames() {
		folder := t.TempDir()
		if _, err := rows.ExportDataset(m, dir, name, filepath.Join(folder, "rows.parquet"), true, false); err != nil {
			t.Fatal(err)
		}
		files, err := harnesstest.Scan(filepath.Join(dir, name), store.Records{})
		if err != nil {
			t.Fatal(err)
		}
		var stored []string // an export of jobs has more
		for _, c := range files.Columns {
			stored = append(stored, c.Name)
		}
		counted, err := harnesstest.Scan(folder, store.Records{}, stored...)
		if err != nil {
			t.Fatal(err)
		}
		if all[i+1] = counted.Hash(); files.Hash() != all[i+1] {
			t.Errorf("%s: the part files hold %d rows, of which %d count", name, files.Rows, counted.Rows)
		}
	}
	return all
}

// fromEnvironment is a number that a variable gives.
func fromEnvironment(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// killedSweep makes the quickstart one that takes a quarter of a second, or half a second with all cases.
var killedSweep = []string{fmt.Sprintf("workload.jobs=%d", simtest.Cases(100, 300)), "datasets=[jobs,series]"}

// TestKilledAndResumed kills the quickstart, with its jobs and series, with signal 9 at
// random moments and goes on: with 1 worker, with 8, as 2 or 3 shards, merged in between.
// The sorted tables are those of a run that nothing disturbed. SCHEDSWEEP_KILLS says how
// often, SCHEDSWEEP_SEED repeats a test that failed.
func TestKilledAndResumed(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	left, seed := fromEnvironment(t, "SCHEDSWEEP_KILLS", 2), fromEnvironment(t, "SCHEDSWEEP_SEED", uint64(time.Now().UnixNano()))
	t.Logf("SCHEDSWEEP_SEED=%d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	prog, manifest := programCalled(t, "eager"), "../../manifests/quickstart.yaml"
	command := func(verb, dir string, more ...string) *exec.Cmd {
		args := append([]string{verb, manifest, "--set", killedSweep[0], "--set", killedSweep[1], "--out", dir}, more...)
		return exec.Command(prog, args...)
	}
	must := func(cmd *exec.Cmd) {
		t.Helper()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("seed %d: %v: %v\n%s", seed, cmd.Args[1:], err, out)
		}
	}
	whole := filepath.Join(t.TempDir(), "whole")
	began := time.Now()
	must(command("run", whole, "--quiet", "--workers", "1"))
	takes := time.Since(began)
	want := hashesOf(t, manifest, whole, killedSweep...)
	for left > 0 {
		dir := filepath.Join(t.TempDir(), "killed")
		for range 1 + r.IntN(8) {
			if left == 0 {
				break
			}
			left--
			shards := 1 + r.IntN(3)
			var running []*exec.Cmd
			for i := range shards {
				cmd := command("run", dir, "--quiet", "--workers", []string{"1", "8"}[r.IntN(2)], "--shard", fmt.Sprintf("%d/%d", i+1, shards))
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				running = append(running, cmd)
			}
			time.Sleep(time.Duration(r.Int64N(int64(takes))))
			for _, cmd := range running {
				_ = cmd.Process.Kill() // or it has ended
				_ = cmd.Wait()
			}
			// A run that is killed before it writes its provenance leaves no run folder.
			if _, err := os.Stat(filepath.Join(dir, "provenance.json")); err == nil && r.IntN(3) == 0 {
				must(command("merge", dir))
			}
		}
		shards := 1 + r.IntN(3)
		for i := range shards {
			must(command("run", dir, "--quiet", "--shard", fmt.Sprintf("%d/%d", i+1, shards)))
		}
		if hashesOf(t, manifest, dir, killedSweep...) != want {
			t.Fatalf("seed %d: the tables differ", seed)
		}
		must(command("status", dir, "--check"))
	}
}
