package input

import (
	"strings"
	"testing"

	"schedsweep/sim"
)

// TestClairvoyantKindsSaySo: every list of kinds marks a clairvoyant one.
func TestClairvoyantKindsSaySo(t *testing.T) {
	of := kinds([]sim.Kind[int]{{Name: "blind", Doc: "one"}, {Name: "seer", Doc: "another", Clairvoyant: true}})
	if of[0].Doc != "one" || !strings.Contains(of[1].Doc, "another; clairvoyant") {
		t.Errorf("the kinds are listed as %q and %q", of[0].Doc, of[1].Doc)
	}
}
