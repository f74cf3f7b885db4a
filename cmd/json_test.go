package cmd

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"schedsweep/analysis/stats"
)

// called runs the command in this process.
func called(t *testing.T, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	exit = execute(environment{args: append([]string{"schedsweep"}, args...), stdout: &out, stderr: &err, getenv: func(string) string {
		return ""
	},
		interrupts: func() <-chan os.Signal { return nil }})
	return exit, out.String(), err.String()
}

// described fails unless what a verb printed is as its published schema says, which
// knows all that it says.
func described(t *testing.T, verb, printed string) {
	t.Helper()
	exit, text, stderr := called(t, "schema", verb)
	if exit != exitDone {
		t.Fatal(stderr)
	}
	description, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(verb+".json", description); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(verb + ".json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(printed))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil {
		t.Fatalf("%s: %v in\n%s", verb, err, printed)
	}
	for name := range fields(value, map[string]bool{}) {
		if !strings.Contains(text, `"`+name+`": {`) {
			t.Errorf("the schema of %s does not know the field %s", verb, name)
		}
	}
}

// fields are the names of all fields that are no axes and no verdicts or outcomes.
func fields(value any, into map[string]bool) map[string]bool {
	switch v := value.(type) {
	case map[string]any:
		for name, field := range v {
			into[name] = true
			if name != "point" && name != "level" && name != "baseline" && name != "verdicts" && name != "outcomes" && name != "moments" {
				fields(field, into)
			}
		}
	case []any:
		for _, item := range v {
			fields(item, into)
		}
	}
	return into
}

// sweepForJSON has two policies, a trend, figures, margins and claims of all verdicts.
const sweepForJSON = `name: m
replications: 3
workload: {kind: lublin, jobs: 40, machine_procs: 8}
axes:
  workload.load_factor: [20, 30]
  policy.kind: [fcfs, easy]
metrics: [mean_wait_time, makespan]
analysis:
  baseline: {policy.kind: fcfs}
  margins: [{metric: makespan, share: 0.1}]
  trends: [{x: workload.load_factor, y: mean_wait_time}]
  figures: [{id: wait, x: workload.load_factor, y: mean_wait_time, series: policy.kind}]
claims:
  - {id: sure, mean: {metric: makespan}, at_least: 0}
  - {id: wrong, mean: {metric: makespan}, below: 0, across: [policy.kind]}
  - {id: told, mean: {metric: makespan}}
  - {id: elsewhere, mean: {metric: makespan, run: nowhere}, above: 0}
`

// runForJSON runs the sweep with something changed.
func runForJSON(t *testing.T, dir, name, set string, more ...string) (manifest, out string) {
	t.Helper()
	out, manifest = filepath.Join(dir, name), filepath.Join(dir, "m.yaml")
	if err := os.WriteFile(manifest, []byte(sweepForJSON), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"run", manifest, "--quiet", "--out", out, "--set", set}, more...)
	if exit, _, stderr := called(t, args...); exit != exitDone && exit != exitFailed && exit != exitDrained {
		t.Fatalf("exit code %d: %s", exit, stderr)
	}
	return manifest, out
}

// TestComparedJSON: with and without verdicts, axes and data.
func TestComparedJSON(t *testing.T) {
	dir := t.TempDir()
	run := func(name, set string) string {
		_, out := runForJSON(t, dir, name, set)
		return out
	}
	a, b, none := run("a", "seed=0"), run("b", "workload.jobs=60"), run("none", "engine.max_events=3")
	for _, c := range []struct {
		a, b string
		exit int
		want string
		more []string
	}{
		{a, b, -1, `"regressions"`, []string{"--across", "workload.jobs", "--independent"}},
		{a, run("again", "seed=0"), exitDone, `"equal": true`, nil},
		{a, none, exitClaim, `"no data"`, nil},
		{a, none, exitClaim, `these are not compared"`, []string{"--allow-failures"}},
	} {
		exit, stdout, stderr := called(t, append([]string{"compare", c.a, c.b, "--json", "--metric", "mean_wait_time", "--metric", "makespan",
			"--margin", "1%"}, c.more...)...)
		if exit != c.exit && c.exit >= 0 || !strings.Contains(stdout, c.want) {
			t.Errorf("%s: exit code %d, want %d; %s\n%s", c.b, exit, c.exit, stderr, stdout)
		}
		described(t, "compare", stdout)
	}
}

// TestClaimsJSON: claims that hold, do not, are reported and have no data; where none has data the gate fails.
func TestClaimsJSON(t *testing.T) {
	manifest, out := runForJSON(t, t.TempDir(), "a", "seed=0")
	exit, stdout, stderr := called(t, "claims", manifest, "--out", out, "--json")
	if exit != exitClaim || !strings.Contains(stderr, "does not hold: wrong") {
		t.Errorf("exit code %d: %s", exit, stderr)
	}
	described(t, "claims", stdout)
	for _, want := range []string{`"holds": 1`, `"does not hold": 1`, `"reported": 1`, `"cannot tell": 1`} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %s in\n%s", want, stdout)
		}
	}
	none := filepath.Join(filepath.Dir(manifest), "none.yaml")
	nowhere := sweepForJSON[:strings.Index(sweepForJSON, "  - {id: sure")] + "  - {id: elsewhere, mean: {metric: makespan, run: nowhere}, " +
		"above: 0}\n"
	if err := os.WriteFile(none, []byte(nowhere), 0o644); err != nil {
		t.Fatal(err)
	}
	exit, stdout, stderr = called(t, "claims", none, "--out", out, "--json")
	if exit != exitClaim || !strings.Contains(stderr, "no claim has a verdict, for none has data; the first, elsewhere: ") {
		t.Errorf("exit code %d: %s", exit, stderr)
	}
	described(t, "claims", stdout)
}

// TestStatusJSON: before, while and after a sweep in two shards.
func TestStatusJSON(t *testing.T) {
	dir := t.TempDir()
	manifest, out := runForJSON(t, dir, "a", "seed=0", "--shard", "1/2")
	for _, c := range []struct{ out, want string }{{filepath.Join(dir, "nothing"), `"to_do": 12`}, {out, `"state": "done"`}} {
		exit, stdout, stderr := called(t, "status", manifest, "--out", c.out, "--json")
		if exit != exitDone || !strings.Contains(stdout, c.want) {
			t.Errorf("%s: exit code %d: %s\n%s", c.out, exit, stderr, stdout)
		}
		described(t, "status", stdout)
	}
	if exit, _, stderr := called(t, "status", manifest, "--out", out, "--json", "--watch"); exit != exitMisuse ||
		!strings.Contains(stderr, "leave one out") {
		t.Errorf("exit code %d: %s", exit, stderr)
	}
}

// TestAnalyzeJSON: of a whole run, and of one without an answer.
func TestAnalyzeJSON(t *testing.T) {
	dir := t.TempDir()
	manifest, out := runForJSON(t, dir, "a", "seed=0")
	exit, stdout, stderr := called(t, "analyze", manifest, "--out", out, "--json")
	if exit != exitDone {
		t.Fatalf("exit code %d: %s", exit, stderr)
	}
	described(t, "analyze", stdout)
	for _, want := range []string{`"complete": true`, `"slope"`, `"p_holm"`, `"caption": "Mean over replications`, "wait.svg"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %s in\n%s", want, stdout)
		}
	}
	const sample = "sample={morris: {trajectories: 2}, over: {engine.slowdown_threshold: {from: 1, to: 9}, workload.jobs: [20, 40]}}"
	_, sampled := runForJSON(t, dir, "sampled", sample)
	exit, stdout, stderr = called(t, "analyze", manifest, "--set", sample, "--out", sampled, "--json")
	if exit != exitDone || !strings.Contains(stdout, `"mu_star": {`) || !strings.Contains(stdout, `"knob": "engine.slowdown_threshold"`) {
		t.Fatalf("exit code %d: %s%s", exit, stderr, stdout)
	}
	described(t, "analyze", stdout)
	_, none := runForJSON(t, dir, "none", "engine.max_events=3")
	if exit, stdout, stderr := called(t, "analyze", manifest, "--set", "engine.max_events=3", "--out", none, "--json"); exit != exitFailed ||
		stdout != "" {
		t.Errorf("exit code %d: %s%s", exit, stderr, stdout)
	}
}

// TestFidelityJSON: of a log of six weeks whose jobs wait longer by the log, some without a user.
func TestFidelityJSON(t *testing.T) {
	dir := t.TempDir()
	var log strings.Builder
	log.WriteString("; StartTime: Mon Jan 6 00:00:00 CET 2020\n; MaxProcs: 2\n")
	for i := range 420 {
		fmt.Fprintf(&log, "%d %d %d %d 1 -1 -1 1 7200 -1 1 %d 1 1 1 1 -1 -1\n", i+1, 8640*i, 100*(i%7), 3600, i%5-1)
	}
	manifest, out := filepath.Join(dir, "m.yaml"), filepath.Join(dir, "run")
	for name, text := range map[string]string{"log.swf": log.String(), "m.yaml": "name: m\nworkload: {kind: swf, path: log.swf}\naxes: " +
		"{policy.kind: [fcfs, easy]}\ndatasets: [jobs]\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"run", manifest, "--quiet", "--out", out}, {"fidelity", manifest, "--out", out, "--json"}} {
		exit, stdout, stderr := called(t, args...)
		if exit != exitDone {
			t.Fatalf("%v: exit code %d: %s", args, exit, stderr)
		}
		if args[0] == "fidelity" {
			described(t, "fidelity", stdout)
			for _, want := range []string{`"weeks": 6`, `"by": "start hour"`, `"user": null`, `"low": -`} {
				if !strings.Contains(stdout, want) {
					t.Errorf("no %s in\n%s", want, stdout)
				}
			}
		}
	}
}

// TestObject: fields keep their order, numbers that there are not are null, and texts stay as they are.
func TestObject(t *testing.T) {
	var b bytes.Buffer
	o := object{"b", math.NaN(), "a", object{"x", "<"}, "ws", []stats.Warning(nil)}
	if err := printJSON(&b, o); err != nil {
		t.Fatal(err)
	}
	if want := "{\n  \"b\": null,\n  \"a\": {\n    \"x\": \"<\"\n  },\n  \"ws\": []\n}\n"; b.String() != want {
		t.Errorf("got %s, want %s", b.String(), want)
	}
}
