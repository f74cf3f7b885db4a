// Package batsim has the shapes that Batsim's JSON workloads and its JSON protocol
// (version 4) share: jobs, profiles, interval sets of resources. It reads bytes and
// knows no files.
package batsim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sim"
)

// Workload is a JSON workload of Batsim, of versions 3 to 5 as far as they agree.
type Workload struct {
	// Procs is nb_res, the size in resources of the machine that it is for.
	Procs int
	// Jobs are in order of submission. A job without a walltime has +Inf.
	Jobs []sim.JobSpec
}

type file struct {
	Procs    *int                `json:"nb_res"`
	Jobs     []job               `json:"jobs"`
	Profiles map[string]*Profile `json:"profiles"`
}

type job struct {
	ID       json.RawMessage `json:"id"`
	Original *int64          `json:"original_id"`
	Submit   *float64        `json:"subtime"`
	Walltime *float64        `json:"walltime"`
	Procs    *int64          `json:"res"`
	Profile  string          `json:"profile"`
}

// ParseWorkload reads a workload; name is for messages, speed that of a processor
// in flop/s, by which a computation becomes a run time. A job keeps the number that
// its id ends in ("w0!12" is 12), or the field original_id, else its position
// from 1.
func ParseWorkload(name string, text []byte, speed float64) (*Workload, error) {
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", at(name, text, err), err)
	}
	switch {
	case f.Procs == nil || *f.Procs < 1 || *f.Procs > math.MaxInt32:
		return nil, fmt.Errorf("%s: nb_res, the number of resources, is missing or not in 1 to %d: this is no Batsim workload", name, math.MaxInt32)
	case len(f.Jobs) == 0:
		return nil, fmt.Errorf("%s: there are no jobs", name)
	}
	w := &Workload{Procs: *f.Procs, Jobs: make([]sim.JobSpec, len(f.Jobs))}
	for i := range f.Jobs {
		if err := f.Jobs[i].spec(&w.Jobs[i], i, f.Profiles, speed); err != nil {
			return nil, fmt.Errorf("%s: jobs[%d] (id %s): %w", name, i, f.Jobs[i].ID, err)
		}
	}
	slices.SortStableFunc(w.Jobs, func(a, b sim.JobSpec) int {
		switch {
		case a.Submit < b.Submit:
			return -1
		case a.Submit > b.Submit:
			return 1
		}
		return 0
	})
	return w, nil
}

// at is name with the line of a mistake in the JSON.
func at(name string, text []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var offset int64
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	default:
		return name
	}
	return fmt.Sprintf("%s:%d", name, 1+bytes.Count(text[:min(int(offset), len(text))], []byte("\n")))
}

func (j *job) spec(to *sim.JobSpec, i int, profiles map[string]*Profile, speed float64) error {
	switch {
	case j.Submit == nil || !(*j.Submit >= 0) || math.IsInf(*j.Submit, 1):
		return errors.New("subtime, in s, is missing or below 0")
	case j.Procs == nil || *j.Procs < 1 || *j.Procs > math.MaxInt32:
		return fmt.Errorf("res, the number of resources, is missing or not in 1 to %d", math.MaxInt32)
	}
	*to = sim.JobSpec{ID: j.number(i), Submit: *j.Submit, Procs: int32(*j.Procs), Walltime: math.Inf(1), User: -1}
	if j.Walltime != nil && *j.Walltime != -1 {
		if to.Walltime = *j.Walltime; !(to.Walltime > 0) {
			return fmt.Errorf("the walltime %g s: it must be above 0, or -1 for none", to.Walltime)
		}
	}
	p := profiles[j.Profile]
	if p == nil {
		return fmt.Errorf("there is no profile %q", j.Profile)
	}
	if err := p.Apply(to, speed); err != nil {
		return fmt.Errorf("profile %q: %w", j.Profile, err)
	}
	return nil
}

func (j *job) number(i int) int64 {
	if j.Original != nil {
		return *j.Original
	}
	text := strings.Trim(string(j.ID), `"`)
	text = text[strings.LastIndexByte(text, '!')+1:]
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		return n
	}
	return int64(i + 1)
}
