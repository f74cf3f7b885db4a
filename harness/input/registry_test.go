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

// TestMetricsStateThatTheyAreShares reads names and definitions: a share that does not state it takes no percentages as bounds.
func TestMetricsStateThatTheyAreShares(t *testing.T) {
	shares := 0
	for _, m := range Registry().Metrics {
		looks := strings.HasSuffix(m.Name, "_share") || strings.Contains(m.Name, "utilisation") ||
			m.Unit == "" && (strings.HasPrefix(m.Doc, "share of ") || strings.HasPrefix(m.Doc, "part of "))
		if m.Share != looks {
			t.Errorf("%s: share is %v: %s", m.Name, m.Share, m.Doc)
		}
		if looks {
			shares++
		}
	}
	if shares < 9 {
		t.Errorf("%d shares", shares)
	}
}
