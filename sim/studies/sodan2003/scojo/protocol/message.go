package protocol

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"schedsweep/sim"
	"schedsweep/sim/studies/sodan2003/scojo/plan"
)

// Kind is the kind of a message.
type Kind uint8

// The kinds of messages: those of the paper, and the answers to them.
const (
	RoughLoadQuery Kind = iota
	RoughLoadAnswer
	FineSchedulingRequest
	FineSchedulingAnswer
	ConfirmSchedule
	ConfirmAnswer
	TerminateQuery
	noKind // from here on its meaning is unknown
)

func (k Kind) String() string {
	return [...]string{"RoughLoadQuery", "RoughLoadAnswer", "FineSchedulingRequest", "FineSchedulingAnswer", "ConfirmSchedule",
		"ConfirmAnswer", "TerminateQuery", "Garbage"}[min(k, noKind)]
}

// message goes from one site to another. Who sent it is certain: that is the network's
// business.
type message struct {
	kind     Kind
	from, to int
	attempt  int64 // the request that it is about
	app      Application
	earliest float64       // RoughLoadAnswer: the earliest start; +Inf where there is none now
	windows  []plan.Window // FineSchedulingRequest: starts that will do; FineSchedulingAnswer: the held ones
	start    float64       // ConfirmSchedule: the start that was chosen
	agreed   bool          // ConfirmAnswer
}

// sane reports whether the message can be what it says: whoever gets one that cannot
// throws it away.
func (m *message) sane() bool {
	switch m.kind {
	case RoughLoadQuery:
		return m.saneApplication()
	case FineSchedulingRequest:
		return m.saneApplication() && len(m.windows) > 0 && ascending(m.windows)
	case RoughLoadAnswer:
		return m.earliest >= 0
	case FineSchedulingAnswer:
		return ascending(m.windows)
	case ConfirmSchedule:
		return m.start >= 0 && !math.IsInf(m.start, 1)
	}
	return m.kind < noKind
}

func (m *message) saneApplication() bool {
	return m.app.Share > 0 && m.app.Share <= plan.Whole && m.app.Estimate > 0 && !math.IsInf(m.app.Estimate, 1)
}

func ascending(windows []plan.Window) bool {
	last := math.Inf(-1)
	for _, w := range windows {
		if !(w.First >= 0 && w.First > last && w.Last >= w.First) || math.IsInf(w.First, 1) {
			return false
		}
		last = w.Last
	}
	return true
}

// within reports whether each window lies in one of the others.
func within(windows, others []plan.Window) bool {
	i := 0
	for _, w := range windows {
		for i < len(others) && others[i].Last < w.First {
			i++
		}
		if i == len(others) || w.First < others[i].First || w.Last > others[i].Last {
			return false
		}
	}
	return true
}

// garble makes the message nonsense of one kind or another: some show in the message itself, some only in its effects.
func (m *message) garble(r *rand.Rand) {
	switch r.IntN(9) {
	case 0:
		m.kind = noKind + Kind(r.IntN(9))
	case 1:
		m.kind = Kind(r.IntN(int(noKind)))
	case 2:
		m.attempt += int64(r.IntN(5)) - 2
	case 3:
		m.start, m.earliest, m.app.Estimate = math.NaN(), math.NaN(), math.NaN()
	case 4:
		m.windows = []plan.Window{{First: r.Float64() * 1e6, Last: 0}}
	case 5:
		m.windows = []plan.Window{{First: 0, Last: math.Inf(1)}}
		m.start, m.earliest = r.Float64()*1e6, r.Float64()
	case 6:
		m.agreed = !m.agreed
	case 7:
		m.app.Share = -m.app.Share
	case 8:
		m.app.Job++
	}
}

func number(name string, v float64) sim.Field { return sim.Field{Name: name, Value: v} }
func whole(name string, v int64) sim.Field    { return sim.Field{Name: name, Value: v} }
func text(name, v string) sim.Field           { return sim.Field{Name: name, Value: v} }

// windowsText writes windows as "5..10 20..", the last without an end.
func windowsText(windows []plan.Window) string {
	var b strings.Builder
	for i, w := range windows {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%.6g", w.First)
		if w.Last != w.First {
			b.WriteString("..")
		}
		if w.Last != w.First && !math.IsInf(w.Last, 1) {
			fmt.Fprintf(&b, "%.6g", w.Last)
		}
	}
	return b.String()
}

// report reports the outcome of a reservation at a site, or of a request (-1).
func (g *Grid) report(name string, site int, job int64, fields ...sim.Field) {
	if g.hooks.Report != nil {
		g.hooks.Report(job, sim.Message{Name: name, From: site, To: -1, Fields: fields})
	}
}

// reportSent reports a message of a site and its arrival, or, where it has a fate, that it is not
// sent so.
func (g *Grid) reportSent(m *message, fate string, arrives float64) {
	if g.hooks.Report == nil {
		return
	}
	r := sim.Message{Name: m.kind.String(), From: m.from, To: m.to}
	switch m.kind {
	case RoughLoadQuery:
		r.Fields = append(r.Fields, number("share", m.app.Share.Fraction()), number("seconds", m.app.Estimate))
	case RoughLoadAnswer:
		r.Fields = append(r.Fields, number("earliest", m.earliest))
	case FineSchedulingRequest, FineSchedulingAnswer:
		r.Fields = append(r.Fields, text("starts", windowsText(m.windows)))
	case ConfirmSchedule:
		r.Fields = append(r.Fields, number("start", m.start))
	case ConfirmAnswer:
		r.Fields = append(r.Fields, sim.Field{Name: "agreed", Value: m.agreed})
	}
	if fate != "" {
		r.Fields = []sim.Field{text("fate", fate)}
	}
	if !math.IsNaN(arrives) {
		r.Fields = append(r.Fields, number("arrives", arrives))
	}
	g.hooks.Report(m.app.Job, r)
}
