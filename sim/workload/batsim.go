package workload

import (
	"fmt"
	"math"

	"schedsweep/sim/batsim"
)

type BatsimParams struct {
	Path     string  `sweep:"path" doc:"the workload, .json" required:"true" file:"input"`
	Speed    float64 `sweep:"speed" doc:"speed of a processor, which converts the computation of parallel profiles to run times; give the speed of the platform, if it has any" unit:"flop/s" above:"0"`
	Walltime float64 `sweep:"walltime" doc:"walltime of the jobs that have none; 0: their run time" unit:"s" min:"0"`
	Transforms
}

func (p *BatsimParams) Validate(report func(field, message string)) {
	if p.Path == "" {
		report("path", "is empty; name a .json file")
	}
	p.Transforms.Validate(report)
}

func init() {
	Add("batsim", "A JSON workload of Batsim: profiles of the types delay, parallel_homogeneous, and parallel with tasks that are all alike.",
		BatsimParams{Speed: 1e9, Transforms: DefaultTransforms()}, newBatsim)
}

func newBatsim(p *BatsimParams, in Input) (Workload, error) {
	if in.Read == nil {
		return nil, fmt.Errorf("batsim: there is no access to files, so %q cannot be read", p.Path)
	}
	text, err := in.Read(p.Path)
	if err != nil {
		return nil, err
	}
	w, err := batsim.ParseWorkload(p.Path, text, p.Speed)
	if err != nil {
		return nil, err
	}
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if !math.IsInf(j.Walltime, 1) {
			continue
		}
		j.Walltime = p.Walltime
		if p.Walltime == 0 {
			j.Walltime = j.RunTime
		}
		if j.Walltime == 0 {
			return nil, fmt.Errorf("%s: job %d has neither a walltime nor a run time: give workload.walltime", p.Path, j.ID)
		}
	}
	return build(&listOrigin{name: p.Path, procs: w.Procs, jobs: w.Jobs}, p.Transforms, in)
}
