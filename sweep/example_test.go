package sweep_test

import (
	"fmt"

	"schedsweep/sweep"
	"schedsweep/sweep/params"
)

// The registry names the fields, a manifest says which are swept, and the plan
// lists the instances.
func Example() {
	type jobs struct {
		Load float64 `sweep:"load" above:"0" doc:"offered load"`
	}
	registry := &params.Registry{Sections: []params.Section{
		{Name: "workload", Kinds: []params.Kind{{Params: jobs{Load: 1}}}},
		{Name: "policy", Kinds: []params.Kind{{Name: "fcfs"}, {Name: "easy"}}},
	}}
	manifest := `
name: first
axes:
  workload.load: {from: 0.6, step: 0.1, count: 2}
  policy.kind: [fcfs, easy]
`
	m, err := sweep.Load("first.yaml", []byte(manifest), sweep.Options{Registry: registry})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := m.Plan()
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, in := range plan.All() {
		fmt.Println(i, in.Values[0], in.Values[1], in.Sections[0].Params.(*jobs).Load)
	}
	_, err = sweep.Load("first.yaml", []byte(manifest+"polcy: {kind: easy}\n"), sweep.Options{Registry: registry})
	fmt.Println(err)
	// Output:
	// 0 0.6 fcfs 0.6
	// 1 0.6 easy 0.6
	// 2 0.7 fcfs 0.7
	// 3 0.7 easy 0.7
	// first.yaml:6:1: unknown key "polcy" in a manifest (did you mean "policy"?)
	//     6 | polcy: {kind: easy}
	//       | ^
}
