package switching

import (
	"fmt"

	"schedsweep/sim"
)

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name: "switch",
		Doc: "several policies; each decides from its own time on until the next does; a list of stages in place of the section " +
			"means the same",
		Params:  Params{},
		Version: 1, // 1: wake-ups of a policy that has gone bring no pass of the next one
		New: func(params any, env sim.Env) (sim.Policy, error) {
			stages, err := params.(*Params).stages(env)
			if err != nil {
				return nil, err
			}
			return New(stages)
		},
	})
}

// Params are the parameters of the policy switch.
type Params struct {
	Stages []StageParams `sweep:"stages" required:"true" doc:"the policies in order of time, each written with its fields beside from"`
}

// StageParams are one policy of several.
type StageParams struct {
	From float64 `sweep:"from" unit:"s" min:"0" required:"true" doc:"the simulated time from which on the stage's policy decides; 0 for the first"`
	// Policy is any policy that is a [sim.Successor], with its parameters.
	Policy Choice `section:"policy"`
}

// Choice is a policy of a stage: the kind's name, and a pointer to a struct of its parameters' type. Package sweep decodes it by the tag
// section of its field.
type Choice struct {
	Kind   string
	Params any
}

// Validate refuses stages that are not in order and policies that cannot hand
// over or take over a machine.
func (p *Params) Validate(report func(field, message string)) {
	stages := make([]Stage, len(p.Stages))
	for i, st := range p.Stages {
		policy, err := st.policy(sim.Env{})
		if err != nil {
			report(fmt.Sprintf("stages[%d]", i), "cannot be made: "+err.Error())
		}
		stages[i] = Stage{From: st.From, Name: st.Policy.Kind, Policy: policy}
	}
	check(stages, report)
}

func (st *StageParams) policy(env sim.Env) (sim.Policy, error) {
	kind, ok := sim.Policies.Get(st.Policy.Kind)
	if !ok {
		return nil, fmt.Errorf("policy kind %q is not registered", st.Policy.Kind)
	}
	p, err := kind.New(st.Policy.Params, env)
	if err != nil {
		return nil, fmt.Errorf("policy %s: %w", st.Policy.Kind, err)
	}
	return p, nil
}

// stages makes the policies of all stages.
func (p *Params) stages(env sim.Env) ([]Stage, error) {
	var out []Stage
	for i := range p.Stages {
		policy, err := p.Stages[i].policy(env.Within(fmt.Sprintf("stages[%d]", i)))
		if err != nil {
			return nil, fmt.Errorf("stages[%d]: %w", i, err)
		}
		out = append(out, Stage{From: p.Stages[i].From, Name: p.Stages[i].Policy.Kind, Policy: policy})
	}
	return out, nil
}
