package solver

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedsweep/harness/store/golden"
)

// solveBy runs a program on a problem, and skips the test where it is missing.
func solveBy(t *testing.T, s *Program, p *Problem, form Form, horizon int, seconds float64) (Result, error) {
	t.Helper()
	r, version, err := s.Read(p, horizon, run(t, s.Call(p, form, horizon, seconds, 0)))
	if version == "unknown" {
		t.Errorf("%s does not say its version", s.Name)
	}
	return r, err
}

// solvePrinted returns cbc's output for a model of another kind.
func solvePrinted(t *testing.T, c Call) Status {
	t.Helper()
	a := run(t, c)
	said, status, _ := cbc.read(&a)
	if status == unknown {
		t.Fatal(said, a.Stdout)
	}
	return status
}

func run(t testing.TB, c Call) Answer {
	t.Helper()
	if _, err := exec.LookPath(c.Program); err != nil {
		t.Skipf("%v: CI installs coinor-cbc", err)
	}
	dir := t.TempDir()
	for name, content := range c.Files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(c.Program, c.Args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	solution, err := os.ReadFile(filepath.Join(dir, c.Result))
	return Answer{Stdout: string(out), Solution: string(solution), Missing: err != nil}
}

// Programs and the builtin solver agree on workloads of 3 and 4 jobs, in both forms. Some machines are free, and jobs
// run on others, also on all nodes of a cluster. Where a limit comes first, the programs do not contradict the builtin solver.
func TestProgramsAgree(t *testing.T) {
	for _, s := range Programs {
		t.Run(s.Name, func(t *testing.T) {
			proved := 0
			for seed := range uint64(3) {
				p := &Problem{Clusters: paper(), Jobs: drawn(seed, 3+int(seed%2)), Slot: 1_005_000}
				if seed%3 == 2 {
					p.Held = []Hold{{2, Mode{Counts: []int32{4, 0, 1}, Load: []float64{300, 0, 300}}}}
				}
				want := solve(p, Limits{}).Plan.Slots()
				for _, form := range []Form{UsedSlots, LastSlot} {
					r, err := solveBy(t, s, p, form, Greedy(p).Slots(), 20)
					if err != nil {
						t.Fatalf("seed %d, %s: %v", seed, form, err)
					}
					if r.Status == Optimal {
						proved++
					}
					if r.Bound > want || r.Plan != nil && r.Plan.Slots() < want || r.Status == Optimal && r.Plan.Slots() != want ||
						r.Status == Infeasible {
						t.Errorf("seed %d, %s: %s in %d slots, bound %d; builtin %d", seed, form, r.Status, r.Plan.Slots(), r.Bound, want)
					}
				}
				if r, err := solveBy(t, s, p, LastSlot, want-1, 20); err != nil || r.Status != Infeasible && r.Status != TimeLimit {
					t.Errorf("seed %d: in %d slots it is %s: %v", seed, want-1, r.Status, err)
				}
			}
			if proved < 3 {
				t.Errorf("proved %d of 6", proved)
			}
		})
	}
}

// A time-out before any solution is no solution.
func TestProgramsAtTheirLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	p := &Problem{Clusters: paper(), Jobs: drawn(3, 8), Slot: 167_500}
	for _, s := range []*Program{cbc, glpk} {
		t.Run(s.Name, func(t *testing.T) {
			r, err := solveBy(t, s, p, UsedSlots, Greedy(p).Slots(), 1)
			if err != nil || r.Status == Infeasible || r.Plan == nil && r.Status != TimeLimit {
				t.Errorf("%s, %d slots, bound %d: %v", r.Status, r.Plan.Slots(), r.Bound, err)
			}
		})
	}
}

// Each case is the output of a program, literal or shortened, and the answer read from it. The problem is a job of
// one task and two slots.
func TestReadAnswers(t *testing.T) {
	p := &Problem{Clusters: []Cluster{{"c", 1, 1, math.Inf(1)}}, Jobs: []Job{{ID: 7, Tasks: 1, Base: 2, Sigma: 1}}, Slot: 1}
	const cbcSays = "Welcome to the CBC MILP Solver \nVersion: 2.10.8 \n"
	for _, c := range []struct {
		solver           *Program
		stdout, solution string
		exit             int
		want             string
	}{
		{cbc, cbcSays + "Enumerated nodes:               476\n", "Optimal - objective value 2.00000000\n      0 used_0   1   1\n      3 " +
			"start_1_on_1_at_0   1   0\n", 0, "optimal 2 2 476"},
		{cbc, cbcSays + "Lower bound:                    1.2\nGap:  .5\nEnumerated nodes: 5\n",
			"Stopped on time - objective value 3.00000000\n      3 start_1_on_1_at_1   1   0\n", 0, "feasible 3 2 5"},
		{cbc, cbcSays + "Lower bound:                    1.743\n", "Stopped on time (no integer solution - continuous used) - objective value " +
			"1.743\n      3 start_1_on_1_at_0    0.9   0\n", 0, "time limit 0 2 -1"},
		{cbc, cbcSays, "Infeasible - objective value 0\n", 0, "infeasible 0 0 -1"},
		{cbc, cbcSays, "Integer infeasible - objective value 5.22957819\n      0 start_1_on_1_at_0    1   0\n", 0, "infeasible 0 0 -1"},
		{cbc, cbcSays, "Optimal - objective value 2\n", 0, "solver cbc (version 2.10.8): its solution is none: it starts job 7 0 times"},
		{cbc, cbcSays, "Optimal - objective value 2\n 1 start_1_on_1_at_0 1 0\n 2 start_1_on_1_at_1 1 0\n", 0, "it starts job 7 2 times"},
		{cbc, cbcSays + "Lower bound:  4\n", "Stopped on time - objective value 3\n 1 start_1_on_1_at_0 1 0\n", 0,
			"less than 4 slots are impossible and gives a plan of 2"},
		{cbc, "what is this\n", "a poem\n", 0, `version unknown): it says "a poem", which is unknown; the last that it printed: what is this`},
		{cbc, "", "", 3, "it failed with exit code 3; it printed nothing"},
		{cbc, cbcSays, "missing", 0, "it left no solution file"},
		{glpk, "GLPSOL--GLPK LP/MIP Solver 5.0\n+   253: >>>>>   1.000000000e+01 >=   1.2e+00  47.6% (28; 0)\nTIME LIMIT EXCEEDED; SEARCH " +
			"TERMINATED\n",
			"Status:     INTEGER NON-OPTIMAL\n   No.   Row name\n     1 once_1  1 1 =\n   No. Column name       Activity\n     1 makespan        " +
				"           2             0\n     2 start_1_on_1_at_0\n                    *              1             0             1\n     3 " +
				"start_1_on_1_at_1\n                    *              0             0             1\n", 0, "feasible 2 2 -1"},
		{glpk, "GLPSOL: GLPK LP/MIP Solver, v4.65\nPROBLEM HAS NO INTEGER FEASIBLE SOLUTION\n", "Status:     INTEGER EMPTY\n", 0,
			"infeasible 0 0 -1"},
		{glpk, "PROBLEM HAS NO PRIMAL FEASIBLE SOLUTION\n", "Status:     INTEGER UNDEFINED\n", 0, "infeasible 0 0 -1"},
		{glpk, "TIME LIMIT EXCEEDED; SEARCH TERMINATED\n", "Status:     INTEGER UNDEFINED\n", 0, "time limit 0 0 -1"},
		{highs, "Running HiGHS 1.15.1 (git hash: abc): Copyright\n  Dual bound        2\n  Nodes             1\n",
			"Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 2\n# Columns 2\nmakespan 2\nstart_1_on_1_at_0 1\n# Rows " +
				"1\nonce_1 1\n", 0, "optimal 2 2 1"},
		{highs, "  Dual bound        -inf\n", "Model status\nTime limit reached\n\n# Primal solution values\nNone\n", 0, "time limit 0 0 -1"},
		{highs, "", "Model status\nInfeasible\n\n# Primal solution values\nNone\n", 0, "infeasible 0 0 -1"},
		{highs, "", "Model status\nOptimal\n\n# Primal solution values\nNone\n", 0, `it says "optimal" and gives no values`},
	} {
		r, _, err := c.solver.Read(p, 3, Answer{Stdout: c.stdout, Solution: c.solution, Missing: c.solution == "missing", Exit: c.exit})
		got := fmt.Sprint(r.Status, " ", r.Plan.Slots(), " ", r.Bound, " ", r.Nodes)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || err == nil && got != c.want {
			t.Errorf("%s on %q:\n got %s\nwant %s", c.solver.Name, c.solution, got, c.want)
		}
	}
}

// An LP file of each form, to be read.
func TestLPIsReadable(t *testing.T) {
	p := &Problem{Clusters: []Cluster{{"fast", 1, 1, 10}, {"slow", 1, .5, 10}}, Slot: 10,
		Jobs: []Job{{ID: 1, Tasks: 2, Base: 10, Sigma: .5, Bandwidth: 4}, {ID: 2, Tasks: 1, Base: 10, Sigma: .5, Bandwidth: 4}}}
	got := "== " + string(UsedSlots) + "\n" + string(p.LP(UsedSlots, 3)) + "== " + string(LastSlot) + "\n" + string(p.LP(LastSlot, 3))
	golden.Check(t, filepath.Join("testdata", "forms.lp"), got)
	for _, line := range strings.Split(got, "\n") {
		if len(line) > 200 {
			t.Errorf("a line of %d characters", len(line))
		}
	}
}

func TestProgramByName(t *testing.T) {
	if ProgramByName("glpk") != glpk || ProgramByName("builtin") != nil || !slices.Contains(Programs, highs) {
		t.Error("programs are not found by their names")
	}
}
