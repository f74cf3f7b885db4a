package platform

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/power"
)

// Capping bounds the power of the machine.
type Capping struct {
	Cap  float64 `sweep:"cap" unit:"W" min:"0" finite:"yes" doc:"most power of the machine; no start exceeds it; 0: no cap, or the one of caps.file"`
	Caps Caps    `sweep:"caps" doc:"changes of the cap over time, and the effect of a lower cap on running jobs"`
}

// Caps describes the changes of a cap.
type Caps struct {
	File   string  `sweep:"file" file:"input" doc:"CSV with the cap over time, in place of cap: columns as of price, unit W, kW or MW; the last row holds on"`
	Night  float64 `sweep:"night" unit:"W" min:"0" finite:"yes" doc:"the cap at night, beside cap for the day; 0: as by day"`
	From   float64 `sweep:"from" unit:"s" min:"0" below:"86400" doc:"time of day at which the night begins, by the log's clock of its first day, or after time 0 where there is none"`
	To     float64 `sweep:"to" unit:"s" min:"0" below:"86400" doc:"time of day at which it ends"`
	Known  string  `sweep:"known" enum:"ahead: planners know the cap of all times (default)|not: they know the present cap, and expect that it stays" doc:"caps that planners know"`
	OnDrop string  `sweep:"on_drop" enum:"wait: running jobs run on, and none starts (default)|kill: the jobs that started last are killed, as by a node that fails|slow: needs speeds of nodes, which no node class has" doc:"effect of a cap below the power"`
}

var capOf = measure{field: "caps.file", units: map[string]float64{"W": 1, "kW": 1e3, "MW": 1e6}}

// idle is the power of all nodes when nothing runs, in watts.
func (p *Params) idle() (watts float64) {
	for _, c := range p.Nodes {
		watts += float64(c.Count) * c.Power.node(max(c.Each.Cores, 1)).Idle
	}
	return watts
}

// capped reports the errors in a cap.
func (p *Params) capped(report func(field, message string)) {
	c := &p.Caps
	bad := func(field, format string, args ...any) { report(field, fmt.Sprintf(format, args...)) }
	if p.Cap == 0 && c.File == "" {
		if c.Night > 0 {
			bad("caps", "is given without a cap; set platform.cap or caps.file, or drop caps")
		}
		return
	}
	if !slices.ContainsFunc(p.Nodes, func(c Class) bool { return c.Power.given() }) {
		bad("cap", "bounds power, and no node class has any; give all classes power (nodes.NAME.power), or drop the cap")
		return
	}
	for i, watts := range []float64{p.Cap, c.Night} {
		field := []string{"cap", "caps.night"}[i]
		if watts > 0 && watts < p.idle() {
			bad(field, "is %g W, below the %g W of all nodes when they are idle, so that no job could start; set it to more than that",
				watts, p.idle())
		}
	}
	switch {
	case c.File != "" && p.Cap+c.Night > 0:
		bad("caps.file", "is given beside cap or caps.night; keep the file, or the others")
	case c.Night > 0 && c.From == c.To:
		bad("caps.from", "is %g s, and so is caps.to, so the night has no length; give both, such as from: 20h, to: 8h", c.From)
	case c.Night == 0 && c.From+c.To > 0:
		bad("caps.from", "says when night is, and caps.night gives no cap for it; set it, or drop from and to")
	}
	for i := range p.Nodes {
		k := &p.Nodes[i]
		w := k.Power.node(max(k.Each.Cores, 1))
		room := max(p.Cap, c.Night) - p.idle()
		if more := w.Boot.Power - w.Idle; p.Off.on() && c.File == "" && w.Boot.Time > 0 && more > room {
			bad("nodes."+k.Name+".power.boot.power", "is %g W more than an idle node draws, and the cap leaves %g W beside idle "+
				"nodes: no node could ever boot; raise the cap by %g W, or drop off", more, room, more-room)
		}
	}
	if c.OnDrop == "slow" {
		bad("caps.on_drop", "is slow, which needs nodes with several speeds, and node classes have one; take wait or kill")
	}
}

// follow makes the cap of a machine.
func (p *Params) follow(on *sim.Platform, clock Clock, read func(path string) ([]byte, error)) (err error) {
	c := &p.Caps
	on.Cap = &power.Cap{Watts: power.NewSteps([]float64{0}, []float64{p.Cap}, math.Inf(1)), Ahead: c.Known != "not", Kill: c.OnDrop == "kill"}
	switch {
	case c.File != "":
		of := capOf
		of.least, of.why = p.idle(), "the power of all nodes when they are idle, in W"
		on.Cap.Watts, err = of.steps(c.File, clock, read)
	case c.Night > 0:
		date := clock.date()
		h, m, s := date.Clock()
		day := float64(24 * 3600)
		clocked := float64(3600*h+60*m+s) + float64(date.Nanosecond())/1e9
		since := math.Mod(clocked-c.From+day, day) // from the begin of a night to time 0
		on.Cap.Watts = power.NewSteps([]float64{-since, math.Mod(c.To-c.From+day, day) - since}, []float64{c.Night, p.Cap}, day-since)
		on.Cap.Watts.Every = day
	}
	return err
}
