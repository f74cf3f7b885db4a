package manifest_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sweep"
	"schedsweep/sweep/params"
	"schedsweep/sweep/sweeptest"
)

const sampleOver = `
  over:
    workload.load_factor: {from: 0.5, to: 1.5}
    workload.jobs: {from: 10, to: 1000, scale: log}
    workload.integer_time: [true, false]
    policy.placement: [basic, contiguous, local]
    policy.depth: {from: 0, to: 12, step: 3}
    policy.aging: {from: 1h, to: 24h}
`

func loadSample(t testing.TB, yaml string, set ...string) *sweep.Manifest {
	t.Helper()
	opt := sweeptest.Options("")
	opt.Set = set
	m, err := sweep.Load("sample.yaml", []byte(yaml), opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, yaml)
	}
	return m
}

// TestSampleIsItsPointsWrittenOut compares samples with a zip of the values that the sample says its points have.
func TestSampleIsItsPointsWrittenOut(t *testing.T) {
	const head = "name: s\nseed: %d\nreplications: 3\nworkload: {kind: lublin, alpha: 3, load_factor: 1, jobs: 50, integer_time: " +
		"true}\npolicy: {kind: conservative, placement: basic, depth: 6, aging: 7200}\nplatform: {bandwidth: 1Gbps}\n"
	rapid.Check(t, func(rt *rapid.T) {
		head := fmt.Sprintf(head, rapid.Uint64Range(0, 1<<40).Draw(rt, "seed"))
		method := rapid.SampledFrom([]string{"morris: {trajectories: 3}", "sobol: {points: 4, scrambles: 2, replications: 3}", "one_at_a_time: ",
			"latin_hypercube: {points: 9}"}).Draw(rt, "method")
		across := ""
		if rapid.Bool().Draw(rt, "across") {
			across = "  workload.alpha: [5, 10]\n"
		}
		axes := ""
		if across != "" {
			axes = "axes:\n" + across
		}
		m := loadSample(t, head+axes+"sample:\n  "+method+sampleOver)
		written, zip := head+"axes:\n"+across, ""
		for k, path := range m.Sample.Knobs {
			var values []string
			for _, p := range m.Sample.Points {
				values = append(values, p[k].String())
			}
			written += "  " + path + ": [" + strings.Join(values, ", ") + "]\n"
			zip += ", " + path
		}
		w := loadSample(t, written+"zip: [["+zip[2:]+"]]\n")
		if got, want := sweeptest.IDs(t, m), sweeptest.IDs(t, w); !slices.Equal(got, want) {
			rt.Fatalf("%d ids of the sample, %d written out\n%s", len(got), len(want), written)
		}
		again := loadSample(t, string(m.Resolved()))
		if again.Hash() != m.Hash() || !slices.Equal(sweeptest.IDs(t, again), sweeptest.IDs(t, m)) {
			rt.Fatalf("the resolved manifest is another\n%s", m.Resolved())
		}
		bounds := map[string][2]float64{"workload.load_factor": {0.5, 1.5}, "workload.jobs": {10, 1000}, "policy.depth": {0, 12},
			"policy.aging": {3600, 86400}}
		for _, p := range m.Sample.Points {
			for k, v := range p {
				b, ranged := bounds[m.Sample.Knobs[k]]
				if x := v.As(params.Float).F; ranged && !(b[0] <= x && x <= b[1]) {
					rt.Fatalf("%s is %v", m.Sample.Knobs[k], x)
				}
				if m.Sample.Knobs[k] == "policy.depth" && v.I%3 != 0 {
					rt.Fatalf("depth %v is no step", v)
				}
			}
		}
		for _, i := range m.Sample.Row {
			if i >= len(m.Sample.Points) {
				rt.Fatalf("row of point %d of %d", i, len(m.Sample.Points))
			}
		}
	})
}

// TestSampleDraws holds the draws of a seed fixed: other ones would make the rows of earlier runs those of other points.
func TestSampleDraws(t *testing.T) {
	for method, want := range map[string]string{
		"morris: {trajectories: 2}":           "1.16666666667 13, 1.16666666667 20, 0.5 20",
		"sobol: {points: 4, replications: 2}": "0.855533970869 10, 1.13756039587 17, 1.13756039587 10, 0.855533970869 17",
		"latin_hypercube: {points: 4}":        "1.37643175591 17, 0.796211683145 11, 0.720979110512 18, 1.16329568576 14",
		"one_at_a_time: {levels: 3}":          "1 12, 0.5 12, 1.5 12, 1 10",
	} {
		m := loadSample(t, "name: s\nseed: 7\nworkload: {kind: lublin, load_factor: 1, jobs: 12}\npolicy: {kind: fcfs}\nsample:\n  "+method+
			"\n  over: {workload.load_factor: {from: 0.5, to: 1.5}, workload.jobs: {from: 10, to: 20}}\n")
		var got []string
		for _, p := range m.Sample.Points[:min(4, len(m.Sample.Points))] {
			got = append(got, p[0].String()+" "+p[1].String())
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s: %s", method, text)
		}
	}
}

// TestSampleSet: --set takes the points that have the value of a knob, as of an axis. A knob that is taken out of the sample is
// none any more, and --set replications holds for a sample as for blocks.
func TestSampleSet(t *testing.T) {
	const yaml = "name: s\nworkload: {kind: lublin}\npolicy: {kind: conservative}\nsample:\n  morris: {trajectories: 4, replications: 7}" +
		sampleOver
	m := loadSample(t, yaml, "sample.over.policy.depth=", "policy.depth=5", "replications=2", "sample.over.workload.jobs={from: 10, to: 20}",
		"sample.morris.trajectories=3")
	if len(m.Sample.Knobs) != 5 || slices.Contains(m.Sample.Knobs, "policy.depth") || m.Replications != 2 || len(m.Sample.Design.Steps) != 3 {
		t.Fatalf("knobs %v, %d replications, %d trajectories", m.Sample.Knobs, m.Replications, len(m.Sample.Design.Steps))
	}
	p, _ := m.Plan()
	if p.Len() != 2*len(m.Sample.Points) {
		t.Errorf("%d instances of %d points", p.Len(), len(m.Sample.Points))
	}
	for _, axis := range p.Axes() {
		if axis.Path == "policy.depth" {
			t.Error("a knob that is set is still an axis")
		}
	}
	m = loadSample(t, yaml)
	if m.Replications != 7 {
		t.Errorf("%d replications, the sample has 7", m.Replications)
	}
	p, _ = m.Plan()
	depth := 0
	for k, axis := range p.Axes() {
		if axis.Path == "policy.depth" {
			depth = k
		}
	}
	all, value := sweeptest.Instances(t, m), sweeptest.Instances(t, m)[0].Values[depth]
	all = slices.DeleteFunc(all, func(in sweep.Instance) bool { return in.Values[depth] != value })
	got := sweeptest.Instances(t, loadSample(t, yaml, "policy.depth="+value.String()))
	if !slices.EqualFunc(all, got, func(a, b sweep.Instance) bool { return a.ID == b.ID }) || len(got) == 0 {
		t.Errorf("--set policy.depth=%s: %d instances, the plan lists %d", value, len(got), len(all))
	}
}

// TestSampleIsPaired: points of a trajectory have the same random numbers in a replication, and the same workloads where only the
// policy differs.
func TestSampleIsPaired(t *testing.T) {
	m := loadSample(t, "name: s\nseed: 3\nreplications: 2\nworkload: {kind: lublin}\npolicy: {kind: conservative}\nsample:\n  morris: "+
		"{trajectories: 2}"+sampleOver)
	ins := sweeptest.Instances(t, m)
	at := map[[2]int]sweep.Instance{}
	for _, in := range ins {
		at[[2]int{in.Index / in.Replications, in.Replication}] = in
	}
	compared := 0
	for _, steps := range m.Sample.Design.Steps {
		for _, step := range steps {
			for r := range 2 {
				from, to := at[[2]int{m.Sample.Row[step.From], r}], at[[2]int{m.Sample.Row[step.To], r}]
				policy := strings.HasPrefix(m.Sample.Knobs[step.Knob], "policy.")
				if from.Seed != to.Seed || (from.WorkloadKey() == to.WorkloadKey()) != policy {
					t.Errorf("step of %s: workloads equal %v", m.Sample.Knobs[step.Knob], from.WorkloadKey() == to.WorkloadKey())
				}
				compared++
			}
		}
	}
	if compared != 2*2*6 {
		t.Errorf("%d pairs", compared)
	}
}

// TestKnobWithoutOrder: a list of numbers has a sense of more and less where it goes up all along, or down.
func TestKnobWithoutOrder(t *testing.T) {
	for list, lengths := range map[string]bool{"[10, 20, 40]": true, "[40, 20, 10]": true, "[40, 10, 20]": false} {
		m := sweeptest.Load(t, "name: s\nworkload: {kind: lublin}\npolicy: {kind: easy}\nsample: {morris: {trajectories: 10}, over: "+
			"{workload.jobs: "+list+", workload.alpha: {from: 1, to: 2}}}\n")
		same := true // lengths of steps
		for _, steps := range m.Sample.Design.Steps {
			for _, step := range steps {
				same = same && (step.Knob != 0 || math.Abs(step.Length) == 1)
			}
		}
		if same == lengths {
			t.Errorf("%s: lengths of steps are one: %t", list, same)
		}
	}
}

// TestBaseWithALabel: the base of one_at_a_time may be a value that the knob lists under a label.
func TestBaseWithALabel(t *testing.T) {
	m := loadSample(t, `name: s
workload: {kind: lublin, load_factor: 1}
policy: {kind: conservative}
sample:
  one_at_a_time: {}
  over:
    policy: [{label: FCFS, value: {kind: fcfs}}, {label: CONS, value: {kind: conservative}}]
    workload.load_factor: [{label: light, value: 0.5}, {label: full, value: 1.0}]
`)
	if got := fmt.Sprint(m.Sample.Points); got != "[[CONS 1] [FCFS 1] [CONS 0.5]]" {
		t.Error(got)
	}
}
