package cmd

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"schedsweep/harness"
	"schedsweep/harness/engine"
	"schedsweep/sweep/text"
)

const (
	// failAlike is how many first instances must fail alike for a run to stop.
	failAlike = 20
	// beforeKill is how long before the engine ends the task a run does: time to write
	// its rows.
	beforeKill = 15 * time.Second
)

func limitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "deadline", Usage: "end before `TIME`: 17:30, 2026-12-24T08:00, or from now on, such as 90m; begin nothing that is predicted to last longer (default: when the batch engine ends the task, where it tells; none for no deadline)"},
		&cli.StringFlag{Name: "timeout", Usage: "give up an instance after `DURATION`, such as 30s (as engine.timeout)"},
		&cli.StringFlag{Name: "max-failures", Usage: "stop when more than `N` instances, or N%, have no answer"},
		&cli.BoolFlag{Name: "keep-going", Usage: fmt.Sprintf("go on even if the first %d instances all fail alike", failAlike)},
		&cli.StringFlag{Name: "memory-limit", Usage: "keep to `SIZE` of memory, such as 4GB: near it fewer instances run at once (as GOMEMLIMIT)"},
		&cli.BoolFlag{Name: "isolate", Usage: "run instances in processes of their own, one a worker: an instance that ends or kills its process is a row that says so"},
	}
}

func limitsOf(env environment, c *cli.Context, found engine.Found) (l harness.Limits, err error) {
	if l.Deadline, err = deadlineOf(env, c.String("deadline"), found); err != nil {
		return l, err
	}
	if !c.Bool("keep-going") {
		l.FailAlike = failAlike
	}
	if given := c.String("max-failures"); given != "" {
		number, percent := strings.CutSuffix(given, "%")
		l.MaxFailures = &harness.Failures{}
		if percent {
			l.MaxFailures.Percent, err = strconv.ParseFloat(number, 64)
			percent = l.MaxFailures.Percent > 0 && l.MaxFailures.Percent <= 100
		} else {
			l.MaxFailures.Count, err = strconv.Atoi(number)
			percent = l.MaxFailures.Count >= 0
		}
		if err != nil || !percent {
			return l, misuse("--max-failures %s: write a number of at least 0, such as 10, or a share above 0%% and up to 100%%, such as 2.5%%", given)
		}
	}
	if given := c.String("memory-limit"); given != "" {
		size, err := text.Quantity(given, "B")
		if err != nil || size < 1e6 {
			return l, misuse("--memory-limit %s: write a size of at least 1MB, such as 4GB or 512MiB", given)
		}
		l.Memory = int64(size)
	}
	return l, nil
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
		env.note(fmt.Sprintf("the batch engine ends the task at %s: the run ends %s before (--deadline)", end.Format("2006-01-02 15:04:05"), beforeKill))
		return end.Add(-beforeKill), nil
	}
	if s, err := text.Quantity(given, "s"); err == nil {
		if s <= 0 {
			return time.Time{}, misuse("--deadline %s: want a time above 0", given)
		}
		return now.Add(time.Duration(s * float64(time.Second))), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "15:04:05", "15:04"} {
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
	return time.Time{}, misuse("--deadline %s: write a time such as 17:30 or 2026-12-24T08:00, how long from now on, such as 90m, or none", given)
}

// engineDeadline is when the first of the engines ends this process, zero where none
// tells.
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

// stopped is the error of a run that its limits ended, nil if they did not.
func stopped(sum harness.Summary, began time.Time, l harness.Limits, again string) error {
	switch {
	case sum.Stopped != "":
		return fmt.Errorf("%w: %s; %d of %d instances are left. Mend the cause; this goes on without it, and with --keep-going or a higher --max-failures whatever fails: %s",
			errFailedInstances, sum.Stopped, sum.Cancelled, sum.Planned, again)
	case sum.Late && sum.Ran() == 0: // to begin again would end so again
		wants := "none ended"
		if sum.Wants > 0 {
			wants = fmt.Sprintf("the shortest is predicted to take %s", sum.Wants.Round(time.Millisecond))
		}
		return misuse("no instance fits into the %s before the deadline, for %s: give the task more time, or limit instances with --timeout", l.Deadline.Sub(began).Round(time.Second), wants)
	}
	return nil
}
