package sim

import (
	"errors"
	"math/rand/v2"
	"slices"

	"schedsweep/sim/host"
)

// Env gives a policy or progress model its means beside its parameters: random numbers, and the
// host outside of the simulation, which package sim itself never touches. The zero value has
// streams of seed 0 and no host. The methods are for use in a run, from Reset on; a part is made
// once and then plays many runs, each with its own numbers.
type Env struct {
	streams func() Streams
	host    host.Host
	within  []string
}

// NewEnv returns an Env with the streams of the run that is on, and a host or
// nil.
func NewEnv(streams func() Streams, on host.Host) Env { return Env{streams: streams, host: on} }

// Within is the Env for a part of what e is for: its streams are others.
func (e Env) Within(part string) Env {
	e.within = append(slices.Clip(e.within), part)
	return e
}

// Stream is the run's random stream of that name, from its start: a function of
// seed, replication and name. Ask for it in Reset and keep it for the run.
// Draws from it shift no other stream, and none of the workload's. Ask for none that
// is not needed: a run that asks counts as random.
func (e Env) Stream(name string) *rand.Rand {
	var s Streams
	if e.streams != nil {
		s = e.streams()
	}
	return s.New("env", append(slices.Clip(e.within), name)...)
}

var errNoHost = errors.New("nothing outside of the simulation has been handed in")

// Run runs a program to its end. An exit code is no error: it is the caller's to
// judge. An error says that the program is missing, crashed, was killed at its
// limit or the run's, or wrote without end; the output then is what it left by
// then. A policy ends its run with it by [State.Fail].
func (e Env) Run(c host.Command) (host.Output, error) {
	if e.host == nil {
		return host.Output{}, errNoHost
	}
	return e.host.Run(c)
}

// Seconds returns the wall-clock time in s since an arbitrary moment, and 0 where
// there is no clock. It is for measures of effort. Decisions that depend on it do
// not repeat.
func (e Env) Seconds() float64 {
	if e.host == nil {
		return 0
	}
	return e.host.Seconds()
}

// Start starts a module, or takes one that was kept by [host.Talk.End]. It ends with the
// run at the latest. A policy that starts one is an [io.Closer], and does so in the run
// and not in Reset: a check of a manifest runs nothing.
func (e Env) Start(m host.Module) (host.Talk, error) {
	if e.host == nil {
		return nil, errNoHost
	}
	return e.host.Start(m)
}
