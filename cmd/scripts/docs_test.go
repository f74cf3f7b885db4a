package scripts

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"schedsweep/sweep/schema"
)

// TestReadme follows the session of the README, and compares what it prints.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	prog, err := filepath.Abs(program(t))
	if err != nil {
		t.Fatal(err)
	}
	p := read(t, string(text))
	if len(p.steps) < 5 {
		t.Fatalf("the README shows %d commands", len(p.steps))
	}
	follow(t, prog, p)
}

// TestReadmeManifest: the manifest shown is a manifest.
func TestReadmeManifest(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "shown.yaml")
	if err := os.WriteFile(path, []byte(fenced(t, string(text), "yaml")), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, stderr := call(t, "validate", path); code != exitDone || !strings.Contains(out, "300 instances") {
		t.Errorf("exit code %d\n%s%s", code, out, stderr)
	}
}

// TestContributing builds the program with exactly the files that
// CONTRIBUTING.md shows, each after the line that says where it belongs, and runs
// what they bring.
func TestContributing(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	text, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	dir, replace := t.TempDir(), map[string]string{}
	for i, m := range regexp.MustCompile("(?s)`((?:sim|analysis)/[a-z/]+[.]go)`:\n\n```go\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		source := filepath.Join(dir, fmt.Sprint(i)+".go")
		if err := os.WriteFile(source, []byte(m[2]), 0o644); err != nil {
			t.Fatal(err)
		}
		abs, err := filepath.Abs("../../" + m[1])
		if err != nil {
			t.Fatal(err)
		}
		replace[abs] = source
	}
	if shown := strings.Count(string(text), "```go\n"); shown != len(replace) {
		t.Errorf("%d files are shown, and of %d it is said where they belong", shown, len(replace))
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	plan := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(plan, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	prog := filepath.Join(dir, "schedsweep")
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-overlay", plan, "-o", prog, "../schedsweep").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	says := func(want string, args ...string) {
		t.Helper()
		if out, err := exec.Command(prog, args...).CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	says("policy neighbours: EASY backfilling, shortest job first", "list", "policy")
	says("audit: ok", "simulate", "../../manifests/quickstart.yaml", "--set", "policy.kind=neighbours")
	says("least-served", "list", "policy", "easy")
	says("audit: ok", "simulate", "../../manifests/quickstart.yaml", "--set", "policy.kind=easy", "--set", "policy.order=least-served")
	// The contract suites find the new kinds and orders by themselves.
	kinds := []string{"TestAllPolicies/neighbours", "TestGrid/easy/least-served", "TestAllModels/startup", "TestAllWorkloads/burst"}
	out, err := exec.Command("go", "test", "-overlay", plan, "-run", strings.Join(kinds, "|"), "-v", "../../sim/policy/contract",
		"../../sim/policy/backfill", "../../sim/progress/contract", "../../sim/workload/contract").CombinedOutput()
	for _, kind := range kinds {
		if err != nil || !strings.Contains(string(out), "--- PASS: "+kind) {
			t.Errorf("contract suite, %s: %v\n%s", kind, err, out)
		}
	}

	// Three bursts of 2 jobs are 6 submissions and 6 ends; a job of 30 s takes 42
	// with its start-up.
	burst := filepath.Join(dir, "burst.yaml")
	if err := os.WriteFile(burst, []byte("name: burst\nworkload: {kind: burst, bursts: 3, size: 2, period: 100}\nplatform: {processors: "+
		"2}\npolicy: {kind: fcfs}\nmetrics: [makespan]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	says(`"events": 12,`, "simulate", burst, "--json")
	startup := filepath.Join(dir, "startup.yaml")
	if err := os.WriteFile(startup, []byte("name: startup\nworkload: {kind: list, jobs: [{run_time: 30, walltime: 60}]}\nplatform: "+
		"{processors: 2}\npolicy: {kind: fcfs}\nprogress: {kind: startup, delay: 12}\nmetrics: [makespan]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	says(`"makespan": 42,`, "simulate", startup, "--json")

	// Of a job of 30 s that is killed after 10, and one of 2 processors for 20 s, a
	// fifth of 50 processor-seconds is lost.
	says("lower is better", "list", "metrics", "lost_share")
	manifest := filepath.Join(dir, "lost.yaml")
	if err := os.WriteFile(manifest, []byte("name: lost\nworkload: {kind: list, jobs: [{run_time: 30, walltime: 10}, {run_time: 20, "+
		"walltime: 20, processors: 2}]}\nplatform: {processors: 4}\npolicy: {kind: fcfs}\nmetrics: [lost_share]\n"+
		"claims: [{id: few, mean: {metric: lost_share}, at_most: 25%}]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	says(`"lost_share": 0.2,`, "simulate", manifest, "--json")
	says("1 ok", "run", manifest, "--out", filepath.Join(dir, "rows"))
	says("lost_share", "analyze", manifest, "--out", filepath.Join(dir, "rows"))

	figures := filepath.Join(dir, "extremes.yaml")
	if err := os.WriteFile(figures, []byte("name: extremes\nreplications: 3\nworkload: {kind: burst}\nplatform: {processors: 2}\n"+
		"axes: {policy.kind: [fcfs, neighbours]}\nmetrics: [makespan]\n"+
		"analysis: {figures: [{id: e, kind: extremes, x: policy.kind, y: makespan}]}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	says("6 ok", "run", figures, "--out", filepath.Join(dir, "extremes"))
	says("; figure e", "analyze", figures, "--out", filepath.Join(dir, "extremes"), "--to", dir)
	if drawn, err := os.ReadFile(filepath.Join(dir, "figures", "e.csv")); err != nil || strings.Count(string(drawn), "extremes") < 2 {
		t.Errorf("the figure: %v\n%s", err, drawn)
	}
	says(`"const": "extremes"`, "schema")
}

// fenced returns the first block of code of a language.
func fenced(t *testing.T, text, language string) string {
	t.Helper()
	m := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no block of %s", language)
	}
	return m[1]
}

// TestGuide: every example of the guide to manifests is one.
func TestGuide(t *testing.T) {
	const head = "name: shown\nworkload: {kind: lublin, jobs: 10}\n"
	examples := 0
	for _, topic := range schema.Topics() {
		for _, block := range regexp.MustCompile(`(?m)(?:^    .*\n?)+`).FindAllString(topic.Text, -1) {
			text := regexp.MustCompile(`(?m)^    `).ReplaceAllString(block, "")
			if strings.HasPrefix(text, "mean: {") || topic.Name == "intervals" {
				continue // a table of statistics
			}
			if !strings.HasPrefix(text, "name:") {
				text = head + text
			}
			path := filepath.Join(t.TempDir(), "shown.yaml")
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			if code, _, stderr := call(t, "validate", path); code != exitDone {
				t.Errorf("%s: exit code %d\n%s\n%s", topic.Name, code, text, stderr)
			}
			examples++
		}
	}
	if examples < 9 {
		t.Errorf("the guide has %d examples", examples)
	}
}
