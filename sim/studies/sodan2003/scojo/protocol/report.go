package protocol

import (
	"fmt"
	"math"
	"strings"

	"schedsweep/sim"
	"schedsweep/sim/studies/sodan2003/scojo/plan"
)

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

// report tells what became of a reservation at a site, or of a request (-1).
func (g *Grid) report(name string, site int, job int64, fields ...sim.Field) {
	if g.hooks.Report != nil {
		g.hooks.Report(job, sim.Message{Name: name, From: site, To: -1, Fields: fields})
	}
}

// reportSent tells what a site sends and when it arrives, or, where it has a fate, that
// it is not sent so.
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
