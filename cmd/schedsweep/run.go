package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/harness"
)

func runCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "run",
		Usage:     "run a sweep, or go on with it",
		ArgsUsage: "MANIFEST",
		Description: `Runs every instance of the manifest that the run folder does not hold yet, and
writes a row for each. After any interruption the same command goes on. The
first interrupt (Ctrl-C) finishes the instances that are running, the second
gives them up.

` + example(`schedsweep run manifests/quickstart.yaml
schedsweep run manifests/curie.yaml --data ../shared/traces --workers 8
schedsweep run sweep.yaml --shard 2/40 --out /scratch/me/sweep`) + "\n\n" + exitCodesHelp,
		Flags: manifestFlags(outFlag(), auditFlag(),
			&cli.IntFlag{Name: "workers", Usage: "run `N` instances at once (default: one a processor)"},
			&cli.StringFlag{Name: "shard", Usage: "run part `I/N` of the sweep only, I from 1 to N; shards may share a folder"},
			&cli.BoolFlag{Name: "retry", Usage: "run instances again that failed before"},
			&cli.BoolFlag{Name: "json", Usage: "report progress as JSON, one object a line, on standard output"},
			&cli.BoolFlag{Name: "quiet", Usage: "report the beginning, failures and the end only"},
		),
		Action: func(c *cli.Context) error {
			st, err := openStudy(env, c)
			if err != nil {
				return err
			}
			if err := checked(env, st); err != nil {
				return err
			}
			return runSweep(env, c, st)
		},
	})
}

func runSweep(env environment, c *cli.Context, st study) error {
	shard, shards, err := parseShard(c.String("shard"))
	if err != nil {
		return err
	}
	if n := c.Int("workers"); n < 0 {
		return misuse("--workers %d: give at least 1, or 0 for one a processor", n)
	}
	dir := runFolder(c, st.manifest)
	ctx, drain, stop := interruptible(env)
	defer stop()
	sum, err := harness.Run(ctx, harness.Config{
		Manifest: st.manifest, Inputs: st.inputs, Dir: dir, Workers: c.Int("workers"), Shard: shard, Shards: shards,
		Retry: c.Bool("retry"), Drain: drain, Reporter: newReporter(env, c, st.manifest.Name, st.path), Program: version(),
	})
	if err != nil {
		return fmt.Errorf("run %s: %w", dir, err)
	}
	if !c.Bool("json") {
		p := printer{w: env.stdout}
		p.printf("%s\n", dir)
		if p.err != nil {
			return p.err
		}
	}
	switch {
	case sum.Cancelled > 0:
		return fmt.Errorf("%w: %d of %d instances are left; run the same command to go on", errDrained, sum.Cancelled, sum.Planned)
	case sum.Bad()+sum.Unanswered > 0:
		return fmt.Errorf("%w: %d of %d; their rows in %s say why, and --retry runs them again", errFailedInstances, sum.Bad()+sum.Unanswered, sum.Planned, dir)
	}
	return nil
}

// parseShard reads I/N, from 1 to N, as a part counted from 0.
func parseShard(text string) (shard, shards int, err error) {
	if text == "" {
		return 0, 1, nil
	}
	i, n, ok := strings.Cut(text, "/")
	shard, err1 := strconv.Atoi(i)
	shards, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || shard < 1 || shard > shards {
		return 0, 0, misuse("--shard %s: write I/N with I from 1 to N, such as 2/40", text)
	}
	return shard - 1, shards, nil
}

// interruptible returns a drain channel that the first interrupt closes and a
// context that the second cancels.
func interruptible(env environment) (ctx context.Context, drain <-chan struct{}, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	closing := make(chan struct{})
	interrupts := env.interrupts()
	go func() {
		select {
		case <-interrupts:
			close(closing)
			fmt.Fprintln(env.stderr, "\nfinishing the instances that are running; interrupt again to give them up")
		case <-ctx.Done():
			return
		}
		select {
		case <-interrupts:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, closing, cancel
}
