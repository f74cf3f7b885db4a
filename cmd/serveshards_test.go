package cmd

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// TestServeManyShards: while ten shards write 100,000 rows, a new part is on the page within two seconds, and no old part is read
// again. Old parts are overwritten with zeros, of the same size and time: a server that reads one again reports it as damaged.
func TestServeManyShards(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 100,000 rows")
	}
	const shards, parts, perPart = 10, 10, 1000
	dir := t.TempDir()
	manifest := filepath.Join(dir, "m.yaml")
	text := "name: wide\nreplications: 10000\nworkload: {kind: poisson, jobs: 3}\npolicy: {kind: fcfs}\n" +
		"axes: {platform.processors: {from: 1, to: 10, count: 10}}\n"
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, _, err := input.Load(manifest, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := m.Plan()
	if err != nil || plan.Len() != shards*parts*perPart {
		t.Fatal(plan.Len(), err)
	}
	run := filepath.Join(dir, "run")
	var writers []*store.Writer
	for s := range shards {
		w, err := store.NewWriter(store.Options{Dir: filepath.Join(run, folder.Instances), Shard: fmt.Sprintf("%d-of-%d", s, shards),
			Attempt: "a000001-x", Schema: store.Schema{{Name: "id", Type: store.String}, {Name: "outcome", Type: store.Category},
				{Name: "error", Type: store.String, Nullable: true}}})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		writers = append(writers, w)
	}
	write := func(shard, part int) {
		row := writers[shard].NewRow()
		var inst sweep.Instance
		for k := range perPart {
			plan.At((part*perPart+k)*shards+shard, &inst)
			row.SetString(0, inst.ID.String())
			row.SetString(1, string(harness.OK))
			if err := writers[shard].Append(row); err != nil {
				t.Fatal(err)
			}
		}
		if err := writers[shard].Flush(); err != nil {
			t.Fatal(err)
		}
	}
	for shard := range shards {
		for part := range parts - 1 {
			write(shard, part)
		}
	}
	base := running(t, manifest, "--out", run)
	lines := eventsOf(t, base+"0/live/events")
	shown := func(rows int) {
		t.Helper()
		for late := time.After(time.Minute); ; {
			select {
			case line := <-lines:
				if strings.Contains(line, `class="wrong"`) {
					t.Fatalf("an old part was read again: %s", line)
				}
				if strings.Contains(line, fmt.Sprintf(`value="%d"`, rows)) {
					return
				}
			case <-late:
				t.Fatalf("the page does not have %d rows", rows)
			}
		}
	}
	done := shards * (parts - 1) * perPart
	shown(done)
	old, err := filepath.Glob(filepath.Join(run, folder.Instances, "*.parquet"))
	if err != nil || len(old) != shards*(parts-1) {
		t.Fatal(len(old), err)
	}
	for _, path := range old {
		info, err := os.Stat(path)
		if err == nil {
			err = os.WriteFile(path, bytes.Repeat([]byte{0}, int(info.Size())), 0o644)
		}
		if err == nil {
			err = os.Chtimes(path, time.Time{}, info.ModTime())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var took []time.Duration
	for shard := range shards {
		write(shard, parts-1)
		began := time.Now()
		done += perPart
		shown(done)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	if median := took[len(took)/2]; median > 2*time.Second { // a busy machine delays single ones
		t.Errorf("new parts are on the page after %v", took)
	}
	t.Logf("new parts are on the page after %v to %v", took[0], took[len(took)-1])
}
