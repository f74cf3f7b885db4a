package run

import (
	"context"
	"fmt"

	"schedsweep/sim/progress"
)

// rehearse plays the instance under another progress model first, where its own
// asks for that; see [progress.Rehearsing]. Limits hold for each of the two runs; only
// the second is audited and counted.
func (b *bench) rehearse(ctx context.Context, sc *scenario) error {
	r, ok := sc.cfg.Progress.(progress.Rehearsing)
	if !ok {
		return nil
	}
	model := r.Rehearsal()
	if model == nil {
		return nil
	}
	cfg := sc.cfg
	cfg.Progress, cfg.Source = model, sc.played.Source(&b.listed)
	if _, err := b.engine.Run(ctx, cfg); err != nil {
		return fmt.Errorf("rehearsal: %w", err)
	}
	r.Rehearsed()
	return nil
}
