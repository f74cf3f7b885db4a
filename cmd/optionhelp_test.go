package cmd

import (
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestOptionHelp: the help of an option names what its value is, and has one default. Help fits a screen of 80 columns.
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
			var help strings.Builder
			execute(environment{args: append(append([]string{"schedsweep"}, strings.Fields(name)...), "--help"), stdout: &help, stderr: &help,
				getenv: func(string) string { return "" }})
			for _, line := range strings.Split(help.String(), "\n") {
				if len(line) > usualWidth {
					t.Errorf("%s --help has %d columns: %s", name, len(line), line)
				}
			}
			look(name, c.Subcommands)
		}
	}
	look("", newApp(environment{}).Commands)
}
