package cmd

import (
	"fmt"
	"os"
	"os/exec"

	"github.com/urfave/cli/v2"

	"schedsweep/harness/run"
)

const isolatedVerb = "isolated"

// isolatedCommand is the verb that only run --isolate starts.
func isolatedCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:   isolatedVerb,
		Usage:  "run the instances whose numbers come in, for run --isolate",
		Hidden: true,
		Flags:  manifestFlags(commandsFlag()),
		Action: func(c *cli.Context) error {
			answers := &outlet{to: os.Stdout}
			os.Stdout = os.Stderr // prints of policies are no answer
			st, err := openStudy(env, c)
			if err != nil {
				return err
			}
			return run.Serve(st.manifest.WithLogs(), st.inputs, os.Stdin, answers)
		},
	})
}

// isolation makes the command of a process for one worker's instances of the study;
// of memory each gets its part.
func isolation(env environment, st study, workers int, memory int64) (func() *exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("--isolate: %w", err)
	}
	args := append([]string{env.args[0]}, st.args(isolatedVerb)...)
	return func() *exec.Cmd {
		cmd := exec.Command(self)
		cmd.Args = args
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
		if memory > 0 {
			cmd.Env = append(cmd.Env, fmt.Sprintf("GOMEMLIMIT=%d", memory/int64(workers)))
		}
		return cmd
	}, nil
}
