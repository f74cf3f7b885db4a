package sim

import (
	"errors"
	"math/rand/v2"
	"slices"
)

// Env gives a policy or progress model its means beside its parameters: random numbers, and the
// host outside of the simulation, which package sim itself never touches. The zero value has
// streams of seed 0 and no host. The methods are for use in a run, from Reset on; a part is made
// once and then plays many runs, each with its own numbers.
type Env struct {
	streams func() Streams
	host    Host
	within  []string
}

// Host is the environment of the engine: it runs programs, starts modules and has a
// clock. All that it starts and opens ends with the run at the latest.
type Host interface {
	// Run runs a program to its end, see [Env.Run].
	Run(Command) (Output, error)
	// Start starts a module, see [Env.Start].
	Start(Module) (Talk, error)
	// Seconds returns the wall-clock time since an arbitrary moment.
	Seconds() float64
}

// NewEnv returns an Env with the streams of the run that is on, and a host or
// nil.
func NewEnv(streams func() Streams, host Host) Env { return Env{streams: streams, host: host} }

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

// Command is a program to run once. It gets no shell.
type Command struct {
	// Program is its name, looked for where the user's shell would, or its path.
	Program string
	// Args are its arguments without the name.
	Args []string
	// Stdin is all of its standard input.
	Stdin []byte
	// Files are put into the program's working directory, which is a new one and
	// goes with it: content by name, without folders.
	Files map[string][]byte
	// Read are the names of files that it may leave there, to be read back.
	Read []string
	// Limit is after how many seconds it is killed with all that it started; 0
	// leaves it to the limits of the run.
	Limit float64
}

// Output is the result of a program.
type Output struct {
	Stdout, Stderr []byte
	// Files are those of [Command.Read] that exist.
	Files map[string][]byte
	// Exit is its exit code.
	Exit int
	// Seconds is the wall-clock time of the run: a measure, no part of the
	// answer.
	Seconds float64
}

var errNoHost = errors.New("nothing outside of the simulation has been handed in")

// Run runs a program to its end. An exit code is no error: it is the caller's to
// judge. An error says that the program is missing, crashed, was killed at its
// limit or the run's, or wrote without end; the output then is what it left by
// then. A policy ends its run with it by [State.Fail].
func (e Env) Run(c Command) (Output, error) {
	if e.host == nil {
		return Output{}, errNoHost
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
