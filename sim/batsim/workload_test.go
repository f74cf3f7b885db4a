package batsim_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/batsim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
)

func TestProfiles(t *testing.T) {
	for profile, want := range map[string]string{
		`{"type": "delay", "delay": 5}`:                                   "",
		`{"type": "DelayProfile", "delay": 5}`:                            "",
		`{"type": "msg_par_hg", "cpu": 4e9, "com": 100}`:                  "",
		`{"type": "msg_par", "cpu": [4e9, 4e9], "com": [0, 100, 100, 0]}`: "",
		`{"type": "ptask_homogeneous", "cpu": 8e9, "com": 1, "generation_strategy": "defined_amount_spread_uniformly"}`: "the " +
			"generation_strategy defined_amount_spread_uniformly cannot be played: give the amounts of each task",
		`{"type": "ptask_homogeneous", "cpu": 4e9, "com": 100, "generation_strategy": "defined_amount_used_for_each_value"}`: "",
		`{"type": "delay"}`:                                                "there is no delay, in s",
		`{"type": "delay", "delay": -5}`:                                   "a delay of -5 s: it must be at least 0",
		`{"type": "parallel_homogeneous", "cpu": 4e9, "com": 100}`:         "",
		`{"type": "parallel_homogeneous", "cpu": [1], "com": 100}`:         "cpu is [1]: a number of at least 0 is needed",
		`{"type": "parallel", "cpu": [4e9, 4e9], "com": [0, 100, 100, 0]}`: "",
		`{"type": "parallel", "cpu": [4e9, 3e9], "com": [0, 100, 100, 0]}`: "task 1 computes 3e+09 flop and task 0 4e+09",
		`{"type": "parallel", "cpu": [4e9, 4e9], "com": [0, 100, 50, 0]}`:  "task 1 sends 50 B to task 0, and task 0 sends 100 B to task 1",
		`{"type": "parallel", "cpu": [4e9, 4e9], "com": [7, 100, 100, 0]}`: "task 0 sends 7 B to itself",
		`{"type": "parallel", "cpu": [4e9]}`:                               "cpu has 1 number, and needs 2",
		`{"type": "smpi"}`:                                                 "profiles of the type smpi cannot be played",
		`{}`:                                                               "the profile has no type",
	} {
		text := `{"nb_res": 2, "jobs": [{"id": "w!7", "subtime": 1, "res": 2, "profile": "p"}], "profiles": {"p": ` + profile + `}}`
		w, err := batsim.ParseWorkload("w.json", []byte(text), 2e9)
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), `w.json: jobs[0] (id "w!7"): profile "p": `+want) {
				t.Errorf("%s: error %v, want %s", profile, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", profile, err)
			continue
		}
		got := sim.JobSpec{ID: 7, Submit: 1, RunTime: 2, Walltime: math.Inf(1), Procs: 2, User: -1, Flops: 4e9, Bytes: 100}
		if strings.Contains(profile, `"delay"`) {
			got.RunTime, got.Flops, got.Bytes = 5, 0, 0
		}
		if d := cmp.Diff(got, w.Jobs[0]); d != "" {
			t.Errorf("%s: %s", profile, d)
		}
	}
}

func TestMalformedWorkloads(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"nb_res\": 1,\n\"jobs\": x":                                       "w.json:3: invalid character 'x'",
		"{\"nb_res\": 1, \"jobs\": [\n{\"id\": \"1\", \"subtime\": \"now\"}]}": "w.json:2: jobs.subtime is of the type string; want a number",
		"[]":                                   "w.json:1: this is of the type array; want an object with nb_res, jobs and profiles",
		`{"jobs": [`:                           "w.json:1: unexpected end of JSON input (is the file cut?)",
		`{"nb_res": 1, "jobs": 5}`:             "w.json:1: jobs is of the type number; want an array",
		`{"jobs": []}`:                         "nb_res, the number of resources, is missing",
		`{"nb_res": 4}`:                        "there are no jobs",
		`{"nb_res": 4, "jobs": [{"id": "a"}]}`: `jobs[0] (id "a"): subtime, in s, is missing`,
		`{"nb_res": 4, "jobs": [{"id": "a", "subtime": 0, "res": 0}]}`:                 "res, the number of resources, is missing or not in 1",
		`{"nb_res": 4, "jobs": [{"id": "a", "subtime": 0, "res": 1, "walltime": 0}]}`:  "the walltime 0 s: it must be above 0",
		`{"nb_res": 4, "jobs": [{"id": "a", "subtime": 0, "res": 1, "profile": "p"}]}`: `there is no profile "p"`,
	} {
		if _, err := batsim.ParseWorkload("w.json", []byte(text), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

// TestWorkloadsComeBack: a workload written for Batsim is read back unchanged.
func TestWorkloadsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var jobs []sim.JobSpec
		submit := 0.
		for i := range rapid.IntRange(1, 20).Draw(t, "jobs") {
			submit += rapid.Float64Range(0, 100).Draw(t, "gap")
			j := sim.JobSpec{ID: int64(i * 3), Submit: submit, Walltime: rapid.Float64Range(.1, 1e6).Draw(t, "walltime"),
				Procs: int32(rapid.IntRange(1, 64).Draw(t, "procs")), User: -1}
			if rapid.Bool().Draw(t, "delay") {
				j.RunTime = rapid.Float64Range(0, 1e6).Draw(t, "run time")
			} else {
				j.Flops, j.Bytes = rapid.Float64Range(1, 1e15).Draw(t, "flop"), rapid.Float64Range(0, 1e9).Draw(t, "bytes")
				j.RunTime = j.Flops / 1e9
			}
			jobs = append(jobs, j)
		}
		w, err := workload.FromSource(workload.Info{Name: "drawn"}, func() sim.Source { return simtest.Source(jobs) },
			workload.DefaultTransforms(), workload.Input{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := workload.WriteBatsim(&b, w, 64); err != nil {
			t.Fatal(err)
		}
		back, err := batsim.ParseWorkload("back.json", b.Bytes(), 1e9)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(jobs, back.Jobs); d != "" || back.Procs != 64 {
			t.Fatalf("%d processors, %s", back.Procs, d)
		}
	})
}

func FuzzWorkload(f *testing.F) {
	f.Add([]byte(`{"nb_res": 2, "jobs": [{"id": "w!7", "subtime": 1, "res": 2, "walltime": 3, "profile": "p"}], "profiles": {"p": {"type": "parallel", "cpu": [1, 1], "com": [0, 2, 2, 0]}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		w, err := batsim.ParseWorkload("w.json", text, 1e9)
		if err != nil {
			return
		}
		for _, j := range w.Jobs {
			if !(j.Submit >= 0 && j.RunTime >= 0 && j.Walltime > 0 && j.Procs >= 1) {
				t.Errorf("job %+v", j)
			}
		}
	})
}
