package cmd

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// permute moves flags before arguments, so that they may stand in any order:
// the flag parser stops at the first argument. "--" ends the flags.
func permute(app *cli.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	out := args[:1:1]
	rest := args[1:]
	commands, flags := app.Commands, app.Flags
	for len(rest) > 0 {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(rest[0]) })
		if i < 0 {
			break
		}
		out = append(out, rest[0])
		commands, flags, rest = commands[i].Subcommands, commands[i].Flags, rest[1:]
	}
	var values []string
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		if arg == "--" {
			values = append(values, rest...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			values = append(values, arg)
			continue
		}
		out = append(out, arg)
		if !strings.Contains(arg, "=") && takesValue(flags, strings.TrimLeft(arg, "-")) {
			if len(rest) == 0 {
				return out // an argument after it would be taken for its value
			}
			out = append(out, rest[0])
			rest = rest[1:]
		}
	}
	if slices.ContainsFunc(values, func(v string) bool { return strings.HasPrefix(v, "-") && v != "-" }) {
		out = append(out, "--")
	}
	return append(out, values...)
}

func takesValue(flags []cli.Flag, name string) bool {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			if g, ok := f.(*cli.GenericFlag); ok {
				_, optional := g.Value.(interface{ IsBoolFlag() bool })
				return !optional
			}
			_, isBool := f.(*cli.BoolFlag)
			return !isBool
		}
	}
	return false
}
