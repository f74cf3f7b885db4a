package cmd

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

func mergeCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "merge",
		Usage:     "rewrite many small part files of a run as few large ones",
		ArgsUsage: "MANIFEST",
		Description: `Many shards and interruptions leave many part files. Merging changes no answer
and may happen during a run; a crash in between loses nothing. Rows that ran
before an axis was added to the manifest get the value of the axis with which
they ran. So other programs find all columns in every file. Rows of instances
that are no longer in the manifest have no value, and a note counts them. A later
merge with a manifest that has these instances fills it in. Two merges of one
folder exclude each other. If the file system has no locks, a file keeps
them apart. A merge that was killed leaves this file behind, and the next one
says how to remove it.

` + example(`schedsweep merge manifests/quickstart.yaml`),
		Flags: manifestFlags(outFlag(), waitFlag()),
		Action: withStudy(env, openRun, func(c *cli.Context, st study) error {
			res, err := rows.Merge(st.manifest, st.dir, store.LockOptions{Wait: waiting(c), Note: env.note})
			if err != nil {
				return err
			}
			p := printer{w: env.stdout}
			p.printf("%s: %s became %d\n", st.dir, text.Counted(res.Before, "part file"), res.After)
			for _, name := range slices.Sorted(maps.Keys(res.Sides)) {
				p.printf("%s: %s became %d\n", filepath.Join(st.dir, name), text.Counted(res.Sides[name].Before, "part file"), res.Sides[name].After)
			}
			if n := res.Unfilled; n > 0 {
				env.note(fmt.Sprintf("%s of instances that are no longer in the manifest have no value of an axis: where it was added "+
					"since, it stays null", text.Counted(n, "row")))
			}
			return p.err
		}),
	})
}
