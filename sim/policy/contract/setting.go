package contract

import (
	"fmt"

	"pgregory.net/rapid"
	"schedsweep/sim"
	"schedsweep/sim/progress"
)

// setting is what a policy is tested on.
type setting struct {
	platform *sim.Platform
	order    sim.EventOrder
	kill     bool
	track    bool
}

func (s setting) String() string {
	return fmt.Sprintf("platform %s, event order %s, kill at walltime %v, processors tracked %v", s.platform.Name, s.order.Name, s.kill, s.track)
}

// config lets jobs run undisturbed: the suite is about policies.
func (s setting) config(p sim.Policy) sim.Config {
	return sim.Config{Platform: s.platform, Policy: p, Progress: progress.Isolated{}, Order: s.order, KillAtWalltime: s.kill, TrackProcs: s.track}
}

// platforms are small machines of the kinds that policies distinguish.
func platforms() []*sim.Platform {
	var all []*sim.Platform
	for _, shape := range []struct {
		name  string
		nodes []int
		cores int
	}{
		{"one processor", []int{1}, 1},
		{"one cluster", []int{13}, 1},
		{"equal clusters", []int{4, 4, 4}, 1},
		{"unequal clusters", []int{2, 7, 4}, 1},
		{"nodes of two cores", []int{6}, 2},
		{"clusters of nodes of four cores", []int{2, 2}, 4},
	} {
		var cs []sim.Cluster
		for i, n := range shape.nodes {
			cs = append(cs, sim.Cluster{Name: fmt.Sprint("c", i), Nodes: n, Cores: shape.cores, Speed: 1,
				Link: sim.Link{Bandwidth: 1e9}, Backbone: sim.Link{Bandwidth: 1e10}})
		}
		p, err := sim.NewPlatform(shape.name, cs, sim.Link{Bandwidth: 1e10})
		if err != nil {
			panic(err)
		}
		all = append(all, p)
	}
	return all
}

func allSettings() []setting {
	var all []setting
	for _, p := range platforms() {
		for _, o := range sim.EventOrders {
			for _, kill := range []bool{true, false} {
				for _, track := range []bool{true, false} {
					all = append(all, setting{p, o, kill, track})
				}
			}
		}
	}
	return all
}

// accepted returns the settings that the policy does not refuse.
func accepted(build func() sim.Policy) []setting {
	var ok []setting
	for _, s := range allSettings() {
		var e sim.Engine
		if e.Check(s.config(build())) == nil {
			ok = append(ok, s)
		}
	}
	return ok
}

// drawJobs draws a workload in which much happens at once: small whole times,
// exact estimates beside loose and overrun ones, jobs without a run time.
func drawJobs(t *rapid.T, p *sim.Platform) []sim.JobSpec {
	n := rapid.IntRange(1, 30).Draw(t, "jobs")
	jobs := make([]sim.JobSpec, n)
	submit := 0.0
	for i := range jobs {
		submit += max(0, float64(rapid.IntRange(-6, 6).Draw(t, "gap")))
		run := rapid.IntRange(0, 12).Draw(t, "run")
		wall := max(1, run)
		if rapid.Bool().Draw(t, "loose") {
			wall = rapid.IntRange(1, 16).Draw(t, "walltime")
		}
		jobs[i] = sim.JobSpec{ID: int64(i + 1), Submit: submit, RunTime: float64(run), Walltime: float64(wall),
			Procs: int32(rapid.IntRange(1, p.Procs()).Draw(t, "procs")),
			Home:  int32(rapid.IntRange(0, len(p.Clusters)-1).Draw(t, "home")), User: -1}
	}
	return jobs
}

// scaled returns the jobs with all times multiplied by a power of two, which
// costs no precision.
func scaled(jobs []sim.JobSpec, by float64) []sim.JobSpec {
	var out []sim.JobSpec
	for _, j := range jobs {
		j.Submit, j.RunTime, j.Walltime = j.Submit*by, j.RunTime*by, j.Walltime*by
		out = append(out, j)
	}
	return out
}

// list is a source over a slice.
type list struct {
	jobs []sim.JobSpec
	at   int
}

func (l *list) Next(j *sim.JobSpec) (bool, error) {
	if l.at == len(l.jobs) {
		return false, nil
	}
	*j = l.jobs[l.at]
	l.at++
	return true, nil
}
