package rows_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
)

// TestTableClock: the clock of a table in a zone goes forward between two jobs (Rome, 26 March 2023), so 21 h lie between 8:00 and 6:00.
func TestTableClock(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"jobs.csv": "sub,run,n\n2023-03-25 08:00:00,60,1\n2023-03-26 06:00:00,60,1\n",
		"m.yaml": "zone: Europe/Rome\ncolumns:\n  - {field: submit, column: sub, unit: date}\n  - {field: run_time, column: run, unit: s}\n" +
			"  - {field: processors, column: n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text := fmt.Sprintf("name: m\ndatasets: [jobs]\nworkload: {kind: table, path: %q, map: %q}\nplatform: {processors: 1}\n"+
		"policy: {kind: fcfs}\n", filepath.Join(dir, "jobs.csv"), filepath.Join(dir, "m.yaml"))
	out := t.TempDir()
	mustRunAll(t, text, run.Config{Dir: out})
	jobs := exported(t, text, out, "jobs")
	submit, _ := jobs.Column("submit").Float(1)
	local, _ := jobs.Column("recorded_submit").Float(1)
	if got := time.Unix(int64(local), 0).UTC().Format("Mon 15:04"); submit != 21*3600 || got != "Sun 06:00" {
		t.Errorf("the second job is submitted after %g s, at %s", submit, got)
	}
}

// TestRecordedColumns: each job row has the log's values beside the simulated ones, and quantities use both. The log's local
// clock goes back by an hour between the first job and the second (Stockholm, 27 October 1996).
func TestRecordedColumns(t *testing.T) {
	log := "; StartTime: Sat Oct 26 22:30:00 CEST 1996\n; TimeZoneString: Europe/Stockholm\n; MaxProcs: 2\n; Queue: 1 long\n" +
		"1 0 10 100 2 -1 -1 2 200 -1 1 7 3 -1 1 2 -1 -1\n" +
		fmt.Sprintf("2 %d -1 100 2 -1 -1 2 200 -1 1 -1 -1 -1 -1 -1 -1 -1\n", 5*3600)
	path := filepath.Join(t.TempDir(), "jobs.swf")
	if err := os.WriteFile(path, []byte(log), 0o644); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("name: m\ndatasets: [jobs]\nworkload: {kind: swf, path: %q}\npolicy: {kind: fcfs}\n", path)
	dir := t.TempDir()
	mustRunAll(t, text, run.Config{Dir: dir})
	jobs := exported(t, text, dir, "jobs")
	var got []string
	for row := range jobs.Rows {
		var cells []string
		for _, name := range []string{"job_id", "user", "group", "queue", "partition", "recorded_submit", "recorded_wait"} {
			v := jobs.Column(name)
			switch at, number := v.Float(row); {
			case v.IsNull(row):
				cells = append(cells, "-")
			case name == "recorded_submit":
				cells = append(cells, time.Unix(int64(at), 0).UTC().Format("Mon 15:04"))
			case number:
				cells = append(cells, fmt.Sprint(at))
			default:
				cells = append(cells, v.Text(row))
			}
		}
		got = append(got, strings.Join(cells, " "))
	}
	if want := "1 7 3 1 2 Sat 22:30 10, 2 - - - - Sun 02:30 -"; strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
	rows := harnesstest.RowsOf(t, dir)
	if v, _ := rows.Column("mean_wait_error").Float(0); v != -10 {
		t.Errorf("mean_wait_error is %v: the only job with a recorded wait waited 10 s there and 0 s here", v)
	}
	values, _, _ := readQuantities(t, text, dir, "jobs.wait_error", "jobs.hour", "jobs.weekday", "jobs.recorded_wait",
		"jobs.recorded_start_hour")
	for k, want := range [][]float64{{-10, math.NaN()}, {22, 2}, {5, 6}, {10, math.NaN()}, {22, math.NaN()}} {
		if fmt.Sprint(values[0][k]) != fmt.Sprint(want) {
			t.Errorf("quantity %d: %v, want %v", k, values[0][k], want)
		}
	}
}

// TestJobsOfAnEarlierProgram: a folder whose jobs lack a column says so, and how to get it.
func TestJobsOfAnEarlierProgram(t *testing.T) {
	columns := rows.JobsColumns()
	now := *columns
	*columns = now[:now.Index("group")]
	dir := t.TempDir()
	text := "name: m\ndatasets: [jobs]\nworkload: {kind: lublin, jobs: 5}\npolicy: {kind: fcfs}\n"
	mustRunAll(t, text, run.Config{Dir: dir})
	*columns = now
	m, _ := harnesstest.Loaded(t, text)
	err := rows.With(m, dir, func(r *rows.Rows) error {
		_, err := r.Jobs([]string{"recorded_wait"}, []int32{0}, func() func(int, *store.Table, int, int) { return nil })
		return err
	})
	if !errors.Is(err, harness.ErrInput) || !strings.Contains(err.Error(), "no column recorded_wait") ||
		!strings.Contains(err.Error(), "run --complete") {
		t.Errorf("got %v", err)
	}
}

// TestSessionsByTheLogsClock: the log begins on a Wednesday at 15:00. A job with a walltime of 4 h that is submitted at 16:00
// starts at 18:00, for by day there are 2 h. So it does where the workload begins with this job.
func TestSessionsByTheLogsClock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "jobs.swf")
	log := "; StartTime: Wed Jan 8 15:00:00 CET 2020\n; MaxProcs: 2\n" +
		"1 0 0 100 1 -1 -1 1 7200 -1 1 7 3 -1 1 2 -1 -1\n2 3600 0 100 2 -1 -1 2 14400 -1 1 7 3 -1 1 2 -1 -1\n"
	if err := os.WriteFile(path, []byte(log), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, cut := range []string{"", ", select: {skip: 1}, shift: always"} {
		dir := t.TempDir()
		mustRunAll(t, fmt.Sprintf("name: m\nworkload: {kind: swf, path: %q%s}\npolicy: {kind: easy, sessions: [{begin: 9h, longest: 2h}, "+
			"{begin: 18h}]}\n", path, cut), run.Config{Dir: dir})
		if wait, _ := harnesstest.RowsOf(t, dir).Column("max_wait_time").Float(0); wait != 7200 {
			t.Errorf("%q: the longest wait is %v s, want 7200", cut, wait)
		}
	}
}
