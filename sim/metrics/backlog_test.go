package metrics

import (
	"math"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
)

// A machine of 4 processors' speed is busy .92 of the time by jobs of 3.68 processor-seconds a second.
func TestBacklogByHand(t *testing.T) {
	s := newServer([]sim.PoissonStream{{Jobs: 1000, Rate: 0.0368, Work: 100, Square: 20000}})
	if !(math.Abs(s.speed-4) <= 1e-12) || !(math.Abs(s.expected-736/.64) <= 1e-9) || !(math.Abs(s.from-8*2*46/.0064) <= 1e-6) {
		t.Fatalf("%+v", s)
	}
	s.from, s.until = 10, 30
	s.advance(4)
	s.level = 100 // idle at 29
	s.advance(12)
	s.level += 8 // idle at 31
	if got := s.area.Value(); got != 2*(100-4*7) {
		t.Errorf("from 10 to 12 the backlog is 76 to 68: %g", got)
	}
	s.advance(40)
	if got := s.area.Value(); !(math.Abs(got-144-18*(76+4)/2) <= 1e-9) || s.level != 0 {
		t.Errorf("from 12 to 30 it is 76 to 4: %g, then nothing: %g", got-144, s.level)
	}
	if got := newServer([]sim.PoissonStream{{Jobs: 1000, Rate: 0.0368, Work: 100, Square: 20000}}); !math.IsNaN(got.excess()) {
		t.Errorf("of 27,000 s, when 115,000 are the beginning: %g", got.excess())
	}
}

// Over 600 draws of streams with different laws both have the mean 0.
func TestBacklogExcessIsNoneOnAverage(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	kind, ok := workload.Kinds.Get("poisson")
	if !ok {
		t.Fatal("no poisson")
	}
	p := kind.Params.(workload.PoissonParams)
	p.Clusters, p.Jobs = 2, 25000
	p.PerCluster = []workload.PoissonCluster{{}, {MeanInterarrival: 300, MeanRunTime: 100, Processors: [2]float64{1, 20}}}
	draws := float64(simtest.Cases(300, 600))
	var all, homes []float64
	for r := range int(draws) {
		w, err := kind.New(&p, workload.Input{Streams: sim.Streams{Root: 1, Replication: uint64(r)}})
		if err != nil {
			t.Fatal(err)
		}
		var b backlog
		b.Reset(Setting{Poisson: w.Info().Poisson})
		var j sim.JobSpec
		for src := w.Source(); ; {
			more, err := src.Next(&j)
			if err != nil {
				t.Fatal(err)
			}
			if !more {
				break
			}
			b.submitted(j.Submit, float64(j.Procs)*j.RunTime, j.Home)
		}
		v := b.Values(nil)
		all, homes = append(all, v[0]), append(homes, v[1])
	}
	for name, values := range map[string][]float64{"all": all, "homes": homes} {
		sum, squares := 0.0, 0.0
		for _, v := range values {
			sum += v
			squares += v * v
		}
		mean := sum / draws
		se := math.Sqrt((squares/draws - mean*mean) / draws)
		t.Logf("%s: %.4f, standard error %.4f", name, mean, se)
		if !(math.Abs(mean) < 3.5*se && se < .02) {
			t.Errorf("%s: mean %g with standard error %g", name, mean, se)
		}
	}
}

// A job that a policy adds belongs to no stream, on any cluster.
func TestBacklogOfOtherJobs(t *testing.T) {
	stream := []sim.PoissonStream{{Jobs: 20000, Rate: 1, Work: 1, Square: 2}}
	for _, more := range []int32{-1, 0, 1} {
		var b backlog
		b.Reset(Setting{Poisson: stream})
		for i := range 20000 {
			b.submitted(float64(i), 1, 0)
		}
		if v := b.Values(nil); math.IsNaN(v[0]) || v[0] != v[1] {
			t.Fatalf("of one cluster %v", v)
		}
		b.submitted(20000, 1, more)
		if v := b.Values(nil); !math.IsNaN(v[0]) || !math.IsNaN(v[1]) {
			t.Errorf("with a job at %d: %v", more, v)
		}
	}
}
