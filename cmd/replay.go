package cmd

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"
)

var errDiffers = errors.New("rows are not repeated")

func replayCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "replay",
		Usage:     "run one instance of a run again",
		ArgsUsage: "MANIFEST ID",
		Description: `Runs one instance again, as simulate does with the same options, and
compares it bit for bit with its row in the run folder, if it has one. The exit
code is 5 if they differ. It leaves out measurements, such as
wall-clock times. ID is the instance's id, a beginning that no other id has,
or its number in the plan.

` + example(`schedsweep replay manifests/quickstart.yaml 17
schedsweep replay manifests/quickstart.yaml 17 --trace events.jsonl`),
		Flags: manifestFlags(append([]cli.Flag{outFlag(), auditFlag()}, simulationFlags()...)...),
		Action: func(c *cli.Context) error {
			st, id, err := openInstance(env, c)
			if err != nil {
				return err
			}
			index, err := findInstance(st, id)
			if err != nil {
				return err
			}
			res, err := simulated(env, c, st, index)
			if err != nil {
				return err
			}
			d, known, err := res.Compare(st.manifest, st.dir)
			switch {
			case err != nil:
				return err
			case d != nil:
				return fmt.Errorf("%w: instance %d: %s", errDiffers, index, d)
			case known:
				env.note("this repeats its row in " + st.dir)
			default:
				env.note(st.dir + " holds no answer of this instance to compare with")
			}
			return unanswered(res)
		},
	})
}

func openInstance(env environment, c *cli.Context) (study, string, error) {
	if c.NArg() != 2 {
		return study{}, "", misuse("%s takes two arguments, the manifest and an instance's id, and got %s; see schedsweep %s --help",
			c.Command.Name, given(c), c.Command.Name)
	}
	st, err := studyAt(env, c, c.Args().First())
	if err != nil {
		return st, "", err
	}
	return st.withLogs(), c.Args().Get(1), nil
}
