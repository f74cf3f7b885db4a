package cmd

import (
	"github.com/urfave/cli/v2"
)

func validateCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "validate",
		Usage:     "check a manifest and the files it names; run nothing",
		ArgsUsage: "MANIFEST",
		Description: `Reports every mistake of the manifest at once, each with its place and the
nearest valid name, and refuses combinations that make no sense.

` + example(`schedsweep validate manifests/quickstart.yaml`),
		Flags: manifestFlags(&cli.BoolFlag{Name: "resolved", Usage: "print the manifest as resolved: parents merged, overrides applied"}),
		Action: func(c *cli.Context) error {
			st, err := openStudy(env, c)
			if err != nil {
				return err
			}
			if err := checked(env, st); err != nil {
				return err
			}
			p := printer{w: env.stdout}
			if c.Bool("resolved") {
				p.printf("%s", st.manifest.Resolved())
			} else {
				wanted := ""
				if st.inquiry != nil {
					wanted = " wanted so far by " + counted(len(st.inquiry.Questions), "question")
				}
				p.printf("%s is valid: %d instances%s\n", st.path, st.plan.Len(), wanted)
			}
			return p.err
		},
	})
}
