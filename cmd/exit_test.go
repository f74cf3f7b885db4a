package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"schedsweep/harness/run"
	"schedsweep/harness/store"
)

// call runs the command in this process.
func call(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = execute(environment{args: append([]string{"schedsweep"}, args...), stdout: &out, stderr: &err,
		getenv: func(string) string { return "" }, interrupts: func() <-chan os.Signal { return nil }})
	return code, out.String(), err.String()
}

// writerTo returns a function that writes files of a folder, and returns their paths.
func writerTo(t *testing.T, dir string) func(name, text string) string {
	return func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
}

func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	write := writerTo(t, dir)
	good := write("good.yaml", "name: good\nworkload: {kind: lublin, jobs: 5}\npolicy: {kind: fcfs}\n")
	bad := write("bad.yaml", "name: bad\nworkload: {kind: lubin}\n")
	large := write("large.yaml", "name: large\nworkload: {kind: list, jobs: [{processors: 9, run_time: 1}]}\nplatform: {processors: "+
		"8}\npolicy: {kind: fcfs}\n")
	failing := write("failing.yaml", "name: failing\nworkload: {kind: lublin, jobs: 50}\npolicy: {kind: fcfs}\nengine: {max_events: 10}\n")
	failed := filepath.Join(dir, "failed")
	out := filepath.Join(dir, "out")
	claimed := func(name, claim string) string {
		return write(name+".yaml", "name: "+name+"\nworkload: {kind: lublin, jobs: 5}\npolicy: {kind: fcfs}\nreplications: 3\nclaims:\n  - "+
			"{id: one, mean: {metric: makespan}, "+claim+"}\n")
	}
	right, wrong := claimed("right", "above: 0"), claimed("wrong", "below: -1e12")
	claimsOut := filepath.Join(dir, "claims")
	for _, c := range []struct {
		code   int
		args   []string
		stderr string
	}{
		{exitDone, []string{"version"}, ""},
		{exitDone, []string{"validate", good}, ""},
		{exitDone, []string{"run", good, "--out", out}, ""},
		{exitDone, []string{"run", "--out", out, good}, "nothing left to do"},
		{exitDone, []string{"analyze", good, "--out", out}, ""},
		{exitMisuse, []string{"analyze", good, "--out", out, "--set", "seed=2"}, "it has 1 row, and none is an instance"},
		{exitFailed, []string{"run", failing, "--out", failed}, "instances without an answer"},
		{exitFailed, []string{"analyze", failing, "--out", failed}, "nothing to analyse"},
		{exitDone, []string{"run", failing, "--out", failed, "--exit-failed", "0"}, "instances without an answer"},
		{exitFailed, []string{"run", failing, "--set", "replications=5", "--out", failed + "0", "--workers", "1", "--max-failures", "0",
			"--exit-failed", "0"}, "are left. Mend the cause"},
		{85, []string{"run", failing, "--set", "replications=5", "--out", failed + "85", "--workers", "1", "--max-failures", "0",
			"--exit-failed", "85"}, "are left. Mend the cause"},
		{exitMisuse, []string{"plan", good, "--run-up", "--no-trial"}, "leave --no-trial out"},
		{85, []string{"run", failing, "--out", failed, "--retry", "--exit-failed=85"}, "instances without an answer"},
		{exitMisuse, []string{"run", failing, "--out", failed, "--exit-failed", "256"}, "exit codes are 0 to 255"},
		{exitMisuse, []string{"run", failing, "--out", failed, "--exit-drained", "0"}, "are 1 to 255"},
		{exitMisuse, []string{"run", bad, "--exit-failed", "0"}, "lublin"},
		{exitDone, []string{"simulate", good}, ""},
		{exitDone, []string{"plan", good, "--set", "axes.policy.kind=[easy, fcfs]"}, ""},
		{exitDone, []string{"plan", good, "--set", "workload.select={run_time: [1, 1000], jobs: 3}"}, ""},
		{exitMisuse, []string{"fly"}, `there is no verb "fly"`},
		{exitMisuse, []string{"run"}, "takes one argument"},
		{exitMisuse, []string{"run", good, good}, "takes one argument"},
		{exitMisuse, []string{"run", good, "--set"}, "--set needs a value"},
		{exitMisuse, []string{"export", good}, "export needs --to"},
		{exitMisuse, []string{"workload", "convert", "lublin"}, "workload convert needs --out"},
		{exitMisuse, []string{"run", good, "--worker", "3"}, "worker"},
		{exitMisuse, []string{"run", good, "--workers", "many"}, "--workers many: want a whole number"},
		{exitMisuse, []string{"status", good, "--every", "x"}, "--every x: want a duration such as 90s or 1h30m"},
		{exitMisuse, []string{"run", good, "--jobs", "3"}, "there is no option --jobs; the options are"},
		{exitMisuse, []string{"run", good, "-j", "3"}, "there is no option -j;"},
		{exitMisuse, []string{"run", good, "--set", "replications", "5"}, `"5"; see schedsweep run --help`},
		{exitMisuse, []string{good}, "is no verb; the verb comes first: schedsweep run "},
		{exitMisuse, []string{"workload", "describe"}, "see schedsweep workload describe --help"},
		{exitMisuse, []string{"shard", good}, "valid: list"},
		{exitMisuse, []string{"gantt", filepath.Join(dir, "none.csv"), "--to", "g.svg"}, "simulate --jobs and export --dataset jobs write"},
		{exitMisuse, []string{"run", good, "--workers", "-1"}, "give at least 1"},
		{exitMisuse, []string{"run", good, "--shard", "3"}, "write I/N"},
		{exitMisuse, []string{"run", good, "--shard", "0/3"}, "write I/N"},
		{exitMisuse, []string{"run", good, "--shard", "1/3", "--shards", "3"}, "--shards goes with --shard auto"},
		{exitMisuse, []string{"run", good, "--shard", "auto", "--shards", "3"}, "no batch engine is around"},
		{exitMisuse, []string{"run", filepath.Join(dir, "none.yaml")}, "none.yaml"},
		{exitMisuse, []string{"validate", bad}, "lublin"},
		{exitMisuse, []string{"validate", good, "--set", "policy.kind=esay"}, "easy"},
		{exitMisuse, []string{"run", good, "--out", out, "--set", "seed=2"}, "belongs to another manifest"},
		{exitMisuse, []string{"analyze", good, "--out", filepath.Join(dir, "none")}, "run the manifest first"},
		{exitMisuse, []string{"simulate", good, "--instance", "7"}, "instances 0 to 0"},
		{exitMisuse, []string{"simulate", good, "--instance", "x"}, "give its number in the plan, its id"},
		{exitMisuse, []string{"simulate", good, "--instance", "-x"}, "give its number in the plan, its id"},
		{exitMisuse, []string{"simulate", good, "--instance", "-1"}, "the plan has instances 0 to "},
		{exitMisuse, []string{"init", good}, "exists"},
		{exitMisuse, []string{"init", filepath.Join(dir, "new.yaml"), "--from", "none"}, "quickstart"},
		{exitMisuse, []string{"list", "frobnicate"}, "valid: workload"},
		{exitMisuse, []string{"list", "policy", "nothing"}, "valid: co-allocation"},
		{exitMisuse, []string{"list", "engine", "nothing"}, "engine has no kinds; schedsweep list engine shows its fields"},
		{exitMisuse, []string{"workload", "shred"}, "generate, describe, convert"},
		{exitMisuse, []string{"workload", "generate", "lublin", "--out", "jobs.doc"}, "the ending of the name chooses the format"},
		{exitFailed, []string{"run", large, "--out", filepath.Join(dir, "large")}, "job 1 needs 9 processors"},
		{exitDone, []string{"run", right, "--out", claimsOut}, ""},
		{exitDone, []string{"claims", right, "--out", claimsOut}, ""},
		{exitClaim, []string{"claims", wrong, "--out", claimsOut}, "a claim does not hold: one"},
		{exitDone, []string{"analyze", wrong, "--out", claimsOut}, ""},
		{exitMisuse, []string{"claims", good, "--out", out}, "states no claims"},
		{exitMisuse, []string{"claims", right, "--out", filepath.Join(dir, "none")}, "run the manifest first"},
		{exitMisuse, []string{"claims", right, "--out", claimsOut, "--set", "seed=2"}, "belongs to another manifest"},
		{exitFailed, []string{"run", large, "--out", filepath.Join(dir, "large")}, "1 of 1"},
		{exitFailed, []string{"simulate", large}, "job 1 needs 9 processors"},
	} {
		code, _, stderr := call(c.args...)
		if code != c.code || !strings.Contains(stderr, c.stderr) {
			t.Errorf("schedsweep %s: exit code %d, want %d; stderr, want %q in it:\n%s", strings.Join(c.args, " "), code, c.code, c.stderr, stderr)
		}
	}
}

// TestOutputLost: a verb whose output cannot be written fails, also if it does not check the error of a print. A reader
// that has left is no failure. A broken pipe of any other file is one.
func TestOutputLost(t *testing.T) {
	manifest := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(manifest, []byte("name: m\nworkload: {kind: lublin, jobs: 5}\npolicy: {kind: fcfs}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err) // Linux has it
	}
	defer full.Close()
	r, left, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer left.Close()
	r.Close()
	out := filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{{"run", manifest, "--out", out, "--json"}, {"run", manifest, "--out", out, "--quiet"},
		{"verify", manifest, "--out", out, "--json"}, {"status", manifest, "--out", out}, {"simulate", manifest}, {"version"}, {"--help"}} {
		for to, want := range map[*os.File]int{full: exitUnexpected, left: exitDone} {
			var said bytes.Buffer
			code := execute(environment{args: append([]string{"schedsweep"}, args...), stdout: to, stderr: &said,
				getenv: func(string) string { return "" }, interrupts: func() <-chan os.Signal { return nil }})
			if n := strings.Count(said.String(), "no space left on device"); code != want || n != want {
				t.Errorf("%s: exit code %d, want %d, and its reason %d times:\n%s", join(args), code, want, want, &said)
			}
		}
	}
	pipe, gone := fmt.Errorf("file: %w", syscall.EPIPE), fmt.Errorf("table: %w", readerGone{syscall.EPIPE})
	for _, c := range []struct {
		err  error
		code int
	}{{pipe, exitUnexpected}, {gone, exitDone}, {errors.Join(gone, gone), exitDone}, {errors.Join(gone, pipe), exitUnexpected},
		{fmt.Errorf("verb: %w", errors.Join(gone, errors.New("another"))), exitUnexpected}} {
		if code := report(environment{stderr: io.Discard}, c.err); code != c.code {
			t.Errorf("%v: exit code %d, want %d", c.err, code, c.code)
		}
	}
}

// TestUnreadable: a folder that cannot be read is neither one in which nothing has run, nor one that cannot be written.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	manifest, file := filepath.Join(dir, "m.yaml"), filepath.Join(dir, "provenance.json")
	err := os.WriteFile(manifest, []byte("name: m\nworkload: {kind: lublin, jobs: 5}\npolicy: {kind: fcfs}\n"), 0o644)
	if err := errors.Join(err, os.Symlink(file, file)); err != nil { // root may read all files, but not this one
		t.Skip(err)
	}
	code, _, stderr := call("analyze", manifest, "--out", dir)
	if code != exitUnexpected || !strings.Contains(stderr, file) || strings.Contains(stderr, "run the manifest first") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	part := &store.Problem{Path: "x.parquet", Kind: store.Unreadable, Err: fs.ErrPermission}
	if unwritable(fmt.Errorf("run: %w", store.JoinProblems([]*store.Problem{part}))) || !unwritable(fmt.Errorf("run: %w", fs.ErrPermission)) {
		t.Error("an unreadable part is a folder that cannot be written, or such a folder is none")
	}
}

// TestHelp: every verb has a help text with an example, and run documents the
// exit codes.
func TestHelp(t *testing.T) {
	_, top, _ := call("--help")
	for _, c := range newApp(environment{}).Commands {
		if c.Hidden {
			continue // the program's own
		}
		if !strings.Contains(top, c.Name) {
			t.Errorf("schedsweep --help does not name %s", c.Name)
		}
		code, out, _ := call(c.Name, "--help")
		if code != exitDone || !strings.Contains(out, "Example:") || !strings.Contains(out, "schedsweep "+c.Name) {
			t.Errorf("schedsweep %s --help (exit code %d) has no example:\n%s", c.Name, code, out)
		}
		if code, same, _ := call(c.Name, "sweep.yaml", "-h"); c.Subcommands == nil && (code != exitDone || same != out) {
			t.Errorf("schedsweep %s sweep.yaml -h (exit code %d) is not %s --help:\n%s", c.Name, code, c.Name, same)
		}
	}
	if _, out, _ := call("run", "--help"); !strings.Contains(out, "3  finished, with failed instances") {
		t.Error("schedsweep run --help does not document the exit codes")
	}
	if code, _, stderr := call("analyse", "--help"); code != exitMisuse || !strings.Contains(stderr, "did you mean \"analyze\"?") {
		t.Errorf("schedsweep analyse --help (exit code %d): %s", code, stderr)
	}
}

// TestFolded: messages break between words, and excerpts of files do not.
func TestFolded(t *testing.T) {
	const rest = "\n    1 | policy: {kind: esay, order: [fcfs, sjf]}\n  and some words that go on"
	message := "schedsweep: a.yaml:1:2: there is no such policy (valid: easy, conservative, fcfs)" + rest
	want := "schedsweep: a.yaml:1:2: there is\n  no such policy (valid: easy,\n  conservative, fcfs)" + rest
	if got := folded(message, 34); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestHelpFlows: help is folded to the width of the screen, so its paragraphs come as
// one line each; those with line ends of their own leave single words on lines.
func TestHelpFlows(t *testing.T) {
	var look func(c *cli.Command)
	look = func(c *cli.Command) {
		if m := regexp.MustCompile(`(?m)^\S.*\n\S.*$`).FindString(c.Description); m != "" {
			t.Errorf("%s: a paragraph has an end of line in it:\n%s", c.Name, m)
		}
		for _, sub := range c.Subcommands {
			look(sub)
		}
	}
	for _, c := range newApp(environment{}).Commands {
		look(c)
	}
}

// TestLateInALaterRound: no time for a further round is no bad use.
func TestLateInALaterRound(t *testing.T) {
	for earlier, want := range []bool{true, false} {
		sum := run.Summary{Late: true, Cancelled: 2, Earlier: earlier}
		if err := stopped(sum, time.Now(), run.Limits{}, ""); errors.Is(err, errMisuse) != want {
			t.Errorf("%d ran in earlier rounds: %v", earlier, err)
		}
	}
}
