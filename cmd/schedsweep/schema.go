package main

import (
	"github.com/urfave/cli/v2"

	"schedsweep/harness"
	"schedsweep/sweep/schema"
)

func schemaCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:  "schema",
		Usage: "print the JSON Schema of manifests",
		Description: `Editors complete and check manifests by it.

` + example(`schedsweep schema > schedsweep.schema.json`),
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return misuse("schedsweep %s takes no argument", c.Command.Name)
			}
			text, err := schema.JSON(harness.Registry())
			if err != nil {
				return err
			}
			p := printer{w: env.stdout}
			p.printf("%s\n", text)
			return p.err
		},
	})
}
