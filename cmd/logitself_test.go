package cmd

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"schedsweep/analysis"
	"schedsweep/analysis/claim"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
)

// logOf writes a log of 25 users in four weeks, whose second half is far busier than the first.
func logOf(t *testing.T, dir string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(30, 1))
	var b strings.Builder
	b.WriteString("; UnixStartTime: 1000000000\n; MaxProcs: 16\n")
	submit := 0.
	for i := range 400 {
		submit += rng.ExpFloat64() * 28 * 86400 / 400 * 2
		busy := 1 + 8*(i/200)
		fmt.Fprintf(&b, "%d %.0f 5 %d %d -1 -1 -1 36000 -1 1 %d 1 1 1 1 -1 -1\n", i+1, submit, 600*busy*(1+rng.IntN(9)), 1+rng.IntN(16),
			1+rng.IntN(25))
	}
	if err := os.WriteFile(filepath.Join(dir, "mine.swf"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// ofLog runs a manifest with or without the log itself.
func ofLog(t *testing.T, dir, text string, logs bool) study {
	t.Helper()
	path := filepath.Join(dir, "mine.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, in, err := input.Load(path, input.Options{Set: []string{fmt.Sprintf("analysis.log_itself=%t", logs)}})
	if err != nil {
		t.Fatal(err)
	}
	st := study{path: path, manifest: m, inputs: in, dir: filepath.Join(dir, fmt.Sprint(logs))}
	if st.plan, err = m.Plan(); err != nil {
		t.Fatal(err)
	}
	sum, err := run.Sweep(context.Background(), run.Config{Manifest: m.WithLogs(), Inputs: in, Dir: st.dir})
	if err != nil || sum.Bad() > 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	return st
}

// whole is all that an analysis of a study gives.
func whole(t *testing.T, st study) (res *analysis.Result, claims []claim.Result) {
	t.Helper()
	err := withFrame(st, func(spec analysis.Spec, f *frame.Frame, r *rows.Rows) error {
		if r.Foreign() != 0 {
			t.Errorf("%s: %d rows are taken for those of another manifest", st.dir, r.Foreign())
		}
		var err error
		if res, err = analysis.Analyse(f, spec); err != nil {
			return err
		}
		claims, err = tested(st, f, res.Design)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return res, claims
}

const ofLogs = `name: mine
replications: 6
workload: {kind: swf, path: mine.swf%s}
axes: {%spolicy.kind: [fcfs, easy]}
metrics: [mean_wait_time, mean_bounded_slowdown, utilisation]
analysis:
  baseline: {policy.kind: fcfs}
  figures: [{id: f, x: policy.kind, y: mean_wait_time}, {id: g, x: policy.kind, y: mean_wait_time, paired: ratio}]
claims:
  - {id: waits, statement: Waits are long., mean: {metric: mean_wait_time, where: {policy.kind: easy}}, above: 100}
`

// TestLogItselfIsInNoMean: everything that a run reports about replications is the same with and without the log
// itself.
func TestLogItselfIsInNoMean(t *testing.T) {
	for name, c := range map[string]struct {
		workload, axes string
		logs           int // instances of the log itself
	}{
		"windows":       {", select: {jobs: 40}", "", 2},
		"lengths":       {"", "workload.select.jobs: [0, 30, 60], workload.offered_load: [0.5, 0.7], ", 4},
		"disjoint":      {", select: {jobs: 30, sample: disjoint-windows}", "", 2},
		"users":         {", replicate: {by: user}", "", 2},
		"no part of it": {", select: {jobs: 30, sample: random}", "", 0},
		"all of it":     {", jitter: 60", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			logOf(t, dir)
			text := fmt.Sprintf(ofLogs, c.workload, c.axes)
			with, without := ofLog(t, dir, text, true), ofLog(t, dir, text, false)
			full, err := with.manifest.WithLogs().Plan()
			if err != nil {
				t.Fatal(err)
			}
			if n := full.LogsThemselves(); n != c.logs || full.Len() != with.plan.Len()+n {
				t.Fatalf("%d instances of the log itself, want %d, in a plan of %d beside %d", n, c.logs, full.Len(), with.plan.Len())
			}
			for i, inst := range without.plan.All() { // ids and positions stay
				if at := full.Find(inst.ID.String(), 2); !slices.Equal(at, []int{i}) {
					t.Fatalf("instance %d is at %v", i, at)
				}
			}
			got, gotClaims := whole(t, with)
			want, wantClaims := whole(t, without)
			seen, logs := 0, []float64(nil)
			same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
			for i := range got.Statistics {
				s := &got.Statistics[i]
				if stats.Finite(s.Log) {
					seen++
				}
				logs = append(logs, s.Log)
				s.Log = math.NaN()
				s.Warnings = slices.DeleteFunc(s.Warnings, func(w stats.Warning) bool { return w.Code == stats.LogItself })
			}
			points := len(got.Statistics)
			if name == "lengths" {
				points = points * 2 / 3 // all jobs are no part of the log
			}
			if c.logs == 0 {
				points = 0
			}
			if seen != points {
				t.Errorf("the log itself has %d values, want %d", seen, points)
			}
			for i := range got.Comparisons[0] {
				c := &got.Comparisons[0][i]
				own := func(level []frame.Value) float64 {
					j := slices.IndexFunc(got.Statistics, func(s analysis.Summary) bool {
						at := slices.Concat(c.Point, level) // the policy is the last axis
						return s.Metric == c.Metric && slices.EqualFunc(s.Point, at, frame.Value.Equal)
					})
					return logs[j]
				}
				if base, other := own(c.Baseline), own(c.Level); !same(c.LogBase, base) || !same(c.Log, other) {
					t.Errorf("%s at %v: the log itself has %g and %g, not %g and %g", c.Metric, c.Point, c.LogBase, c.Log, base, other)
				}
				c.LogBase, c.Log = math.NaN(), math.NaN()
				c.Warnings = slices.DeleteFunc(c.Warnings, func(w stats.Warning) bool { return w.Code == stats.LogItself })
			}
			opts := cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateEmpty()}
			if diff := cmp.Diff(want.Statistics, got.Statistics, opts); diff != "" {
				t.Errorf("statistics (-without +with):\n%s", diff)
			}
			if diff := cmp.Diff(want.Comparisons, got.Comparisons, opts); diff != "" {
				t.Errorf("comparisons (-without +with):\n%s", diff)
			}
			if diff := cmp.Diff(fmt.Sprint(wantClaims[0].Verdict, wantClaims[0].Parts),
				fmt.Sprint(gotClaims[0].Verdict, gotClaims[0].Parts)); diff != "" {
				t.Errorf("claims (-without +with):\n%s", diff)
			}
			if diff := cmp.Diff(want.Warnings, got.Warnings); diff != "" {
				t.Errorf("warnings (-without +with):\n%s", diff)
			}
			// As compare reads them, and other programs by export.
			for _, st := range []study{with, without} {
				err := rows.WithStored(st.manifest, st.dir, nil, func(in rows.Stored) error {
					table, err := in.Table("replication")
					if err == nil && (table.Rows != st.plan.Len() || slices.Contains(table.Column("replication").Ints, -1)) {
						t.Errorf("%d stored rows of %d", table.Rows, st.plan.Len())
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				to := filepath.Join(dir, filepath.Base(st.dir)+".csv")
				if n, err := rows.Export(st.manifest, st.dir, to, false); err != nil || n != st.plan.Len() {
					t.Errorf("%d exported rows of %d: %v", n, st.plan.Len(), err)
				}
			}
			a, _ := os.ReadFile(filepath.Join(dir, "true.csv"))
			b, _ := os.ReadFile(filepath.Join(dir, "false.csv"))
			if len(a) == 0 || string(a) != string(b) {
				t.Error("the exports differ")
			}
		})
	}
}

// TestLogItselfIsTheLog: its values are those of the whole log, simulated as such.
func TestLogItselfIsTheLog(t *testing.T) {
	dir := t.TempDir()
	logOf(t, dir)
	res, _ := whole(t, ofLog(t, dir, fmt.Sprintf(ofLogs, ", select: {jobs: 40, run_up: 0, run_out: 0}, offered_load: 1.5", ""), true))
	other := t.TempDir()
	logOf(t, other)
	all, _ := whole(t, ofLog(t, other, fmt.Sprintf(ofLogs, ", offered_load: 1.5", ""), true))
	apart := false
	for i, s := range res.Statistics {
		if want := all.Statistics[i].Mean.Estimate; s.Log != want || !stats.Finite(want) {
			t.Errorf("%s at %v: the log itself has %g, and a run of the whole log %g", s.Metric, s.Point, s.Log, want)
		}
		remark := slices.ContainsFunc(s.Warnings, func(w stats.Warning) bool { return w.Code == stats.LogItself })
		far := math.Abs(s.Mean.Estimate-s.Log) > s.Log/4 && (s.Log < s.Mean.Low || s.Log > s.Mean.High)
		if apart = apart || far; remark != far {
			t.Errorf("%s at %v: %g against %g [%g, %g]: a remark is %t", s.Metric, s.Point, s.Log, s.Mean.Estimate, s.Mean.Low, s.Mean.High, remark)
		}
	}
	if !apart {
		t.Error("no mean is far from the log itself: the test tells nothing of remarks")
	}
}

// TestLogItselfInFiguresOfJobs: the jobs of the log itself have a curve of shares and means by class of their own, also where
// classes are an axis. These are those of the whole log, simulated as such; heat maps and timelines have none.
func TestLogItselfInFiguresOfJobs(t *testing.T) {
	text := strings.NewReplacer("figures: [{id: f, x: policy.kind, y: mean_wait_time}, ", "figures: ["+
		"{id: below, kind: ecdf, x: jobs.wait_time, series: policy.kind}, {id: above, kind: ccdf, x: jobs.wait_time, series: policy.kind}, "+
		"{id: sizes, kind: bars, x: jobs.processors, y: jobs.wait_time, series: policy.kind}, "+
		"{id: policies, kind: bars, x: policy.kind, y: jobs.wait_time}, "+
		"{id: wide-below, kind: ecdf, x: jobs.wait_time, series: class, panels: policy.kind}, "+
		"{id: wide, kind: bars, x: class, y: jobs.wait_time, panels: policy.kind}, "+
		"{id: map, kind: heat, x: jobs.processors, y: jobs.run_time, panels: policy.kind}, "+
		"{id: queue, kind: timeline, x: series.time, y: series.queue_length, panels: policy.kind}, ",
		"metrics:", "classes: {wide: processors > 8, narrow: processors <= 8}\ndatasets: [jobs, series]\nmetrics:").Replace(ofLogs)
	csv := map[string]map[string][]string{}
	for name, c := range map[string]struct{ workload, axes string }{
		"windows": {", select: {jobs: 40, run_up: 0, run_out: 0}, offered_load: 1.5", ""},
		"lengths": {", select: {run_up: 0, run_out: 0}, offered_load: 1.5", "workload.select.jobs: [30, 40], "},
		"all":     {", offered_load: 1.5", ""},
	} {
		dir := t.TempDir()
		logOf(t, dir)
		st := ofLog(t, dir, fmt.Sprintf(text, c.workload, c.axes), true)
		res, f, err := analysed(environment{stdout: io.Discard, stderr: io.Discard, getenv: func(string) string { return "" }}, st)
		if err != nil || f.Rows == 0 {
			t.Fatal(err)
		}
		csv[name] = map[string][]string{}
		for _, d := range res.Figures[:8] {
			var b strings.Builder
			if err := d.Figure.CSV(&b); err != nil {
				t.Fatal(err)
			}
			csv[name][d.Figure.ID] = strings.Split(strings.TrimSpace(b.String()), "\n")
		}
	}
	// of are lines of a figure of one kind of mark, named as the other names it.
	of := func(study, id, kind, as string) (lines []string) {
		for _, l := range csv[study][id] {
			if strings.Contains(l, ","+kind+",") {
				numbers := strings.Join(strings.SplitN(l, ",", 8)[:7], ",") // without n and the warnings
				lines = append(lines, strings.Replace(numbers, ","+kind+",", ","+as+",", 1))
			}
		}
		return lines
	}
	for _, study := range []string{"windows", "lengths"} {
		for id, kind := range map[string]string{"below": "ecdf", "above": "ccdf", "sizes": "bar", "policies": "bar",
			"wide-below": "ecdf", "wide": "bar"} {
			own, want := of(study, id, "log itself", kind), of("all", id, kind, kind)
			if len(want) < 2 || study == "windows" && slices.Equal(want, of(study, id, kind, kind)) {
				t.Fatalf("%s: the whole log has %q, as its windows have", id, want)
			}
			if diff := cmp.Diff(want, own); diff != "" {
				t.Errorf("%s of %s: (-the whole log, +the log itself)\n%s", id, study, diff)
			}
		}
		for _, id := range []string{"map", "queue"} {
			if own := of(study, id, "log itself", ""); len(csv[study][id]) < 3 || own != nil {
				t.Errorf("%s has %q of the log itself", id, own)
			}
		}
	}
}

// TestLogItselfInFigures: shares and factors have its marks on their curves, and ranks a sentence.
func TestLogItselfInFigures(t *testing.T) {
	dir := t.TempDir()
	logOf(t, dir)
	text := strings.Replace(fmt.Sprintf(ofLogs, ", select: {jobs: 40}", ""), "{id: f, x: policy.kind, y: mean_wait_time}",
		"{id: below, kind: ecdf, x: mean_wait_time, series: policy.kind}, {id: above, kind: ccdf, x: mean_wait_time, series: policy.kind}, "+
			"{id: factors, kind: profile, x: mean_wait_time, series: policy.kind}, "+
			"{id: ranks, kind: critical-difference, x: mean_wait_time, series: policy.kind}", 1)
	res, _ := whole(t, ofLog(t, dir, text, true))
	own, best := map[string]float64{}, math.Inf(1) // by policy
	for _, s := range res.Statistics {
		if s.Metric == "mean_wait_time" {
			own[s.Point[0].String()] = s.Log
			best = min(best, s.Log)
		}
	}
	if len(own) != 2 || own["fcfs"] == own["easy"] {
		t.Fatal(own)
	}
	for _, d := range res.Figures[:4] {
		panel := d.Figure.Panels[0]
		if d.Figure.ID == "ranks" {
			want := "the log itself: easy 1, fcfs 2"
			if own["fcfs"] == best {
				want = "the log itself: fcfs 1, easy 2"
			}
			if n := panel.Notes; len(n) != 2 || strings.ToLower(n[1].Text) != want {
				t.Errorf("notes %v, and waits %v", n, own)
			}
			continue
		}
		seen := map[string]bool{}
		for _, m := range panel.Marks {
			log, is := m.(*figure.Log)
			if !is {
				continue
			}
			name := strings.ToLower(d.Figure.Series[log.Series])
			want := own[name]
			if d.Figure.ID == "factors" {
				want /= best
			}
			curve := panel.Marks[slices.IndexFunc(panel.Marks, func(m figure.Mark) bool {
				s, is := m.(*figure.Steps)
				return is && s.Series == log.Series
			})].(*figure.Steps)
			height := curve.Start
			for _, p := range curve.At {
				if p.X <= want {
					height = p.Y
				}
			}
			if seen[name] = true; len(log.At) != 1 || log.At[0].X != want || log.At[0].Y != height {
				t.Errorf("%s: %s has the marks %v, want one at %g, %g", d.Figure.ID, name, log.At, want, height)
			}
		}
		if len(seen) != 2 || !strings.Contains(d.Figure.Caption, "Hollow diamonds: the log itself") {
			t.Errorf("%s: marks of %v; %s", d.Figure.ID, seen, d.Figure.Caption)
		}
	}
}

// TestSumsAreNotHeldAgainstTheLogItself: no note says that a sum over a window is far from that of the log, because a window is a part
// of the log.
func TestSumsAreNotHeldAgainstTheLogItself(t *testing.T) {
	dir := t.TempDir()
	logOf(t, dir)
	text := strings.Replace(fmt.Sprintf(ofLogs, ", select: {jobs: 40}", ""), "metrics: [", "metrics: [makespan, busy_time, ", 1)
	res, _ := whole(t, ofLog(t, dir, text, true))
	for i := range res.Statistics {
		s := &res.Statistics[i]
		if s.Metric != "makespan" && s.Metric != "busy_time" {
			continue
		}
		noted := slices.ContainsFunc(s.Warnings, func(w stats.Warning) bool { return w.Code == stats.LogItself })
		if noted || !(s.Log > 2*s.Mean.Estimate) {
			t.Errorf("%s of %v is %g, that of the log %g; a note: %v", s.Metric, s.Point, s.Mean.Estimate, s.Log, noted)
		}
	}
}
