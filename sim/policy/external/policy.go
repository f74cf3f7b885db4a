package external

import (
	"fmt"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/batsim"
	"schedsweep/sim/host"
)

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name: "external",
		Doc: "a scheduling module in another process and any language, which gets events in the messages of Batsim's JSON protocol (Dutot " +
			"2015); needs run --allow-commands",
		Params:  DefaultParams,
		Metrics: metrics,
		New: func(params any, env sim.Env) (sim.Policy, error) {
			return &Policy{p: *params.(*Params), env: env}, nil
		},
	})
}

// Params are the parameters of the policy external.
type Params struct {
	Command []string `sweep:"command" doc:"the module's program and arguments, without a shell, in a temporary folder of its own. {module} is replaced by the path of module, and {socket} by the address. It gets PATH, HOME, locales and the like from the environment, and other variables only by env NAME=value"`
	// Module is a file that the command reads: its content is part of the identity.
	Module   string  `sweep:"module" file:"input" doc:"a file of the module, such as its source; found like logs, and its content counts in ids"`
	Protocol string  `sweep:"protocol" enum:"lines: a line of JSON each, over a Unix domain socket to which the module connects ($SCHEDSWEEP_SOCKET)|zeromq: the module binds a REP socket to {socket}, as pybatsim does" doc:"transport of the messages"`
	Socket   string  `sweep:"socket" doc:"address of a module that is already listening, instead of a command"`
	Timeout  float64 `sweep:"timeout" unit:"s" above:"0" identity:"no" doc:"longest time that the module takes to start, and for an answer"`
	Dynamic  bool    `sweep:"dynamic" doc:"the module may register jobs of its own"`
}

func (p *Params) Validate(report func(field, message string)) {
	switch {
	case len(p.Command) == 0 && p.Socket == "":
		report("command", "is missing; give the command that starts the module, such as [python3, \"{module}\"] with module: easy.py; "+
			"or the socket of a running module")
	case len(p.Command) > 0 && p.Socket != "":
		report("socket", "is given beside command, and a module is either started by command or listens at socket already; drop one of the two")
	}
}

// Commands are the programs that a run starts, for those who must allow it.
func (p *Params) Commands() [][]string {
	if len(p.Command) == 0 {
		return nil
	}
	return [][]string{p.Command}
}

// Addresses are those to which a run connects, likewise.
func (p *Params) Addresses() []string {
	if p.Socket == "" {
		return nil
	}
	return []string{p.Socket}
}

// DefaultParams are a module of lines that has five seconds for an answer.
var DefaultParams = Params{Protocol: "lines", Timeout: 5}

// Policy is the policy external.
type Policy struct {
	p       Params
	env     sim.Env
	talk    host.Talk
	jobs    map[string]*known
	names   []string   // of the jobs in the system, by slot
	holds   []string   // name of the job on each processor, "" for none
	procs   []sim.Span // scratch
	seed    uint64     // for the module
	begun   bool
	last    bool // the module has heard that no more jobs come
	open    bool // the module may still register jobs
	calls   []float64
	later   []event // decisions for a later time, in order of it
	until   float64 // before then the module decides and hears nothing
	at      float64 // of the last message
	since   float64 // when messages were last counted from 0
	counted int     // messages since then
	encoder
	profiles map[string]*batsim.Profile
	tally
}

// known is a job by its name.
type known struct {
	job    *sim.Job // nil when it has ended
	name   string
	own    bool // the module registered it
	killed bool // by the module, and its end not reported yet
}

// A module that asks to be called now, or a nanosecond from now, for ever would stop the clock. So would one whose own jobs
// take no time. It gets mostAtOnce messages in a row that no job of the workload causes, and then leastPassed seconds of
// simulated time must have passed.
const (
	mostAtOnce  = 10_000
	leastPassed = 1.0 // s
)

func (p *Policy) Reset(s *sim.State) error {
	s.TrackProcs()
	*p = Policy{p: p.p, env: p.env, encoder: p.encoder, names: p.names[:0], calls: p.calls[:0], later: p.later[:0], procs: p.procs,
		holds: make([]string, s.Platform().Procs()), jobs: map[string]*known{}, profiles: map[string]*batsim.Profile{},
		seed: p.env.Stream("module").Uint64() >> 11}
	p.events = p.events[:0]
	return nil
}

func (p *Policy) Submitted(s *sim.State, j *sim.Job) {
	p.since, p.counted = s.Now(), 0
	p.jobSubmitted(s.Now(), p.enter(j, "").name, j)
	p.noMore(s)
}

// noMore notifies the module once that no more jobs come. Where jobs wait for the ends
// of others, that is known only at the last end.
func (p *Policy) noMore(s *sim.State) {
	if !s.More() && !p.last {
		p.last = true
		p.notify(s.Now(), "no_more_static_job_to_submit")
	}
}

// enter gives the job a name, or the one that it has.
func (p *Policy) enter(j *sim.Job, name string) *known {
	if name == "" {
		name = fmt.Sprintf("w0!%d", j.ID())
		if p.jobs[name] != nil {
			name = fmt.Sprintf("w0!%d#%d", j.ID(), j.Seq())
		}
		if p.jobs[name] != nil { // it returns to the same place again
			name = fmt.Sprintf("%s.%d", name, j.Requeues())
		}
	}
	*sim.Entry(&p.names, j.Slot()) = name
	k := &known{job: j, name: name}
	p.jobs[name] = k
	return k
}

func (p *Policy) Ended(s *sim.State, j *sim.Job) {
	name := p.names[j.Slot()]
	k := p.jobs[name]
	if !k.own {
		p.since, p.counted = s.Now(), 0
	}
	k.job = nil
	p.hold(j.Alloc().Procs, "")
	if k.killed {
		p.jobKilled(s.Now(), name)
	} else {
		p.jobCompleted(s.Now(), name, j)
	}
	p.noMore(s)
}

// hold enters who holds the processors.
func (p *Policy) hold(procs []sim.Span, name string) {
	for _, sp := range procs {
		for q := sp.Lo; q <= sp.Hi; q++ {
			p.holds[q] = name
		}
	}
}

func (p *Policy) Woken(s *sim.State) {
	if i := slices.IndexFunc(p.calls, func(t float64) bool { return t <= s.Now() }); i >= 0 {
		p.calls = slices.Delete(p.calls, i, i+1)
		p.event(s.Now(), "REQUESTED_CALL")
		p.close()
	}
}

// Pass carries out the decisions for this instant, and sends the module the events.
func (p *Policy) Pass(s *sim.State) {
	var err error
	for err == nil && len(p.later) > 0 && p.later[0].Timestamp.at <= s.Now() {
		e := p.later[0]
		p.later = p.later[1:]
		err = p.decision(s, &e)
	}
	if err == nil && len(p.events) > 0 && s.Now() >= p.until {
		err = p.tell(s)
	}
	if err != nil {
		p.broken = true
		s.Fail(fmt.Errorf("policy external: %w", err))
	}
}

// tell sends the events and carries out the answer.
func (p *Policy) tell(s *sim.State) error {
	if s.Now() >= p.since+leastPassed {
		p.since, p.counted = s.Now(), 0
	}
	if p.counted++; p.counted > mostAtOnce {
		return fmt.Errorf("more than %d messages within %g s that no job of the workload caused: the module stops the clock", mostAtOnce,
			leastPassed)
	}
	p.at = s.Now()
	if !p.begun {
		p.begun = true
		if err := p.begin(s); err != nil {
			return err
		}
	}
	return p.exchange(s, p.take(s.Now()))
}

// begin starts the module and describes the machine to it, before the events
// so far.
func (p *Policy) begin(s *sim.State) error {
	var err error
	if p.talk, err = p.env.Start(host.Module{Command: p.p.Command, File: p.p.Module, Protocol: p.p.Protocol, Socket: p.p.Socket,
		Limit: p.p.Timeout}); err != nil {
		return err
	}
	p.open = p.p.Dynamic
	s.Stay(p.open)
	first := encoder{}
	if err := first.simulationBegins(s, p.seed, p.p.Dynamic); err != nil {
		return err
	}
	return p.exchange(s, first.take(s.Now()))
}

// exchange sends one message and carries out the answer.
func (p *Policy) exchange(s *sim.State, message []byte) error {
	p.messages++
	before := p.env.Seconds()
	answer, err := p.talk.Ask(message)
	p.seconds += p.env.Seconds() - before
	if err != nil {
		return err
	}
	return p.carryOut(s, answer, func() bool { return p.env.Seconds()-before > p.p.Timeout })
}

// Close tells the module that the run is over, and ends it or keeps it.
func (p *Policy) Close() error {
	talk := p.talk
	if talk == nil {
		return nil
	}
	p.talk = nil
	if p.broken {
		return talk.End(false)
	}
	p.event(p.at, "SIMULATION_ENDS")
	p.close()
	answer, err := talk.Ask(p.take(p.at))
	keep := err == nil && ready(answer)
	_ = talk.End(keep) // it may have left before its answer: the schedule is complete
	return nil
}

// metrics are the metrics of the policy external.
var metrics = []sim.Metric{
	{Name: "module_messages", Doc: "messages that the scheduling module was sent and answered"},
	{Name: "module_jobs", Doc: "jobs that the scheduling module registered itself"},
	{Name: "module_seconds", Unit: "s", Doc: "wall-clock time of the scheduling module for its answers", Measured: true},
}

type tally struct {
	messages, registered int64
	seconds              float64
	broken               bool
}

func (t *tally) Values(dst []float64) []float64 {
	return append(dst, float64(t.messages), float64(t.registered), t.seconds)
}
