package cmd

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/harness/run"
	"schedsweep/sweep/text"
)

func verifyCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "verify",
		Usage:     "run a sample of a run's instances again and compare",
		ArgsUsage: "MANIFEST | ARTIFACT",
		Description: `Runs a random sample of the instances that have an answer again. It compares
each bit for bit with its row, and with its rows in jobs and series if there are
any: exit code 5 if one differs. It leaves out columns of measurements, such as
wall-clock times. schedsweep list metrics marks them. Rows without
an answer (failed, timeout, ...) are left out too.

An artifact (see pack) is unpacked to a temporary folder, where every file must
have its checksum. A sample of its rows is then run again. With --out these are
the rows of that folder, to which the artifact was run.

` + example(`schedsweep verify manifests/quickstart.yaml
schedsweep verify manifests/quickstart.yaml --sample 20
schedsweep verify manifests/quickstart.yaml --sample 100%
schedsweep verify quickstart.tar.gz`) + "\n\n" + exitCodesHelp,
		Flags: manifestFlags(outFlag(), auditFlag(), commandsFlag(), smallFlag(),
			&cli.StringFlag{Name: "sample", Value: "1%", Usage: "re-run a share of the instances such as 1%, or a number `N`"},
			&cli.Uint64Flag{Name: "seed", Usage: "re-run the sample of an earlier verify by its `SEED` (default: a new sample)"},
			&cli.IntFlag{Name: "workers", Usage: "run `N` instances at once (default: one a processor)"},
			&cli.BoolFlag{Name: "json", Usage: "report as run --json does"},
			&cli.BoolFlag{Name: "quiet", Usage: "report differences and the end only"},
		),
		Action: func(c *cli.Context) error { return verify(env, c) },
	})
}

func verify(env environment, c *cli.Context) error {
	sample, err := parseSample(c.String("sample"))
	if err != nil {
		return err
	}
	if n := c.Int("workers"); n < 0 {
		return misuse("--workers %d: give at least 1, or 0 for one a processor", n)
	}
	st, folder, done, err := openPacked(env, c)
	defer done()
	if err != nil {
		return err
	}
	if folder != "" && !c.IsSet("out") {
		st.dir = folder
	} else if err := ran(env, st); err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	switch { // the rows may be another folder's
	case st.inquiry != nil:
		_, err = st.look()
	case st.whole != nil:
		_, err = st.settle()
	}
	if err != nil {
		return err
	}
	seed := c.Uint64("seed")
	if !c.IsSet("seed") {
		seed = rand.Uint64N(1e6)
	}
	ctx, stop := abortable(env)
	defer stop()
	v, err := run.Verify(ctx, run.Verification{
		Manifest: st.manifest.WithLogs(), Inputs: st.inputs, Dir: st.dir, Sample: sample, Seed: seed, Workers: c.Int("workers"),
		Reporter: newReporter(env, c, st),
	})
	err = st.ofOtherFiles(err)
	which := fmt.Sprintf("of %s with an answer, --seed %d", text.Counted(v.Answered, "row"), seed)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w: %d of %d instances are left (%s)", errDrained, v.Cancelled, v.Planned, which)
	}
	if err != nil {
		return err
	}
	if len(v.Unknown) > 0 {
		env.note("no row has these columns, so that they are not compared: " + join(v.Unknown))
	}
	switch {
	case v.Failed > 0:
		return fmt.Errorf("%w: %d of %d (%s)", errDiffers, v.Failed, v.Planned, which)
	case v.Unsure > 0:
		return fmt.Errorf("%w: %d of %d (%s); the others repeat their rows", errFailedInstances, v.Unsure, v.Planned, which)
	}
	if c.Bool("json") {
		return nil
	}
	return env.printf("%d %s: repeated bit for bit\n", v.Planned, which)
}

func parseSample(text string) (func(rows int) int, error) {
	if p, err := parsePercent(text); err == nil {
		return func(rows int) int { return int(math.Ceil(float64(rows) * p / 100)) }, nil
	} else if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return func(int) int { return n }, nil
	}
	return nil, misuse("--sample %s: give a share above 0%% and up to 100%%, such as 1%%, or a number of at least 1", text)
}

func parsePercent(text string) (float64, error) {
	percent, share := strings.CutSuffix(text, "%")
	p, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
	if !share || err != nil || !(p > 0 && p <= 100) {
		return 0, fmt.Errorf("%q is no share above 0%% and up to 100%%", text)
	}
	return p, nil
}

// abortable returns a context that the first interrupt cancels. It is for verbs that have nothing to drain.
func abortable(env environment) (ctx context.Context, stop func()) {
	ctx, stop = context.WithCancel(context.Background())
	interrupts := env.interrupts()
	go func() {
		select {
		case <-interrupts:
			stop()
		case <-ctx.Done():
		}
	}()
	return ctx, stop
}
