package contract_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/contract"
	"schedsweep/sim/workload/swf"
)

// log is the content behind every path.
const log = `; Version: 2.2
; MaxProcs: 8
1 0 0 10 4 -1 -1 4 20 -1 1 1 1 1 1 -1 -1 -1
2 5 1 7 1 -1 -1 1 7 -1 1 2 1 1 1 -1 1 4
3 5 9 30 8 -1 -1 8 25 -1 1 1 1 1 1 -1 1 0
4 99 0 5 8 -1 -1 8 25 -1 1 1 1 1 1 -1 3 9
`

const batsimFile = `{"nb_res": 8, "jobs": [
{"id": "w0!2", "subtime": 3, "walltime": 9, "res": 2, "profile": "a"},
{"id": "1", "subtime": 0, "res": 8, "profile": "b"}],
"profiles": {"a": {"type": "delay", "delay": 5}, "b": {"type": "parallel_homogeneous", "cpu": 4e9, "com": 100}}}`

// TestAllWorkloads runs the suite for every registered kind of workload, with its
// defaults and two elements in each list that it requires.
func TestAllWorkloads(t *testing.T) {
	l, err := swf.Parse("few.swf", strings.NewReader(log), nil)
	if err != nil {
		t.Fatal(err)
	}
	in := workload.Input{Procs: 64, Log: func(string) (*swf.Log, error) { return l, nil },
		Table: func(workload.TableFile) (*swf.Log, error) { return l, nil },
		Read:  func(string) ([]byte, error) { return []byte(batsimFile), nil }}
	if len(workload.Kinds.Kinds()) == 0 {
		t.Fatal("no workloads are registered")
	}
	run := func(k sim.Kind[func(any, workload.Input) (workload.Workload, error)], name string, change func(any)) {
		t.Run(name, func(t *testing.T) {
			params := reflect.New(reflect.TypeOf(k.Params))
			params.Elem().Set(reflect.ValueOf(k.Params))
			complete(params.Elem())
			change(params.Interface())
			contract.Test(t, name, params.Interface(), in, k.New)
		})
	}
	for _, k := range workload.Kinds.Kinds() {
		run(k, k.Name, func(p any) {
			if c, ok := p.(*workload.ClassesParams); ok {
				c.Arrivals[1].Name = "second"
			}
		})
	}
	swf, _ := workload.Kinds.Get("swf")
	run(swf, "jobs that wait", func(p any) { p.(*workload.LogParams).Dependencies = "follow" })
	run(swf, "users that wait", func(p any) {
		r := &p.(*workload.LogParams).Replicate
		r.By, r.WeekStart, r.Feedback, r.Load, r.AllowFew = "user", "zero", "think-time", 20, true
	})
}

// complete fills in the required fields without a default.
func complete(v reflect.Value) {
	for f, field := range v.Fields() {
		switch {
		case f.Anonymous:
			complete(field)
		case f.Tag.Get("required") == "" || !field.IsZero():
		case field.Kind() == reflect.Slice:
			field.Set(reflect.MakeSlice(f.Type, 2, 2))
			for i := range 2 {
				complete(field.Index(i))
				times(field.Index(i))
			}
		case field.Kind() == reflect.String:
			field.SetString("few.swf")
		}
	}
}

// times makes all times and amounts of an element 1.
func times(v reflect.Value) {
	for _, field := range v.Fields() {
		switch field.Kind() {
		case reflect.Float64:
			field.SetFloat(1)
		case reflect.Array:
			for i := range field.Len() {
				field.Index(i).SetFloat(1)
			}
		}
	}
}

// fickle counts its sources in what they yield; careless leaves out the walltime.
type fickle struct{ sources int }

func (w *fickle) Info() workload.Info { return workload.Info{} }
func (w *fickle) Source() sim.Source {
	w.sources++
	return &simtest.List{{ID: int64(w.sources), RunTime: 1, Walltime: 1, Procs: 1}}
}

type careless struct{}

func (careless) Info() workload.Info { return workload.Info{} }
func (careless) Source() sim.Source  { return &simtest.List{{ID: 1, RunTime: 1, Procs: 1}} }

// TestSuiteNotices: workloads that break a rule fail the suite, by its reason.
func TestSuiteNotices(t *testing.T) {
	for want, w := range map[string]workload.Workload{"two sources read in turns differ": &fickle{}, "or has no walltime": careless{}} {
		said := simtest.Said(t, func(t rapid.TB) {
			contract.Test(t, "toy", new(int), workload.Input{}, func(any, workload.Input) (workload.Workload, error) { return w, nil })
		})
		if !strings.Contains(said, want) {
			t.Errorf("want %q, the suite said %q", want, said)
		}
	}
}
