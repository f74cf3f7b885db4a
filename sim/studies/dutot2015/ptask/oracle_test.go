package ptask_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/dutot2015/ptask"
)

// simgridFile is a file of the folder simgrid: what SimGrid 3.32 answered with
// host/model:ptask_L07.
type simgridFile struct {
	Scenarios []struct {
		ID       string
		Platform simgridPlatform
		Jobs     []struct {
			Start, Flops, Bytes float64
			Diag                bool
			Hosts               []string
		}
		Finish []float64 `json:"simgrid_finish"`
	}
	Schedules []struct {
		MaxSize  int     `json:"max_size"`
		Fcomm    float64 `json:"fcomm"`
		Platform simgridPlatform
		Jobs     []struct {
			N                  int32
			Ret, Start, Finish float64
			Hosts              []int
		}
		Makespan float64 `json:"simgrid_makespan"`
	}
}

type simgridPlatform struct {
	Central  simgridLink
	Clusters []struct {
		Name         string
		N            int
		Speed, BW    float64
		Lat          float64
		Policy       string
		BackboneBW   float64  `json:"bb_bw"`
		BackboneLat  float64  `json:"bb_lat"`
		BackbonePol  string   `json:"bb_policy"`
		LoopbackBW   float64  `json:"loopback"`
		LoopbackFlag struct{} `json:"-"`
	}
}

type simgridLink struct {
	BW, Lat float64
	Policy  string
}

var sharings = map[string]sim.Sharing{"SHARED": sim.Shared, "SPLITDUPLEX": sim.SplitDuplex, "FATPIPE": sim.FatPipe}

// build makes our platform, with nodes on which several jobs find room.
func (p *simgridPlatform) build(t testing.TB, cores int) *sim.Platform {
	t.Helper()
	var cs []sim.Cluster
	for _, c := range p.Clusters {
		cs = append(cs, sim.Cluster{Name: c.Name, Nodes: c.N, Cores: cores, Speed: c.Speed,
			Link:     sim.Link{Bandwidth: c.BW, Latency: c.Lat, Sharing: sharings[c.Policy]},
			Backbone: sim.Link{Bandwidth: c.BackboneBW, Latency: c.BackboneLat, Sharing: sharings[c.BackbonePol]}, Loopback: c.LoopbackBW})
	}
	pl, err := sim.NewPlatform("simgrid", cs, sim.Link{Bandwidth: p.Central.BW, Latency: p.Central.Lat, Sharing: sharings[p.Central.Policy]})
	if err != nil {
		t.Fatal(err)
	}
	return pl
}

// scripted starts each job as it comes on the nodes written for it, by the
// job's ID, each time on the node's lowest free processor.
type scripted struct {
	nodes [][]int // by ID, numbered through the clusters
	cores int
	busy  map[int]bool // processors
	spans []sim.Span
}

func (p *scripted) Reset(s *sim.State) error {
	s.TrackProcs()
	p.busy = map[int]bool{}
	return nil
}

func (p *scripted) Submitted(s *sim.State, j *sim.Job) {
	p.spans = p.spans[:0]
	for _, node := range p.nodes[j.ID()] {
		for k := range p.cores {
			if q := node*p.cores + k; !p.busy[q] {
				p.busy[q] = true
				p.spans = append(p.spans, sim.Span{Lo: int32(q), Hi: int32(q)})
				break
			}
		}
	}
	slices.SortFunc(p.spans, func(a, b sim.Span) int { return int(a.Lo - b.Lo) })
	s.StartOn(j, p.spans)
}

func (p *scripted) Ended(_ *sim.State, j *sim.Job) {
	for _, sp := range j.Alloc().Procs {
		for q := sp.Lo; q <= sp.Hi; q++ {
			delete(p.busy, int(q))
		}
	}
}

func (p *scripted) Pass(*sim.State) {}

// outcome records start, finish and processors by ID.
type outcome struct {
	start, finish []float64
	procs         []string
}

func newOutcome(n int) *outcome {
	return &outcome{make([]float64, n), make([]float64, n), make([]string, n)}
}

func (o *outcome) Submitted(*sim.View, *sim.Job) {}
func (o *outcome) Started(*sim.View, *sim.Job)   {}
func (o *outcome) Ended(_ *sim.View, j *sim.Job) {
	o.start[j.ID()], o.finish[j.ID()] = j.Start(), j.Finish()
	o.procs[j.ID()] = string(sim.AppendSpans(nil, j.Alloc().Procs))
}

func relative(got, want float64) float64 { return math.Abs(got-want) / max(math.Abs(want), 1e-300) }

func TestOracleSimGrid(t *testing.T) {
	paths := simtest.Oracles(t, "simgrid", "*.json.gz")
	var engine sim.Engine
	scenarios, schedules, jobs, worst := 0, 0, 0, 0.0
	for _, path := range paths {
		var file simgridFile
		readGzip(t, path, &file)
		for i := range file.Scenarios {
			sc := &file.Scenarios[i]
			first, numbers := map[string]int{}, 0
			for _, c := range sc.Platform.Clusters {
				first[c.Name] = numbers
				numbers += c.N
			}
			policy := &scripted{cores: 1}
			source := simtest.List{}
			users := map[string]int{}
			diagonal := sc.Jobs[0].Diag
			for id, j := range sc.Jobs {
				if j.Diag != diagonal {
					t.Fatalf("%s: %s: the jobs do not agree on the diagonal", path, sc.ID)
				}
				var nodes []int
				for _, h := range j.Hosts {
					var c, n int
					if _, err := fmt.Sscanf(h, "c%dn%d", &c, &n); err != nil {
						t.Fatalf("%s: %s: host %q: %v", path, sc.ID, h, err)
					}
					nodes = append(nodes, first[fmt.Sprintf("c%d", c)]+n)
					users[h]++
					policy.cores = max(policy.cores, users[h])
				}
				policy.nodes = append(policy.nodes, nodes)
				source = append(source, sim.JobSpec{ID: int64(id), Submit: j.Start, Walltime: 1, Procs: int32(len(nodes)), Flops: j.Flops,
					Bytes: j.Bytes})
			}
			slices.SortStableFunc(source, func(a, b sim.JobSpec) int {
				switch {
				case a.Submit < b.Submit:
					return -1
				case a.Submit > b.Submit:
					return 1
				}
				return 0
			})
			out := newOutcome(len(sc.Jobs))
			_, err := engine.Run(context.Background(),
				sim.Config{Platform: sc.Platform.build(t, policy.cores), Source: &source, Policy: policy, Observers: []sim.Observer{simtest.Watch(out)},
					Progress: ptask.New(ptask.Params{Sharing: "simgrid", Diagonal: diagonal, Cores: "share"})})
			if err != nil {
				t.Fatalf("%s: %s: %v", path, sc.ID, err)
			}
			for id, want := range sc.Finish {
				e := relative(out.finish[id], want)
				worst = max(worst, e)
				jobs++
				if !(e <= 1e-9) {
					t.Errorf("%s: %s: job %d ends at %.17g, in SimGrid at %.17g (relative error %.2g)", filepath.Base(path), sc.ID, id, out.finish[id],
						want, e)
				}
			}
			scenarios++
		}
		for i := range file.Schedules {
			sc := &file.Schedules[i]
			source := simtest.List{}
			for id, j := range sc.Jobs {
				source = append(source, sim.JobSpec{ID: int64(id), Walltime: 1, Procs: j.N, Flops: j.Ret * 1e6, Bytes: j.Ret * sc.Fcomm})
			}
			out := newOutcome(len(sc.Jobs))
			res, err := engine.Run(context.Background(),
				sim.Config{Platform: sc.Platform.build(t, 1), Source: &source, Policy: &queue.FirstFit{}, Observers: []sim.Observer{simtest.Watch(out)},
					Progress: ptask.New(ptask.Params{Sharing: "simgrid"})})
			if err != nil {
				t.Fatalf("%s: schedule %d: %v", path, i, err)
			}
			bad := 0
			for id, j := range sc.Jobs {
				e := relative(out.finish[id], j.Finish)
				if j.Start > 0 {
					e = max(e, relative(out.start[id], j.Start))
				}
				worst = max(worst, e)
				jobs++
				if procs := spans(j.Hosts); !(e <= 1e-9) || out.procs[id] != procs {
					if bad++; bad <= 5 {
						t.Errorf("%s: schedule %d: job %d runs from %.17g to %.17g on %s, in SimGrid from %.17g to %.17g on %s",
							filepath.Base(path), i, id, out.start[id], out.finish[id], out.procs[id], j.Start, j.Finish, procs)
					}
				}
			}
			if bad > 0 {
				t.Errorf("%s: schedule %d: %d jobs differ", filepath.Base(path), i, bad)
			}
			if e := relative(res.End, sc.Makespan); !(e <= 1e-9) {
				t.Errorf("%s: schedule %d: makespan %.17g, in SimGrid %.17g", filepath.Base(path), i, res.End, sc.Makespan)
			}
			schedules++
		}
	}
	if scenarios+schedules == 0 {
		t.Fatal("the files hold no scenario and no schedule")
	}
	t.Logf("compared %d scenarios and %d schedules, %d jobs in all; largest relative error %.3g", scenarios, schedules, jobs, worst)
}

// spans writes ascending host numbers as an interval set.
func spans(hosts []int) string {
	var sps []sim.Span
	for _, h := range hosts {
		if n := len(sps); n > 0 && int(sps[n-1].Hi) == h-1 {
			sps[n-1].Hi++
			continue
		}
		sps = append(sps, sim.Span{Lo: int32(h), Hi: int32(h)})
	}
	return string(sim.AppendSpans(nil, sps))
}

func readGzip(t *testing.T, path string, into any) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := json.NewDecoder(z).Decode(into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
