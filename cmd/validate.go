package cmd

import (
	"github.com/urfave/cli/v2"

	"schedsweep/sweep/text"
)

func validateCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "validate",
		Usage:     "check a manifest and the files it names; run nothing",
		ArgsUsage: "MANIFEST",
		Description: `Reports every mistake of the manifest at once, with its place and the nearest
valid name. It also refuses combinations that make no sense.

` + example(`schedsweep validate manifests/quickstart.yaml`),
		Flags: manifestFlags(&cli.BoolFlag{Name: "resolved", Usage: "print the manifest as resolved: parents merged, overrides applied"}),
		Action: withStudy(env, openWithLogs, func(c *cli.Context, st study) error {
			if err := checked(env, st); err != nil {
				return err
			}
			if c.Bool("resolved") {
				return env.printf("%s", st.manifest.Resolved())
			}
			wanted := ""
			if st.inquiry != nil {
				wanted = " wanted so far by " + text.Counted(len(st.inquiry.Questions), "question")
			}
			return env.printf("%s is valid: %s%s\n", st.path, text.Counted(st.plan.Len(), "instance"), wanted)
		}),
	})
}
