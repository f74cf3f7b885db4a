// Package durability runs the verbs of schedsweep on a disk that returns EIO at a chosen operation: make test-durability.
//
// PROGRAM is the program. FAULTS says how many faults each verb meets (default 6), half of them lasting. SEED says which operations fail.
// After a fault the rows of before are there, no output is wrong, and the message names the error and a path. The same command then
// succeeds, and gives what it gives on a sound disk.
package durability

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// verb is a command, and the state of the run folder that it starts from.
type verb struct {
	name, study, before string
	args                []string
	writes              bool     // rows
	of                  []string // files that it is called with in place of the study and its run folder; nil: these
	says                string   // a part of what it prints if it succeeds
}

var verbs = []verb{
	{name: "run", study: "study", args: []string{"run"}, writes: true},
	{name: "run question", study: "asked", args: []string{"run"}, writes: true},
	{name: "resume", study: "study", before: "half", args: []string{"run"}, writes: true},
	{name: "merge", study: "study", before: "whole", args: []string{"merge"}, writes: true},
	{name: "analyze", study: "study", before: "whole", args: []string{"analyze", "--to", "out/analysis"}},
	{name: "claims", study: "study", before: "whole", args: []string{"claims", "--to", "out/claims"}},
	{name: "report", study: "study", before: "whole", args: []string{"report", "--to", "out/report.html"}},
	{name: "export", study: "study", before: "whole", args: []string{"export", "--reproducible", "--to", "out/rows.csv"}},
	{name: "export jobs", study: "study", before: "whole",
		args: []string{"export", "--dataset", "jobs", "--reproducible", "--to", "out/jobs.parquet"}},
	{name: "pack", study: "study", before: "whole", args: []string{"pack", "--to", "out/study.tar.gz"}},
	{name: "status --check", study: "study", before: "whole", args: []string{"status", "--check"}},
	{name: "compare", study: "study", before: "whole", args: []string{"compare", "--to", "out/compared"}, of: []string{"run", "other"},
		says: "identical: "},
	{name: "verify", study: "study", before: "whole", args: []string{"verify", "--sample", "100%", "--seed", "1", "--quiet"},
		says: "12 of 12 rows with an answer, --seed 1: repeated bit for bit"},
	{name: "verify an artifact", study: "study", args: []string{"verify", "--sample", "100%", "--seed", "1", "--quiet"},
		of: []string{artifact}, says: "12 of 12 rows with an answer, --seed 1: repeated bit for bit"},
	{name: "fidelity", study: "log", before: "logged", args: []string{"fidelity", "--to", "out/fidelity"}, says: "fidelity"},
}

// inputs are the files of the studies, and artifact is a packed run of the first one.
var inputs = []string{"study.yaml", "asked.yaml", "log.yaml", "log.swf"}

const artifact = "study.tar.gz"

// trials holds the common settings of all trials.
type trials struct {
	program       string
	disk          *disk
	below, mount  string // the same files, without and with faults
	states        string // run folders to start from
	faults        int
	met, survived int // faults that the program met, and those after which it had succeeded
}

func number(t *testing.T, name string, otherwise uint64) uint64 {
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

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestVerbsOnADiskThatFails(t *testing.T) {
	seed, work := number(t, "SEED", rand.Uint64N(1e6)), t.TempDir()
	all := &trials{program: os.Getenv("PROGRAM"), below: filepath.Join(work, "disk"), mount: filepath.Join(work, "mount"),
		states: filepath.Join(work, "states"), faults: int(number(t, "FAULTS", 6))}
	for _, dir := range []string{all.below, all.mount, all.states, filepath.Join(all.states, "tmp")} {
		must(t, os.Mkdir(dir, 0o777))
	}
	d, server, err := mount(all.below, all.mount)
	if err != nil {
		t.Skipf("no file system can be mounted with FUSE here: %v", err)
	}
	t.Cleanup(func() { must(t, server.Unmount()) })
	all.disk = d
	must(t, copyFiles(all.states, ".", inputs...))
	for _, step := range [][]string{{"study", "half", "run", "--shard", "1/2"}, {"study", "whole", "run", "--shard", "1/2"},
		{"study", "whole", "run", "--shard", "2/2"}, {"log", "logged", "run"},
		{"study", "whole", "pack", "--to", filepath.Join(all.states, artifact)}} {
		if code, out := all.call(all.states, step[0], filepath.Join(all.states, step[1]), nil, step[2:]...); code != 0 {
			t.Fatalf("%v on a sound disk: %s", step, out)
		}
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for _, v := range verbs {
		t.Run(v.name, func(t *testing.T) { all.verb(t, r, v) })
	}
	t.Run("serve", func(t *testing.T) { all.serve(t, r) })
	t.Logf("%d faults of %d verbs, SEED=%d: %d failed with a message, %d succeeded in spite of the fault", all.met, len(verbs)+1, seed,
		all.met-all.survived, all.survived)
	if all.met == 0 {
		t.Error("the program met no fault")
	}
}

// copyFiles copies some files from a folder to another.
func copyFiles(to, from string, names ...string) error {
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), text, 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// call runs the program on a study that lies in a folder, with another run folder; or on other files of the folder.
func (all *trials) call(at, study, dir string, of []string, args ...string) (code int, out string) {
	line := []string{args[0], filepath.Join(at, study+".yaml"), "--out", dir}
	if of != nil {
		line = line[:1]
		for _, name := range of {
			line = append(line, filepath.Join(at, name))
		}
	}
	c := exec.Command(all.program, append(line, args[1:]...)...)
	c.Env = append(os.Environ(), "TMPDIR="+filepath.Join(at, "tmp"))
	text, _ := c.CombinedOutput() // its exit code tells
	return c.ProcessState.ExitCode(), string(text)
}

// prepare gives the disk the state that a verb starts from.
func (all *trials) prepare(v verb) error {
	entries, err := os.ReadDir(all.below)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(all.below, e.Name())))
	}
	for _, dir := range []string{"tmp", "out"} {
		err = errors.Join(err, os.Mkdir(filepath.Join(all.below, dir), 0o777))
	}
	err = errors.Join(err, copyFiles(all.below, all.states, append(inputs, artifact)...))
	for _, dir := range []string{"run", "other"} { // compare has two
		if v.before != "" {
			err = errors.Join(err, os.CopyFS(filepath.Join(all.below, dir), os.DirFS(filepath.Join(all.states, v.before))))
		}
	}
	return err
}

// on runs a verb on the disk that may fail.
func (all *trials) on(v verb) (code int, out string) {
	args := slices.Clone(v.args)
	for i, a := range args {
		if strings.HasPrefix(a, "out/") {
			args[i] = filepath.Join(all.mount, a)
		}
	}
	return all.call(all.mount, v.study, filepath.Join(all.mount, "run"), v.of, args...)
}

// datasets of the study.
var datasets = map[string][]string{"study": {"instances", "jobs", "series"}, "asked": {"instances"}}

// rows are the lines of the datasets of the run folder, as export writes them, sorted.
func (all *trials) rows(v verb, dir string) (lines []string, err error) {
	for _, name := range datasets[v.study] {
		to := filepath.Join(all.states, "rows.csv")
		args := []string{"export", "--reproducible", "--to", to}
		if name != "instances" {
			args = append(args, "--dataset", name)
		}
		if code, out := all.call(all.below, v.study, dir, nil, args...); code != 0 {
			return nil, fmt.Errorf("export %s: %s", name, out)
		}
		text, err := os.ReadFile(to)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			lines = append(lines, name+" "+line)
		}
	}
	slices.Sort(lines)
	return lines, nil
}

// files are the contents of a folder, by path. Temporary files are left out: their names begin with a dot.
func files(dir string) (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(bytes.Clone(text))
		return err
	})
	return all, err
}

// sound holds the results of a verb on a sound disk.
type sound struct {
	before, after   []string // rows, of verbs that write them
	stored, outputs map[string]string
	operations      int64
}

// outcome runs a verb without faults and returns what it leaves.
func (all *trials) outcome(v verb) (s sound, err error) {
	dir := filepath.Join(all.below, "run")
	all.disk.arm(0, false)
	code, out := all.on(v)
	s.operations = all.disk.heal()
	if code != 0 || !strings.Contains(out, v.says) {
		return s, fmt.Errorf("exit code %d: %s", code, out)
	}
	if v.writes {
		s.after, err = all.rows(v, dir)
	} else if s.stored, err = files(dir); err == nil {
		s.outputs, err = files(filepath.Join(all.below, "out"))
	}
	return s, err
}

func (all *trials) verb(t *testing.T, r *rand.Rand, v verb) {
	must(t, all.prepare(v))
	var before []string
	var err error
	if v.writes && v.before != "" {
		before, err = all.rows(v, filepath.Join(all.below, "run"))
		must(t, err)
	}
	want, err := all.outcome(v)
	if err != nil {
		t.Fatalf("on a sound disk: %v", err)
	}
	want.before = before
	for n := range all.faults {
		// one of equally long stretches of operations, so that each part of a verb meets faults
		at := 1 + (int64(n)*want.operations+r.Int64N(want.operations))/int64(all.faults)
		lasting := n%2 == 1
		must(t, all.prepare(v))
		all.disk.arm(at, lasting)
		code, out := all.on(v)
		if all.disk.heal() < at {
			continue // fewer operations than on the sound disk: no fault was met
		}
		all.met++
		if code == 0 {
			all.survived++
		}
		if what := all.judge(v, want, code, out); what != "" {
			t.Errorf("operation %d of %d, lasting %v: exit code %d: %s\n%s", at, want.operations, lasting, code, what, out)
		}
	}
	t.Logf("%d operations", want.operations)
}

var (
	crash  = regexp.MustCompile(`panic:|goroutine \d|fatal error|unexpected fault|SIGBUS`)
	remedy = regexp.MustCompile(`(?i)\b(remove|delete) (it|them|the)\b`)
)

// judge returns the damage after a fault; "" is none.
func (all *trials) judge(v verb, want sound, code int, out string) string {
	switch {
	case code < 0 || crash.MatchString(out):
		return "it crashed"
	case code != 0 && !strings.Contains(out, "input/output error"):
		return "the message does not name the error"
	case code != 0 && !strings.Contains(out, all.mount+"/"):
		return "the message names no path"
	case code == 0 && !strings.Contains(out, v.says):
		return "it succeeded and does not say: " + v.says
	case code != 0 && remedy.MatchString(out):
		return "the message advises to remove what may be sound"
	}
	if what := all.kept(v, want, code); what != "" {
		return what
	}
	again, err := all.outcome(v)
	switch {
	case err != nil:
		return "the same command fails on the sound disk: " + err.Error()
	case !slices.Equal(again.after, want.after):
		return fmt.Sprintf("the same command on the sound disk leaves other rows: %d lines for %d", len(again.after), len(want.after))
	case !maps.Equal(again.outputs, want.outputs):
		return "the same command on the sound disk gives other outputs: " + differences(again.outputs, want.outputs)
	}
	return ""
}

// kept returns the data that a fault has lost or made wrong; a verb that succeeded must have left all that it leaves on a sound disk.
func (all *trials) kept(v verb, want sound, code int) string {
	if v.writes {
		if len(want.before) == 0 && code != 0 {
			return ""
		}
		now, err := all.rows(v, filepath.Join(all.below, "run"))
		if err != nil {
			return "its rows cannot be read: " + err.Error()
		}
		for _, line := range want.before {
			if _, found := slices.BinarySearch(now, line); !found {
				return "a row is lost: " + line
			}
		}
		for _, line := range now {
			if _, found := slices.BinarySearch(want.after, line); !found {
				return "a row is wrong: " + line
			}
		}
		if code == 0 && len(now) != len(want.after) {
			return fmt.Sprintf("it succeeded with %d lines of %d", len(now), len(want.after))
		}
		return ""
	}
	stored, err1 := files(filepath.Join(all.below, "run"))
	outputs, err2 := files(filepath.Join(all.below, "out"))
	switch {
	case errors.Join(err1, err2) != nil:
		return errors.Join(err1, err2).Error()
	case !maps.Equal(stored, want.stored):
		return "a verb that only reads changed the run folder: " + differences(stored, want.stored)
	case code == 0 && !maps.Equal(outputs, want.outputs):
		return "it succeeded with other outputs: " + differences(outputs, want.outputs)
	}
	for name, text := range outputs {
		if want.outputs[name] != text {
			return "a wrong output is left: " + name
		}
	}
	return ""
}

// differences names the files that are not the same.
func differences(a, b map[string]string) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if _, known := b[name]; !known {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
