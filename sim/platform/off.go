package platform

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/sim/power"
)

// Transition is a boot or a shutdown of a node.
type Transition struct {
	Time  float64 `sweep:"time" unit:"s" min:"0" max:"1e10" doc:"duration of the transition, or its mean"`
	Power float64 `sweep:"power" unit:"W" min:"0" finite:"yes" doc:"power of the node during the transition"`
	Law   string  `sweep:"law" default:"fixed" enum:"fixed: the transition takes this time|exponential: each node draws the time of each transition; plans expect the mean from now on, until it ends" doc:"law of the time"`
}

// of returns the transition of a node that draws its power by times over.
func (t Transition) of(by float64) power.Transition {
	return power.Transition{Time: t.Time, Power: by * t.Power, Exponential: t.drawn()}
}

func (t Transition) drawn() bool { return t.Law == "exponential" }

func (c Class) varies() bool { return c.Power.Boot.drawn() || c.Power.Shutdown.drawn() }

// Off is the rule that switches off idle nodes; see [power.SwitchOff].
type Off struct {
	After float64 `sweep:"after" unit:"s" min:"0" doc:"an idle node is switched off after this time, with .inf never; a job that needs it waits for its boot, and keeps its other nodes on"`
	Keep  int     `sweep:"keep" min:"0" doc:"this many idle nodes stay on"`
	Per   string  `sweep:"per" enum:"class: in each class|machine: in all classes together" doc:"scope of keep"`
}

// Always is the default: nodes are always on.
var Always = Off{After: math.Inf(1), Per: "class"}

// on reports whether nodes are switched off at all. The zero value is as good as [Always].
func (o *Off) on() bool { return o.Per != "" && !math.IsInf(o.After, 1) }

func (o *Off) rule() power.SwitchOff {
	if !o.on() {
		return power.SwitchOff{}
	}
	return power.SwitchOff{On: true, After: o.After, Keep: o.Keep, Together: o.Per == "machine"}
}

// Needs refuses rules of switching off and of caps without a time or a cap.
func (p *Params) Needs(report func(missing, field, message string)) {
	if !p.Off.on() && p.Off.Keep > 0 {
		report("off.after", "off.keep", fmt.Sprintf("is %d, and nodes are never switched off; give off.after, or drop keep", p.Off.Keep))
	} else if p.Off.Keep == 0 && p.Off.Per == "machine" {
		report("off.keep", "off.per", "says where nodes are kept on, and none are; give off.keep, or drop per")
	}
	if c := p.Caps; p.Cap == 0 && c.File == "" && c.Night == 0 && c != (Caps{}) {
		report("cap", "caps", "is given without a cap; set platform.cap or caps.file, or drop caps")
	}
}

// switched reports the errors in switching off, and in boots and shutdowns.
func (p *Params) switched(report func(field, message string)) {
	all := 0
	for i := range p.Nodes {
		c := &p.Nodes[i]
		w, at := &c.Power, "nodes."+c.Name+".power"
		all += c.Count
		for k, t := range []Transition{w.Boot, w.Shutdown} {
			name := []string{"boot", "shutdown"}[k]
			if t.Time == 0 && t.drawn() {
				report(at+"."+name+".time", "is 0 s or not given, and its law is exponential; give the mean, or drop law")
			}
			if t.Time > 0 && (t.Power < w.Off || t.Power == 0) {
				report(at+"."+name+".power", fmt.Sprintf("is %g W, and a %s takes %g s; give the watts of a node meanwhile, at least those of off "+
					"(%g W)", t.Power, name, t.Time, w.Off))
			}
		}
		if p.Off.on() && p.Off.Per == "class" && p.Off.Keep > c.Count {
			report("off.keep", fmt.Sprintf("is %d, and the node class %s has a count of %d, so none is ever switched off; take at most %d",
				p.Off.Keep, c.Name, c.Count, c.Count))
		}
		if p.Off.on() && p.Off.After+w.Boot.Time+w.Shutdown.Time == 0 {
			report("off.after", "is 0 s, and nodes of the class "+c.Name+" boot and shut down in 0 s. They may go off and on at one instant "+
				"for ever; give one of the three a time above 0 s")
		}
		if p.Off.on() && !w.given() {
			report("off", "switches idle nodes off, and the node class "+c.Name+" has no power; give nodes."+c.Name+".power, or drop off")
		}
	}
	switch {
	case !p.Off.on():
	case (p.Cap > 0 || p.Caps.File != "") && slices.ContainsFunc(p.Nodes, Class.varies):
		report("off", "switches idle nodes off in times of an exponential law, and the machine has a cap, whose plans have to know them; drop "+
			"law, or the cap")
	case len(p.Nodes) == 0:
		report("off", "switches idle nodes off, and the machine has no node classes; describe it by nodes with power, or drop off")
	case p.Off.Per == "machine" && p.Off.Keep > all:
		report("off.keep", fmt.Sprintf("is %d, and the number of nodes is %d, so none is ever switched off; take at most %d", p.Off.Keep,
			all, all))
	case len(p.Events) > 0:
		report("off", "switches idle nodes off, and the machine has events, which do not go together; drop events, or off")
	}
}
