package cmd

import (
	"github.com/urfave/cli/v2"

	"schedsweep/harness/input"
)

func platformCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "platform",
		Usage:     "print a SimGrid platform as the platform section of a manifest",
		ArgsUsage: "FILE.xml",
		Description: `Hosts, clusters of one switch, and the links between clusters, as far as a
platform has a place for them: a link that all pairs of clusters use, or one of
each cluster's own. What else there is (routes between hosts, other topologies,
traces, disks) is an error that names the element and its line. The host
master_host, or with the property role=master, is Batsim's own and left out.

` + example("schedsweep platform griffon.xml >>sweep.yaml\nschedsweep platform cluster.xml --without-network"),
		Flags: []cli.Flag{&cli.BoolFlag{Name: "without-network", Usage: "take the hosts alone: their number, cores and speeds"}},
		Action: func(c *cli.Context) error {
			path, err := oneArgument(c, "the platform")
			if err != nil {
				return err
			}
			section, err := input.ConvertPlatform(path, !c.Bool("without-network"))
			if err != nil {
				return misuse("%w", err)
			}
			return env.printf("%s", section)
		},
	})
}
