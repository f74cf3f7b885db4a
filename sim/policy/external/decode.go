package external

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"schedsweep/sim"
	"schedsweep/sim/batsim"
)

// answer is what a module sends back.
type answer struct {
	Now    *moment `json:"now"`
	Events []event `json:"events"`
}

type event struct {
	Timestamp *moment         `json:"timestamp"`
	Type      string          `json:"type"`
	Data      json.RawMessage `json:"data"`
}

// said is the data of all events that are understood.
type said struct {
	Job     string          `json:"job_id"`
	Jobs    []string        `json:"job_ids"`
	Alloc   *string         `json:"alloc"`
	At      *float64        `json:"timestamp"`
	Type    string          `json:"type"`
	Spec    json.RawMessage `json:"job"`
	Profile json.RawMessage `json:"profile"`
	Name    string          `json:"profile_name"`
	Load    string          `json:"workload_name"`
}

// moment is a time that a module writes, with the text that it writes.
type moment struct {
	at   float64 // s
	text string
}

func (m *moment) UnmarshalJSON(text []byte) error {
	m.text = string(text)
	return json.Unmarshal(text, &m.at)
}

func (m *moment) MarshalJSON() ([]byte, error) { return []byte(m.text), nil }

// instant is below any time between two decisions, in s.
const instant = 1e-6

// before reports whether the time lies before now. Modules that print six digits may round or cut a millionth of now off.
func (m *moment) before(now float64) bool { return m.at < now-instant*max(1, now) }

// is reports whether the time, which does not lie before now, is now. A later time is now only if the module's digits cannot
// tell the two apart: 1.23457e+06 is 1234567, and 1234568 is not.
func (m *moment) is(now float64) bool {
	if m.at <= now+instant {
		return true
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(m.text), "e")
	digits := max(6, len(strings.TrimLeft(strings.ReplaceAll(mantissa, ".", ""), "0")))
	return strconv.FormatFloat(m.at, 'e', digits-1, 64) == strconv.FormatFloat(now, 'e', digits-1, 64)
}

// carryOut does what the module has decided.
func (p *Policy) carryOut(s *sim.State, text []byte) error {
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		return fmt.Errorf("the module answers %s, which is no message: %w", short(text), err)
	}
	if a.Now == nil || a.Events == nil && !strings.Contains(string(text), `"events"`) {
		return fmt.Errorf(`the module answers %s, which is no message: {"now": %g, "events": []} is the least`, short(text), s.Now())
	}
	if a.Now.before(s.Now()) {
		return fmt.Errorf("the module answers at %g s, with %s, a message of %g s", a.Now.at, short(text), s.Now())
	}
	for _, e := range a.Events {
		if err := p.takeIn(s, e); err != nil {
			return err
		}
	}
	p.until = s.Now()
	if !a.Now.is(s.Now()) {
		p.until = a.Now.at
		s.WakeAt(p.until)
	}
	return nil
}

// takeIn carries the decision out, or keeps it for its time.
func (p *Policy) takeIn(s *sim.State, e event) error {
	switch {
	case e.Timestamp == nil || e.Timestamp.before(s.Now()):
		return e.fault(s, fmt.Errorf("a timestamp of at least %g is needed", s.Now()))
	case e.Timestamp.is(s.Now()):
		return p.decision(s, &e)
	}
	i, _ := slices.BinarySearchFunc(p.later, e.Timestamp.at, func(a event, t float64) int {
		if a.Timestamp.at <= t {
			return -1
		}
		return 1
	})
	p.later = slices.Insert(p.later, i, e)
	s.WakeAt(e.Timestamp.at)
	return nil
}

// fault is an error with the decision that is at fault.
func (e *event) fault(s *sim.State, err error) error {
	line, _ := json.Marshal(e) // it came out of JSON
	return fmt.Errorf("at %g s the module says %s: %w", s.Now(), short(line), err)
}

func (p *Policy) decision(s *sim.State, e *event) (err error) {
	defer func() {
		if err != nil {
			err = e.fault(s, err)
		}
	}()
	var d said
	if len(e.Data) > 0 {
		if err := json.Unmarshal(e.Data, &d); err != nil {
			return fmt.Errorf("its data cannot be read: %w", err)
		}
	}
	switch e.Type {
	case "EXECUTE_JOB":
		return p.execute(s, &d)
	case "REJECT_JOB":
		k, err := p.waiting(d.Job)
		if err == nil {
			s.Reject(k.job)
			k.job = nil
		}
		return err
	case "KILL_JOB":
		return p.kill(s, d.Jobs)
	case "CALL_ME_LATER":
		if d.At == nil || *d.At < s.Now() {
			return fmt.Errorf("a timestamp of at least %g is needed in its data", s.Now())
		}
		p.calls = append(p.calls, *d.At)
		s.WakeAt(*d.At)
		return nil
	case "NOTIFY":
		return p.notified(s, d.Type)
	case "SET_RESOURCE_STATE":
		return fmt.Errorf("processors have no power states here that could be set")
	case "REGISTER_PROFILE":
		return p.registerProfile(d.Load, d.Name, d.Profile)
	case "REGISTER_JOB":
		return p.registerJob(s, &d)
	}
	return fmt.Errorf("events of this type are not understood; CALL_ME_LATER, EXECUTE_JOB, KILL_JOB, NOTIFY, REGISTER_JOB, " +
		"REGISTER_PROFILE and REJECT_JOB are")
}

// waiting finds a job that may be started or rejected.
func (p *Policy) waiting(name string) (*known, error) {
	k := p.jobs[name]
	switch {
	case k == nil:
		return nil, fmt.Errorf("there is no job %q", name)
	case k.job == nil:
		return nil, fmt.Errorf("job %q is over", name)
	case k.job.State() != sim.Waiting:
		return nil, fmt.Errorf("job %q is %s since %g s", name, k.job.State(), k.job.Start())
	}
	return k, nil
}

func (p *Policy) execute(s *sim.State, d *said) error {
	k, err := p.waiting(d.Job)
	if err != nil {
		return err
	}
	if d.Alloc == nil {
		return fmt.Errorf(`"alloc", the processors as an interval set, is missing`)
	}
	procs, err := batsim.ParseSpans(*d.Alloc, p.procs[:0])
	if err != nil {
		return fmt.Errorf("alloc: %w", err)
	}
	p.procs = procs
	n := 0
	for _, sp := range procs {
		n += sp.Len()
		if int(sp.Hi) >= s.Platform().Procs() {
			return fmt.Errorf("alloc: the machine has no processor %d; they are 0 to %d", sp.Hi, s.Platform().Procs()-1)
		}
	}
	if n != int(k.job.Procs()) {
		return fmt.Errorf("alloc: %d processors for a job of %d", n, k.job.Procs())
	}
	for _, sp := range procs {
		for q := sp.Lo; q <= sp.Hi; q++ {
			if p.holds[q] != "" {
				return fmt.Errorf("alloc: processor %d is held by job %q", q, p.holds[q])
			}
		}
	}
	p.hold(procs, d.Job)
	s.StartOn(k.job, procs)
	return nil
}

// kill kills running jobs; those that are over already are none of its business,
// for they may have ended at this very instant.
func (p *Policy) kill(s *sim.State, names []string) error {
	for _, name := range names {
		k := p.jobs[name]
		if k == nil {
			return fmt.Errorf("there is no job %q", name)
		}
		if k.job == nil {
			continue
		}
		if k.job.State() != sim.Running {
			return fmt.Errorf("job %q is %s: REJECT_JOB refuses it", name, k.job.State())
		}
		k.killed = true
		s.Kill(k.job)
	}
	return nil
}

func (p *Policy) notified(s *sim.State, what string) error {
	switch what {
	case "registration_finished", "continue_registration":
		if !p.p.Dynamic {
			return fmt.Errorf("jobs cannot be registered: policy.dynamic is false")
		}
		p.open = what == "continue_registration"
		s.Stay(p.open)
		return nil
	}
	return fmt.Errorf("this notification is not understood; registration_finished and continue_registration are")
}

// ready reports whether the answer to SIMULATION_ENDS says that the process can play
// another simulation.
func ready(text []byte) bool {
	var a answer
	var d said
	return json.Unmarshal(text, &a) == nil && len(a.Events) == 1 && a.Events[0].Type == "NOTIFY" &&
		json.Unmarshal(a.Events[0].Data, &d) == nil && d.Type == "ready_for_another_simulation"
}

// short is a message as it stands in an error.
func short(text []byte) string {
	const most = 300
	s, rest := string(text), ""
	if len(s) > most {
		s, rest = s[:most], fmt.Sprintf("... (%d bytes)", len(s))
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		s = strconv.Quote(s)
	}
	return s + rest
}
