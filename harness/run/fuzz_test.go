package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/sim"
	"schedsweep/sweep"
)

// FuzzRun takes the bytes of a manifest to audited runs of its first and last instance. A manifest that loads must run without
// a panic. Runs that end must pass the audit. A worker that has run another instance before must give the same answer.
func FuzzRun(f *testing.F) {
	for _, k := range sim.Policies.Kinds() {
		f.Add("name: x\nworkload: {kind: lublin, jobs: 20}\nplatform: {clusters: [{name: a, nodes: 64, cores: 2}]}\npolicy: {kind: " + k.Name +
			"}\n")
	}
	for _, k := range sim.ProgressModels.Kinds() {
		f.Add("name: x\nworkload: {kind: poisson, jobs: 20}\nplatform: {clusters: [{name: a, nodes: 8, cores: 2}, {name: b, nodes: " +
			"16}]}\nprogress: {kind: " + k.Name + "}\npolicy: {kind: conservative, placement: contiguous}\n")
	}
	f.Add("name: x\nworkload: {kind: lublin, jobs: 20}\npolicy: [{from: 0, kind: fcfs}, {from: 1h, kind: easy, order: sjf}]\n")
	f.Add("name: x\nworkload: {kind: swf, path: log.swf, select: {jobs: 5}}\naxes: {policy.kind: [easy, conservative], " +
		"workload.load_factor: {from: 1, to: 2, step: 0.5}}\n")
	files, _ := filepath.Glob("../../manifests/*.yaml")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	folder := f.TempDir()
	registry, inputs := input.Registry(), input.NewFiles(folder)
	log := "; MaxProcs: 8\n"
	for i := range 20 {
		log += fmt.Sprintf("%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 1 1 -1 -1 -1\n", i+1, 60*i, 100+37*i%400, 1+i%8, 1+i%8, 600+i)
	}
	if err := os.WriteFile(filepath.Join(folder, "log.swf"), []byte(log), 0o644); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<13 {
			return
		}
		m, err := sweep.Load("fuzz.yaml", []byte(text), sweep.Options{
			Registry: registry,
			ReadFile: func(name string) ([]byte, error) {
				return os.ReadFile(filepath.Join("../../manifests", filepath.Base(name)))
			},
			HashFile: func(path string) (string, error) {
				if path != "log.swf" {
					return "", errors.New("there is one log here, log.swf")
				}
				return inputs.Hash(path)
			},
			Set:    []string{"engine.audit=true", "engine.max_events=20000", "engine.timeout=0"},
			Limits: sweep.Limits{Axis: 1 << 8, Points: 1 << 10, Variants: 1 << 8},
		})
		if err != nil {
			return
		}
		plan, err := m.Plan()
		if err != nil {
			t.Fatal(err)
		}
		used := fuzzWorker(inputs)
		for _, i := range []int{0, plan.Len() - 1} {
			var inst sweep.Instance
			if plan.At(i, &inst); !modest(&inst) {
				return
			}
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			again, err := used.run(ctx, &inst, nil, true)
			if err != nil {
				return // a run too long to wait for
			}
			fresh, err := fuzzWorker(inputs).run(ctx, &inst, nil, true)
			if err != nil {
				return
			}
			if fresh.Stack != "" {
				t.Fatalf("%s\n%s", fresh.Err, fresh.Stack)
			}
			if fresh.Audit != rows.AuditOK && fresh.Audit != rows.AuditOff {
				t.Fatalf("audit: %s", fresh.Audit)
			}
			if fresh.Outcome == harness.OK && fresh.Audit != rows.AuditOK {
				t.Fatal("an answer without an audit")
			}
			if again.Outcome != fresh.Outcome || again.Err != fresh.Err || again.Result != fresh.Result {
				t.Fatalf("another run before changes the answer:\n%+v (%s)\n%+v (%s)", again.Result, again.Err, fresh.Result, fresh.Err)
			}
		}
	})
}

func fuzzWorker(inputs *input.Files) *worker {
	return &worker{builder: newBuilder(input.NewWorkloads(inputs)), now: time.Now}
}

// modest reports whether no whole number of an instance, such as its jobs or nodes,
// makes a run that a fuzzer cannot wait for.
func modest(inst *sweep.Instance) bool {
	for _, s := range inst.Sections {
		if s.Section != "engine" && !modestValue(reflect.ValueOf(s.Params).Elem()) {
			return false
		}
	}
	return true
}

func modestValue(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		return v.Int() <= 1000
	case reflect.Struct:
		for i := range v.NumField() {
			if !modestValue(v.Field(i)) {
				return false
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if !modestValue(v.Index(i)) {
				return false
			}
		}
	case reflect.Pointer, reflect.Interface:
		return v.IsNil() || modestValue(v.Elem())
	}
	return true
}

// TestModest: a number anywhere in the parameters counts.
func TestModest(t *testing.T) {
	for text, want := range map[string]bool{
		"workload: {kind: lublin, jobs: 1000}\npolicy: {kind: easy}\n":                                                                    true,
		"workload: {kind: lublin, jobs: 1001}\npolicy: {kind: easy}\n":                                                                    false,
		"workload: {kind: lublin, jobs: 10}\nplatform: {clusters: [{name: a, nodes: 4}, {name: b, nodes: 2000}]}\npolicy: {kind: easy}\n": false,
		"workload: {kind: lublin, jobs: 10, select: {jobs: 2000}}\npolicy: {kind: easy}\n":                                                false,
	} {
		m, _ := harnesstest.Loaded(t, "name: x\n"+text)
		plan, err := m.Plan()
		if err != nil {
			t.Fatal(err)
		}
		var inst sweep.Instance
		if plan.At(0, &inst); modest(&inst) != want {
			t.Errorf("%s is modest: %t", strings.TrimSpace(text), !want)
		}
	}
}
