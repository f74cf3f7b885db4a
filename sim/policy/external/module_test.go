package external

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/batsim"
	"schedsweep/sim/host"
)

// module is a scheduling module within the test: a world that starts it, and the
// talk with it. The plain one is first come, first served.
type module struct {
	t      *testing.T
	answer func(m *module, now float64, events []event) []event // nil for first come, first served
	raw    string                                               // an answer that is always the same
	slow   float64                                              // end of the time that the module takes
	heard  []string                                             // messages without the first
	ticks  float64                                              // seconds between two readings of the wall clock
	clock  float64
	ended  bool
	kept   bool

	free  []bool
	queue []jobReceived
	held  map[string][]sim.Span
}

// answer is a message of either side.
type answer struct {
	Now    *moment `json:"now"`
	Events []event `json:"events"`
}

type jobReceived struct {
	ID  string  `json:"id"`
	Res int     `json:"res"`
	Sub float64 `json:"subtime"`
}

type dataReceived struct {
	Job   jobReceived `json:"job"`
	JobID string      `json:"job_id"`
	IDs   []string    `json:"job_ids"`
	N     int         `json:"nb_compute_resources"`
	Type  string      `json:"type"`
}

func (m *module) Run(host.Command) (host.Output, error) { return host.Output{}, errors.ErrUnsupported }
func (m *module) Dial(string, string) (io.ReadWriteCloser, error) {
	return nil, errors.ErrUnsupported
}
func (m *module) Seconds() float64 {
	m.clock += m.ticks
	return m.clock
}

func (m *module) Start(host.Module) (host.Talk, error) {
	m.ended, m.queue, m.held = false, nil, map[string][]sim.Span{}
	return m, nil
}

func (m *module) End(keep bool) error {
	m.ended, m.kept = true, keep
	return nil
}

func momentOf(t float64) *moment { return &moment{t, strconv.FormatFloat(t, 'g', -1, 64)} }

func at(now float64, kind, data string) event {
	return event{Timestamp: momentOf(now), Type: kind, Data: json.RawMessage(data)}
}

func (m *module) Ask(message []byte) ([]byte, error) {
	var a answer
	if err := json.Unmarshal(message, &a); err != nil {
		m.t.Errorf("message %s: %v", message, err)
	}
	if a.Events[0].Type == "SIMULATION_BEGINS" {
		var d dataReceived
		if err := json.Unmarshal(a.Events[0].Data, &d); err != nil {
			m.t.Error(err)
		}
		m.free = slices.Repeat([]bool{true}, d.N)
	} else {
		m.heard = append(m.heard, string(message))
	}
	if m.raw != "" && a.Events[0].Type != "SIMULATION_BEGINS" {
		return []byte(m.raw), nil
	}
	decide := m.answer
	if decide == nil {
		decide = (*module).fcfs
	}
	events := decide(m, a.Now.at, a.Events)
	if events == nil {
		events = []event{}
	}
	until := max(a.Now.at, m.slow)
	return json.Marshal(answer{momentOf(until), events})
}

// fcfs starts jobs in order of submission on the highest processors, which no
// policy of ours does.
func (m *module) fcfs(now float64, events []event) (out []event) {
	for _, e := range events {
		var d dataReceived
		if err := json.Unmarshal(e.Data, &d); err != nil {
			m.t.Error(err)
		}
		switch e.Type {
		case "JOB_SUBMITTED":
			m.queue = append(m.queue, d.Job)
		case "JOB_COMPLETED":
			m.mark(m.held[d.JobID], true)
		case "JOB_KILLED":
			m.mark(m.held[d.IDs[0]], true)
		case "SIMULATION_ENDS":
			return []event{at(now, "NOTIFY", `{"type":"ready_for_another_simulation"}`)}
		}
	}
	for len(m.queue) > 0 {
		var spans []sim.Span
		n := m.queue[0].Res
		for q := len(m.free) - 1; q >= 0 && n > 0; q-- {
			if m.free[q] {
				spans, n = append(spans, sim.Span{Lo: int32(q), Hi: int32(q)}), n-1
			}
		}
		if n > 0 {
			break
		}
		m.mark(spans, false)
		m.held[m.queue[0].ID] = spans
		out = append(out, execute(now, m.queue[0].ID, string(sim.AppendSpans(nil, spans))))
		m.queue = m.queue[1:]
	}
	return out
}

func execute(now float64, job, alloc string) event {
	return at(now, "EXECUTE_JOB", `{"job_id":"`+job+`","alloc":"`+alloc+`"}`)
}

func (m *module) mark(spans []sim.Span, free bool) {
	for _, sp := range spans {
		for q := sp.Lo; q <= sp.Hi; q++ {
			m.free[q] = free
		}
	}
}

func TestParseSpans(t *testing.T) {
	for text, want := range map[string]string{"0-3 7": "0-3 7", "7,0-3": "0-3 7", "5 4 3": "3-5", "": "", " 1 ": "1",
		"a": `"a" is no number or range of resources`, "3-1": `"3-1" is no number or range of resources`,
		"-1":    `"-1" is no number or range of resources`,
		"1 0-2": "resource 1 occurs twice", "99999999999": `"99999999999" is no number or range of resources`} {
		spans, err := batsim.ParseSpans(text, nil)
		got := string(sim.AppendSpans(nil, spans))
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
