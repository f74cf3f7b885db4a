package run

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// costTable holds the durations of a plan's instances as its rows show them, and the set of
// finished instances.
type costTable struct {
	Shards    int `json:"shards"`
	Instances int `json:"instances"`
	// Points are the points with rows, by the position of their first instance,
	// ascending, and Seconds the mean times of these.
	Points  []int     `json:"points"`
	Seconds []float64 `json:"seconds"`
	longest []float32 // of the rows of these points, in s
	// Done has a bit for each instance that need not run; empty where all must run.
	Done []byte `json:"done"`
}

// costs returns the predicted times of instances in s, by position: 0 for an instance that is done. It returns
// nil where no point has rows. Points without rows cost the mean of the others: other values do not say how cost
// grows along an axis.
func (t *costTable) costs(plan *sweep.Plan) []float32 {
	if len(t.Points) == 0 {
		return nil
	}
	mean := 0.0
	for _, s := range t.Seconds {
		mean += s / float64(len(t.Seconds))
	}
	costs := make([]float32, 0, plan.Len())
	var inst sweep.Instance
	for k := 0; len(costs) < plan.Len(); {
		plan.At(len(costs), &inst)
		cost := mean
		if k < len(t.Points) && t.Points[k] == inst.Index {
			cost = t.Seconds[k]
			k++
		}
		for range inst.Replications {
			if at := len(costs); len(t.Done) > 0 && t.Done[at/8]&(1<<(at%8)) != 0 {
				costs = append(costs, 0)
			} else {
				costs = append(costs, float32(max(cost, time.Nanosecond.Seconds())))
			}
		}
	}
	return costs
}

// deal decides which instances the shard runs. The first shard to begin records the known costs in the folder, for
// all shards and for good: every instance is in one shard, though rows come meanwhile and shards begin again.
func (p *pool) deal() error {
	table := &p.costs
	var err error
	if p.cfg.all {
		p.share = p.plan.Deal(0, 1, table.costs(p.plan))
		return nil
	}
	if p.cfg.Shards > 1 {
		table, err = p.recorded()
	}
	p.share = p.plan.Deal(p.cfg.Shard, p.cfg.Shards, table.costs(p.plan))
	return err
}

// recorded is the table that all shards use; with an error it is this shard's own.
func (p *pool) recorded() (*costTable, error) {
	dir := filepath.Join(p.cfg.Dir, SharesDir, fmt.Sprintf("%d-of-%s", p.cfg.Shards, planName(p.plan)))
	p.costs.Shards = p.cfg.Shards
	err := store.FirstFile(dir, costsFile, func(w io.Writer) error { return json.NewEncoder(w).Encode(&p.costs) })
	if !errors.Is(err, fs.ErrExist) {
		return &p.costs, err
	}
	path := filepath.Join(dir, costsFile)
	text, err := store.ReadRegular(path)
	if err != nil {
		return &p.costs, fmt.Errorf("run folder %s: %w", p.cfg.Dir, err)
	}
	var t costTable
	if err = json.Unmarshal(text, &t); err == nil && !t.fits(p.cfg.Shards, p.plan.Len()) {
		err = folder.ErrBroken
	}
	if err != nil {
		return &p.costs, fmt.Errorf("%s: %w, so that no shard knows its instances: remove %s when no shard is running, and run all "+
			"shards again", path, err, dir)
	}
	return &t, nil
}

func (t *costTable) fits(shards, instances int) bool {
	within := func(i int) bool { return i >= 0 && i < instances }
	return t.Shards == shards && t.Instances == instances && len(t.Points) == len(t.Seconds) &&
		(len(t.Done) == 0 || len(t.Done) == (instances+7)/8) &&
		slices.IsSorted(t.Points) && !slices.ContainsFunc(t.Points, func(i int) bool { return !within(i) })
}

// planName tells plans of one folder apart: the number of instances and a hash of
// the ids of some. Two plans with one name would only share the same division.
func planName(plan *sweep.Plan) string {
	const most = 64
	h := sha256.New()
	var inst sweep.Instance
	for k := range min(most, plan.Len()) {
		plan.At(k*plan.Len()/min(most, plan.Len()), &inst)
		h.Write(inst.ID[:])
	}
	return fmt.Sprintf("%d-%x", plan.Len(), h.Sum(nil)[:4])
}

// The folder of the shards' agreements, in a run folder.
const (
	SharesDir = "shards"
	costsFile = "costs.json"
)
