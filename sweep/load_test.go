package sweep_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sweep"
	"schedsweep/sweep/sweeptest"
)

// TestMistakes is about mistakes of figures; those of other things are tested where they are found.
func TestMistakes(t *testing.T) { sweeptest.Mistakes(t) }

// TestValidManifests loads every valid manifest and its resolved form.
func TestValidManifests(t *testing.T) {
	for _, file := range sweeptest.Manifests(t, "testdata/valid") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			m, err := sweeptest.LoadFile(t, file)
			if err != nil {
				t.Fatal(err)
			}
			again := sweeptest.Load(t, string(m.Resolved()))
			if diff := cmp.Diff(sweeptest.Rows(t, m), sweeptest.Rows(t, again)); diff != "" {
				t.Errorf("the resolved manifest has other rows:\n%s", diff)
			}
			if diff := cmp.Diff(sweeptest.IDs(t, m), sweeptest.IDs(t, again)); diff != "" {
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
	for _, pattern := range []string{"testdata/*/*.yaml", "*/testdata/*/*.yaml"} {
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
		opt := sweeptest.Options("")
		opt.Limits = sweep.Limits{Axis: 1 << 10, Points: 1 << 12, Variants: 1 << 10}
		for _, opt.Set = range [][]string{nil, {set}} {
			m, err := sweep.Load("fuzz.yaml", []byte(text), opt)
			if err != nil {
				_ = err.Error()
				continue
			}
			p, err := m.Plan()
			if err != nil {
				t.Fatal(err)
			}
			var in, in2 sweep.Instance
			p.At(p.Len()-1, &in)
			again, err := sweep.Load("again.yaml", m.Resolved(), sweep.Options{Registry: opt.Registry, HashFile: opt.HashFile, Limits: opt.Limits})
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
