package sim_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/host"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

func TestEnvStreams(t *testing.T) {
	now := sim.Streams{Root: 7}
	env := sim.NewEnv(func() sim.Streams { return now }, nil).Within("policy")
	first := func(e sim.Env, name string) uint64 { return e.Stream(name).Uint64() }
	a := env.Stream("a")
	x := a.Uint64()
	for range 1000 {
		a.Uint64()
	}
	y := first(env, "b")
	if first(env, "a") != x || first(env, "b") != y {
		t.Error("the use of a stream shifts it or another")
	}
	others := map[string]uint64{"name": y, "part": first(env.Within("stages[0]"), "a"), "another part": first(env.Within("stages[1]"), "a"),
		"workload's": now.New("a").Uint64(), "no seed": first(sim.Env{}.Within("policy"), "a")}
	now.Replication = 1
	others["replication"] = first(env, "a")
	now = sim.Streams{Root: 8}
	others["seed"] = first(env, "a")
	seen := map[uint64]string{x: "first"}
	for what, v := range others {
		if twin := seen[v]; twin != "" {
			t.Errorf("another %s: the stream begins like %s", what, twin)
		}
		seen[v] = what
	}
	now = sim.Streams{Root: 7}
	if first(env, "a") != x {
		t.Error("a stream does not repeat")
	}
	if _, err := (sim.Env{}).Run(host.Command{Program: "true"}); err == nil {
		t.Error("a program ran without a world")
	}
	if (sim.Env{}).Seconds() != 0 {
		t.Error("a clock without a world")
	}
}

// holding holds something of the outside.
type holding struct {
	queue.FCFS
	reset, submitted func() error
	open             int
	closing          error
}

func (h *holding) Reset(s *sim.State) error {
	h.open++
	return errors.Join(h.FCFS.Reset(s), h.reset())
}

func (h *holding) Submitted(s *sim.State, j *sim.Job) {
	if err := h.submitted(); err != nil {
		s.Fail(err)
	}
	h.FCFS.Submitted(s, j)
}

func (h *holding) Close() error {
	h.open--
	return h.closing
}

type holdingModel struct {
	progress.Isolated
	closed *int
}

func (h holdingModel) Close() error { *h.closed++; return nil }

func TestEveryRunIsClosed(t *testing.T) {
	fine := func() error { return nil }
	bad := errors.New("as asked")
	stopped, stop := context.WithCancel(context.Background())
	stop()
	var many []sim.JobSpec
	for i := range int64(5000) {
		many = append(many, job(i, float64(i), 1, 1))
	}
	for name, c := range map[string]struct {
		ctx    context.Context
		h      holding
		budget int64
		want   string
	}{
		"complete":  {h: holding{reset: fine, submitted: fine}},
		"refused":   {h: holding{reset: func() error { return bad }, submitted: fine}, want: "as asked"},
		"failed":    {h: holding{reset: fine, submitted: func() error { return bad }}, want: "at 0 s: as asked"},
		"panicked":  {h: holding{reset: fine, submitted: func() error { panic(bad) }}, want: "as asked"},
		"stopped":   {ctx: stopped, h: holding{reset: fine, submitted: fine}, want: "canceled"},
		"budget":    {h: holding{reset: fine, submitted: fine}, budget: 3, want: "event budget"},
		"unclosed":  {h: holding{reset: fine, submitted: fine, closing: bad}, want: "at the end of the run: as asked"},
		"both fail": {h: holding{reset: fine, submitted: fine, closing: errors.New("stuck")}, budget: 3, want: "at the end of the run: stuck"},
	} {
		if c.ctx == nil {
			c.ctx = context.Background()
		}
		closed := 0
		cfg := sim.Config{Platform: simtest.Machine(t, 4), Source: simtest.Source(many), Policy: &c.h, Progress: holdingModel{closed: &closed},
			MaxEvents: c.budget}
		var e sim.Engine
		err := func() (err error) {
			defer func() {
				if p := recover(); p != nil {
					err = p.(error)
				}
			}()
			_, err = e.Run(c.ctx, cfg)
			return err
		}()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q in it", name, err, c.want)
		}
		if c.h.open != 0 || closed != 1 {
			t.Errorf("%s: the policy is open %d times, the model was closed %d times", name, c.h.open, closed)
		}
		if err := e.Check(cfg); c.h.open != 0 || (err != nil) != (name == "refused" || c.h.closing != nil) {
			t.Errorf("%s: checked: %v, the policy is open %d times", name, err, c.h.open)
		}
	}
}
