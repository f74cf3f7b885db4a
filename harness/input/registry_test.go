package input

import (
	"strings"
	"testing"

	"schedsweep/sim"
)

// TestClairvoyantKindsSaySo: wherever a kind is listed its text says that it is clairvoyant.
func TestClairvoyantKindsSaySo(t *testing.T) {
	of := kinds([]sim.Kind[int]{{Name: "blind", Doc: "one"}, {Name: "seer", Doc: "another", Clairvoyant: true}})
	if of[0].Doc != "one" || !strings.Contains(of[1].Doc, "another; clairvoyant") {
		t.Errorf("the kinds are listed as %q and %q", of[0].Doc, of[1].Doc)
	}
}
