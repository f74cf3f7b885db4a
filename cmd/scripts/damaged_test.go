package scripts

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// TestDamagedFolder damages files of run folders, with jobs and series: each file, in each of five ways. An export is then right or
// refused with the name of a file. After the remedy that the messages name, the folder holds the rows of an undisturbed run.
// SCHEDSWEEP_DAMAGES says how often, and SCHEDSWEEP_SEED which damages. With some seeds a part of one dataset in place of another is
// refused without the name of the file.
func TestDamagedFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	times, seed := fromEnvironment(t, "SCHEDSWEEP_DAMAGES", 65), fromEnvironment(t, "SCHEDSWEEP_SEED", 31)
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
	must(call("export", whole, "--reproducible", "--to", export))
	wanted, err := os.ReadFile(export)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	err = filepath.WalkDir(whole, func(path string, e fs.DirEntry, err error) error {
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
	noticed, mended, moved := 0, 0, 0 // moved: a dataset's part in place of another's names no file
	for n := range int(times) {
		dir := filepath.Join(t.TempDir(), "damaged")
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		name, other := files[n%len(files)], files[r.IntN(len(files))]
		kind := n / len(files) % 5
		what := []string{"cut", "flipped", "zeroed", "emptied", "replaced by " + other}[kind] + ": " + name
		if err := os.WriteFile(dir+name, damage(r, kind, content(name), content(other)), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := call("export", dir, "--reproducible", "--to", export); err == nil {
			if got, err := os.ReadFile(export); err != nil || !bytes.Equal(got, wanted) {
				t.Errorf("seed %d, damage %d, %s: another export without an error (%v)\n%s", seed, n, what, err, out)
			}
		} else if noticed++; !strings.Contains(out, dir) {
			t.Errorf("seed %d, damage %d, %s: an error without a file: %v\n%s", seed, n, what, err, out)
		}
		named := regexp.MustCompile(regexp.QuoteMeta(dir) + `/[^\s:;,"]+`)
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
			if strings.Contains(out, "move the folder away and run the sweep again") {
				moved++
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
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
	t.Logf("%d damages of %d files: %d exports refused, %d folders mended by removing a file that a message named, %d "+
		"computed anew as a whole", times, len(files), noticed, mended, moved)
	if noticed == 0 || mended == 0 || moved > int(times)/20 {
		t.Errorf("%d exports refused, %d folders mended: the damages are too mild", noticed, mended)
	}
}
