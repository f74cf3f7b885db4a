package scripts

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"schedsweep/sim/simtest"
)

const everythingManifest = `name: everything
seed: 7
workload: {kind: lublin, mode: typeless, jobs: 12, machine_procs: 16, offered_load: 0.7, estimates: {model: uniform, factor: 5}}
platform: {clusters: [{name: one, nodes: 16}]}
axes:
  policy:
    - {label: own, value: {kind: easy}}
    - {label: python, value: {kind: external, command: [python3, "{module}"], module: easy.py, timeout: 300}}
datasets: [jobs, series]
find:
  - {id: b, best: {metric: mean_bounded_slowdown, among: policy}, margin: 30 %, most: 20}
`

// everything is a study that asks a question, has jobs and series, and runs a module in Python.
type everything struct {
	t              *testing.T
	prog, manifest string
	want           [3]string // the exports of an undisturbed run
	takes          time.Duration
}

// newEverything runs the study undisturbed, with the program of that name.
func newEverything(t *testing.T, name string) *everything {
	if testing.Short() {
		t.Skip("slow")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	e := &everything{t: t, prog: programCalled(t, name), manifest: filepath.Join(dir, "everything.yaml")}
	module, err := os.ReadFile("../python/schedsweep/easy.py")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "easy.py"), module, 0o644)
	}
	if err == nil {
		err = os.WriteFile(e.manifest, []byte(everythingManifest), 0o644)
	}
	python, err2 := filepath.Abs("../python")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	t.Setenv("PYTHONPATH", python)
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	whole, began := filepath.Join(dir, "whole"), time.Now()
	e.must("run", whole, "--quiet", "--allow-commands")
	e.takes = time.Since(began)
	e.want = e.exports(whole)
	return e
}

func (e *everything) command(verb, dir string, more ...string) *exec.Cmd {
	return exec.Command(e.prog, append([]string{verb, e.manifest, "--out", dir}, more...)...)
}

func (e *everything) must(verb, dir string, more ...string) {
	e.t.Helper()
	if out, err := e.command(verb, dir, more...).CombinedOutput(); err != nil {
		e.t.Fatalf("%s %v: %v\n%s", verb, more, err, out)
	}
}

// exports are the exports of the three datasets.
func (e *everything) exports(dir string) (all [3]string) {
	e.t.Helper()
	to := filepath.Join(e.t.TempDir(), "rows.csv")
	for i, name := range []string{"instances", "jobs", "series"} {
		more := []string{"--reproducible", "--to", to}
		if i > 0 {
			more = append(more, "--dataset", name)
		}
		e.must("export", dir, more...)
		text, err := os.ReadFile(to)
		if err != nil || bytes.Count(text, []byte("\n")) < 41 { // 40 instances, each with jobs and series
			e.t.Fatalf("%s: %d bytes, %v", name, len(text), err)
		}
		all[i] = string(text)
	}
	return all
}

// start starts all shards at once.
func (e *everything) start(dir string, shards int) (running []*exec.Cmd) {
	e.t.Helper()
	for i := range shards {
		c := e.command("run", dir, "--quiet", "--allow-commands", "--shard", fmt.Sprintf("%d/%d", i+1, shards))
		c.Stderr = &bytes.Buffer{}
		if err := c.Start(); err != nil {
			e.t.Fatal(err)
		}
		running = append(running, c)
	}
	return running
}

// TestEverythingStartsAtOnce starts 8 shards at once, or 16 with all cases, in a folder that does not exist: none is refused, and the
// exports are those of one process. SCHEDSWEEP_STARTS says how often.
func TestEverythingStartsAtOnce(t *testing.T) {
	e := newEverything(t, "schedsweep")
	for n := range fromEnvironment(t, "SCHEDSWEEP_STARTS", 1) {
		dir := filepath.Join(t.TempDir(), "run")
		for i, c := range e.start(dir, simtest.Cases(8, 16)) {
			if err := c.Wait(); err != nil {
				t.Errorf("start %d, shard %d: %v\n%s", n, i+1, err, c.Stderr)
			}
		}
		if e.exports(dir) != e.want {
			t.Errorf("start %d: the exports differ", n)
		}
	}
}

// TestEverythingKilled kills one to three shards with signal 9 at random moments, merges in between, and goes on: the exports are those
// of an undisturbed run. SCHEDSWEEP_KILLS says how many rounds of kills there are, and SCHEDSWEEP_SEED repeats a test that failed.
func TestEverythingKilled(t *testing.T) {
	left, seed := fromEnvironment(t, "SCHEDSWEEP_KILLS", 1), fromEnvironment(t, "SCHEDSWEEP_SEED", uint64(time.Now().UnixNano()))
	t.Logf("SCHEDSWEEP_SEED=%d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	e := newEverything(t, "eager")
	killed := 0
	for left > 0 {
		dir := filepath.Join(t.TempDir(), "run")
		for n := 1 + r.IntN(6); n > 0 && left > 0; n-- {
			left--
			running := e.start(dir, 1+r.IntN(3))
			time.Sleep(time.Duration(r.Int64N(int64(e.takes))))
			for _, c := range running {
				_ = c.Process.Kill() // or it has ended
				if c.Wait() != nil {
					killed++
				}
			}
			if _, err := os.Stat(filepath.Join(dir, "provenance.json")); err == nil && r.IntN(3) == 0 {
				e.must("merge", dir)
			}
		}
		e.must("run", dir, "--quiet", "--allow-commands")
		if e.exports(dir) != e.want {
			t.Errorf("seed %d: the exports differ", seed)
		}
		e.must("status", dir, "--check")
	}
	t.Logf("%d processes killed", killed)
}
