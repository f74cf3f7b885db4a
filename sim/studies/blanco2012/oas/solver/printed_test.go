package solver

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"schedsweep/sim/simtest"
)

// printed writes the model as the paper prints it, by nodes and slots, for a
// horizon that is the bound of all jobs: z (11), x (13), y (15), constraints 10-23, with the nonlinear terms written
// out. The speed of a job is chosen among the speeds no faster than its slowest node. Its load on a link is chosen by
// the number of its tasks there. Constraints (19) and (20) are read as times rounded up to slots.
func printed(p *Problem, horizon int) []byte {
	var b bytes.Buffer
	add := func(format string, args ...any) {
		if strings.HasPrefix(format, " + ") || strings.HasPrefix(format, " - ") {
			b.WriteByte('\n') // readers have limits to the length of a line
		}
		fmt.Fprintf(&b, format, args...)
	}
	var of []int // node -> cluster
	for k, c := range p.Clusters {
		for range c.Nodes {
			of = append(of, k)
		}
	}
	slots := func(j *Job, k int) int {
		return Slots(j.Base*(j.Sigma/p.Clusters[k].Power+1-j.Sigma), p.Slot)
	}
	var binaries []string
	name := func(format string, args ...any) string {
		s := fmt.Sprintf(format, args...)
		binaries = append(binaries, s)
		return s
	}
	add("Minimize\n zero: 0 dummy\nSubject To\n")
	for j := range p.Jobs {
		job := &p.Jobs[j]
		for r := range of {
			name("z_%d_%d", j, r)
			for t := range horizon {
				x := name("x_%d_%d_%d", j, r, t)
				add(" z_%d_%d - %s >= 0\n", j, r, x) // 11
				for q := range of {                  // 13
					if q != r {
						add(" + x_%d_%d_%d", j, q, t)
					}
				}
				add(" - %d %s >= 0\n", job.Tasks-1, x)
			}
		}
		for r := range of {
			add(" + z_%d_%d", j, r) // 12
		}
		add(" = %d\n", job.Tasks)
		for t := range horizon {
			y := name("y_%d_%d", j, t)
			for r := range of {
				for u := range t {
					add(" x_%d_%d_%d + %s <= 1\n", j, r, u, y) // 14
				}
				for u := t; u < horizon; u++ { // 17, 19: the end is at most the start and the time
					add(" %d x_%d_%d_%d", u+1, j, r, u)
					for v := 1; v < horizon; v++ {
						add(" - %d y_%d_%d", v, j, v)
					}
					for k := range p.Clusters {
						add(" - %d p_%d_%d", slots(job, k), j, k)
					}
					add(" <= 0\n")
				}
			}
		}
		for t := range horizon {
			add(" + y_%d_%d", j, t) // 15
		}
		add(" = 1\n")
		for k := range p.Clusters {
			add(" + %s", name("p_%d_%d", j, k)) // 18: one speed
		}
		add(" = 1\n")
		for r := range of { // ... that is no faster than any of its nodes
			add(" z_%d_%d", j, r)
			for k := range p.Clusters {
				if p.Clusters[k].Power <= p.Clusters[of[r]].Power {
					add(" - p_%d_%d", j, k)
				}
			}
			add(" <= 0\n")
			for t := range horizon { // 20: all of its slots
				add(" + x_%d_%d_%d", j, r, t)
			}
			for k := range p.Clusters {
				add(" - %d p_%d_%d", slots(job, k), j, k)
			}
			add(" - %d z_%d_%d >= -%d\n", horizon, j, r, horizon)
		}
		for k, c := range p.Clusters { // 21: the tasks on a cluster and their load
			most := 0.0
			for n := 0; n <= min(c.Nodes, job.Tasks); n++ {
				add(" + %s", name("c_%d_%d_%d", j, k, n))
				most = max(most, Load(n, job.Tasks, job.Bandwidth))
			}
			add(" = 1\n")
			for r := range of {
				if of[r] == k {
					add(" + z_%d_%d", j, r)
				}
			}
			for n := 1; n <= min(c.Nodes, job.Tasks); n++ {
				add(" - %d c_%d_%d_%d", n, j, k, n)
			}
			add(" = 0\n")
			for t := range horizon {
				add(" %d b_%d_%d_%d", job.Tasks, j, k, t)
				for n := 1; n <= min(c.Nodes, job.Tasks); n++ {
					add(" - %g c_%d_%d_%d", float64(job.Tasks)*Load(n, job.Tasks, job.Bandwidth), j, k, n)
				}
				for r := range of {
					add(" - %g x_%d_%d_%d", most, j, r, t)
				}
				add(" >= -%g\n", float64(job.Tasks)*most)
			}
		}
	}
	for t := range horizon {
		for r := range of { // 10
			for j := range p.Jobs {
				add(" + x_%d_%d_%d", j, r, t)
			}
			add(" <= 1\n")
		}
		for k, c := range p.Clusters { // 22
			for j := range p.Jobs {
				add(" + b_%d_%d_%d", j, k, t)
			}
			add(" <= %g\n", c.Link)
		}
	}
	add("Binaries\n")
	for _, v := range binaries {
		add(" %s\n", v)
	}
	add("End\n")
	return b.Bytes()
}

// The printed model and the model of counts have the same optimum on 3 jobs. The printed model has a solution in that many slots,
// and none in one slot fewer.
func TestPrintedModel(t *testing.T) {
	decided := map[bool]int{} // by whether there is a solution
	for seed := range uint64(simtest.Cases(1, 2)) {
		p := &Problem{Clusters: paper(), Jobs: drawn(seed, 3), Slot: 1_005_000}
		best := solve(p, Limits{}).Plan.Slots()
		for horizon, want := range map[int]bool{best: true, best - 1: false} {
			c := cbc.Call(p, LastSlot, 1, 60, 0)
			c.Files[modelFile] = printed(p, horizon)
			got := solvePrinted(t, c)
			if got == TimeLimit {
				t.Logf("seed %d: not decided in 60 s for %d slots", seed, horizon)
				continue
			}
			decided[want]++
			if got == Infeasible == want {
				t.Errorf("seed %d: the printed model in %d slots is %s; the optimum is %d", seed, horizon, got, best)
			}
		}
	}
	if decided[true] == 0 || decided[false] == 0 {
		t.Errorf("decided %d models with a solution and %d without: nothing is compared", decided[true], decided[false])
	}
}
