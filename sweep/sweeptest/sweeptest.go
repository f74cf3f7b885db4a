// Package sweeptest holds the common parts of tests of manifests: a registry, and ways to load manifests and to list their instances.
package sweeptest

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"schedsweep/harness/store"
	"schedsweep/harness/store/golden"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"

	_ "schedsweep/analysis/plot" // which declares the kinds of figures
)

// Base is a manifest of one instance, to which tests add their subject.
const Base = `name: t
workload: {kind: lublin, jobs: 100}
policy: {kind: easy}
`

// Options returns options that read parents from the folder and know a few input files.
func Options(folder string) sweep.Options {
	return sweep.Options{
		Registry: Registry(),
		ReadFile: func(name string) ([]byte, error) {
			data, err := store.ReadRegular(filepath.Join(folder, filepath.FromSlash(name)))
			if errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("%s: no such file", name) // the same text on every system
			}
			return data, err
		},
		HashFile: func(path string) (string, error) {
			if strings.HasPrefix(path, "missing") {
				return "", fmt.Errorf("%s is not in the manifest's folder, --data or $SCHEDSWEEP_DATA", path)
			}
			return "hash-of-" + strings.TrimPrefix(path, "copy-of-"), nil
		},
		Limits: sweep.Limits{Points: 1 << 20},
	}
}

// Load loads a manifest that must be valid.
func Load(t testing.TB, text string, set ...string) *sweep.Manifest {
	t.Helper()
	opt := Options("")
	opt.Set = set
	m, err := sweep.Load("test.yaml", []byte(text), opt)
	if err != nil {
		t.Fatalf("Load:\n%v\nof\n%s", err, text)
	}
	return m
}

// LoadFile loads a file, with each of its comments "# set: path=value" as an override.
func LoadFile(t testing.TB, file string) (*sweep.Manifest, error) {
	t.Helper()
	data, err := store.ReadRegular(file)
	if err != nil {
		t.Fatal(err)
	}
	opt := Options(filepath.Dir(file))
	for _, line := range strings.Split(string(data), "\n") {
		if arg, ok := strings.CutPrefix(line, "# set: "); ok {
			opt.Set = append(opt.Set, arg)
		}
	}
	return sweep.Load(filepath.Base(file), data, opt)
}

// Mistakes compares what Load says about every malformed manifest of testdata/invalid with the golden file beside it.
func Mistakes(t *testing.T) {
	for _, file := range Manifests(t, "testdata/invalid") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			_, err := LoadFile(t, file)
			var mistakes *text.Errors
			if !errors.As(err, &mistakes) {
				t.Fatalf("error %v, want mistakes", err)
			}
			golden.Check(t, strings.TrimSuffix(file, ".yaml")+".golden", err.Error()+"\n")
		})
	}
}

// Manifests lists the manifests in folders, which are patterns. Each has some.
func Manifests(t testing.TB, folders ...string) []string {
	t.Helper()
	var all []string
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*.yaml"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no manifests in %s (%v)", folder, err)
		}
		all = append(all, files...)
	}
	return all
}

func Instances(t testing.TB, m *sweep.Manifest) []sweep.Instance {
	t.Helper()
	p, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	var out []sweep.Instance
	for i := range p.Len() {
		var in sweep.Instance
		p.At(i, &in)
		out = append(out, in)
	}
	return out
}

// One returns the only instance of a manifest.
func One(t testing.TB, text string, set ...string) sweep.Instance {
	t.Helper()
	all := Instances(t, Load(t, text, set...))
	if len(all) != 1 {
		t.Fatalf("%d instances, want 1", len(all))
	}
	return all[0]
}

// IDs returns the ids of all instances in order.
func IDs(t testing.TB, m *sweep.Manifest) []sweep.ID {
	t.Helper()
	return text.Each(Instances(t, m), func(in sweep.Instance) sweep.ID { return in.ID })
}

// Rows prints the values of every instance.
func Rows(t testing.TB, m *sweep.Manifest) []string {
	t.Helper()
	return text.Each(Instances(t, m), func(in sweep.Instance) string {
		return strings.Join(text.Each(in.Values, params.Value.String), " ")
	})
}
