package cmd

import (
	"encoding/json"
	"fmt"

	"github.com/urfave/cli/v2"
)

func shardCommand(env environment) *cli.Command {
	return group(cli.Command{
		Name:        "shard",
		Usage:       "list the shards of a sweep, for engines that take items",
		Description: example("schedsweep shard list sweep.yaml --shards 40"),
		Subcommands: []*cli.Command{shardListCommand(env)},
	})
}

func shardListCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "list",
		Usage:     "write a line for each shard of a sweep",
		ArgsUsage: "MANIFEST",
		Description: `Engines that start a task for each line or JSON item take them from here. Pass
each line to run --shard. There are no more shards than instances.

` + example(`schedsweep shard list sweep.yaml --shards 40 | parallel schedsweep run sweep.yaml --shard {}
hq submit --from-json <(schedsweep shard list sweep.yaml --shards 40 --format json) -- task.sh`),
		Flags: manifestFlags(
			&cli.IntFlag{Name: "shards", Usage: "list `N` shards"},
			&cli.StringFlag{Name: "format", Value: "lines", Usage: "print `FORMAT`: lines (I/N), or json (objects with shard, index, shards)"},
		),
		Action: func(c *cli.Context) error {
			n := c.Int("shards")
			if n < 1 {
				return misuse("%s needs --shards N, at least 1", c.Command.HelpName)
			}
			format := c.String("format")
			if format != "lines" && format != "json" {
				return misuse("--format %s: want lines or json", format)
			}
			st, err := openWithLogs(env, c)
			if err != nil {
				return err
			}
			p, items := printer{w: env.stdout}, []object{}
			for i := 1; i <= min(n, st.plan.Len()); i++ {
				shard := fmt.Sprintf("%d/%d", i, n)
				items = append(items, object{"shard", shard, "index", i, "shards", n})
				if format == "lines" {
					p.printf("%s\n", shard)
				}
			}
			if format == "json" {
				p.err = json.NewEncoder(env.stdout).Encode(items)
			}
			return p.err
		},
	})
}
