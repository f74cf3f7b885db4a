package cmd

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"schedsweep/harness/siteconf"
	"schedsweep/sweep/text"
)

func platformCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "platform",
		Usage:     "print a site's configuration as sections of a manifest (slurm.conf, SimGrid)",
		ArgsUsage: "FILE",
		Description: `Reads a slurm.conf and prints the sections platform and policy: nodes,
partitions, licences, weights of priorities, and planning. Files that it includes
and topology.conf are read from its folder. Comments at the end name every line
that is not carried over, and why. A scheduler, selector or priority plugin that
is not supported is an error.

Shares and limits come from two tables of sacctmgr:
    sacctmgr show assoc tree -P >assoc.txt
    sacctmgr show qos -P >qos.txt

Of a SimGrid platform (XML), prints the section platform: hosts, clusters of one
switch, and links between clusters. A link serves all pairs of clusters, or one
cluster. Other elements (routes between hosts, other topologies, traces, disks)
are errors with the element and its line. Left out are the host master_host, and
hosts and clusters with the property role=master or role=storage, on which
Batsim runs no jobs.

` + example(`schedsweep platform slurm.conf --associations assoc.txt --qos qos.txt >>sweep.yaml
schedsweep platform griffon.xml >>sweep.yaml
schedsweep platform cluster.xml --without-network`),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "associations", Usage: "take shares and limits from `FILE`, by sacctmgr show assoc tree -P"},
			&cli.StringFlag{Name: "qos", Usage: "take priorities and limits of QOS from `FILE`, by sacctmgr show qos -P"},
			&cli.BoolFlag{Name: "without-network", Usage: "of SimGrid, take the hosts alone: their number, cores and speeds"}},
		Action: func(c *cli.Context) error {
			path, err := oneArgument(c, "the platform")
			if err != nil {
				return err
			}
			sections, decide, err := siteconf.Convert(path, siteconf.Options{
				WithoutNetwork: c.Bool("without-network"), Associations: c.String("associations"), QOS: c.String("qos")})
			if mistakes := (*text.Errors)(nil); errors.As(err, &mistakes) {
				return err
			} else if err != nil {
				return misuse("%w", err)
			}
			if decide > 0 {
				fmt.Fprintf(env.stderr, "not carried over: %s that may change decisions; the comments name them\n", text.Counted(decide, "setting"))
			}
			return env.printf("%s", sections)
		},
	})
}
