package run

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
)

// explained explains the instance with that number in the manifest.
func explained(t *testing.T, text, dir string, index int) Explained {
	t.Helper()
	m, _ := harnesstest.Loaded(t, text)
	return explainedID(t, text, dir, idAt(harnesstest.PlanOf(t, m), index))
}

func explainedID(t *testing.T, text, dir, id string) Explained {
	t.Helper()
	m, _ := harnesstest.Loaded(t, text)
	e, err := Explain(m, dir, id[:12], nil)
	if err != nil || e.ID != id {
		t.Fatalf("of %s: %+v, %v", id, e, err)
	}
	return e
}

// ran runs a sweep and returns it.
func ran(t *testing.T, text, dir string) *sweep.Manifest {
	t.Helper()
	m, in := harnesstest.Loaded(t, text)
	if sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir}); err != nil || sum.Bad() > 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	return m
}

// The list of fields decides the id: of all instances of some manifests, instances with the same list have one id.
func TestExplainedFieldsAreTheID(t *testing.T) {
	ids := map[string]string{}
	for _, text := range []string{harnesstest.Small, strings.Replace(harnesstest.Small, "seed: 7", "seed: 8", 1),
		strings.Replace(harnesstest.Small, "jobs: 60", "jobs: 61", 1),
		harnesstest.Small + "platform: {processors: 64}\n", strings.Replace(harnesstest.Small, "factor: 3", "factor: 3.5", 1),
		strings.Replace(harnesstest.Small, "name: small", "name: other", 1)} {
		m, _ := harnesstest.Loaded(t, text)
		for _, inst := range harnesstest.PlanOf(t, m).All() {
			list, err := json.Marshal(hashed(harnesstest.PlanOf(t, m), inst))
			if err != nil {
				t.Fatal(err)
			}
			if was, ok := ids[string(list)]; ok && was != inst.ID.String() {
				t.Fatalf("%s has the ids %s and %s", list, was, inst.ID)
			}
			ids[string(list)] = inst.ID.String()
		}
	}
	if len(ids) != 5*90 {
		t.Errorf("%d different lists, want those of five manifests", len(ids))
	}
}

func TestExplain(t *testing.T) {
	dir := t.TempDir()
	if e := explained(t, harnesstest.Small, dir, 3); e.Row != nil || e.Nearest != nil {
		t.Errorf("without rows: %+v", e)
	}
	m := ran(t, harnesstest.Small, dir)
	if e := explained(t, harnesstest.Small, dir, 3); e.Row == nil || e.Row.Outcome != "ok" || e.Nearest != nil || e.From != "" ||
		!strings.Contains(e.Name, "replication 3") {
		t.Errorf("of an instance with a row: %+v", e)
	}

	// Another number of jobs: the nearest is the same instance of before.
	more := strings.Replace(harnesstest.Small, "jobs: 60", "jobs: 70", 1)
	e := explained(t, more, dir, 3)
	if n := e.Nearest; e.Row != nil || n == nil || n.ID != idAt(harnesstest.PlanOf(t, m), 3) || len(n.Differs) != 1 ||
		n.Differs[0] != (params.Difference{Field: "workload.jobs", A: "70", B: "60"}) {
		t.Errorf("%+v, nearest %+v", e, e.Nearest)
	}
	// The explanation gives the value of a default.
	e = explained(t, harnesstest.Small+"platform: {processors: 64}\n", dir, 3)
	if n := e.Nearest; n == nil || len(n.Differs) != 1 || n.Differs[0].A != "64" || !strings.HasSuffix(n.Differs[0].B, " (default)") {
		t.Errorf("nearest %+v", e.Nearest)
	}
	// The row belongs to another version of the manifest.
	e = explainedID(t, more, dir, idAt(harnesstest.PlanOf(t, m), 3))
	if n := e.Nearest; e.From != folder.ManifestPath(dir) || e.Row == nil || n == nil || n.From != "" || len(n.Differs) != 1 ||
		n.Differs[0] != (params.Difference{Field: "workload.jobs", A: "60", B: "70"}) {
		t.Errorf("%+v, nearest %+v", e, e.Nearest)
	}
	if _, err := Explain(m, dir, "", nil); !errors.Is(err, ErrUnknownID) {
		t.Errorf("several: %v", err)
	}
	if _, err := Explain(m, dir, "zz", nil); !errors.Is(err, ErrUnknownID) {
		t.Errorf("none: %v", err)
	}
}

// TestExplainAGrownFolder: the folder keeps the manifests that it had, and where it
// does not the row speaks for itself.
func TestExplainAGrownFolder(t *testing.T) {
	dir := t.TempDir()
	const first = "name: grown\nreplications: 2\nworkload: {kind: lublin, jobs: 20}\naxes: {policy.kind: [fcfs, easy]}\n"
	next := strings.Replace(first, "fcfs, easy", "easy, first-fit", 1)
	m := ran(t, first, dir)
	id := idAt(harnesstest.PlanOf(t, m), 1)
	ran(t, next, dir)
	kept := filepath.Join(dir, "manifests", m.Hash()+".yaml")
	e := explainedID(t, next, dir, id)
	if n := e.Nearest; e.From != kept || !strings.Contains(e.Name, "policy.kind=fcfs, replication 1") || n == nil || len(n.Differs) != 1 ||
		n.Differs[0].Field != "policy.kind" {
		t.Errorf("%+v, nearest %+v", e, e.Nearest)
	}
	if err := os.Remove(kept); err != nil {
		t.Fatal(err)
	}
	e = explainedID(t, next, dir, id)
	if e.From != "its row alone" || len(e.Notes) != 1 || !slices.Contains(e.Fields, params.HashedField{Field: "policy.kind", Value: "fcfs"}) {
		t.Errorf("%+v", e)
	}
}

// TestExplainAnotherVersion: rows of an older program are known by their version.
func TestExplainAnotherVersion(t *testing.T) {
	dir := t.TempDir()
	plan := harnesstest.PlanOf(t, ran(t, harnesstest.Small, dir))
	rows := harnesstest.RowsOf(t, dir)
	now := map[string]string{}
	for i := range plan.Len() {
		now[idAt(plan, i)] = idAt(plan.AsOf(harness.SemanticVersion-1), i)
	}
	for i, id := range rows.Column("id").Strings {
		rows.Column("id").Strings[i] = now[id]
	}
	if err := os.RemoveAll(filepath.Join(dir, folder.Instances)); err != nil {
		t.Fatal(err)
	}
	w, err := store.CreateFile(filepath.Join(dir, folder.Instances, "part-old.parquet"), rows.Schema(),
		map[string]string{folder.MetaVersion: strconv.Itoa(harness.SemanticVersion - 1)})
	if err == nil {
		err = errors.Join(w.Write(rows), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	e := explained(t, harnesstest.Small, dir, 3)
	if n := e.Nearest; n == nil || len(n.Differs) != 1 ||
		n.Differs[0] != (params.Difference{Field: "semantic version", A: strconv.Itoa(harness.SemanticVersion),
			B: strconv.Itoa(harness.SemanticVersion - 1)}) ||
		!strings.Contains(n.Name, "replication 3") {
		t.Errorf("%+v, nearest %+v", e, e.Nearest)
	}
}
