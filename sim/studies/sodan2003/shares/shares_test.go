package shares

import (
	"math"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
)

func running(name string) *sim.Job { return simtest.NewJob(sim.JobSpec{Application: name}, 0) }

// TestShareSlowdowns: table 2 of the paper, as printed, constants by level, and the
// estimate by hand: a step of grid-1200 takes 27.9 ms, and 5 + .09 ms more where the processes do not run at a time.
// A step of random takes 4 ms, in which it spins all the time.
func TestShareSlowdowns(t *testing.T) {
	for _, c := range []struct {
		from, job string
		beside    []string
		want      float64
	}{
		{"levels", "seq", nil, 1},
		{"levels", "grid-300", []string{"seq"}, 1.2},
		{"levels", "grid-300", []string{"seq", "seq"}, 1.3},
		{"levels", "grid-300", []string{"seq", "seq", "seq"}, 1.3},
		{"table", "grid-300", nil, 1},
		{"table", "grid-300", []string{"grid-300"}, 1.2},
		{"table", "grid-300", []string{"grid-2400"}, 2.2},
		{"table", "grid-2400", []string{"grid-300"}, .9},
		{"table", "central", []string{"grid-2400"}, 3.1},
		{"table", "random", []string{"seq"}, 3.5},
		{"table", "stream", []string{"central"}, .8},
		{"table", "stream", []string{"stream"}, 1.2},
		{"table", "stream", []string{"stream", "grid-300"}, 1.2},
		{"table", "seq", []string{"grid-300"}, 1.2},
		{"table", "central", []string{"random", "stream"}, 2.5},
		{"table", "mine", []string{"stream", "grid-300"}, 1.3},
		{"table", "central", []string{"mine"}, 1.2},
		{"estimate", "grid-1200", []string{"seq"}, 1 + 5.09/27.9},
		{"estimate", "random", []string{"seq"}, 1 + 4.09/4},
		{"estimate", "grid-300", []string{"seq"}, 1},
		{"estimate", "seq", []string{"random"}, 1},
		{"estimate", "mine", []string{"random"}, 1.2},
	} {
		p := Defaults
		p.Slowdowns = c.from
		var beside []*sim.Job
		for _, name := range c.beside {
			beside = append(beside, running(name))
		}
		if got := New(p).Slowdown(running(c.job), beside); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%s: %s beside %v is slowed down by %g, want %g", c.from, c.job, c.beside, got, c.want)
		}
	}
	p := Defaults
	p.Slowdowns, p.Delay = "estimate", 10e-3
	if got, want := New(p).Slowdown(running("central"), []*sim.Job{running("seq")}), 1+15.09/29.3; !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("with a delay of 10 ms central is slowed down by %g, want %g", got, want)
	}
}

// TestVersions: where jobs slow each other down by c2 = 1.2 and c3 = 1.3, or by the table, the version stays.
func TestVersions(t *testing.T) {
	for _, c := range []struct {
		from   string
		c2, c3 float64
		want   int
	}{{"levels", 1.2, 1.3, 0}, {"table", 1.2, 1.3, 0}, {"estimate", 1.2, 1.3, 1}, {"levels", 1, 1.3, 1}, {"levels", 1.2, 1.2, 1}} {
		p := Defaults
		p.Slowdowns, p.C2, p.C3 = c.from, c.c2, c.c3
		if got := p.Version(); got != c.want {
			t.Errorf("%s with %g and %g adds %d to the version, want %d", c.from, c.c2, c.c3, got, c.want)
		}
	}
}
