package contract

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// leaky goes slower with every job that runs, and forgets to forget them.
type leaky struct{ running int }

func (m *leaky) Reset(*sim.Rates) error { return nil }
func (m *leaky) Started(s *sim.Rates, j *sim.Job) {
	m.running++
	s.SetWork(j, j.RunTime())
	s.SetRate(j, 1/float64(m.running))
}
func (m *leaky) Stopped(*sim.Rates, *sim.Job) { m.running-- }
func (m *leaky) Update(*sim.Rates)            {}

// meddling changes the machine.
type meddling struct{ progress.Isolated }

func (m meddling) Update(s *sim.Rates) { s.Platform().Clusters[0].Speed++ }

// deaf has a method with a mistake in its signature.
type deaf struct{ progress.Isolated }

func (deaf) Advanced(*sim.View) {}

// TestSuiteNotices: models that break a rule fail the suite, by its reason.
func TestSuiteNotices(t *testing.T) {
	for want, model := range map[string]func() sim.Progress{
		"":                              func() sim.Progress { return progress.Isolated{} },
		"after a run that was aborted":  func() sim.Progress { return &leaky{} },
		"audit A9: platform":            func() sim.Progress { return meddling{} },
		"Advanced is not that of sim.A": func() sim.Progress { return deaf{} },
	} {
		said := simtest.Said(t, func(t rapid.TB) {
			testModel(t, "toy", new(int), func(any, sim.Env) (sim.Progress, error) { return model(), nil })
		})
		if !strings.Contains(said, want) || want == "" && said != "" {
			t.Errorf("want %q, the suite said %q", want, said)
		}
	}
}
