package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"al.essio.dev/pkg/shellescape"
	"github.com/urfave/cli/v2"

	"schedsweep/harness/engine/jobfile"
	"schedsweep/harness/engine/slurm"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

func engineCommand(env environment) *cli.Command {
	return group(cli.Command{
		Name:  "engine",
		Usage: "write the job file of a batch engine, or submit it",
		Description: example("schedsweep engine print slurm sweep.yaml --shards 40 --to sweep.sh\nschedsweep engine submit slurm sweep.yaml " +
			"--shards 40 --wait"),
		Subcommands: []*cli.Command{printEngineCommand(env), submitCommand(env)},
	})
}

func printEngineCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "print",
		Usage:     "write the job file of a batch engine for a sweep",
		ArgsUsage: "ENGINE MANIFEST",
		Description: `Writes a file with which the engine runs the sweep: its shards as an array, each
with the cores and the time that it needs, and then a job that merges and
analyses. A shard whose time is over drains and goes into the queue again. The engines are
` + join(jobfile.Names()) + `.

How many shards and how much time follow from what plan predicts, unless they are
given. The file runs this program, in this folder, which the nodes must share.

` + example(`schedsweep engine print slurm sweep.yaml --shards 40 --cpus 16 --option=--partition=main --to sweep.sh
schedsweep engine print kubernetes sweep.yaml --image registry/schedsweep:1 --claim sweep --to sweep-job.yaml`),
		Flags: engineFlags(
			append(kubernetesFlags(), &cli.StringFlag{Name: "to", Usage: "write to `FILE` (default: standard output)"})...,
		),
		Action: func(c *cli.Context) error {
			s, _, err := jobFile(env, c)
			if err != nil {
				return err
			}
			write := func(w io.Writer) error { return jobfile.Write(w, s) }
			if to := c.String("to"); to != "" {
				return store.ReplaceFile(to, write)
			}
			return write(dataTo(env.stdout))
		},
	})
}

func submitCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "submit",
		Usage:     "submit a sweep to a batch engine",
		ArgsUsage: "ENGINE MANIFEST",
		Description: `Writes the job file into the run folder and hands it to the engine's own command.
With --wait it waits for the end and ends as run would: with 3 if instances
failed, with 4 if some are left. For slurm it also names the tasks that failed.
snakemake, nextflow and parallel run the sweep before the command returns.
For the others, watch the run folder with status --watch.

` + example(`schedsweep engine submit slurm sweep.yaml --shards 40 --wait
schedsweep engine submit snakemake sweep.yaml --shards 8 --cpus 2`),
		Flags: engineFlags(append(kubernetesFlags(), &cli.BoolFlag{Name: "wait", Usage: "slurm: wait for the end of the jobs"})...),
		Action: func(c *cli.Context) error {
			s, st, err := jobFile(env, c)
			if err != nil {
				return err
			}
			e := s.Engine
			if c.Bool("wait") && e.Name != "slurm" && !e.Foreground {
				return misuse("--wait: schedsweep cannot follow the jobs of %s; leave --wait out, and watch %s", e.Name,
					st.command("status", "--watch"))
			}
			path := filepath.Join(st.dir, e.File())
			if err := store.ReplaceFile(path, func(w io.Writer) error { return jobfile.Write(w, s) }); err != nil {
				return err
			}
			if e.Name != "slurm" {
				return submitted(env, st, e, path)
			}
			jobs, err := slurm.Submit(context.Background(), path)
			if err != nil {
				return err
			}
			fmt.Fprintf(env.stdout, "%s: shards in job %s, then the analysis in job %s\n", path, jobs.Shards, jobs.Analysis)
			if !c.Bool("wait") {
				return nil
			}
			return waitForJobs(env, st, jobs)
		},
	})
}

// submitted hands a job file to the engine's command, whose output is ours.
func submitted(env environment, st study, e jobfile.Engine, path string) error {
	words := strings.Fields(e.Submit)
	words[slices.Index(words, "FILE")] = path
	if _, err := exec.LookPath(e.Needs); err != nil {
		return misuse("%s is not on the PATH: submit %s on a machine that has it: %s", e.Needs, path, shellescape.QuoteCommand(words))
	}
	command := exec.Command(words[0], words[1:]...)
	command.Stdout, command.Stderr = device(env.stdout), device(env.stderr)
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s: %w", shellescape.QuoteCommand(words), err)
	}
	if !e.Foreground {
		return env.printf("%s: submitted; next: %s\n", path, st.command("status", "--watch"))
	}
	return finished(env, st, nil)
}

func waitForJobs(env environment, st study, jobs slurm.Jobs) error {
	failed, err := slurm.Wait(context.Background(), jobs, 5*time.Second, env.note)
	for _, t := range failed {
		env.note(t.String())
	}
	if err != nil {
		return err
	}
	return finished(env, st, failed)
}

// finished reports the content of the run folder after the engine has run the sweep.
func finished(env environment, st study, failed []slurm.Task) error {
	held, err := rows.Holds(st.plan, st.dir)
	if err != nil {
		return err
	}
	done, bad := held.Tally.Total(), held.Tally.Bad()
	fmt.Fprintf(env.stdout, "%s: %d of %d instances done, %d without an answer\n", st.dir, done, st.plan.Len(), bad)
	switch left := st.plan.Len() - done; {
	case left > 0:
		return fmt.Errorf("%w: %d of %d instances are left; submit again to go on", errDrained, left, st.plan.Len())
	case bad > 0:
		return fmt.Errorf("%w: %d of %d; their rows in %s say why", errFailedInstances, bad, st.plan.Len(), st.dir)
	case len(failed) > 0:
		return fmt.Errorf("%s, the first of %s that failed: see its log", failed[0], text.Counted(len(failed), "task"))
	}
	return nil
}

func engineFlags(more ...cli.Flag) []cli.Flag {
	return manifestFlags(append([]cli.Flag{outFlag(), commandsFlag(),
		&cli.IntFlag{Name: "shards", Usage: "run `N` shards, at most " + fmt.Sprint(jobfile.MaxShards),
			DefaultText: "one for each hour on its cores"},
		&cli.IntFlag{Name: "cpus", Usage: "give each shard `N` cores; few fat shards are better than many small ones", Value: 8},
		&cli.IntFlag{Name: "memory", Usage: "request `MB` of memory for a shard; 0: none", DefaultText: "1.5 times that of trials"},
		&cli.DurationFlag{Name: "time", Usage: "limit a shard to `DURATION`, such as 90m", DefaultText: "twice the prediction"},
		&cli.StringSliceFlag{Name: "option", Usage: "a `LINE` of the site's own for the engine, such as --option=--partition=main"},
	}, more...)...)
}

func kubernetesFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "image", Usage: "kubernetes: the container `IMAGE` with the program schedsweep"},
		&cli.StringFlag{Name: "claim", Usage: "kubernetes: the volume `CLAIM` with manifest, logs and rows, mounted as /sweep"},
	}
}

func jobFile(env environment, c *cli.Context) (jobfile.Sweep, study, error) {
	none := func(err error) (jobfile.Sweep, study, error) { return jobfile.Sweep{}, study{}, err }
	if c.NArg() != 2 {
		return none(misuse("%s takes two arguments, the engine (%s) and the manifest, and got %d", c.Command.HelpName, join(jobfile.Names()),
			c.NArg()))
	}
	e, err := jobfile.Find(c.Args().First())
	if err != nil {
		return none(misuse("%w", err))
	}
	st, err := studyAt(env, c, c.Args().Get(1))
	if err != nil {
		return none(err)
	}
	st = st.withLogs()
	if err := run.Allowed(st.plan, st.inputs); err != nil { // the jobs would be refused
		return none(err)
	}
	if err := checked(env, st); err != nil {
		return none(err)
	}
	f, err := run.Predict(context.Background(), st.plan, st.inputs, st.dir, 2*time.Second)
	if err != nil {
		return none(err)
	}
	if f.AtLeast && !c.IsSet("time") {
		env.note("instances may take longer than the trial ones, and a shard that runs out of time is queued again; --time sets a longer limit")
	}
	here, err := os.Getwd()
	if err != nil {
		return none(err)
	}
	program, err := os.Executable()
	if err != nil {
		return none(err)
	}
	if e.Name == "kubernetes" {
		here, program = "", "schedsweep"
	}
	st.data = append(st.data, filepath.SplitList(env.getenv("SCHEDSWEEP_DATA"))...) // the jobs may not have it
	line := func(verb string) []string {
		return append([]string{program}, st.args(verb, outFlags(st.dir, st.manifest.Name)...)...)
	}
	s := jobfile.Sweep{
		Engine: e, Name: st.manifest.Name, Instances: st.plan.Len(), Dir: here, Manifest: st.path, Run: line("run"), Merge: line("merge"),
		Analyze: line("analyze"),
		Shards:  c.Int("shards"), CPUs: c.Int("cpus"), Walltime: c.Duration("time"), Options: c.StringSlice("option"),
		Image: c.String("image"), Claim: c.String("claim"),
	}
	if err := s.Check(); err != nil {
		return none(misuse("%w", err))
	}
	s.Size(f.CoreTime, f.Longest)
	if s.Memory = c.Int("memory"); !c.IsSet("memory") {
		if f.Memory == 0 { // all points have rows, which say nothing of it
			tried := run.Try(context.Background(), st.plan, st.inputs, 2*time.Second)
			f.Memory, f.Worker = tried.Memory, tried.Worker
		}
		s.Memory = int((f.MemoryOf(s.CPUs) + 1<<20 - 1) >> 20)
	}
	if s.Memory < 0 {
		return none(misuse("--memory %d: give megabytes, or 0 to request none", s.Memory))
	}
	cores := s.Shards * s.CPUs
	switch {
	case st.inquiry != nil || st.whole != nil:
		if !c.IsSet("shards") || !c.IsSet("time") {
			env.note("run adds instances in rounds, and shards and time are for the ones that are wanted so far; --shards and --time give more")
		}
	case cores > 1 && !f.AtLeast && (f.CoreTime < time.Duration(cores)*idle || f.Total-f.Existing < cores):
		enough := max(1, min(int(f.CoreTime/idle), f.Total-f.Existing))
		env.note(fmt.Sprintf("%s of %s for %s of work on one core: most cores will be idle; %s would do, such as --shards 1 --cpus %d",
			text.Counted(s.Shards, "shard"), text.Counted(s.CPUs, "core"), f.CoreTime.Round(time.Millisecond), text.Counted(enough, "core"),
			min(enough, s.CPUs)))
	}
	return s, st, nil
}

// idle is the work of a core below which starting a job on it is not worth while.
const idle = 10 * time.Second
