package workload_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/workload"
)

// classOf is the class of a job, which its priority tells.
func classOf(j sim.JobSpec) int { return int(j.Priority) }

// TestClasses: each class has its number of jobs, within its bounds, at the times of its arrivals. Lower ranks come first.
func TestClasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "classes")
		names := []string{"one", "two"}
		var p workload.ClassesParams
		for i := range n {
			lo := rapid.Float64Range(1, 100).Draw(t, "run time")
			c := workload.JobClass{Jobs: rapid.IntRange(1, 20).Draw(t, "jobs"),
				RunTime:    [2]float64{lo, lo + rapid.Float64Range(0, 50).Draw(t, "more")},
				Processors: [2]float64{1, float64(rapid.IntRange(1, 8).Draw(t, "processors"))}, Priority: i, Share: .4,
				Applications: []string{"a", "b"}[:rapid.IntRange(0, 2).Draw(t, "programs")],
				Arrivals:     rapid.SampledFrom(names).Draw(t, "arrivals"), Rank: rapid.IntRange(0, 2).Draw(t, "rank")}
			if c.CrossSite = rapid.IntRange(0, min(3, c.Jobs)).Draw(t, "cross-site"); c.CrossSite > 0 {
				c.Sites = 3
			}
			p.Classes = append(p.Classes, c)
		}
		for _, name := range names {
			p.Arrivals = append(p.Arrivals, workload.Arrivals{Name: name,
				Rule: rapid.SampledFrom([]string{"even", "uniform", "periodic", "poisson", "bursts"}).Draw(t, "rule"),
				From: 5, Over: 100, Period: 10, Bursts: rapid.IntRange(0, 5).Draw(t, "bursts"),
				Gap: rapid.SampledFrom([]float64{0, 1, 30}).Draw(t, "gap")})
		}
		in := seed(rapid.Uint64().Draw(t, "seed"))
		w, err := tryMake(t, "classes", in, func(q *workload.ClassesParams) { q.Classes, q.Arrivals = p.Classes, p.Arrivals })
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := readAll(w.Source())
		if err != nil {
			t.Fatal(err)
		}
		count, crossing := make([]int, n), make([]int, n)
		for _, j := range jobs {
			c := p.Classes[classOf(j)]
			count[classOf(j)]++
			if j.Sites > 0 {
				crossing[classOf(j)]++
			}
			if !(j.RunTime >= c.RunTime[0] && j.RunTime <= c.RunTime[1]) || j.Walltime != j.RunTime || float64(j.Procs) > c.Processors[1] ||
				j.Share != .4 ||
				j.Application != "" && !slices.Contains(c.Applications, j.Application) || (j.Application == "") != (len(c.Applications) == 0) {
				t.Fatalf("%+v is none of %+v", j, c)
			}
		}
		for i, c := range p.Classes {
			if count[i] != c.Jobs || crossing[i] != min(c.CrossSite, c.Jobs) {
				t.Fatalf("class %d has %d jobs, %d across sites; want %+v", i, count[i], crossing[i], c)
			}
		}
		for _, a := range p.Arrivals {
			var times []float64
			var ranks []int
			for _, j := range jobs {
				if c := p.Classes[classOf(j)]; c.Arrivals == a.Name {
					times, ranks = append(times, j.Submit), append(ranks, c.Rank)
				}
			}
			for k, at := range times {
				want := math.NaN()
				switch a.Rule {
				case "periodic":
					want = 5 + 10*float64(k)
				case "even":
					want = 5 + 100*float64(k)/float64(len(times))
				case "uniform":
					if at < 5 || at > 105 {
						t.Fatalf("%g is not within the time", at)
					}
				}
				if math.Abs(at-want) > 1e-9 {
					t.Fatalf("job %d of %s comes at %g, not %g", k, a.Rule, at, want)
				}
			}
			if a.Rule != "bursts" && !slices.IsSorted(ranks) {
				t.Fatalf("ranks come as %v", ranks)
			}
		}
	})
}

// TestBursts: case 3 of Sodan and Huang 2003 (section 4.2): four bursts 14 min apart, each a long job, two medium ones
// and then short ones in an order drawn.
func TestBursts(t *testing.T) {
	orders := map[string]bool{}
	for s := range uint64(20) {
		bursts := 4 * int(s%2) // 0: as many as there are long jobs
		w := make1(t, "classes", seed(s), func(p *workload.ClassesParams) {
			p.Classes = []workload.JobClass{{Jobs: 4, RunTime: [2]float64{300, 300}}, {Jobs: 8, RunTime: [2]float64{60, 60}, Rank: 1},
				{Jobs: 8, RunTime: [2]float64{30, 30}, Rank: 2}, {Jobs: 20, RunTime: [2]float64{10, 10}, Rank: 2}}
			p.Arrivals = []workload.Arrivals{{Rule: "bursts", Bursts: bursts, Period: 840, Gap: 30}}
		})
		jobs := drain(t, w.Source())
		if len(jobs) != 40 {
			t.Fatalf("%d jobs", len(jobs))
		}
		order := ""
		for i, j := range jobs {
			if want := 840*float64(i/10) + 30*float64(i%10); j.Submit != want {
				t.Fatalf("job %d comes at %g, not %g", i, j.Submit, want)
			}
			if i%10 < 3 != (j.RunTime >= 60) || (i%10 == 0) != (j.RunTime == 300) {
				t.Fatalf("job %d of its burst runs for %g s", i%10, j.RunTime)
			}
			order += string(rune('a' + int(j.RunTime/10)))
		}
		orders[order] = true
	}
	if len(orders) < 19 {
		t.Errorf("20 seeds give %d orders", len(orders))
	}
}

// TestClassesInProportion: 36 jobs by the shares of case 1 are 4, 4, 6 and 22, as section 4.2 rounds them.
func TestClassesInProportion(t *testing.T) {
	w := make1(t, "classes", seed(1), func(p *workload.ClassesParams) {
		p.Jobs = 36
		for i, percent := range []int{11, 11, 16, 60} {
			p.Classes = append(p.Classes, workload.JobClass{Jobs: percent, RunTime: [2]float64{1, 1}, Priority: i})
		}
		p.Arrivals = []workload.Arrivals{{Rule: "poisson", Period: 7}}
	})
	got := make([]int, 4)
	for _, j := range drain(t, w.Source()) {
		got[classOf(j)]++
	}
	if !slices.Equal(got, []int{4, 4, 6, 22}) {
		t.Errorf("%v jobs", got)
	}
}

func TestClassesMistakes(t *testing.T) {
	_, err := tryMake(t, "classes", seed(1), func(p *workload.ClassesParams) {
		p.Classes = []workload.JobClass{{RunTime: [2]float64{1, 2}, CrossSite: 1, Arrivals: "other"}}
		p.Arrivals = []workload.Arrivals{{Rule: "bursts"}, {Name: "a"}, {Name: "a"}, {}, {Name: "b", Rule: "even", Period: 9},
			{Name: "c", Rule: "poisson", Over: 9}, {Name: "d", Rule: "even", From: 9}}
	})
	for _, want := range []string{"classes[0].sites is 0", `classes[0].arrivals is "other"`,
		`arrivals[2].name is "a", as another's`, "arrivals[3].name is empty", "arrivals[4].over is 0", "arrivals[5].period is 0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %s", err, want)
		}
	}
	if strings.Contains(err.Error(), "arrivals[6]") {
		t.Errorf("%v refuses jobs that come at once", err)
	}
}
