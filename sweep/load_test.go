package sweep

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/harness/store/golden"
	"schedsweep/sweep/text"
)

// manifests lists the manifests of a folder of testdata.
func manifests(t testing.TB, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no manifests in testdata/%s (%v)", folder, err)
	}
	return files
}

func loadFile(t testing.TB, file string) (*Manifest, error) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	opt := testOptions(filepath.Dir(file))
	for _, line := range strings.Split(string(data), "\n") {
		if arg, ok := strings.CutPrefix(line, "# set: "); ok {
			opt.Set = append(opt.Set, arg)
		}
	}
	return Load(filepath.Base(file), data, opt)
}

// TestMistakes compares what is said about every malformed manifest with the
// golden file beside it. A comment "# set: path=value" is an override.
func TestMistakes(t *testing.T) {
	for _, file := range manifests(t, "invalid") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			_, err := loadFile(t, file)
			var mistakes *text.Errors
			if !errors.As(err, &mistakes) {
				t.Fatalf("error %v, want mistakes", err)
			}
			golden.Check(t, strings.TrimSuffix(file, ".yaml")+".golden", err.Error()+"\n")
		})
	}
}

// TestValidManifests loads every valid manifest and its resolved form.
func TestValidManifests(t *testing.T) {
	for _, file := range manifests(t, "valid") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			m, err := loadFile(t, file)
			if err != nil {
				t.Fatal(err)
			}
			again := load(t, string(m.Resolved()))
			if diff := cmp.Diff(rows(t, m), rows(t, again)); diff != "" {
				t.Errorf("the resolved manifest has other rows:\n%s", diff)
			}
			if diff := cmp.Diff(ids(t, m), ids(t, again)); diff != "" {
				t.Errorf("the resolved manifest has other ids:\n%s", diff)
			}
			if string(again.Resolved()) != string(m.Resolved()) || again.Hash() != m.Hash() {
				t.Errorf("resolving twice changes\n%s\ninto\n%s", m.Resolved(), again.Resolved())
			}
			if diff := cmp.Diff(m.Analysis, again.Analysis); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(m.Claims, again.Claims); diff != "" {
				t.Errorf("the resolved manifest has other claims:\n%s", diff)
			}
		})
	}
}

// FuzzLoad checks that no input makes Load panic, and that what it accepts has
// a plan and can be resolved and loaded again.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/valid/*.yaml", "testdata/invalid/*.yaml"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(data), "workload.jobs=3")
			f.Add(string(data), "axes.policy.kind=[easy, fcfs]")
		}
	}
	f.Add("a: [", "x")
	f.Add("? a\n: b", "policy={kind: easy}")
	f.Fuzz(func(t *testing.T, text, set string) {
		if len(text) > 1<<14 {
			return
		}
		opt := testOptions("testdata/valid")
		opt.Limits = Limits{Axis: 1 << 10, Points: 1 << 12, Variants: 1 << 10}
		for _, opt.Set = range [][]string{nil, {set}} {
			m, err := Load("fuzz.yaml", []byte(text), opt)
			if err != nil {
				_ = err.Error()
				continue
			}
			p, err := m.Plan()
			if err != nil {
				t.Fatal(err)
			}
			var in, in2 Instance
			p.At(p.Len()-1, &in)
			again, err := Load("again.yaml", m.Resolved(), Options{Registry: opt.Registry, HashFile: opt.HashFile, Limits: opt.Limits})
			if err != nil {
				t.Fatalf("the resolved manifest does not load: %v\n%s", err, m.Resolved())
			}
			p2, _ := again.Plan()
			if p2.Len() != p.Len() {
				t.Fatalf("%d instances, %d once resolved:\n%s", p.Len(), p2.Len(), m.Resolved())
			}
			if p2.At(p.Len()-1, &in2); in2.ID != in.ID {
				t.Fatalf("the last instance has id %s, %s once resolved:\n%s", in.ID, in2.ID, m.Resolved())
			}
		}
	})
}
