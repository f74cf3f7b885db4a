package input

import (
	"container/list"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"

	"schedsweep/harness"
	"schedsweep/sim"
	"schedsweep/sim/platform"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// RunUp is the default number of jobs before the window of a log that are simulated and not measured.
const RunUp = workload.RunUp

// The limits of the workloads that are kept for instances to share: a number of them, with jobs of a number of bytes in
// all.
const (
	keptWorkloads = 256
	keptBytes     = 150 << 20
	// maxListed is the number of jobs up to which a workload is drawn once into a
	// list; longer ones are streamed for each instance anew.
	maxListed = 1 << 19
)

var jobBytes = int(reflect.TypeFor[sim.JobSpec]().Size())

// workloadKey identifies the workload of an instance: its section, seed and
// replication, and the machine's size where the manifest fixes it.
type workloadKey struct {
	key      [32]byte
	procs    int
	platform [32]byte // of a machine with partitions
}

// Workload is a workload as instances share it.
type Workload struct {
	once sync.Once
	err  error
	w    workload.Workload
	Info workload.Info
	// Sample is nil for a model.
	Sample *workload.Sample
	jobs   []sim.JobSpec // nil: stream from w
	// procs and home are the largest of them.
	procs, home int32
	// entry is nil once dropped, size the jobs accounted for; both under the lock.
	entry *list.Element
	size  int
}

// Clock is that of the workload's log.
func (w *Workload) Clock() platform.Clock {
	c := platform.Clock{Start: w.Info.Start, Begin: w.Info.Begin}
	if w.Info.Records != nil {
		_, c.Zone = w.Info.Records.Calendar()
	}
	return c
}

// Source returns a fresh pass over the jobs.
func (p *Workload) Source(reuse *sim.JobList) sim.Source {
	if d := p.Info.Dependencies; d != nil {
		return d.Source(p.jobs)
	}
	if p.jobs == nil {
		return p.w.Source()
	}
	*reuse = p.jobs
	return reuse
}

// Beyond is the job with the highest home cluster, where there are fewer clusters and it has none of them; else nil.
func (p *Workload) Beyond(clusters int) sim.JobList {
	if int(p.home) < clusters {
		return nil
	}
	far := slices.IndexFunc(p.jobs, func(j sim.JobSpec) bool { return j.Home == p.home })
	return p.jobs[far : far+1]
}

// Each calls a function with each job, in its partition of the platform, and with the records, until it fails. The job is
// valid during the call. Jobs that are streamed are not known beforehand.
func (p *Workload) Each(on *sim.Platform, fn func(j *sim.JobSpec, in sim.Records) error) error {
	var j sim.JobSpec // one for all: the function's argument lives on the heap
	for i := range p.jobs {
		j = p.jobs[i]
		j.Partition = on.PartitionOf(&j)
		if err := fn(&j, p.Info.Records); err != nil {
			return err
		}
	}
	return nil
}

// HasUser returns what reports whether a user has jobs; nil where the jobs are not known beforehand.
func (p *Workload) HasUser() func(n int32) bool {
	if p.jobs == nil {
		return nil
	}
	return func(n int32) bool {
		return slices.ContainsFunc(p.jobs, func(j sim.JobSpec) bool { return j.User == n })
	}
}

// Misfit reports that a workload has jobs larger than the machine, or is a model of a smaller one; "" if not. Of jobs that are streamed one
// cannot tell beforehand how large they are.
func (p *Workload) Misfit(on *sim.Platform) string {
	most := on.Procs()
	if on.Divided() {
		most = 0
		for i := range on.Partitions {
			most = max(most, on.Largest(int32(i+1)))
		}
	}
	switch drawn := p.Info.Procs; {
	case int(p.procs) > on.Procs():
		return fmt.Sprintf("%s: jobs need up to %d processors and the platform has %d: such instances will fail (workload.machine_procs, "+
			"workload.select.max_processors)", p.Info.Name, p.procs, on.Procs())
	case 0 < p.procs && int(p.procs) <= drawn && drawn < most && p.Info.Records == nil && p.Info.Hygiene == nil:
		return fmt.Sprintf("%s: jobs are drawn for a machine of %d processors, and a job may have %d on the platform: no job is that large, "+
			"and without offered_load the load is low (workload.machine_procs)", p.Info.Name, drawn, most)
	}
	return ""
}

// Unfit reports the jobs that are too large for every class of their partition. Jobs that are streamed are not known beforehand.
func (p *Workload) Unfit(on *sim.Platform) error {
	n, first, most := 0, (*sim.JobSpec)(nil), 0
	for i := range p.jobs {
		j := &p.jobs[i]
		number := on.PartitionOf(j)
		if number < 1 || int(number) > len(on.Partitions) || int(j.Procs) <= on.Largest(number) {
			continue
		}
		if n++; first == nil {
			first, most = j, on.Largest(number)
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("platform.partitions: %d of %d jobs of %s %s larger than any class of their partition, first job %d with %d "+
		"processors, where its partition has %d: drop them, put them into another partition (workload.partition), or give the class more "+
		"nodes", n, len(p.jobs), p.Info.Name, text.Either(n, "is", "are"), first.ID, first.Procs, most)
}

// OverCap names the jobs that no cap of the platform ever admits, "" for none. Jobs that are streamed are not known beforehand.
func (p *Workload) OverCap(on *sim.Platform) string {
	n, first := 0, (*sim.JobSpec)(nil)
	for i := range p.jobs {
		if on.NeverUnderCap(&p.jobs[i]) {
			if n++; first == nil {
				first = &p.jobs[i]
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s: no cap ever admits %d of %d jobs, first job %d with %s for %g s: their outcome will be over-cap. "+
		"The cap is at most %g W, and all nodes draw %g W when they are idle (platform.cap, platform.caps, workload.select.max_processors)",
		p.Info.Name, n, len(p.jobs), first.ID, text.Counted(int(first.Procs), "processor"), first.Walltime,
		slices.Max(on.Cap.Watts.Value), on.IdlePower())
}

// Last is the last submission in seconds, of these jobs and of the whole log that they come from. It is +Inf where the jobs are not known
// beforehand.
func (p *Workload) Last() float64 {
	if len(p.jobs) == 0 || p.Info.Dependencies != nil {
		return math.Inf(1)
	}
	return max((p.Info.Last-p.Info.Begin)/p.Info.Divisor, p.jobs[len(p.jobs)-1].Submit)
}

// Window returns the first and the last submission of the measured jobs in seconds, where they are a window of a log; else ok is false.
func (p *Workload) Window() (first, last float64, ok bool) {
	if s := p.Sample; s == nil || s.First < 0 || s.First == 0 && s.Jobs == s.Of {
		return 0, 0, false
	}
	first = math.Inf(1)
	for i := range p.jobs {
		if j := &p.jobs[i]; j.Part == sim.Measured {
			first, last, ok = min(first, j.Submit), max(last, j.Submit), true
		}
	}
	return first, last, ok
}

// Sizes are the fewest and the most processors and GPUs that a job has on a class of the platform, 0 where the jobs have not been drawn.
func (p *Workload) Sizes(on *sim.Platform) (least, most sim.Uses) {
	var choices []sim.Choice
	for i := range p.jobs {
		choices = on.Choices(&p.jobs[i], choices[:0])
		for k, u := range choices {
			if i == 0 && k == 0 {
				least = u.Uses
			}
			least.Procs, least.GPUs = min(least.Procs, u.Procs), min(least.GPUs, u.GPUs)
			most.Procs, most.GPUs = max(most.Procs, u.Procs), max(most.GPUs, u.GPUs)
		}
	}
	return least, most
}

// Workloads makes each workload once and keeps the most recently used.
type Workloads struct {
	Files *Files

	mu    sync.Mutex
	known map[workloadKey]*Workload
	order *list.List // of workloadKey, most recent first
	jobs  int
	// Looks is the number of jobs that may still be drawn, 0 for any number; below 0 workloads are
	// made without their jobs, and Unlooked counts them.
	Looks, Unlooked int
}

func NewWorkloads(in *Files) *Workloads {
	return &Workloads{Files: in, known: map[workloadKey]*Workload{}, order: list.New()}
}

func (ws *Workloads) Get(inst *sweep.Instance) (*Workload, error) {
	key := keyOf(inst)
	ws.mu.Lock()
	p := ws.known[key]
	if p == nil {
		p = &Workload{}
		p.entry = ws.order.PushFront(key)
		ws.known[key] = p
	} else if p.entry != nil {
		ws.order.MoveToFront(p.entry)
	}
	ws.mu.Unlock()

	p.once.Do(func() {
		p.err = p.make(inst, ws.Files)
		ws.mu.Lock()
		enough := ws.Looks < 0
		ws.mu.Unlock()
		if p.err == nil && !enough {
			p.err = p.draw(inst)
		}
		ws.mu.Lock()
		defer ws.mu.Unlock()
		switch {
		case enough:
			ws.Unlooked++
		case ws.Looks > 0:
			if ws.Looks -= len(p.jobs); ws.Looks <= 0 {
				ws.Looks = -1
			}
		}
		if p.entry != nil {
			p.size = len(p.jobs)
			ws.jobs += p.size
		}
		for ws.order.Len() > 1 && (ws.jobs*jobBytes > keptBytes || ws.order.Len() > keptWorkloads) {
			ws.drop(ws.order.Back())
		}
	})
	return p, p.err
}

// drop forgets a workload; those who play it keep it alive.
func (ws *Workloads) drop(e *list.Element) {
	key := ws.order.Remove(e).(workloadKey)
	p := ws.known[key]
	delete(ws.known, key)
	ws.jobs -= p.size
	p.entry = nil
}

func keyOf(inst *sweep.Instance) workloadKey {
	key := workloadKey{key: inst.WorkloadKey(), procs: fixedProcs(inst)}
	if s := inst.Sections[harness.SectionPlatform]; len(s.Params.(*platform.Params).Nodes) > 0 {
		key.platform = s.Hash
	}
	return key
}

// Machine is the instance's machine without its events. It is an error where the manifest does not state its size.
func Machine(inst *sweep.Instance) (*sim.Platform, error) {
	stated, _ := inst.Sections[harness.SectionWorkload].Value([]string{"machine_procs"})
	return platform.Build(*inst.Sections[harness.SectionPlatform].Params.(*platform.Params), int(stated.I))
}

// divided is the instance's machine where it has partitions, else nil.
func divided(inst *sweep.Instance) (*sim.Platform, error) {
	p := inst.Sections[harness.SectionPlatform].Params.(*platform.Params)
	if len(p.Nodes) == 0 {
		return nil, nil
	}
	return platform.Build(*p, 0)
}

// fixedProcs is the size in processors of a machine that the manifest fixes, 0 where the workload states it.
func fixedProcs(inst *sweep.Instance) int {
	return machineProcs(inst, workload.Info{})
}

// machineProcs is the size of the instance's machine, 0 where neither manifest nor workload states it.
func machineProcs(inst *sweep.Instance, info workload.Info) int {
	return inst.Sections[harness.SectionPlatform].Params.(*platform.Params).Procs(info.Procs)
}

// newWorkload makes the workload of an instance, without drawing its jobs.
func newWorkload(inst *sweep.Instance, inputs *Files, log func(path string) (*swf.Log, error)) (workload.Workload, error) {
	section := inst.Sections[harness.SectionWorkload]
	kind, ok := workload.Kinds.Get(section.Kind)
	if !ok {
		return nil, fmt.Errorf("workload kind %q is not registered", section.Kind)
	}
	on, err := divided(inst)
	if err != nil {
		return nil, err
	}
	w, err := kind.New(section.Params, workload.Input{Streams: Streams(inst, inst.Replication), Log: log, Table: inputs.Table,
		Read: inputs.Read, Procs: fixedProcs(inst), Platform: on, Studies: studyTransforms(section)})
	if err != nil {
		return nil, harness.Unusable("%w", err)
	}
	if on != nil && section.Kind != "swf" && section.Kind != "table" && section.Kind != "list" {
		if err := workload.UsedByDefault(on); err != nil {
			return nil, harness.Unusable("%w", err)
		}
	}
	return w, nil
}

func studyTransforms(section *params.Resolved) (all []workload.Transform) {
	for _, s := range workload.StudyTransforms() {
		if t, ok := section.Shared(s.Name); ok {
			all = append(all, t.(workload.Transform))
		}
	}
	return all
}

// Streams are those of a replication of the instance's point.
func Streams(inst *sweep.Instance, replication int) sim.Streams {
	return sim.Streams{Root: inst.Seed, Replication: uint64(replication)}
}

// sampleOf returns the part of a log or list that a replication takes, nil for a model.
func sampleOf(w workload.Workload, s sim.Streams) (*workload.Sample, error) {
	sampled, ok := w.(workload.Sampled)
	if !ok {
		return nil, nil
	}
	sample, ok, err := sampled.Sample(s)
	if err != nil {
		return nil, harness.Unusable("%w", err)
	}
	if !ok {
		return nil, nil
	}
	return &sample, nil
}

func (p *Workload) make(inst *sweep.Instance, inputs *Files) error {
	w, err := newWorkload(inst, inputs, inputs.Log)
	if err != nil {
		return err
	}
	p.w, p.Info = w, w.Info()
	p.Sample, err = sampleOf(w, Streams(inst, inst.Replication))
	return err
}

// draw puts the jobs of a workload into a list: the jobs of a log that is not too long, and the ones that wait for one
// another.
func (p *Workload) draw(inst *sweep.Instance) error {
	if p.Info.Dependencies == nil && (p.Info.Jobs == 0 || p.Info.Jobs > maxListed) {
		return nil
	}
	jobs := make([]sim.JobSpec, 0, p.Info.Jobs)
	if _, err := workload.Each(p.w.Source(), func(_ int, j *sim.JobSpec) error {
		p.procs, p.home = max(p.procs, j.Procs), max(p.home, j.Home)
		jobs = append(jobs, *j)
		return nil
	}); err != nil {
		return err
	}
	p.jobs = jobs
	return nil
}
