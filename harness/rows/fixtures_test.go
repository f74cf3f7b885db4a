package rows_test

import (
	"context"
	"testing"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/run"
)

// mustRunAll runs a manifest.
func mustRunAll(t testing.TB, text string, cfg run.Config) run.Summary {
	t.Helper()
	cfg.Manifest, cfg.Inputs = harnesstest.Loaded(t, text)
	sum, err := run.Sweep(context.Background(), cfg)
	if err != nil || sum.Bad() > 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	return sum
}

// after calls do once n instances have run.
type after struct {
	n   int
	do  func()
	did bool
}

func (*after) Began(run.Summary)  {}
func (*after) Ended(run.Summary)  {}
func (*after) Failed(run.Failure) {}
func (a *after) Progress(s run.Summary) {
	if s.Ran() >= a.n && !a.did {
		a.did = true
		a.do()
	}
}
