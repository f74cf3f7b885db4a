package input

import (
	"fmt"

	"schedsweep/harness"
	"schedsweep/sim/workload"
	"schedsweep/sweep"
)

// Sampling is the way in which the replications of points choose their jobs from a log or list.
type Sampling struct {
	// Name is that of the log or list.
	Name string
	// Samples has one entry for each replication, all of equally many jobs.
	Samples []workload.Sample
}

// Samplings lists the different choices that a plan makes from logs and lists, in
// its order, those of points that have more than one replication. It runs nothing
// and looks at no job. An error names the replication for which a log has not
// enough jobs.
func Samplings(plan *sweep.Plan, inputs *Files) ([]Sampling, error) {
	type made struct {
		workload     [32]byte
		procs        int
		replications int
	}
	type choice struct {
		name         string
		first        workload.Sample
		replications int
	}
	if _, most := plan.Replications(); most == 1 {
		return nil, nil
	}
	seen, known := map[made]bool{}, map[choice]bool{}
	var out []Sampling
	var inst sweep.Instance
	for i := 0; i < plan.Len(); i += inst.Replications {
		plan.At(i, &inst)
		if inst.Replications == 1 {
			continue
		}
		m := made{inst.Sections[harness.SectionWorkload].Hash, fixedProcs(&inst), inst.Replications}
		if seen[m] {
			continue
		}
		seen[m] = true
		w, err := newWorkload(&inst, inputs, inputs.Log)
		if err != nil {
			return nil, err
		}
		first, err := sampleOf(w, Streams(&inst, 0))
		if err != nil {
			return nil, err
		}
		// Factors do not change the choice of jobs.
		c := choice{name: w.Info().Name, replications: inst.Replications}
		if first == nil {
			continue
		}
		if c.first = *first; known[c] {
			continue
		}
		known[c] = true
		s := Sampling{Name: c.name}
		for r := range inst.Replications {
			sample, err := sampleOf(w, Streams(&inst, r))
			if err != nil {
				return nil, fmt.Errorf("instance %d (%s): %w", i+r, harness.Describe(plan.Axes(), inst.Values, r), err)
			}
			s.Samples = append(s.Samples, *sample)
		}
		out = append(out, s)
	}
	return out, nil
}

// CutRunUp reports whether the workload of an instance is a window that begins before its log has the run-up.
func CutRunUp(inst *sweep.Instance, inputs *Files) (bool, error) {
	w, err := newWorkload(inst, inputs, inputs.Log)
	if err != nil {
		return false, err
	}
	s, err := sampleOf(w, Streams(inst, inst.Replication))
	return s != nil && s.Before < s.RunUp, err
}

// Replicable returns the number of different replications of the instance's point, up to most: a log without
// draws has a fixed number of jobs. draws reports whether runs of the same jobs differ.
func Replicable(inst *sweep.Instance, inputs *Files, most int, draws func() (bool, error)) (int, error) {
	w, err := newWorkload(inst, inputs, inputs.Log)
	if err != nil {
		return 0, err
	}
	s, err := sampleOf(w, Streams(inst, 0))
	if err != nil || s == nil {
		return most, err
	}
	room := max(s.Of/max(s.Jobs, 1), 1)
	if _, full := sampleOf(w, Streams(inst, room)); full != nil {
		return min(most, room), nil // there are no more disjoint windows
	}
	if s.Redrawn {
		return most, nil
	}
	if differ, err := draws(); differ || err != nil {
		return most, err
	}
	same := s.First >= 0
	for r := 1; r <= 3 && same; r++ { // three random windows are not where the first one is
		other, err := sampleOf(w, Streams(inst, r))
		same = err == nil && *other == *s
	}
	if same {
		return 1, nil
	}
	return min(most, room), nil
}
