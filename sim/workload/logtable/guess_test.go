package logtable_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"schedsweep/sim/workload/logtable"
)

// TestGuessOfOtherSchedulers: columns of OAR and of LSF make complete maps, and OAR calls jobs that did their work Terminated.
func TestGuessOfOtherSchedulers(t *testing.T) {
	for _, table := range []string{
		"job_id,user,submission_time,start_time,stop_time,nb_resources,state\n1,a,10,20,50,4,Terminated\n2,a,11,30,40,2,Error\n",
		"JOBID,USER,SUBMIT_TIME,START_TIME,FINISH_TIME,SLOTS,STAT\n1,a,10,20,50,4,DONE\n2,a,11,30,40,2,EXIT\n",
	} {
		lines := strings.Split(strings.TrimSpace(table), "\n")
		columns := strings.Split(lines[0], ",")
		m := logtable.Guess(columns, [][]string{strings.Split(lines[1], ","), strings.Split(lines[2], ",")})
		m.Validate(func(field, message string) { t.Errorf("%s: %s %s", lines[0], field, message) })
		l := mustRead(t, table, m, logtable.Options{Zone: time.UTC})
		if r := l.Records(); len(r) != 2 || r[0].RunTime != 30 || max(r[0].Allocated, r[0].Requested) != 4 {
			t.Errorf("%s: %+v", lines[0], r)
		}
	}
	states := logtable.Guess([]string{"state"}, [][]string{{"Terminated"}, {"Error"}}).States
	if !slices.Equal(states.Completed, []string{"Terminated"}) {
		t.Errorf("states %+v", states)
	}
}

// TestGuessChecksLimits: a column that may be the limit or the run time is named where no other gives run times.
func TestGuessChecksLimits(t *testing.T) {
	columns := []string{"wall_time", "submit", "procs"}
	var b strings.Builder
	if err := logtable.Guess(columns, nil).Write(&b, nil, columns, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "# to be checked: wall_time may be the run time of jobs and not their limit\n") {
		t.Error(b.String())
	}
}

// TestGuessLeavesOutSteps: rows of steps, as sacct has them without -X, are no jobs. Names of jobs with a dot are. A job whose end is
// Unknown may still have run. Time limits are in the format clock, also beside UNLIMITED.
func TestGuessLeavesOutSteps(t *testing.T) {
	const times = "|2024-03-01T00:00:00Z|2024-03-01T00:00:00Z|"
	limits := [2]string{"1-02:00:00", "UNLIMITED"}
	for _, c := range []struct {
		ids  []string
		want int
	}{{[]string{"12", "12.batch", "12.0", "13", "13.extern"}, 2}, {[]string{"12.server", "13.server"}, 2}} {
		text := "JobID|Submit|Start|End|Elapsed|NCPUS|Timelimit\n"
		rows := [][]string{}
		for _, id := range c.ids {
			line := id + times + "Unknown|01:00:00|8|" + limits[len(rows)%2]
			text, rows = text+line+"\n", append(rows, strings.Split(line, "|"))
		}
		columns := strings.Split("JobID|Submit|Start|End|Elapsed|NCPUS|Timelimit", "|")
		m := logtable.Guess(columns, rows)
		m.Separator = "|"
		l := mustRead(t, text, m, logtable.Options{})
		if got := len(l.Records()); got != c.want {
			t.Errorf("%v: %d jobs", c.ids, got)
		}
		if got := l.At(0).RequestedTime; got != 26*3600 {
			t.Errorf("%v: a walltime of %g s", c.ids, got)
		}
		if text := report(t, l); !strings.Contains(text, "2 kept      no end (the run time counts, though the job may still have run): lines") {
			t.Error(text)
		}
	}
}
