// Package slurm submits a sweep's job file to Slurm and waits for its jobs, by
// Slurm's own commands; no accounting database is needed.
package slurm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

type Jobs struct {
	// Shards is the array, Analysis the job after it.
	Shards, Analysis string
}

// Submit runs a job file of package jobfile, which submits itself.
func Submit(ctx context.Context, file string) (Jobs, error) {
	out, err := output(exec.CommandContext(ctx, "bash", file))
	if err != nil {
		return Jobs{}, fmt.Errorf("submit %s: %w", file, err)
	}
	m := submitted.FindStringSubmatch(out)
	if m == nil {
		return Jobs{}, fmt.Errorf("submit %s: want lines \"shards ID\" and \"analysis ID\", got %q", file, out)
	}
	return Jobs{Shards: m[1], Analysis: m[2]}, nil
}

var submitted = regexp.MustCompile(`^shards (\d+)\nanalysis (\d+)\n$`)

type Task struct {
	Job   string
	Index string
	// State is Slurm's, such as FAILED or TIMEOUT; Code the exit code and the signal.
	State, Code string
}

func (t Task) String() string {
	name := t.Job
	if t.Index != "" {
		name += "_" + t.Index
	}
	return fmt.Sprintf("task %s: %s, exit code %s", name, t.State, t.Code)
}

// patience is the number of questions in a row on a job that Slurm may leave without an answer, as while its controller restarts.
var patience = 240

// Wait asks every interval for the jobs until all have ended, and returns the failed ones. What Slurm has forgotten
// counts as it was seen last. It fails where Slurm has no command to ask. After 240 questions in a row without an answer it gives a job up,
// waits for the other one, and fails.
// The first question without an answer brings a note.
func Wait(ctx context.Context, jobs Jobs, interval time.Duration, note func(string)) ([]Task, error) {
	seen, silent, noted := map[string]Task{}, map[string]int{}, false
	var lost error
	for {
		running := false
		for _, job := range []string{jobs.Shards, jobs.Analysis} {
			if silent[job] > patience {
				continue
			}
			out, err := output(exec.CommandContext(ctx, "scontrol", "show", "job", job, "--oneliner"))
			if err != nil && !strings.Contains(err.Error(), "Invalid job id") {
				if errors.Is(err, exec.ErrNotFound) || ctx.Err() != nil {
					return nil, fmt.Errorf("job %s: %w", job, err)
				}
				if silent[job]++; silent[job] > patience {
					lost = errors.Join(lost, fmt.Errorf("job %s: no answer to %d questions: %w", job, silent[job], err))
					continue
				}
				if !noted {
					note(fmt.Sprintf("scontrol does not answer: job %s: %v; schedsweep asks again", job, err))
				}
				running, noted = true, true
				continue
			}
			silent[job] = 0
			tasks, going := parse(job, out)
			for _, t := range tasks {
				seen[t.Job+"_"+t.Index] = t
			}
			running = running || going
		}
		if !running {
			return failed(seen), lost
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(interval):
		}
	}
}

var ended = []string{"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY"}

// parse reads the output of scontrol on a job, a task a line, and tells whether a task
// has not ended.
func parse(job, text string) (tasks []Task, running bool) {
	for line := range strings.Lines(text) {
		fields := map[string]string{}
		for _, f := range strings.Fields(line) {
			if name, value, ok := strings.Cut(f, "="); ok && fields[name] == "" {
				fields[name] = value
			}
		}
		if fields["JobId"] == "" {
			continue
		}
		t := Task{Job: job, Index: fields["ArrayTaskId"], State: fields["JobState"], Code: fields["ExitCode"]}
		if !slices.Contains(ended, t.State) {
			running = true
			continue
		}
		tasks = append(tasks, t)
	}
	return tasks, running
}

func failed(seen map[string]Task) []Task {
	var bad []Task
	for _, t := range seen {
		if t.State != "COMPLETED" {
			bad = append(bad, t)
		}
	}
	slices.SortFunc(bad, func(a, b Task) int {
		i, _ := strconv.Atoi(a.Index) // "" is 0
		j, _ := strconv.Atoi(b.Index)
		return cmp.Or(strings.Compare(a.Job, b.Job), i-j)
	})
	return bad
}

func output(cmd *exec.Cmd) (string, error) {
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return string(out), fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("%w: submit from a machine that has Slurm's commands", err)
	}
	return string(out), err
}
