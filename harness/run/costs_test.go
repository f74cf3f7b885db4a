package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/sweep"
)

// TestEveryInstanceIsInOneShard: shards together run every instance once. They may begin at different moments, with other rows
// in the folder, and may be drained and begun again in any order.
func TestEveryInstanceIsInOneShard(t *testing.T) {
	m, _ := harnesstest.Loaded(t, harnesstest.Small)
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	base := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(base, "")
		if err != nil {
			rt.Fatal(err)
		}
		there := map[sweep.ID]rows.DoneRow{}
		// run does at most that many instances of a shard, and reports whether the shard ended.
		run := func(shard, shards, most int) bool {
			p := pool{cfg: Config{Dir: dir, Shard: shard, Shards: shards}, plan: plan}
			p.survey(inMap(there))
			if err := p.deal(); err != nil {
				rt.Fatal(err)
			}
			var inst sweep.Instance
			for k := range p.share.Len() {
				if at := p.share.At(k); !p.skip(at) {
					if most--; most < 0 {
						return false
					}
					plan.At(at, &inst)
					if _, ran := there[inst.ID]; ran {
						rt.Fatalf("instance %d runs twice", at)
					}
					there[inst.ID] = rows.DoneRow{OK: rapid.Bool().Draw(rt, "ok"), Wall: rapid.Float64Range(0, 100).Draw(rt, "wall")}
				}
			}
			return true
		}
		run(0, 1, rapid.IntRange(0, 40).Draw(rt, "rows of an earlier run"))
		shards := rapid.IntRange(2, 7).Draw(rt, "shards")
		var todo []int
		for i := range shards {
			todo = append(todo, i)
		}
		for step := 0; len(todo) > 0; step++ {
			k := rapid.IntRange(0, len(todo)-1).Draw(rt, "which of the shards that are left")
			if run(todo[k], shards, rapid.IntRange(0, 12).Draw(rt, "drained after")+step) {
				todo = slices.Delete(todo, k, k+1)
			}
		}
		if len(there) != plan.Len() {
			rt.Fatalf("%d of %d instances ran", len(there), plan.Len())
		}
	})
}

// TestShardsAreBalanced by what earlier rows took: the instances of one point take
// all the time, and every shard gets its part of them.
func TestShardsAreBalanced(t *testing.T) {
	m, _ := harnesstest.Loaded(t, harnesstest.Small)
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	there := map[sweep.ID]rows.DoneRow{}
	for i, inst := range plan.All() { // the first replication of each point has run
		if inst.Replication == 0 {
			wall := 1.0
			if i/5 == 7 || i/5 == 11 {
				wall = 1000
			}
			there[inst.ID] = rows.DoneRow{OK: true, Wall: wall}
		}
	}
	p := pool{cfg: Config{Dir: t.TempDir(), Shards: 4}, plan: plan}
	p.survey(inMap(there))
	if err := p.deal(); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		share := plan.Deal(i, 4, p.costs.costs(plan))
		long, short, done := 0, 0, 0
		for k := range share.Len() {
			switch at := share.At(k); {
			case at%5 == 0:
				done++
			case at/5 == 7 || at/5 == 11:
				if short+done > 0 {
					t.Errorf("shard %d runs %d short instances before a long one", i, short)
				}
				long++
			default:
				short++
			}
		}
		if long != 2 || short != 16 {
			t.Errorf("shard %d has %d long and %d short instances to do, want 2 of 8 and 16 of 64", i, long, short)
		}
	}
}

// TestShardsAgreeAtOnce: of many that begin at one moment, each with other rows
// before its eyes, all divide the sweep alike.
func TestShardsAgreeAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	m, _ := harnesstest.Loaded(t, harnesstest.Small)
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		dir := t.TempDir()
		tables := make([]*costTable, 16)
		var wg sync.WaitGroup
		for i := range tables {
			wg.Go(func() {
				p := pool{cfg: Config{Dir: dir, Shard: i, Shards: 16}, plan: plan}
				there := map[sweep.ID]rows.DoneRow{}
				for k, inst := range plan.All() {
					if k < i {
						there[inst.ID] = rows.DoneRow{OK: true, Wall: float64(i)}
					}
				}
				p.survey(inMap(there))
				var err error
				if tables[i], err = p.recorded(); err != nil {
					t.Error(err)
				}
				tables[i].longest = nil // is not recorded
			})
		}
		wg.Wait()
		for i, table := range tables {
			if table.Shards != 16 || fmt.Sprint(*table) != fmt.Sprint(*tables[0]) {
				t.Fatalf("shard %d has %+v, shard 0 %+v", i, table, tables[0])
			}
		}
		left, err := os.ReadDir(filepath.Join(dir, SharesDir))
		if err != nil || len(left) != 1 {
			t.Fatalf("%d folders are left, error %v", len(left), err)
		}
	}
}

// TestDamagedCosts: a damaged division is an error with a remedy, and never causes another division.
func TestDamagedCosts(t *testing.T) {
	for _, text := range []string{"", "{", `{"shards": 3, "instances": 90}`, `{"shards": 2, "instances": 90, "points": [3]}`,
		`{"shards": 2, "instances": 90, "points": [95], "seconds": [1]}`, `{"shards": 2, "instances": 90, "done": "AAAA"}`} {
		dir := t.TempDir()
		mustRun(t, Config{Dir: dir, Shard: 0, Shards: 2})
		found, err := filepath.Glob(filepath.Join(dir, SharesDir, "*", costsFile))
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		if err := os.WriteFile(found[0], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		m, in := harnesstest.Loaded(t, harnesstest.Small)
		_, err = Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir, Shard: 1, Shards: 2})
		if err == nil || !strings.Contains(err.Error(), "remove "+filepath.Dir(found[0])) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// inMap are rows that no folder holds.
func inMap(there map[sweep.ID]rows.DoneRow) rows.Done {
	return rows.Done{N: len(there), Find: func(id sweep.ID) (rows.DoneRow, bool) { row, there := there[id]; return row, there }}
}
