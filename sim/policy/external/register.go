package external

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"schedsweep/sim"
	"schedsweep/sim/batsim"
)

// registerProfile keeps a profile under "workload!name" for jobs to come.
func (p *Policy) registerProfile(workload, name string, raw json.RawMessage) error {
	if !p.p.Dynamic {
		return fmt.Errorf("profiles cannot be registered: policy.dynamic is false")
	}
	if name == "" {
		return fmt.Errorf(`"profile_name" is missing`)
	}
	profile, err := parseProfile(raw)
	if err != nil {
		return err
	}
	p.profiles[workload+"!"+name] = profile
	return nil
}

func parseProfile(raw json.RawMessage) (*batsim.Profile, error) {
	var profile batsim.Profile
	if err := json.Unmarshal(raw, &profile); err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	return &profile, nil
}

// dynamic is a job as a module registers it.
type dynamic struct {
	Res      int32    `json:"res"`
	Walltime *float64 `json:"walltime"`
	Profile  string   `json:"profile"`
}

// registerJob puts a job of the module's own into the queue.
func (p *Policy) registerJob(s *sim.State, d *said) error {
	switch {
	case !p.p.Dynamic:
		return fmt.Errorf("jobs cannot be registered: policy.dynamic is false")
	case !p.open:
		return fmt.Errorf("the module has said registration_finished")
	case d.Job == "" || len(d.Spec) == 0:
		return fmt.Errorf(`"job_id" and "job" are needed`)
	case p.jobs[d.Job] != nil:
		return fmt.Errorf("there is a job %q already", d.Job)
	}
	var job dynamic
	if err := json.Unmarshal(d.Spec, &job); err != nil {
		return fmt.Errorf("job: %w", err)
	}
	if job.Res < 1 || int(job.Res) > s.Platform().Procs() {
		return fmt.Errorf("job: res is %d; it must lie in 1 to %d, the machine's processors", job.Res, s.Platform().Procs())
	}
	spec := sim.JobSpec{ID: -1 - p.registered, Procs: job.Res, Walltime: math.Inf(1), User: -1}
	if job.Walltime != nil && *job.Walltime != -1 {
		if spec.Walltime = *job.Walltime; !(spec.Walltime > 0) {
			return fmt.Errorf("job: the walltime %g s must be above 0", spec.Walltime)
		}
	}
	workload, _, _ := strings.Cut(d.Job, "!")
	profile := p.profiles[workload+"!"+job.Profile]
	if len(d.Profile) > 0 && !bytes.Equal(d.Profile, []byte("null")) {
		var err error
		if profile, err = parseProfile(d.Profile); err != nil {
			return err
		}
		p.profiles[workload+"!"+job.Profile] = profile
	}
	if profile == nil {
		return fmt.Errorf("job: the profile %q of workload %q is not known: register it before", job.Profile, workload)
	}
	if err := profile.Apply(&spec, s.Platform().Clusters[0].Speed); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	if j := s.Register(spec); j != nil {
		p.registered++
		p.enter(j, d.Job).own = true
	}
	return nil
}
