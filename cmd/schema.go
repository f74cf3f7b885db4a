package cmd

import (
	_ "embed"

	"github.com/urfave/cli/v2"

	"schedsweep/harness"
	"schedsweep/sweep/schema"
)

// compareSchema describes what compare --json prints.
//
//go:embed compare.schema.json
var compareSchema string

func schemaCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "schema",
		Usage:     "print the JSON Schema of manifests, or of compare --json",
		ArgsUsage: "[compare]",
		Description: `Editors complete and check manifests by it. With compare it is that of the
output of schedsweep compare --json.

` + example(`schedsweep schema > schedsweep.schema.json`),
		Action: func(c *cli.Context) error {
			p := printer{w: env.stdout}
			switch {
			case c.NArg() == 1 && c.Args().First() == "compare":
				p.printf("%s", compareSchema)
				return p.err
			case c.Args().Present():
				return misuse("schedsweep %s takes no argument but compare", c.Command.Name)
			}
			text, err := schema.JSON(harness.Registry())
			if err != nil {
				return err
			}
			p.printf("%s\n", text)
			return p.err
		},
	})
}
