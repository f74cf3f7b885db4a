package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// called runs the command in this process.
func called(t *testing.T, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	exit = execute(environment{args: append([]string{"schedsweep"}, args...), stdout: &out, stderr: &err, getenv: func(string) string { return "" },
		interrupts: func() <-chan os.Signal { return nil }})
	return exit, out.String(), err.String()
}

// TestComparedJSON: what compare --json prints is as its published schema says, with
// and without verdicts, axes and data.
func TestComparedJSON(t *testing.T) {
	description, err := jsonschema.UnmarshalJSON(strings.NewReader(compareSchema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("compare.json", description); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("compare.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(name, set string) string {
		t.Helper()
		out := filepath.Join(dir, name)
		manifest := filepath.Join(dir, "m.yaml")
		if err := os.WriteFile(manifest, []byte("name: m\nreplications: 3\nworkload: {kind: lublin, jobs: 40, machine_procs: 8}\naxes:\n  workload.load_factor: [20]\n  policy.kind: [fcfs, easy]\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if exit, _, stderr := called(t, "run", manifest, "--quiet", "--out", out, "--set", set); exit != exitDone && exit != exitFailed {
			t.Fatalf("exit code %d: %s", exit, stderr)
		}
		return out
	}
	a, b, none := run("a", "seed=0"), run("b", "workload.jobs=60"), run("none", "engine.max_events=3")
	for _, c := range []struct {
		a, b string
		exit int
		want string
	}{{a, a + "/../a/../b", exitDone, `"cannot tell"`}, {a, run("again", "seed=0"), exitDone, `"equal": true`}, {a, none, exitClaim, `"no data"`}} {
		exit, stdout, stderr := called(t, "compare", c.a, c.b, "--json", "--metric", "mean_wait_time", "--metric", "makespan", "--margin", "1%")
		if exit != c.exit && c.b != b || !strings.Contains(stdout, c.want) {
			t.Errorf("%s: exit code %d, want %d; %s\n%s", c.b, exit, c.exit, stderr, stdout)
		}
		printed, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
		if err == nil {
			err = schema.Validate(printed)
		}
		if err != nil {
			t.Errorf("%s: %v in\n%s", c.b, err, stdout)
		}
	}
}
