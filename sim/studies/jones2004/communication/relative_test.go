package communication

import (
	"context"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
)

// TestFlopsAreNoRelativeSpeeds: models that use run times must not take a speed
// of 286,097 flop/s for 286,097 times the reference.
func TestFlopsAreNoRelativeSpeeds(t *testing.T) {
	p, err := sim.NewPlatform("griffon", []sim.Cluster{{Name: "c", Nodes: 4, Cores: 1, Speed: 286.097e3}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	fixed := NewFixedPenalty(FixedPenaltyParams{Penalty: "given", Factor: 1.2})
	bandwidth := NewBandwidth(BandwidthParams{ComputationFraction: .7, BisectionBandwidth: 125e6})
	var e sim.Engine
	for name, model := range map[string]sim.Progress{"bandwidth": bandwidth, "fixed-penalty": fixed} {
		_, err := e.Run(context.Background(), sim.Config{Platform: p, Source: nobody{}, Policy: &queue.FCFS{}, Progress: model})
		if err == nil || !strings.Contains(err.Error(), "progress model "+name+" uses run times and takes speeds relative to 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type nobody struct{}

func (nobody) Next(*sim.JobSpec) (bool, error) { return false, nil }
