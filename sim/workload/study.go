package workload

import (
	"slices"
	"strings"

	"schedsweep/sim"
)

// Transform changes the jobs of a workload beside [Transforms]. It serves one study,
// whose package registers it with [AddTransform].
type Transform interface {
	// Shapes reports whether it changes sizes or run times. Transforms that do are applied first, and loads are
	// measured after them.
	Shapes() bool
	// Pass returns what changes the jobs of one pass in their order, nil where
	// nothing is to be changed. procs is [Info.Procs].
	Pass(procs int, streams sim.Streams) func(*sim.JobSpec) error
}

// StudyTransform is a registered transform of a study.
type StudyTransform struct {
	// Name is its name in manifests, Doc says what it is about, Study is whose it is.
	Name, Doc, Study string
	// Params is a struct value that holds the parameters' defaults; a pointer to one is
	// a [Transform]. It may have a method Validate as other parameters do.
	Params any
}

var studyTransforms []StudyTransform

// AddTransform registers a transform while a program starts. All kinds of workloads
// then take it. Transforms apply in the order of their studies' names.
func AddTransform(t StudyTransform) {
	studyTransforms = append(studyTransforms, t)
	slices.SortStableFunc(studyTransforms, func(a, b StudyTransform) int { return strings.Compare(a.Study, b.Study) })
}

// StudyTransforms returns the registered transforms in the order in which they apply.
func StudyTransforms() []StudyTransform { return studyTransforms }

// passes starts those of the transforms that shape jobs, or the others.
func (p *pipeline) passes(shape bool, streams sim.Streams) (all []func(*sim.JobSpec) error) {
	for _, t := range p.studies {
		if t.Shapes() != shape {
			continue
		}
		if f := t.Pass(p.info.Procs, streams); f != nil {
			all = append(all, f)
		}
	}
	return all
}

// apply lets each of the passes change j.
func apply(passes []func(*sim.JobSpec) error, j *sim.JobSpec) error {
	for _, f := range passes {
		if err := f(j); err != nil {
			return err
		}
	}
	return nil
}
