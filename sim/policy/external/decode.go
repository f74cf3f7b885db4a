package external

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"schedsweep/sim"
	"schedsweep/sim/batsim"
)

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

// carryOut carries out the module's decisions, one after another as they are read, so that memory does not grow with
// their number. Reading counts towards the timeout: late reports whether it is over.
func (p *Policy) carryOut(s *sim.State, text []byte, late func() bool) error {
	now, hasEvents, err := p.read(s, text, late)
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		return refused.error
	case err != nil:
		return fmt.Errorf("the module answers %s, which is no message: %w", short(text), err)
	case now == nil || !hasEvents:
		return fmt.Errorf(`the module answers %s, which is no message: {"now": %g, "events": []} is the least`, short(text), s.Now())
	}
	p.until = s.Now()
	if !now.is(s.Now()) {
		p.until = now.at
		s.WakeAt(p.until)
	}
	return nil
}

// refusal is an error of a message that could be read.
type refusal struct{ error }

func (p *Policy) read(s *sim.State, text []byte, late func() bool) (now *moment, hasEvents bool, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	err = walk(d, '{', func() error {
		key, err := d.Token()
		if err != nil {
			return err
		}
		switch name, _ := key.(string); {
		case strings.EqualFold(name, "now"):
			if err := d.Decode(&now); err != nil {
				return err
			}
			if now != nil && now.before(s.Now()) {
				return &refusal{fmt.Errorf("the module answers at %g s, with %s, a message of %g s", now.at, short(text), s.Now())}
			}
			return nil
		case strings.EqualFold(name, "events"):
			hasEvents = true
			return walk(d, '[', func() error {
				var e event
				if err := d.Decode(&e); err != nil {
					return err
				}
				if late() {
					return &refusal{fmt.Errorf("the module's answer of %d bytes is not read within %g s (policy.timeout)", len(text), p.p.Timeout)}
				}
				if err := p.takeIn(s, e); err != nil {
					return &refusal{err}
				}
				return nil
			})
		}
		var ignored json.RawMessage
		return d.Decode(&ignored)
	})
	if err != nil {
		return now, hasEvents, err
	}
	if _, err := d.Token(); err != io.EOF {
		return now, hasEvents, errors.New("there is more behind its end")
	}
	return now, hasEvents, nil
}

// walk calls each before every member of the object or every element of the list that comes next. A null has none.
func walk(d *json.Decoder, open json.Delim, each func() error) error {
	t, err := d.Token()
	switch {
	case err != nil:
		return err
	case t == nil:
		return nil
	case t != open:
		return fmt.Errorf("%v is found where %v is needed", t, open)
	}
	for d.More() {
		if err := each(); err != nil {
			return err
		}
	}
	_, err = d.Token() // the end, or its substitute
	return err
}

// takeIn carries the decision out, or keeps it for its time.
func (p *Policy) takeIn(s *sim.State, e event) error {
	switch {
	case e.Timestamp == nil || e.Timestamp.before(s.Now()):
		return e.fault(s, fmt.Errorf("a timestamp of at least %g is needed", s.Now()))
	case e.Timestamp.is(s.Now()):
		return p.decision(s, &e)
	}
	before := func(a event, t float64) int { return cmp.Or(cmp.Compare(a.Timestamp.at, t), -1) }
	i, _ := slices.BinarySearchFunc(p.later, e.Timestamp.at, before)
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
		return fmt.Errorf("alloc: %s for a job of %d", sim.Counted(n, "processor"), k.job.Procs())
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

// kill kills running jobs; jobs that are over already are none of its business,
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

// longFarewell bounds the answer to SIMULATION_ENDS that is looked into, in bytes.
const longFarewell = 64 << 10

// ready reports whether the answer to SIMULATION_ENDS says that the process can play
// another simulation.
func ready(text []byte) bool {
	var a struct {
		Events []event `json:"events"`
	}
	var d said
	return len(text) <= longFarewell && json.Unmarshal(text, &a) == nil && len(a.Events) == 1 && a.Events[0].Type == "NOTIFY" &&
		json.Unmarshal(a.Events[0].Data, &d) == nil && d.Type == "ready_for_another_simulation"
}

// short is a message as shown in an error.
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
