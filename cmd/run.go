package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"schedsweep/harness"
	"schedsweep/harness/engine"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

func runCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "run",
		Usage:     "run a sweep, or continue it",
		ArgsUsage: "MANIFEST | ARTIFACT",
		Description: `Runs every instance of the manifest that the run folder does not hold yet, and
writes a row for each. After any interruption the same command continues it. The
first interrupt (Ctrl-C, SIGTERM, or a hang-up) finishes the instances that are
running, the second gives them up. It runs on if the reader of its output goes
away. It reports the first ` + fmt.Sprint(shownFailures) + ` failures one by one, and all by cause at the end.

Under Slurm, PBS, LSF, SGE, HTCondor, HyperQueue, Flux, Kubernetes, AWS Batch
and GNU parallel, --shard auto takes the task's own shard and prints which.
Shards are balanced by the run times of the rows that the folder holds when the
first shard begins. From then on, shards of one sweep must share a folder, or
all start with an empty one. Without an engine, shards are I/N, with I from 1 to
N. Some engines tell a task only its index. --shards then takes the range of the
indices, such as 1-8 or 0-14:2. Some engines start a task again by its exit code:
--exit-drained 99 is for SGE, and 85 for HTCondor. --exit-failed 0 keeps engines
from a new try of instances that failed. A run that stops because of failures
ends with 3 then.

--deadline takes 17:30, 2026-12-24T08:00, or a time from now on such as 90m. run
then begins no instance that is predicted to last longer. It ends with 2 if not
even the shortest one fits. By default the deadline is the end of the batch
engine's task, if the engine tells it; none switches it off. --memory-limit acts as GOMEMLIMIT does. With --isolate an instance that ends
or kills its process becomes a row with this error. --isolate does not go with
questions and looks. --wait alone waits without a bound. --audit=false skips the
audit.

run looks for logs beside the manifest, then in the folders of --data, then
in $SCHEDSWEEP_DATA. --allow-commands is for manifests with scheduling modules: it
lets them start programs (policy.command) and connect to sockets (policy.socket).

A manifest may state questions instead of a grid (find:, see schedsweep list
find). run then chooses the instances, in rounds, until the questions are
answered or --budget ends. Shards of such a run wait for one another at the end
of each round, and take over the part of a dead shard.

If the file system has no locks (some Lustre and NFS), run prints a note and
goes on. Two processes that run one shard then waste time, but lose no row.

Given an artifact (see pack), run re-runs the study; --small runs the reduced one.

` + example(`schedsweep run manifests/quickstart.yaml
schedsweep run manifests/curie.yaml --data ../shared/traces --workers 8
schedsweep run sweep.yaml --shard 2/40 --out /scratch/me/sweep
schedsweep run quickstart.tar.gz --small
srun --ntasks=40 schedsweep run sweep.yaml --shard auto`) + "\n\n" + exitCodesHelp,
		Flags: append(manifestFlags(outFlag(), auditFlag(), commandsFlag(), smallFlag(),
			&cli.IntFlag{Name: "workers", Usage: "run `N` instances at once (default: one per processor of the task)"},
			waitFlag(),
			&cli.BoolFlag{Name: "retry", Usage: "run instances again that failed before"},
			&cli.BoolFlag{Name: "complete", Usage: "run instances again that lack metrics, classes or datasets of the manifest"},
			&cli.BoolFlag{Name: "json", Usage: "report progress as JSON, one object a line, on standard output"},
			&cli.BoolFlag{Name: "quiet", Usage: "report the beginning, failures and the end only"},
			&cli.StringFlag{Name: "budget", Usage: "limit questions (find:) to `N` instances in all, or core time such as 2h"},
		), append(limitFlags(), clusterFlags()...)...),
		Action: func(c *cli.Context) error {
			return inTask(env, c, func(found engine.Found) error {
				st, _, done, err := openPacked(env, c)
				defer done()
				if err != nil {
					return err
				}
				if err := checked(env, st); err != nil {
					return err
				}
				return runSweep(env, c, st, found)
			})
		},
	})
}

func runSweep(env environment, c *cli.Context, st study, found engine.Found) error {
	shard, shards, err := shardOf(env, c, found)
	if err != nil {
		return err
	}
	workers, err := workersOf(env, c, found)
	if err != nil {
		return err
	}
	began := time.Now()
	limits, err := limitsOf(env, c, found)
	if err != nil {
		return err
	}
	var child func() *exec.Cmd
	if c.Bool("isolate") && (st.inquiry != nil || st.whole != nil) {
		return misuse("--isolate does not go with questions (find:) and looks (analysis.looks), " +
			"whose instances are not known beforehand: leave it out")
	}
	if c.Bool("isolate") {
		if child, err = isolation(env, st, cmp.Or(workers, runtime.GOMAXPROCS(0)), limits.Memory); err != nil {
			return err
		}
	}
	ctx, drain, stop := interruptible(env)
	defer stop()
	cfg := run.Config{
		Manifest: st.manifest.WithLogs(), Inputs: st.inputs, Dir: st.dir, Workers: workers, Shard: shard, Shards: shards,
		Retry: c.Bool("retry"), Complete: c.Bool("complete"), Drain: drain, Limits: limits, Child: child, Reporter: newReporter(env, c, st),
		Origin: origin(env.args), Engines: found, Wait: waiting(c), Note: env.note, Flush: FlushEvery,
	}
	sum, err := st.run(ctx, env, c, cfg)
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: %w", errDrained, err)
	}
	if _, none := os.Stat(st.dir); errors.Is(err, syscall.ENOTDIR) || unwritable(err) && none != nil {
		return misuse("run: %w", err)
	}
	if unwritable(err) {
		return misuse("run %s: %w: the folder cannot be written; mend its permissions, or give a copy of it with --out", st.dir, err)
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", st.dir, err)
	}
	if !c.Bool("json") {
		fmt.Fprintln(env.stdout, st.dir) // its reader may be gone; the run is done all the same
	}
	again := resuming(c, st, shard, shards)
	if sum.Cancelled > 0 {
		if err := stopped(sum, began, limits, st.command("run", again...)); err != nil {
			return err
		}
	}
	switch {
	case sum.Cancelled > 0 && sum.Late:
		return fmt.Errorf("%w: %d of %d instances are left, for which the time until the deadline is too short; run the same command to go "+
			"on: %s", errDrained, sum.Cancelled, sum.Planned, st.command("run", again...))
	case sum.Cancelled > 0:
		return fmt.Errorf("%w: %d of %d instances are left; run the same command to go on: %s", errDrained, sum.Cancelled, sum.Planned,
			st.command("run", again...))
	case sum.Bad()+sum.Unanswered > 0:
		if !c.Bool("retry") {
			again = append(again, "--retry")
		}
		return fmt.Errorf("%w: %d of %d; their rows in %s say why, and this runs them again: %s", errFailedInstances, sum.Bad()+sum.Unanswered,
			sum.Planned, st.dir, st.command("run", again...))
	}
	return nil
}

// unwritable reports whether the run folder, which can be read, cannot be written.
func unwritable(err error) bool {
	var unread *store.Problem
	return (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)) && !errors.As(err, &unread)
}

// FlushEvery is run.Config.Flush, 0 for the usual. Tests that kill runs set it low.
var FlushEvery time.Duration

func resuming(c *cli.Context, st study, shard, shards int) []string {
	args := outFlags(st.dir, st.manifest.Name)
	if shards > 1 {
		args = append(args, "--shard", fmt.Sprintf("%d/%d", shard+1, shards))
	}
	for _, again := range []string{"complete", "retry"} {
		if c.Bool(again) {
			args = append(args, "--"+again)
		}
	}
	return args
}

func parseShard(text string) (shard, shards int, err error) {
	if text == "" {
		return 0, 1, nil
	}
	i, n, ok := strings.Cut(text, "/")
	shard, err1 := strconv.Atoi(i)
	shards, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || shard < 1 || shard > shards {
		return 0, 0, misuse("--shard %s: write I/N with I from 1 to N, such as 2/40, or auto", text)
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
		for {
			select {
			case s := <-interrupts:
				if s == syscall.SIGHUP { // a terminal that closes, and its shell, both send one
					continue
				}
				cancel()
			case <-ctx.Done():
			}
			return
		}
	}()
	return ctx, closing, cancel
}

const (
	// failAlike is the number of first instances that must fail alike for a run to stop.
	failAlike = 20
	// beforeKill is the margin between the end of a run and the end of the engine's task: time to
	// write its rows.
	beforeKill = 15 * time.Second
)

func limitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "deadline", Usage: "start no instance predicted to end after `TIME`, such as 17:30 or 90m"},
		&cli.StringFlag{Name: "timeout", Usage: "give up an instance after `DURATION`, such as 30s (as engine.timeout)"},
		&cli.StringFlag{Name: "max-failures", Usage: "stop when more than `N` instances, or N%, have no answer"},
		&cli.BoolFlag{Name: "keep-going", Usage: fmt.Sprintf("go on even if the first %d instances all fail alike", failAlike)},
		&cli.StringFlag{Name: "memory-limit", Usage: "run fewer instances at once near `SIZE` of memory, such as 4GB"},
		&cli.BoolFlag{Name: "isolate", Usage: "run each worker in its own process, so that a crash is a failed row"},
	}
}

func limitsOf(env environment, c *cli.Context, found engine.Found) (l run.Limits, err error) {
	if l.Deadline, err = deadlineOf(env, c.String("deadline"), found); err != nil {
		return l, err
	}
	if !c.Bool("keep-going") {
		l.FailAlike = failAlike
	}
	if given := c.String("max-failures"); given != "" {
		number, percent := strings.CutSuffix(given, "%")
		l.MaxFailures = &run.Failures{}
		if percent {
			l.MaxFailures.Percent, err = strconv.ParseFloat(number, 64)
			percent = l.MaxFailures.Percent > 0 && l.MaxFailures.Percent <= 100
		} else {
			l.MaxFailures.Count, err = strconv.Atoi(number)
			percent = l.MaxFailures.Count >= 0
		}
		if err != nil || !percent {
			return l, misuse("--max-failures %s: write a number of at least 0, such as 10, or a share above 0%% and up to 100%%, such as 2.5%%",
				given)
		}
	}
	if given := c.String("memory-limit"); given != "" {
		size, err := memoryOf(given)
		if err != nil {
			return l, err
		}
		l.Memory = size
	}
	return l, nil
}

func memoryOf(given string) (int64, error) {
	size, err := text.Quantity(given, "B")
	if err != nil || size < 1e6 {
		return 0, misuse("--memory-limit %s: write a size of at least 1MB, such as 4GB or 512MiB", given)
	}
	return int64(min(size, 1<<62)), nil
}

func deadlineOf(env environment, given string, found engine.Found) (time.Time, error) {
	now := time.Now()
	if given == "none" {
		return time.Time{}, nil
	}
	if given == "" {
		end := engineDeadline(env, found)
		if end.IsZero() {
			return end, nil
		}
		env.note(fmt.Sprintf("the batch engine ends the task at %s: the run ends %s before (--deadline)", end.Format("2006-01-02 15:04:05"),
			beforeKill))
		return end.Add(-beforeKill), nil
	}
	if s, err := text.Quantity(given, "s"); err == nil {
		if s <= 0 {
			return time.Time{}, misuse("--deadline %s: want a time above 0", given)
		}
		return now.Add(harness.Seconds(s)), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04",
		"15:04:05", "15:04"} {
		t, err := time.ParseInLocation(layout, given, time.Local)
		if err != nil {
			continue
		}
		if t.Year() == 0 { // the next time that the clock shows it
			t = time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.Local)
			if !t.After(now) {
				t = t.AddDate(0, 0, 1)
			}
		}
		if !t.After(now) {
			return t, misuse("--deadline %s: that was %s ago", given, now.Sub(t).Round(time.Second))
		}
		return t, nil
	}
	return time.Time{}, misuse("--deadline %s: write a time such as 17:30 or 2026-12-24T08:00, how long from now on, such as 90m, or none",
		given)
}

// engineDeadline returns the time at which the first of the engines ends this process, zero if no
// engine states it.
func engineDeadline(env environment, found engine.Found) time.Time {
	var first time.Time
	for _, t := range found.Tasks {
		end := t.Deadline
		if end.IsZero() && t.Ask != nil {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			answer, err := exec.CommandContext(ctx, t.Ask[0], t.Ask[1:]...).Output()
			cancel()
			if err != nil {
				env.note(fmt.Sprintf("when the batch engine ends the task is not known: %s: %v; say it with --deadline", strings.Join(t.Ask, " "), err))
			}
			end, _ = engine.TimeLeft(answer)
		}
		if !end.IsZero() && (first.IsZero() || end.Before(first)) {
			first = end
		}
	}
	return first
}

func stopped(sum run.Summary, began time.Time, l run.Limits, again string) error {
	switch {
	case sum.Stopped != "":
		return fmt.Errorf("%w: %s; %d of %d instances are left. Mend the cause; this goes on without it, and with --keep-going or a higher "+
			"--max-failures despite failures: %s",
			errGivenUp, sum.Stopped, sum.Cancelled, sum.Planned, again)
	case sum.Late && sum.Ran()+sum.Earlier == 0: // to begin again would end so again
		wants := "none ended"
		if sum.Wants > 0 {
			wants = fmt.Sprintf("the shortest is predicted to take %s", sum.Wants.Round(time.Millisecond))
		}
		return misuse("no instance fits into the %s before the deadline, for %s: give the task more time, or limit instances with --timeout",
			l.Deadline.Sub(began).Round(time.Second), wants)
	}
	return nil
}
