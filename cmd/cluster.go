package cmd

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/harness/engine"
	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

func clusterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "shard", Usage: "run part `I/N` of the sweep only, or auto: that of the batch engine's task"},
		&cli.StringFlag{Name: "shards", Usage: "number `N` of tasks for --shard auto, or their range such as 0-14:2"},
		&cli.IntFlag{Name: "exit-drained", Value: exitDrained, Usage: "end with `CODE` when stopped before the end, such as 99 for SGE"},
		&cli.IntFlag{Name: "exit-failed", Value: exitFailed, Usage: "end with `CODE` when instances have failed"},
	}
}

func inTask(env environment, c *cli.Context, run func(engine.Found) error) error {
	codes := exits{drained: c.Int("exit-drained"), failed: c.Int("exit-failed")}
	if codes.drained < 1 || codes.drained > 255 {
		return misuse("--exit-drained %d: exit codes of work that is not done are 1 to 255", codes.drained)
	}
	if codes.failed < 0 || codes.failed > 255 {
		return misuse("--exit-failed %d: exit codes are 0 to 255", codes.failed)
	}
	found := engine.Detect(engine.Outside{Getenv: env.getenv, ReadFile: store.ReadRegular})
	if codes.error = run(found); codes.error == nil {
		return nil
	}
	for _, t := range found.Tasks {
		if t.ErrorFile != "" {
			if err := store.ReplaceFile(t.ErrorFile, store.Content(reason(codes.error))); err != nil {
				env.note(fmt.Sprintf("the reason could not be left for the engine: %v", err))
			}
		}
	}
	return codes
}

// reason is an error as engines show it: a line of at most 2 KiB.
func reason(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	return strings.ToValidUTF8(text[:min(len(text), 2<<10)], "")
}

// shardOf is the part of the sweep to run, counted from 0, and of how many.
func shardOf(env environment, c *cli.Context, found engine.Found) (shard, shards int, err error) {
	given := c.String("shard")
	if given != "auto" {
		if c.IsSet("shards") {
			return 0, 0, misuse("--shards goes with --shard auto; write --shard I/N to choose one yourself")
		}
		return parseShard(given)
	}
	choice, err := found.Shard(c.String("shards"))
	if err != nil {
		return 0, 0, misuse("%w", err)
	}
	env.note(choice.Said)
	return choice.Shard, choice.Shards, nil
}

// workersOf returns the number of instances that run at once: the person's choice, or as many as
// the engine gave the task, which are never more than this machine has.
func workersOf(env environment, c *cli.Context, found engine.Found) (int, error) {
	n := c.Int("workers")
	if n < 0 {
		return 0, misuse("--workers %d: give at least 1, or 0 for one a processor", n)
	}
	granted := found.Threads()
	if n > 0 || granted == 0 || granted >= runtime.GOMAXPROCS(0) {
		return n, nil
	}
	env.note(fmt.Sprintf("the batch engine gives %s to the task: as many instances run at once (--workers)",
		text.Counted(granted, "processor")))
	runtime.GOMAXPROCS(granted) // the collector of garbage keeps to it too
	return granted, nil
}

type exits struct {
	error
	drained, failed int
}

func (e exits) Unwrap() error { return e.error }

func exitsOf(err error) exits {
	codes := exits{drained: exitDrained, failed: exitFailed}
	errors.As(err, &codes)
	return codes
}
