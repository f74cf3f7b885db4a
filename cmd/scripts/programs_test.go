package scripts

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// own tests and builds a module of somebody else's, and runs its sweep; the
// rows must say which program made them.
func own(t *testing.T, dir, name, manifest, policy string) {
	t.Helper()
	prog := filepath.Join(t.TempDir(), name)
	in := func(program string, args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v in %s: %v\n%s", program, args, dir, err, out)
		}
		return string(out)
	}
	in("go", "test", "./...") // vets, too
	in("go", "build", "-ldflags=-w", "-o", prog, ".")
	rows := filepath.Join(t.TempDir(), "rows")
	if said := in(prog, "run", manifest, "--out", rows); !strings.Contains(said, "40 ok") {
		t.Errorf("%s", said)
	}
	in(prog, "verify", manifest, "--out", rows)
	if said := in(prog, "explain", manifest, "25", "--out", rows); !strings.Contains(said, policy+" (version 1)") {
		t.Errorf("the policy's version is no part of the identity:\n%s", said)
	}
	text, err := os.ReadFile(filepath.Join(rows, "provenance.json"))
	var from struct{ Program string }
	if err == nil {
		err = json.Unmarshal(text, &from)
	}
	if err != nil || !regexp.MustCompile(`^\d+\.\d+\.\d+ in example\.org/`+name+" ").MatchString(from.Program) ||
		!strings.Contains(from.Program, "SHA-256 ") {
		t.Errorf("the rows are by %q, error %v", from.Program, err)
	}
	// The program without them does not know such a manifest.
	if code, _, stderr := call(t, "validate", filepath.Join(dir, manifest)); code != exitMisuse ||
		!strings.Contains(stderr, "there is no policy kind") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// The example of a program of one's own: a policy, a metric and a workload.
func TestExampleProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	dir, err := filepath.Abs("../examples/extras")
	if err != nil {
		t.Fatal(err)
	}
	own(t, dir, "extras", "extras.yaml", "lottery")
}

// What init --policy writes builds without looking anything up, passes its test and
// runs.
func TestInitPolicy(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	dir := filepath.Join(t.TempDir(), "there")
	if code, out, stderr := call(t, "init", "--policy", "wide-first", "--source", "../..", dir); code != exitDone {
		t.Fatalf("exit code %d\n%s%s", code, out, stderr)
	}
	t.Setenv("GOFLAGS", "-mod=readonly -trimpath") // packages built in another folder serve again
	t.Setenv("GOPROXY", "off")
	own(t, dir, "wide-first", "sweep.yaml", "wide-first")
	for want, args := range map[string][]string{
		"there exists; choose another folder":     {"--policy", "wide-first", "--source", "../..", dir},
		"there is such a policy":                  {"--policy", "easy", "--source", "../.."},
		"small letters, digits and hyphens":       {"--policy", "Wide First", "--source", "../.."},
		"its go.mod is not that of schedsweep":    {"--policy", "a", "--source", dir},
		"takes one argument, the folder to write": {"--policy", "a", "b", "c"},
	} {
		if code, _, stderr := call(t, append([]string{"init"}, args...)...); code != exitMisuse || !strings.Contains(stderr, want) {
			t.Errorf("init %v: exit code %d\n%s", args, code, stderr)
		}
	}
}
