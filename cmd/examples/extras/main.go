// Command extras is schedsweep with a policy, a metric and a kind of workload of
// its own: all verbs, and what comes with the program, as ever.
package main

import (
	"schedsweep/cmd"
	"schedsweep/sim"
	"schedsweep/sim/metrics"
	"schedsweep/sim/workload"
)

func main() {
	sim.Policies.Add(lottery)
	metrics.Add(unhindered)
	workload.Kinds.Add(shifts)
	cmd.Main()
}
