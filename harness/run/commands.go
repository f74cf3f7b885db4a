package run

import (
	"errors"
	"fmt"
	"strings"

	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// ErrCommands reports that a manifest runs programs, or connects to addresses, that the user has not allowed.
var ErrCommands = errors.New("not allowed")

// outsider is implemented by parameters by which a manifest names programs to run, or addresses to which a run connects.
type outsider interface {
	Commands() [][]string
	Addresses() []string
}

// Allowed reports the programs that runs of a plan would start, and the addresses to which they would connect, without the user's
// consent. It also reports missing files that runs would read. Reading a manifest, planning and checking it do neither; see
// [input.Options].
func Allowed(plan *sweep.Plan, inputs *input.Files) error {
	if err := inputs.Complete(); err != nil {
		return harness.Unusable("%w", err)
	}
	return allowed(inputs, plan.Variants(harness.SectionPolicy)...)
}

func allowed(inputs *input.Files, policies ...*params.Resolved) error {
	if inputs.Commands {
		return nil
	}
	var programs, addresses []string
	for _, r := range policies {
		if o, ok := r.Params.(outsider); ok {
			for _, c := range o.Commands() {
				programs = text.Once(programs, strings.Join(c, " "))
			}
			addresses = text.Once(addresses, o.Addresses()...)
		}
	}
	var does []string
	if programs != nil {
		does = append(does, "runs programs of its own: "+strings.Join(programs, "; "))
	}
	if addresses != nil {
		does = append(does, "sends its jobs to modules at addresses of its own: "+strings.Join(addresses, "; "))
	}
	if does == nil {
		return nil
	}
	return fmt.Errorf("%w: the manifest %s. Look at them, and if you trust them say --allow-commands", ErrCommands,
		strings.Join(does, ", and "))
}
