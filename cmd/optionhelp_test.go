package cmd

import (
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestOptionHelp: the help of an option names what its value is, and has one default.
func TestOptionHelp(t *testing.T) {
	var look func(path string, all []*cli.Command)
	look = func(path string, all []*cli.Command) {
		for _, c := range all {
			name := strings.TrimSpace(path + " " + c.Name)
			for _, f := range c.Flags {
				help := optionHelp(f)
				if strings.Count(help, "(default") > 1 || strings.Contains(help, " value\t") {
					t.Errorf("%s: %s", name, help)
				}
			}
			look(name, c.Subcommands)
		}
	}
	look("", newApp(environment{}).Commands)
}
