package harness

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// An instance is known by its parameters. Whatever the manifest called them when
// the rows were written, they are read as a run of the manifest of today would
// have written them.
func TestRowsAreReadAsTheManifestIsNow(t *testing.T) {
	const head = `name: labels
replications: 3
workload: {kind: lublin, jobs: 300, load_factor: 3}
`
	before := head + `axes:
  policy:
    - {label: base, value: {kind: fcfs}}
    - {label: mine, value: {kind: easy, order: smallest}}
`
	for name, now := range map[string]string{
		"swapped labels": head + `axes:
  policy:
    - {label: base, value: {kind: easy, order: smallest}}
    - {label: mine, value: {kind: fcfs}}
`,
		"a label passed on": head + `axes:
  policy:
    - {label: old, value: {kind: easy, order: smallest}}
    - {label: mine, value: {kind: easy, order: largest}}
    - {label: base, value: {kind: fcfs}}
`,
		"other axes": head + `policy: {order: smallest}
axes:
  workload.load_factor: [3]
  policy.kind: [easy, fcfs]
`,
	} {
		grown, fresh := t.TempDir(), t.TempDir()
		first, in := loaded(t, before)
		if _, err := Run(t.Context(), Config{Manifest: first, Inputs: in, Dir: grown}); err != nil {
			t.Fatal(err)
		}
		m, in := loaded(t, now)
		for _, dir := range []string{grown, fresh} {
			if _, err := Run(t.Context(), Config{Manifest: m, Inputs: in, Dir: dir}); err != nil {
				t.Fatal(err)
			}
		}
		a, _, err := Rows(m, grown)
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := Rows(m, fresh)
		if err != nil {
			t.Fatal(err)
		}
		if a.Hash(Volatile...) != b.Hash(Volatile...) || b.Hash(Volatile...) != hash(t, fresh) {
			t.Errorf("%s: a folder with rows of before reads otherwise than a fresh one", name)
		}
		for i, c := range a.Schema() {
			if c.Name != b.Schema()[i].Name {
				t.Errorf("%s: column %d is %s, in a fresh folder %s", name, i, c.Name, b.Schema()[i].Name)
			}
		}
	}
}

func TestRowsOfAFolderWithoutAny(t *testing.T) {
	m, _ := loaded(t, small)
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, InstancesDir), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Rows(m, dir); !errors.Is(err, ErrNoRows) {
		t.Errorf("error %v", err)
	}
}
