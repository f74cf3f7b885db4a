package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"schedsweep/harness"
	"schedsweep/sweep"
)

func simulateCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "simulate",
		Usage:     "run one instance in full",
		ArgsUsage: "MANIFEST",
		Description: `Runs one instance of the manifest, by default its first, and prints its metrics.
--set pins axes and overrides fields. With --jobs it writes a row for each job:
job_id, submit, start, finish, processors, allocated (an interval set such as
0-3 7), walltime, run_time, outcome. An instance without an answer writes no such
file. With --programs it keeps what programs such as solvers were given and left:
linear programs to read, too.

` + example(`schedsweep simulate manifests/quickstart.yaml --set policy.kind=easy --jobs jobs.csv
schedsweep simulate manifests/quickstart.yaml --instance 17`),
		Flags: manifestFlags(auditFlag(),
			&cli.StringFlag{Name: "instance", Usage: "the instance's number `N` in the plan, or its id", Value: "0"},
			&cli.StringFlag{Name: "jobs", Usage: "write a row for each job to `FILE`, .csv or .parquet"},
			&cli.StringFlag{Name: "programs", Usage: "keep the files of the programs that the run asks in the folders 1, 2, ... of `FOLDER`"},
			&cli.BoolFlag{Name: "json", Usage: "print the result as JSON"},
		),
		Action: func(c *cli.Context) error {
			outlivePipes()
			st, err := openStudy(env, c)
			if err != nil {
				return err
			}
			index, err := findInstance(st.plan, c.String("instance"))
			if err != nil {
				return err
			}
			if jobs := c.String("jobs"); jobs != "" && !strings.HasSuffix(jobs, ".csv") && !strings.HasSuffix(jobs, ".parquet") {
				return misuse("--jobs %s: the format goes by the name; use .csv or .parquet", jobs)
			}
			ctx, drain, stop := interruptible(env)
			defer stop()
			go func() { // one instance has nothing to drain
				select {
				case <-drain:
					stop()
				case <-ctx.Done():
				}
			}()
			res, err := harness.Simulate(ctx, st.plan, st.inputs, index, harness.Kept{Jobs: c.String("jobs"), Programs: c.String("programs")})
			if err != nil {
				if ctx.Err() != nil {
					return fmt.Errorf("%w: %w", errDrained, context.Cause(ctx))
				}
				return err
			}
			if c.Bool("json") {
				err = printSimulationJSON(env.stdout, &res)
			} else {
				err = printSimulation(env.stdout, &res, c.String("jobs"))
			}
			if err != nil {
				return err
			}
			if c.String("programs") != "" && res.Programs == 0 {
				env.note("the run asked no program, so that --programs keeps nothing; the policy oas asks one with --set policy.solver=cbc")
			}
			if res.Outcome != harness.OK {
				return fmt.Errorf("%w: %s: %s", errFailedInstances, res.Outcome, res.Err)
			}
			return nil
		},
	})
}

// findInstance reads a number in the plan or an id.
func findInstance(plan *sweep.Plan, text string) (int, error) {
	var n int
	if _, err := fmt.Sscanf(text, "%d", &n); err == nil && fmt.Sprint(n) == text {
		if n < 0 || n >= plan.Len() {
			return 0, misuse("--instance %d: the plan has instances 0 to %d", n, plan.Len()-1)
		}
		return n, nil
	}
	id, err := sweep.ParseID(text)
	if err != nil {
		return 0, misuse("--instance %s: give a number in the plan or an id: %w", text, err)
	}
	var inst sweep.Instance
	for i := range plan.Len() {
		if plan.At(i, &inst); inst.ID == id {
			return i, nil
		}
	}
	return 0, misuse("--instance %s: no instance of the manifest has this id", text)
}

func printSimulation(w io.Writer, s *harness.Simulation, jobs string) error {
	p := printer{w: w}
	p.printf("%s\nid %s\n\n", s.Instance, s.ID)
	if s.Outcome != harness.OK {
		p.printf("no answer: %s after %d jobs and %d events\n", s.Outcome, s.Result.Submitted, s.Result.Events)
		if jobs != "" {
			p.printf("%s is as it was before: not all jobs have ended\n", jobs)
		}
		if s.Stack != "" {
			p.printf("\n%s\n", s.Stack)
		}
		return p.err
	}
	for _, m := range s.Metrics {
		p.printf("%-26s %12s %s\n", m.Name, number(m.Value), m.Unit)
	}
	for _, m := range s.Texts {
		p.printf("%-26s %12s\n", m.Name, m.Value)
	}
	r := s.Result
	for _, c := range []struct {
		name string
		n    int64
	}{{"jobs", r.Submitted}, {"finished", r.Finished}, {"killed", r.Killed}, {"rejected", r.Rejected}, {"events", r.Events}} {
		p.printf("%-26s %12d\n", c.name, c.n)
	}
	p.printf("\naudit: %s, in %s\n", s.Audit, s.Wall.Round(time.Microsecond))
	if jobs != "" {
		p.printf("%d jobs in %s\n", s.JobsWritten, jobs)
	}
	return p.err
}

// number prints six significant digits without an exponent where it can.
func number(v float64) string {
	switch a := math.Abs(v); {
	case math.IsNaN(v):
		return "-"
	case a >= 1e5 && a < 1e15:
		return fmt.Sprintf("%.0f", v)
	default:
		return fmt.Sprintf("%.6g", v)
	}
}

func printSimulationJSON(w io.Writer, s *harness.Simulation) error {
	values := map[string]*float64{}
	for i := range s.Metrics {
		values[s.Metrics[i].Name] = nil
		if v := &s.Metrics[i].Value; !math.IsNaN(*v) {
			values[s.Metrics[i].Name] = v
		}
	}
	texts := map[string]string{}
	for _, m := range s.Texts {
		texts[m.Name] = m.Value
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{
		"id": s.ID.String(), "instance": s.Instance, "outcome": s.Outcome, "error": s.Err, "audit": s.Audit, "metrics": values, "texts": texts,
		"jobs": s.Result.Submitted, "finished": s.Result.Finished, "killed": s.Result.Killed, "rejected": s.Result.Rejected,
		"events": s.Result.Events, "wall_time": s.Wall.Seconds(),
	})
}
