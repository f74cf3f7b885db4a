package cmd

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

func outagesCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "outages",
		Usage:     "write the times in which the nodes of a log seem to have been out of service",
		ArgsUsage: "LOG",
		Description: `Writes the times of at least 30 min in which no node of a class was used,
though jobs of that class waited for at least 10 min of it. The platform's
events read the file: events: [{file: outages.csv}].

The partition of a job (field 16 of SWF) gives its class: --class 4=large
says that partition 4, or the one of that name, has the nodes large, and
--other thin that all others have the nodes thin. Without either the machine
is one class, all. LOG may be a manifest too. With --do drain simulated jobs
that run when such a time begins run on.

These times are read from the log's jobs. Choose with the first half of a log,
and score on the second.

` + example(`schedsweep workload outages CEA-Curie-2011-2.1-cln.swf.gz --data ../shared/traces --class 4=large --class 17=large --class 8=hybrid --other thin --out outages.csv`),
		Flags: sourceFlags(
			&cli.StringSliceFlag{Name: "class", Usage: "the node class of a partition, `PARTITION=CLASS`"},
			&cli.StringFlag{Name: "other", Usage: "the node `CLASS` of all other partitions"},
			&cli.StringFlag{Name: "do", Usage: "`EFFECT` of the events: down, or drain (running jobs run on)", Value: "down"},
			&cli.StringFlag{Name: "out", Usage: "`FILE`.csv; - is standard output", Value: "-"}),
		Action: func(c *cli.Context) error {
			t, err := openSource(env, c, "the log", "overrun=keep") // nodes are in use for as long as jobs run
			if err != nil {
				return err
			}
			if do := c.String("do"); do != "down" && do != "drain" {
				return misuse("--do %s: it must be down or drain", do)
			}
			classes := map[string]string{}
			for _, s := range c.StringSlice("class") {
				partition, class, ok := strings.Cut(s, "=")
				if !ok || class == "" {
					return misuse("--class %s: give PARTITION=CLASS, such as 4=large", s)
				}
				classes[partition] = class
			}
			return writeCounted(env, c.String("out"), "outage",
				func(w io.Writer) (int, error) { return t.WriteOutages(w, classes, c.String("other"), c.String("do")) })
		},
	})
}
