package run

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"schedsweep/harness/input"
	"schedsweep/sweep/params"
)

// ErrCommands says that a manifest runs programs that nobody has allowed.
var ErrCommands = errors.New("not allowed")

// commander is what parameters are by which a manifest names programs to run.
type commander interface{ Commands() [][]string }

func commandsOf(section *params.Resolved) [][]string {
	if c, ok := section.Params.(commander); ok {
		return c.Commands()
	}
	return nil
}

// allowed reports the programs that policies would run without the user's word.
// Reading a manifest, planning and checking it start none; see [input.Options].
func allowed(inputs *input.Files, policies ...*params.Resolved) error {
	if inputs.Commands {
		return nil
	}
	var all []string
	for _, r := range policies {
		for _, c := range commandsOf(r) {
			if text := strings.Join(c, " "); !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	return fmt.Errorf("%w: the manifest runs programs of its own: %s. Look at them, and if you trust them say --allow-commands", ErrCommands,
		strings.Join(all, "; "))
}
