package gantt

import (
	"cmp"
	"slices"

	"schedsweep/analysis/figure"
)

// Dark is a time for which a processor's node was off, booted or shut down.
type Dark struct {
	State    string // off, boot or shutdown
	From, To float64
	Rows     [2]float64 // as of a job
}

// greys are the shades of the states of nodes.
var greys = map[string]float64{"off": 0.35, "boot": 0.75, "shutdown": 0.15}

// saidOfDark is the sentence of the caption on them.
func saidOfDark(dense bool) string {
	if dense {
		return " Nodes that are not on are white too."
	}
	return " Grey: nodes that are off; black: they boot; light grey: they shut down."
}

// darkening collects the states of nodes from the events of a trace, and those out of service.
type darkening struct {
	gone  []change
	since map[int]Dark // processor -> its state now
	over  []Dark       // each of one processor
}

// see enters an event. Others than down and up do nothing.
func (d *darkening) see(e *event) error {
	by := map[string]float64{"down": 1, "up": -1}[e.Event]
	if by == 0 {
		return nil
	}
	rows, err := processors(e.Allocated)
	if err != nil {
		return err
	}
	for _, r := range rows {
		d.gone = append(d.gone, change{e.T, by * (r[1] - r[0])})
	}
	if greys[e.State] == 0 {
		return nil
	}
	if d.since == nil {
		d.since = map[int]Dark{}
	}
	for _, r := range rows {
		for p := int(r[0]); p < int(r[1]); p++ {
			if was, there := d.since[p]; there && was.State == e.State && e.Event == "up" {
				was.To = e.T
				d.over = append(d.over, was)
				delete(d.since, p)
			} else if e.Event == "down" {
				d.since[p] = Dark{State: e.State, From: e.T, Rows: [2]float64{float64(p), float64(p + 1)}}
			}
		}
	}
	return nil
}

// all returns the states until the end of the trace. Neighbours that change together are one.
func (d *darkening) all(end float64) []Dark {
	for _, now := range d.since {
		now.To = end
		d.over = append(d.over, now)
	}
	slices.SortFunc(d.over, func(a, b Dark) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.State, b.State), cmp.Compare(a.Rows[0], b.Rows[0]))
	})
	var out []Dark
	for _, k := range d.over {
		if n := len(out) - 1; n >= 0 && out[n].From == k.From && out[n].To == k.To && out[n].State == k.State && out[n].Rows[1] == k.Rows[0] {
			out[n].Rows[1] = k.Rows[1]
			continue
		}
		out = append(out, k)
	}
	return out
}

// shades are the blocks of the states in a part of the time.
func (s *Schedule) shades(drawn window) (blocks []figure.Block) {
	for _, k := range s.Dark {
		if k.To > drawn.from && k.From < drawn.to && k.To > k.From {
			blocks = append(blocks, figure.Block{Left: max(k.From, drawn.from), Right: min(k.To, drawn.to), Low: k.Rows[0], High: k.Rows[1],
				Label: k.State, Grey: greys[k.State]})
		}
	}
	return blocks
}

// power are the changes of the power of the machine.
func (s *Schedule) power() []change {
	var all []change
	before := 0.0
	for _, p := range s.Power {
		all = append(all, change{p[0], p[1] - before})
		before = p[1]
	}
	return all
}
