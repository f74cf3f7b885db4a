package scripts

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"schedsweep/sim/simtest"
)

const questionsManifest = `name: asked
seed: 7
workload: {kind: lublin, mode: typeless, jobs: 120, estimates: {model: uniform, factor: 5}}
policy: {kind: easy}
axes:
  policy.order: [fcfs, sjf, smallest]
find:
  - {id: m, mean: {metric: mean_bounded_slowdown, of: {workload.offered_load: 0.7, policy.order: fcfs}}, relative_half_width: 45 %}
  - {id: b, best: {metric: mean_bounded_slowdown, among: policy.order, where: {workload.offered_load: 0.9}}, margin: 30 %, most: 60}
  - id: t
    threshold: {metric: utilisation, by: workload.offered_load, within: {from: 0.3, to: 0.9}, step: 0.1, at_most: 0.4, of: {policy.order: fcfs}}
    half_width: 0.1
`

// TestQuestionsInAnyWay asks questions with one process, in two shards or with all cases in four, and in three shards without one. It
// also kills processes by signal 9 at random moments and begins again. The decisions are the same, which the
// instances show that have rows, and so are the answers. SCHEDSWEEP_KILLS says how often, SCHEDSWEEP_SEED repeats a
// test that failed.
func TestQuestionsInAnyWay(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	t.Parallel()
	kills, seed := fromEnvironment(t, "SCHEDSWEEP_KILLS", 1), fromEnvironment(t, "SCHEDSWEEP_SEED", uint64(time.Now().UnixNano()))
	t.Logf("SCHEDSWEEP_SEED=%d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	prog := program(t)
	manifest := filepath.Join(t.TempDir(), "asked.yaml")
	if err := os.WriteFile(manifest, []byte(questionsManifest), 0o644); err != nil {
		t.Fatal(err)
	}
	command := func(dir string, shard, shards int) *exec.Cmd {
		return exec.Command(prog, "run", manifest, "--out", dir, "--quiet", "--workers", "2", "--shard", fmt.Sprintf("%d/%d", shard, shards))
	}
	var all sync.WaitGroup
	answers := func(dir string, shards int, running ...int) string {
		t.Helper()
		told := make([]string, len(running))
		for i, shard := range running {
			all.Add(1)
			go func() {
				defer all.Done()
				out, err := command(dir, shard, shards).Output()
				if err != nil {
					t.Errorf("seed %d: shard %d of %d: %v", seed, shard, shards, err)
				}
				told[i], _, _ = strings.Cut(string(out), dir)
			}()
		}
		all.Wait()
		for _, text := range told {
			if text != told[0] {
				t.Errorf("shards answer\n%s\nand\n%s", told[0], text)
			}
		}
		return told[0]
	}
	whole := filepath.Join(t.TempDir(), "whole")
	began := time.Now()
	want := answers(whole, 1, 1)
	takes := time.Since(began)
	if strings.Count(want, "\n") != 3 || strings.Contains(want, "open") {
		t.Fatalf("the answers are\n%s", want)
	}
	same := func(way, dir, told string) {
		t.Helper()
		if told != want {
			t.Errorf("seed %d: %s: the answers are\n%s\nand with one process\n%s", seed, way, told, want)
		}
		if hashOf(t, dir) != hashOf(t, whole) {
			t.Errorf("seed %d: %s: other instances have run", seed, way)
		}
	}
	several := filepath.Join(t.TempDir(), "several")
	shards := []int{1, 2, 3, 4}[:simtest.Cases(2, 4)]
	same("several shards", several, answers(several, len(shards), shards...))
	dead := filepath.Join(t.TempDir(), "dead")
	same("three shards without the second", dead, answers(dead, 3, 1, 3))
	prog = programCalled(t, "eager")
	for kills > 0 {
		killed := filepath.Join(t.TempDir(), "killed")
		for n := 1 + r.IntN(6); n > 0 && kills > 0; n-- {
			kills--
			var running []*exec.Cmd
			shards := 1 + r.IntN(2)
			for shard := range shards {
				cmd := command(killed, shard+1, shards)
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
		}
		same("killed", killed, answers(killed, 1, 1))
	}
}
