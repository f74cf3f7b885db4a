package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

func simulateCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "simulate",
		Usage:     "run one instance in full",
		ArgsUsage: "MANIFEST",
		Description: `Runs one instance of the manifest, by default its first, and prints all of
its metrics, also others than those of the manifest's metrics:. Those without
a value come last. --set pins axes and overrides fields. With --jobs it writes a row
for each job: job_id, submit, start, finish, processors, allocated (an
interval set such as 0-3 7), walltime, run_time, outcome. With --shares it
writes a row for each time in which a job has one share of a site's processors:
site (cluster, from 0), job, from, to, share. --columns evalys gives jobs the names
that evalys reads (JobSet.from_csv). An instance without an answer
writes no such files. With --programs it keeps what programs such as solvers
were given and left: linear programs to read, too. With --trace it writes a
line for each event, as JSON, also of an instance without an answer, up to
where it came:

` + traceHelp + `

` + example(`schedsweep simulate manifests/quickstart.yaml --set policy.kind=easy --jobs jobs.csv
schedsweep simulate manifests/quickstart.yaml --instance 17 --trace t.jsonl
schedsweep simulate manifests/quickstart.yaml --trace - | head`),
		Flags: manifestFlags(append([]cli.Flag{auditFlag(),
			&cli.StringFlag{Name: "instance", Usage: "the instance's number `N` in the plan, its id, or a unique beginning of its id", Value: "0"}},
			simulationFlags()...)...),
		Action: withStudy(env, openWithLogs, func(c *cli.Context, st study) error {
			index, err := findInstance(st, c.String("instance"))
			if err != nil {
				return err
			}
			res, err := simulated(env, c, st, index)
			if err != nil {
				return err
			}
			return unanswered(res)
		}),
	})
}

func simulationFlags() []cli.Flag {
	return []cli.Flag{commandsFlag(),
		&cli.StringFlag{Name: "jobs", Usage: "write a row for each job to `FILE`, .csv or .parquet"},
		columnsFlag(),
		&cli.StringFlag{Name: "shares", Usage: "write the shares of jobs over time to `FILE`, .csv or .parquet"},
		&cli.StringFlag{Name: "trace", Usage: "write each event as a line of JSON to `FILE`, or to standard output with -"},
		&cli.StringFlag{Name: "programs", Usage: "keep the files of solvers and such programs in the folders 1, 2, ... of `FOLDER`"},
		&cli.BoolFlag{Name: "json", Usage: "print the result as JSON"},
	}
}

func columnsFlag() cli.Flag {
	return &cli.StringFlag{Name: "columns", Usage: "write jobs in the columns of `CLIENT`: evalys (default: list columns)"}
}

// columnsOf reads it: whether jobs are written for evalys. wanted says that there
// are jobs to write, and how how one asks for them.
func columnsOf(c *cli.Context, wanted bool, how string) (evalys bool, err error) {
	switch name := c.String("columns"); {
	case name == "":
		return false, nil
	case name != "evalys":
		return false, misuse("--columns %s: the only client with columns of its own is evalys", name)
	case !wanted:
		return false, misuse("--columns evalys is for rows of jobs: give %s too", how)
	}
	return true, nil
}

// simulated runs one instance in full, keeps what the flags ask for, and prints
// its result: on standard error where standard output has the trace.
func simulated(env environment, c *cli.Context, st study, index int) (res run.Simulation, err error) {
	jobs, events := c.String("jobs"), c.String("trace")
	for _, name := range []string{"jobs", "shares"} {
		if path := c.String(name); path != "" && !strings.HasSuffix(path, ".csv") && !strings.HasSuffix(path, ".parquet") {
			return res, misuse("--%s %s: the ending of the name chooses the format; use .csv or .parquet", name, path)
		}
	}
	for _, name := range []string{"jobs", "shares", "trace"} {
		if err := st.spares(name, c.String(name)); err != nil {
			return res, err
		}
	}
	evalys, err := columnsOf(c, jobs != "", "--jobs FILE")
	if err != nil {
		return res, err
	}
	ctx, stop := abortable(env)
	defer stop()
	keep := run.Kept{Jobs: jobs, Evalys: evalys, Shares: c.String("shares"), Programs: c.String("programs"),
		Meta: folder.Meta(st.manifest, version())}
	simulate := func() {
		res, err = run.Simulate(ctx, st.plan, st.inputs, index, keep)
		err = st.manifest.Placed(err)
	}
	results := env.stdout
	switch events {
	case "":
		simulate()
	case "-": // whoever reads the trace and goes away ends the run
		signal.Reset(syscall.SIGPIPE)
		results = env.stderr
		to := bufio.NewWriter(dataTo(env.stdout))
		keep.Trace, keep.TraceText = to, terminal(env.stdout)
		simulate()
		err = errors.Join(err, to.Flush())
	default:
		noFile := store.ReplaceFile(events, func(w io.Writer) error {
			keep.Trace = w
			simulate()
			if ctx.Err() != nil {
				return nil
			}
			return err // none for a run without an answer, to see why
		})
		if err == nil || !errors.Is(noFile, err) {
			err = errors.Join(err, noFile)
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return res, fmt.Errorf("%w: %w", errDrained, context.Cause(ctx))
		}
		return res, err
	}
	if c.Bool("json") {
		err = printSimulationJSON(results, &res)
	} else {
		err = printSimulation(results, env.screen(), &res, jobs)
	}
	by := map[string]float64{}
	for _, m := range res.Metrics {
		by[m.Name] = m.Value
	}
	if growth := by["response_growth"]; by["steady_response_time"] > 0 && growth > stats.MostTransient {
		env.note(fmt.Sprintf("response times grow by %.0f %% within the run, so it may be too short for steady_response_time", 100*growth))
	}
	if keep.Programs != "" && res.Programs == 0 {
		env.note("the run called no program, so that --programs keeps nothing; the policy oas calls one with --set policy.solver=cbc")
	}
	return res, err
}

func unanswered(res run.Simulation) error {
	if res.Outcome != harness.OK {
		return fmt.Errorf("%w: %s: %s", errFailedInstances, res.Outcome, res.Err)
	}
	return nil
}

// traceHelp describes the lines of a trace; package sim/trace says more.
const traceHelp = `    {"event":"instance","trace":2,"id":...}        the first line
    {"t":0,"event":"submit","job":1,"seq":0,...}   in order of t (s)
    start, share, preempt, resume, requeue, renumber, kill, end, reject, down,
    up, power, wake, message
    {"event":"outcome","outcome":"ok",...}         the last line`

func printSimulation(w io.Writer, screen table.Terminal, s *run.Simulation, jobs string) error {
	p := printer{w: w}
	p.printf("%s\nid %s\n\n", s.Instance, s.ID)
	if s.Outcome != harness.OK {
		p.printf("no answer: %s after %s and %s\n", s.Outcome,
			text.Counted(int(s.Result.Submitted), "job"), text.Counted(int(s.Result.Events), "event"))
		if jobs != "" {
			p.printf("%s was not written: not all jobs have ended\n", jobs)
		}
		if s.Stack != "" {
			p.printf("\n%s\n", s.Stack)
		}
		return p.err
	}
	type line struct{ name, value, unit string }
	var lines []line
	var without []string
	for _, m := range s.Metrics {
		if math.IsNaN(m.Value) {
			without = append(without, m.Name)
			continue
		}
		lines = append(lines, line{m.Name, number(m.Value), m.Unit})
	}
	for _, m := range s.Texts {
		lines = append(lines, line{m.Name, m.Value, ""})
	}
	r := s.Result
	for _, c := range []struct {
		name string
		n    int64
	}{{"jobs", r.Submitted}, {"measured_jobs", r.Measured}, {"finished", r.Finished},
		{"killed", r.Killed}, {"rejected", r.Rejected}, {"events", r.Events}} {
		lines = append(lines, line{c.name, strconv.FormatInt(c.n, 10), ""})
	}
	longest := 0
	for _, l := range lines {
		longest = max(longest, utf8.RuneCountInString(l.name))
	}
	for _, l := range lines {
		p.printf("%s\n", strings.TrimRight(fmt.Sprintf("%-*s %12s %s", longest, l.name, l.value, l.unit), " "))
	}
	if len(without) > 0 {
		p.printf("\n%s\n", screen.Wrap("without a value: "+strings.Join(without, ", ")))
	}
	p.printf("\naudit: %s, in %s\n", s.Audit, s.Wall.Round(time.Microsecond))
	if jobs != "" {
		p.printf("%s in %s\n", text.Counted(int(r.Submitted), "job"), jobs)
	}
	return p.err
}

// number prints six significant digits without an exponent where it can.
func number(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1e5 && a < 1e15:
		return fmt.Sprintf("%.0f", v)
	default:
		return fmt.Sprintf("%.6g", v)
	}
}

func printSimulationJSON(w io.Writer, s *run.Simulation) error {
	values := map[string]any{}
	for _, m := range s.Metrics {
		values[m.Name] = plain(m.Value)
	}
	texts := map[string]string{}
	for _, m := range s.Texts {
		texts[m.Name] = m.Value
	}
	return printJSON(w, map[string]any{
		"id": s.ID.String(), "instance": s.Instance, "outcome": s.Outcome, "error": s.Err, "audit": s.Audit, "metrics": values, "texts": texts,
		"jobs": s.Result.Submitted, "measured_jobs": s.Result.Measured, "finished": s.Result.Finished,
		"killed": s.Result.Killed, "rejected": s.Result.Rejected,
		"events": s.Result.Events, "wall_time": s.Wall.Seconds(),
	})
}
