package oas

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/host"
	"schedsweep/sim/studies/blanco2012/oas/solver"
	"schedsweep/sim/studies/blanco2012/saturation"
)

// world answers for a program; its clock goes on by a second whenever it is read.
type world struct {
	solution string
	err      error
	asked    []host.Command
	now      float64
}

func (w *world) Run(c host.Command) (host.Output, error) {
	w.asked = append(w.asked, c)
	return host.Output{Stdout: []byte("Version: 3\n"), Files: map[string][]byte{c.Read[0]: []byte(w.solution)}}, w.err
}

func (*world) Dial(string, string) (io.ReadWriteCloser, error) { return nil, errors.ErrUnsupported }

func (*world) Start(host.Module) (host.Talk, error) { return nil, errors.ErrUnsupported }

func (w *world) Seconds() float64 {
	w.now++
	return w.now
}

// TestProgramsArePlannedWith: the policy carries out and reports the plan of a program. If the program has no plan by its limit,
// the policy uses the best known plan.
func TestProgramsArePlannedWith(t *testing.T) {
	r := drawn(3, 3)
	params := DefaultParams
	params.Solver, params.TimeLimit, params.Nodes, params.Slot = "cbc", 5, 7, r.Slot
	w := &world{solution: "Stopped on time (no integer solution - continuous used) - objective value 1\n 1 nonsense 0.5 0\n"}
	p := New(params, sim.NewEnv(nil, w))
	got := r.play(t, p)
	if want := float64(solver.Greedy(r.problem()).Slots()) * r.Slot; got.Makespan > want || p.Values(nil)[0] != want {
		t.Errorf("ends at %g s, planned %g; the greedy plan ends by %g", got.Makespan, p.Values(nil)[0], want)
	}
	// of the program's time nothing is the builtin solver's
	if texts := strings.Join(p.Texts(nil), " "); texts != "cbc 3 time limit" || p.Values(nil)[6] != 1 {
		t.Errorf("told %q after %g s", texts, p.Values(nil)[6])
	}
	if c := w.asked[0]; len(w.asked) != 1 || c.Limit != 5.9 || !strings.Contains(strings.Join(c.Args, " "), "sec 5 maxNodes 7") ||
		!strings.Contains(string(c.Files["model.lp"]), "job 3:") {
		t.Errorf("asked for %d programs, %v with the limit %g", len(w.asked), c.Args, c.Limit)
	}
}

// A program that fails, or says what cannot be, ends the run.
func TestProgramsThatFail(t *testing.T) {
	for want, w := range map[string]*world{
		"solver cbc: killed": {err: errors.New("killed")},
		"solver cbc (version 3) says that there is no plan; there is one": {solution: "Integer infeasible - objective value 1\n"},
		`it says "", which is unknown`:                                    {},
	} {
		r := drawn(3, 3)
		params := DefaultParams
		params.Solver = "cbc"
		var e sim.Engine
		_, err := e.Run(context.Background(), sim.Config{Platform: r.platform(t), Source: r.specs(), Policy: New(params, sim.NewEnv(nil, w)),
			Progress: &saturation.Model{}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// The builtin solver stops when its time is up, and says so.
func TestBuiltinStopsInTime(t *testing.T) {
	r := drawn(5, 18)
	params := DefaultParams
	params.TimeLimit, params.Nodes, params.SlotPercent = 3, 0, 15
	p := New(params, sim.NewEnv(nil, &world{}))
	r.play(t, p)
	if texts := strings.Join(p.Texts(nil), " "); texts != "builtin "+solver.Version+" feasible" || !(p.gap > 0) || p.nodes > 8<<10 {
		t.Errorf("told %q with the gap %g after %d nodes", texts, p.gap, p.nodes)
	}
}
