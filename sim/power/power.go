// Package power has the values that describe the power of a machine: of its nodes, its cap, its tariffs, and when nodes are switched off.
package power

import (
	"errors"
	"fmt"
	"math"
)

// Node is the power of a node of a cluster, in watts, by its state: 0 <= Off <= Idle <= Busy. A node without power has zeros.
//
// Between Idle and Busy the power of a node is linear in the share of its processors in use. So each processor in use draws
// Busy / Cores, and each other one of a node that is on draws Idle / Cores. This holds whichever nodes the processors are of.
type Node struct {
	// Off is of a node that is off or that an event has put down, Idle of one that is on, Busy of one whose processors are all in use.
	Off, Idle, Busy float64
	// Boot and Shutdown are how a node is switched on and off; see [SwitchOff].
	Boot, Shutdown Transition
}

// Transition is the way of a node from one state to another: its seconds, and the watts that the node draws meanwhile.
type Transition struct {
	Time, Power float64
	// Exponential has each node draw the time of each transition from the exponential law with the mean Time. The law has no memory, so
	// plans expect the rest of a transition to take the mean from now on, whenever it began.
	Exponential bool
}

// Energy is in joules, by the state of the processors that took it.
type Energy struct {
	// Busy is of processors that jobs hold, Idle of others that are on (also drained and reserved ones), Down of processors that are down.
	Busy, Idle, Down float64
	// Off, Boot and Shutdown are of processors of nodes that are off, boot and shut down.
	Off, Boot, Shutdown float64
}

// Total is the energy in all states.
func (e Energy) Total() float64 { return e.Busy + e.Idle + e.Down + e.Off + e.Boot + e.Shutdown }

// Plus returns e + by * f, state by state.
func (e Energy) Plus(by float64, f Energy) Energy {
	return Energy{e.Busy + by*f.Busy, e.Idle + by*f.Idle, e.Down + by*f.Down, e.Off + by*f.Off, e.Boot + by*f.Boot,
		e.Shutdown + by*f.Shutdown}
}

// Times returns e * f, state by state.
func (e Energy) Times(f Energy) Energy {
	return Energy{e.Busy * f.Busy, e.Idle * f.Idle, e.Down * f.Down, e.Off * f.Off, e.Boot * f.Boot, e.Shutdown * f.Shutdown}
}

// PerProcessor is the power in watts of a processor of a node with this many, by state.
func (w *Node) PerProcessor(cores int) Energy {
	n := float64(cores)
	return Energy{w.Busy / n, w.Idle / n, w.Off / n, w.Off / n, w.Boot.Power / n, w.Shutdown.Power / n}
}

// Check returns the first error in the power of a cluster's nodes.
func (w *Node) Check() error {
	if !(0 <= w.Off && w.Off <= w.Idle && w.Idle <= w.Busy) || math.IsInf(w.Busy, 1) {
		return fmt.Errorf("its nodes draw %g W off, %g W idle and %g W busy; take finite numbers of at least 0 that do not fall in this order",
			w.Off, w.Idle, w.Busy)
	}
	for _, t := range [2]Transition{w.Boot, w.Shutdown} {
		if !(0 <= t.Time && 0 <= t.Power) || math.IsInf(t.Time+t.Power, 1) {
			return fmt.Errorf("its nodes boot or shut down in %g s at %g W; take finite numbers of at least 0", t.Time, t.Power)
		}
		if t.Exponential && t.Time == 0 {
			return errors.New("the times of its boots or shutdowns are drawn, and their mean is 0 s; take more")
		}
	}
	return nil
}

// Tariff is the charge for energy.
type Tariff uint8

// The tariffs: money in EUR, and grams of carbon dioxide.
const (
	Price Tariff = iota
	Carbon
	Tariffs // their number
)

// SwitchOff is the rule by which idle nodes are switched off. Nodes are on at first. A node is idle while no job holds a processor of it.
//
// A node that has been idle for After seconds shuts down at the end of an instant: if Keep other idle nodes are on, and the policy's
// plan does not have it by the time at which it could be on again. A node stays on while a job waits for it whose place has begun, or
// that waits for other nodes of its place to boot. Of several such nodes the one with the highest number goes first. A node boots
// when the policy says so (State.Boot of package sim). Neither a boot nor a shutdown is ever broken off.
type SwitchOff struct {
	On    bool // nodes are switched off at all
	After float64
	Keep  int
	// Together has Keep count the idle nodes of the machine; otherwise it counts those of each class.
	Together bool
}
