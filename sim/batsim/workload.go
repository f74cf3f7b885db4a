// Package batsim has the shapes that Batsim's JSON workloads and its JSON protocol
// (version 4) share: jobs, profiles, interval sets of resources. It reads bytes and
// knows no files.
package batsim

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
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
		return nil, fmt.Errorf("%s: %w", at(name, text, err), explained(err))
	}
	switch {
	case f.Procs == nil || *f.Procs < 1 || *f.Procs > math.MaxInt32:
		return nil, fmt.Errorf("%s: nb_res, the number of resources, is missing or not in 1 to %d: this is no Batsim workload", name,
			math.MaxInt32)
	case len(f.Jobs) == 0:
		return nil, fmt.Errorf("%s: there are no jobs", name)
	}
	w := &Workload{Procs: *f.Procs, Jobs: make([]sim.JobSpec, len(f.Jobs))}
	for i := range f.Jobs {
		if err := f.Jobs[i].spec(&w.Jobs[i], i, f.Profiles, speed); err != nil {
			return nil, fmt.Errorf("%s: jobs[%d] (id %s): %w", name, i, f.Jobs[i].ID, err)
		}
	}
	slices.SortStableFunc(w.Jobs, func(a, b sim.JobSpec) int { return cmp.Compare(a.Submit, b.Submit) })
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

// explained is a mistake in JSON without the types of this program.
func explained(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case strings.HasPrefix(err.Error(), "unexpected end"):
		return fmt.Errorf("%w (is the file cut?)", err)
	case !errors.As(err, &kind):
		return err
	case kind.Field == "":
		return fmt.Errorf("this is of the type %s; want an object with nb_res, jobs and profiles", kind.Value)
	}
	want := map[reflect.Kind]string{reflect.Float64: "a number", reflect.Int: "a whole number", reflect.Int64: "a whole number",
		reflect.String: "a text", reflect.Slice: "an array"}[kind.Type.Kind()]
	return fmt.Errorf("%s is of the type %s; want %s", kind.Field, kind.Value, cmp.Or(want, "an object"))
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

// Profile describes the actions of a job, as far as our progress models have a word for it: the
// types delay, parallel_homogeneous, and parallel where all its tasks compute alike and send alike.
// The names that these types have in Batsim 1 and 2, and in Batsim 5, are known too.
type Profile struct {
	Type string `json:"type"`
	// Delay is the duration of a job of type delay, in s.
	Delay *float64 `json:"delay"`
	// CPU is flop: of each task (parallel_homogeneous), or a list, one for each.
	CPU json.RawMessage `json:"cpu"`
	// Com is bytes from each task to each other one, or a matrix by rows.
	Com json.RawMessage `json:"com"`
	// Strategy says in Batsim 5 whether the amounts of a homogeneous profile are of each task, as by default.
	Strategy string `json:"generation_strategy"`
}

// Apply writes what a job of this profile does into spec, whose Procs is known, on processors of this speed in flop/s.
// Its run time is that of the computation alone.
func (p *Profile) Apply(spec *sim.JobSpec, speed float64) error {
	switch p.Type {
	case "delay", "DelayProfile":
		if p.Delay == nil {
			return errors.New("there is no delay, in s")
		}
		if !(*p.Delay >= 0) {
			return fmt.Errorf("a delay of %g s: it must be at least 0", *p.Delay)
		}
		spec.RunTime = *p.Delay
		return nil
	case "parallel_homogeneous", "msg_par_hg", "ptask_homogeneous":
		if p.Strategy != "" && p.Strategy != "defined_amount_used_for_each_value" {
			return fmt.Errorf("the generation_strategy %s cannot be played: give the amounts of each task, as "+
				"defined_amount_used_for_each_value has them", p.Strategy)
		}
		if err := number(p.CPU, "cpu", &spec.Flops); err != nil {
			return err
		}
		if err := number(p.Com, "com", &spec.Bytes); err != nil {
			return err
		}
	case "parallel", "msg_par", "ParallelTaskProfile":
		if err := p.uniform(spec); err != nil {
			return err
		}
	case "":
		return fmt.Errorf(`the profile has no type: it is {"type": "delay", "delay": 10}, for example`)
	default:
		return fmt.Errorf("profiles of the type %s cannot be played: delay, parallel_homogeneous and uniform parallel ones can", p.Type)
	}
	spec.RunTime = spec.Flops / speed
	return nil
}

func number(raw json.RawMessage, name string, to *float64) error {
	if len(raw) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, to); err != nil || !(*to >= 0) {
		return fmt.Errorf("%s is %s: a number of at least 0 is needed", name, raw)
	}
	return nil
}

func (p *Profile) uniform(spec *sim.JobSpec) error {
	n := int(spec.Procs)
	var cpu, com []float64
	if err := list(p.CPU, "cpu", n, &cpu); err != nil {
		return err
	}
	if err := list(p.Com, "com", n*n, &com); err != nil {
		return err
	}
	for i, f := range cpu {
		if f != cpu[0] || !(f >= 0) {
			return fmt.Errorf("task %d computes %g flop and task 0 %g: only tasks that are all alike can be played", i, f, cpu[0])
		}
	}
	var between float64
	for i, b := range com {
		switch from, to := i/n, i%n; {
		case i == 1:
			between = b
		case from == to && b != 0:
			return fmt.Errorf("task %d sends %g B to itself: only tasks that are all alike can be played", from, b)
		case from != to && (b != between || !(b >= 0)):
			return fmt.Errorf("task %d sends %g B to task %d, and task 0 sends %g B to task 1: only tasks that are all alike can be played", from, b,
				to, between)
		}
	}
	if len(cpu) > 0 {
		spec.Flops = cpu[0]
	}
	spec.Bytes = between
	return nil
}

func list(raw json.RawMessage, name string, n int, to *[]float64) error {
	if len(raw) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return fmt.Errorf("%s is no list of numbers: %w", name, err)
	}
	if len(*to) != n && len(*to) != 0 {
		return fmt.Errorf("%s has %s, and needs %d", name, sim.Counted(len(*to), "number"), n)
	}
	return nil
}

// ParseSpans reads an interval set of resources such as "0-3 7" or "0-3,7" to dst,
// in ascending order; each resource once.
func ParseSpans(text string, dst []sim.Span) ([]sim.Span, error) {
	from := len(dst)
	for item := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		lo, hi, isRange := strings.Cut(item, "-")
		if !isRange {
			hi = lo
		}
		a, err := strconv.ParseUint(lo, 10, 31)
		b, err2 := strconv.ParseUint(hi, 10, 31)
		if err != nil || err2 != nil || b < a {
			return dst, fmt.Errorf("%q is no number or range of resources", item)
		}
		dst = append(dst, sim.Span{Lo: int32(a), Hi: int32(b)})
	}
	spans := dst[from:]
	slices.SortFunc(spans, func(a, b sim.Span) int { return int(a.Lo) - int(b.Lo) })
	joined := spans[:0]
	for i, sp := range spans {
		if i > 0 && sp.Lo <= joined[len(joined)-1].Hi {
			return dst, fmt.Errorf("resource %d occurs twice", sp.Lo)
		}
		joined = sim.Joined(joined, sp)
	}
	return dst[:from+len(joined)], nil
}
