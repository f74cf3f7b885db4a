package harness

import (
	"context"
	"fmt"

	"schedsweep/sim"
	"schedsweep/sim/studies/blanco2012/oas"
	"schedsweep/sim/studies/blanco2012/saturation"
)

// playList is the [workload.Play] of the harness: for kinds of workloads that draw
// until a heuristic does well.
func playList(machine *sim.Platform, jobs sim.Source, order string) (float64, error) {
	var e sim.Engine
	res, err := e.Run(context.Background(), sim.Config{Platform: machine, Source: jobs, Policy: oas.NewList(oas.ListParams{Order: order}), Progress: &saturation.Model{}})
	if err != nil {
		return 0, fmt.Errorf("playing a draw under %s: %w", order, err)
	}
	return res.End, nil
}
