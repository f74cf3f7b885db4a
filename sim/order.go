package sim

import "fmt"

// PassRule says after which events a policy gets a pass.
type PassRule uint8

// The rules.
const (
	// PassPerInstant: once all events of an instant have been handled.
	PassPerInstant PassRule = iota
	// PassPerKind: once all events of one kind at one instant have been handled.
	PassPerKind
	// PassPerEvent: after every single event.
	PassPerEvent
)

// EventOrder decides the order of events that share an instant, and the time of the policy's pass.
// Published simulators differ here, and thousands of start times with them.
type EventOrder struct {
	// Name is the preset's name.
	Name string
	// SubmitFirst handles submissions before ends; otherwise ends come first.
	SubmitFirst bool
	// Pass says after which events the policy gets a pass.
	Pass PassRule
	// Rules names the rules of backfilling that the published simulator has with
	// this order; "" for none of its own.
	Rules string
}

// RulesOfOrder, as the rules of a policy, means the rules that go with the event order of the run.
const RulesOfOrder = "event-order"

// Resolve returns the rules that a policy with this parameter has under the order.
func (o EventOrder) Resolve(rules string) string {
	if rules == RulesOfOrder {
		return o.Rules
	}
	return rules
}

// EventOrders are the presets.
var EventOrders = []EventOrder{
	// Ends, then submissions, then one pass.
	{Name: "default"},
	// The simulator of the Feitelson group: submissions before ends, and a pass
	// after each event.
	{Name: "pyss", SubmitFirst: true, Pass: PassPerEvent, Rules: "pyss"},
	// The simulator of the authors of the contiguity and locality variants of
	// conservative backfilling: a pass after all ends, another after all
	// submissions.
	{Name: "cbf2015", Pass: PassPerKind, Rules: "cbf2015"},
}

// EventOrderByName returns the preset of that name.
func EventOrderByName(name string) (EventOrder, error) {
	for _, o := range EventOrders {
		if o.Name == name {
			return o, nil
		}
	}
	return EventOrder{}, fmt.Errorf("unknown event order %q", name)
}
