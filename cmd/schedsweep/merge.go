package main

import (
	"path/filepath"

	"github.com/urfave/cli/v2"

	"schedsweep/harness"
	"schedsweep/harness/store"
)

func mergeCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "merge",
		Usage:     "rewrite many small part files of a run as few large ones",
		ArgsUsage: "MANIFEST",
		Description: `Many shards and interruptions leave many part files. Merging changes no row and
may be asked while a run goes on; a crash in between loses nothing. Two merges of
one folder exclude each other; where the file system has no locks, by a file that
a merge that was killed leaves behind, and the message then says how to remove.

` + example(`schedsweep merge manifests/quickstart.yaml`),
		Flags: manifestFlags(outFlag(), waitFlag()),
		Action: func(c *cli.Context) error {
			_, dir, err := openRun(env, c)
			if err != nil {
				return err
			}
			res, err := store.Merge(filepath.Join(dir, harness.InstancesDir), store.MergeOptions{Lock: store.LockOptions{Wait: waiting(c), Note: env.note}})
			if err != nil {
				return err
			}
			p := printer{w: env.stdout}
			p.printf("%s: %s became %d\n", dir, counted(res.Before, "part file"), res.After)
			return p.err
		},
	})
}
