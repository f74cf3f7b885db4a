package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/sweep"
)

// longLog writes a log of that many jobs and returns its path. change may change its lines.
func longLog(t *testing.T, jobs int, change func(lines []string)) string {
	var lines []string
	for i := range jobs {
		lines = append(lines, fmt.Sprintf("%d %d %d %d %d -1 -1 %d %d -1 1 %d 1 1 1 1 -1 -1", i+1, 10*i, i%7,
			i*i%300, 1+i%8, 1+i%8, 100+i%90, i%11))
	}
	change(lines)
	path := filepath.Join(t.TempDir(), "long.swf")
	if err := os.WriteFile(path, []byte("; MaxProcs: 128\n"+strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func longPlan(t *testing.T, path, rules string) (*sweep.Plan, *input.Files) {
	m, in := harnesstest.Loaded(t, fmt.Sprintf("name: long\nworkload: {kind: swf, path: %q%s}\n"+
		"platform: {processors: 16}\npolicy: {kind: easy}\nclasses: {few: processors < 3 and user == 4}\n", path, rules))
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return plan, in
}

// without leaves no wait above 0 in lines from to to.
func without(lines []string, from, to int) {
	for i := from; i < to; i++ {
		f := strings.Fields(lines[i])
		f[2] = "0"
		lines[i] = strings.Join(f, " ")
	}
}

// TestAhead plays logs while it reads them. The answers equal those of a log that is read before. A log that does not allow this
// ends as it does without the attempt.
func TestAhead(t *testing.T) {
	const late = 19_000
	for name, c := range map[string]struct {
		change func(lines []string)
		rules  string
		ahead  bool
	}{
		"plain":                {func([]string) {}, "", true},
		"no waits":             {func(l []string) { without(l, 0, len(l)) }, "", true},
		"waits that come late": {func(l []string) { without(l, 0, late) }, "", false},
		"waits that stop":      {func(l []string) { without(l, 100, len(l)) }, "", true},
		"comments":             {func(l []string) { l[late] = "; MaxProcs: 64\n" + l[late] }, "", false},
		"bad line":             {func(l []string) { l[late] = "1 2 x" }, "", false},
		"unsorted":             {func(l []string) { l[late], l[late+1] = l[late+1], l[late] }, "", false},
		"name":                 {func(l []string) { l[late] = strings.Replace(l[late], " -1 1 ", " -1 1 joe", 1) }, "", false},
		"since 1970": {func(l []string) {
			l[0] = "; UnixStartTime: 1000000000\n1 1000000000 0 1 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1"
		}, "", false},
		"too large":    {func(l []string) { l[late] = strings.Replace(l[late], "-1 -1", "-1 -1 999", 1) }, ", too_large: error", false},
		"dependencies": {func([]string) {}, ", dependencies: follow", false},
		"a selection":  {func([]string) {}, ", select: {jobs: 100}", false},
		"no log":       {func(l []string) { clear(l) }, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			path := longLog(t, 20_000, c.change)
			plan, in := longPlan(t, path, c.rules)
			now, errNow := Simulate(t.Context(), plan, in, 0, Kept{})
			read := input.NewFiles()
			_, _ = read.Log(path)
			want, errWant := Simulate(t.Context(), plan, read, 0, Kept{})
			if d := cmp.Diff(fmt.Sprint(errWant), fmt.Sprint(errNow)); d != "" {
				t.Errorf("error (-want +got):\n%s", d)
			}
			if d := cmp.Diff(want, now, cmp.AllowUnexported(Simulation{}), cmpopts.EquateNaNs(),
				cmpopts.IgnoreFields(Simulation{}, "inst"), cmpopts.IgnoreFields(rows.Report{}, "Wall")); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			var inst sweep.Instance
			plan.At(0, &inst)
			if _, ok := newWorker(plan, input.NewWorkloads(input.NewFiles()), time.Now).ahead(t.Context(), &inst); ok != c.ahead {
				t.Errorf("played while it was read: %v, want %v", ok, c.ahead)
			}
		})
	}
}

// TestAheadStops: who stops reading, or cancels the run, leaves no goroutine, though the log has more blocks
// than are parsed ahead.
func TestAheadStops(t *testing.T) {
	path := longLog(t, 60_000, func([]string) {})
	before := runtime.NumGoroutine()
	plan, in := longPlan(t, path, "")
	var inst sweep.Instance
	plan.At(0, &inst)
	if _, ok := input.NewWorkloads(input.NewFiles()).Ahead(t.Context(), &inst, func(context.Context) bool { return false }); ok {
		t.Error("a run that stops at once counts")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Simulate(ctx, plan, in, 0, Kept{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}
