package scripts

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// damage changes a file in one of five ways; other is the content of another file of the folder.
func damage(r *rand.Rand, kind int, whole, other []byte) []byte {
	at := r.IntN(max(1, len(whole)))
	switch out := bytes.Clone(whole); kind {
	case 0:
		return out[:at]
	case 1:
		if len(out) > 0 {
			out[at] ^= 1 << r.IntN(8)
		}
		return out
	case 2:
		clear(out[at:min(len(out), at+4096)])
		return out
	case 3:
		return nil
	default:
		return other
	}
}

// TestDamagedFolder damages files of run folders, with jobs and series: each file once, and in each of five ways with five times as
// many damages. An export is then right or refused with the name of a file. After the remedy that the messages name, the folder holds
// the rows of an undisturbed run. SCHEDSWEEP_DAMAGES sets how many there are, and SCHEDSWEEP_SEED which; without it they are others each
// time.
func TestDamagedFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	t.Parallel()
	times, seed := fromEnvironment(t, "SCHEDSWEEP_DAMAGES", 8), fromEnvironment(t, "SCHEDSWEEP_SEED", rand.Uint64())
	r := rand.New(rand.NewPCG(seed, 1))
	manifest, prog := "../../manifests/quickstart.yaml", program(t)
	set := []string{"workload.jobs=12", "replications=3", "datasets=[jobs,series]"}
	call := func(verb, dir string, more ...string) (string, error) {
		args := []string{verb, manifest, "--out", dir}
		for _, s := range set {
			args = append(args, "--set", s)
		}
		out, err := exec.Command(prog, append(args, more...)...).CombinedOutput()
		return string(out), err
	}
	must := func(out string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, out)
		}
	}
	whole, export := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "rows.parquet")
	for _, shard := range []string{"1/2", "2/2"} {
		must(call("run", whole, "--quiet", "--shard", shard))
	}
	want := hashesOf(t, manifest, whole, set...)
	datasets := []string{"instances", "jobs", "series"}
	exported := func(dir, name string) (rows, out string, err error) {
		more := []string{"--reproducible", "--to", export}
		if name != datasets[0] {
			more = append(more, "--dataset", name)
		}
		if out, err = call("export", dir, more...); err != nil {
			return "", out, err
		}
		text, err := os.ReadFile(export)
		return string(text), out, err
	}
	wanted := map[string]string{}
	for _, name := range datasets {
		rows, out, err := exported(whole, name)
		must(out, err)
		wanted[name] = rows
	}
	var files []string
	err := filepath.WalkDir(whole, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files = append(files, strings.TrimPrefix(path, whole))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	content := func(name string) []byte {
		text, err := os.ReadFile(whole + name)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	noticed, mended := 0, 0
	for n := range int(times) {
		dir := filepath.Join(t.TempDir(), "damaged")
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		name, other := files[n%len(files)], files[r.IntN(len(files))]
		kind := (n%len(files) + n/len(files)) % 5 // another one in each round
		what := []string{"cut", "flipped", "zeroed", "emptied", "replaced by " + other}[kind] + ": " + name
		if err := os.WriteFile(dir+name, damage(r, kind, content(name), content(other)), 0o644); err != nil {
			t.Fatal(err)
		}
		named := regexp.MustCompile(regexp.QuoteMeta(dir) + `/[^\s:;,"]+`)
		for _, dataset := range datasets {
			got, out, err := exported(dir, dataset)
			switch path := named.FindString(out); {
			case err == nil && got != wanted[dataset]:
				t.Errorf("seed %d, damage %d, %s: other %s without an error\n%s", seed, n, what, dataset, out)
			case err != nil && !slices.ContainsFunc(files, func(name string) bool { return dir+name == path }):
				t.Errorf("seed %d, damage %d, %s: an error of %s without a file: %v\n%s", seed, n, what, dataset, err, out)
			case err != nil:
				noticed++
			}
		}
		var last string
		for round := 0; ; round++ {
			out, err := call("run", dir, "--quiet", "--complete")
			if err == nil {
				out, err = call("status", dir, "--check")
			}
			if last = out; err == nil {
				mended += min(round, 1)
				break
			}
			if round == 4 {
				t.Fatalf("seed %d, damage %d, %s: refused after the remedy: %v\n%s", seed, n, what, err, out)
			}
			for _, path := range named.FindAllString(out, -1) {
				if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
					if err := os.Remove(path); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if got := hashesOf(t, manifest, dir, set...); got != want {
			t.Errorf("seed %d, damage %d, %s: the rows differ after the remedy\n%s", seed, n, what, last)
		}
	}
	t.Logf("%d damages of %d files: %d exports refused, %d folders mended by removing a file that a message named",
		times, len(files), noticed, mended)
	if noticed == 0 || mended == 0 {
		t.Errorf("%d exports refused, %d folders mended: the damages are too mild", noticed, mended)
	}
}
