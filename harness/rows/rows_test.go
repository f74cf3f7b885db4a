package rows_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
)

// Parameters identify an instance. A manifest with other labels reads the rows under its own labels, as if it had written them.
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
		first, in := harnesstest.Loaded(t, before)
		if _, err := run.Sweep(t.Context(), run.Config{Manifest: first, Inputs: in, Dir: grown}); err != nil {
			t.Fatal(err)
		}
		m, in := harnesstest.Loaded(t, now)
		for _, dir := range []string{grown, fresh} {
			if _, err := run.Sweep(t.Context(), run.Config{Manifest: m, Inputs: in, Dir: dir}); err != nil {
				t.Fatal(err)
			}
		}
		a, _, err := rows.Read(m, grown)
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := rows.Read(m, fresh)
		if err != nil {
			t.Fatal(err)
		}
		if a.Hash(rows.Volatile...) != b.Hash(rows.Volatile...) || b.Hash(rows.Volatile...) != harnesstest.Hash(t, fresh) {
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
	m, _ := harnesstest.Loaded(t, harnesstest.Small)
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, folder.Instances), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err := rows.Read(m, dir); !errors.Is(err, rows.ErrNone) {
		t.Errorf("error %v", err)
	}
}
