package workload

import (
	"fmt"
	"math"

	"schedsweep/sim"
)

type LublinParams struct {
	Jobs         int     `sweep:"jobs" doc:"number of jobs generated" min:"1"`
	MachineProcs int     `sweep:"machine_procs" doc:"processors of the machine that the jobs are for" min:"2" max:"1073741824"`
	Log2         float64 `sweep:"log2" doc:"log2 of the machine's processors, in place of machine_procs; 0: off" min:"0" max:"30"`
	Mode         string  `sweep:"mode" doc:"which types of jobs" enum:"both: batch and interactive jobs, with laws of their own|typeless: one law for all jobs|batch: batch jobs only|interactive: interactive jobs only"`
	Alpha        float64 `sweep:"alpha" doc:"aarr of the mode's one type; 0: the type's own" min:"0" finite:"yes"`
	// IntegerTime drops the fractions of inter-arrivals as the authors' program
	// does, which loses half a second per job against the daily cycle.
	IntegerTime   bool       `sweep:"integer_time" doc:"drop fractions of seconds between arrivals, as the authors' program does"`
	LongestLog    float64    `sweep:"longest_log" doc:"ln of run times above this is drawn again" above:"0" max:"100"`
	LongestGapLog float64    `sweep:"longest_gap_log" doc:"ln of inter-arrivals above this is drawn again" above:"0" max:"100"`
	DayStart      int        `sweep:"day_start" doc:"half hour of the day, from 1, at which the daily cycle begins" min:"1" max:"48"`
	Typeless      LublinType `sweep:"typeless" doc:"constants of the one type"`
	Batch         LublinType `sweep:"batch" doc:"constants of batch jobs"`
	Interactive   LublinType `sweep:"interactive" doc:"constants of interactive jobs"`
	Transforms
}

func defaultLublin() LublinParams {
	return LublinParams{Jobs: 10000, MachineProcs: 128, Mode: "both", LongestLog: 12, LongestGapLog: 13, DayStart: 11,
		Typeless: lublinTypeless, Batch: lublinBatch, Interactive: lublinInteractive, Transforms: DefaultTransforms()}
}

func (p *LublinParams) Validate(report func(field, message string)) {
	if p.Log2 > 0 && p.Log2 < 1 {
		report("log2", fmt.Sprintf("is %g; it must be in [1, 30], or 0 for machine_procs to count", p.Log2))
	}
	if p.Alpha > 0 && p.Mode == "both" {
		report("alpha", "sets aarr of one type, and mode both has two; set batch.aarr and interactive.aarr, or choose another mode")
	}
	p.Typeless.validate("typeless", report)
	p.Batch.validate("batch", report)
	p.Interactive.validate("interactive", report)
	p.Transforms.Validate(report)
}

func init() {
	add("lublin", "The workload model of Lublin and Feitelson (1999 program, JPDC 2003).",
		defaultLublin(), newLublin)
}

// lublinOrigin makes the model's jobs. With both types, two streams of arrivals
// run and the earlier goes, the interactive one at equal times.
type lublinOrigin struct {
	name    string
	jobs    int
	procs   int
	streams sim.Streams
	types   []lublinLaw
}

func newLublin(p *LublinParams, in Input) (Workload, error) {
	log2, procs := p.Log2, int(math.Round(math.Exp2(p.Log2)))
	if log2 == 0 {
		log2, procs = math.Log2(float64(p.MachineProcs)), p.MachineProcs
	}
	o := &lublinOrigin{name: "lublin " + p.Mode, jobs: p.Jobs, procs: procs, streams: in.Streams, types: make([]lublinLaw, 0, 2)}
	for _, t := range []struct {
		name         string
		constants    LublinType
		below, med   float64
		both, itself bool
	}{
		// Of equal arrivals the first type in this list goes first.
		{"interactive", p.Interactive, 1.5, 3, true, p.Mode == "interactive"},
		{"batch", p.Batch, 0, 5, true, p.Mode == "batch"},
		{"typeless", p.Typeless, 0, 4.5, false, p.Mode == "typeless"},
	} {
		if !(t.itself || t.both && p.Mode == "both") {
			continue
		}
		if p.Alpha > 0 {
			t.constants.AArr = p.Alpha
		}
		law, err := newLublinLaw(t.name, t.constants.sized(log2, t.below, t.med), p, procs)
		if err != nil {
			return nil, err
		}
		o.types = append(o.types, law)
	}
	return build(o, p.Transforms, in)
}

func (o *lublinOrigin) info() Info { return Info{Name: o.name, Procs: o.procs, Jobs: o.jobs} }

func (o *lublinOrigin) pass() sim.Source {
	s := &lublinSource{left: o.jobs, lanes: make([]lublinLane, len(o.types))}
	for i := range o.types {
		s.lanes[i] = o.types[i].lane(o.streams)
		s.lanes[i].arrive()
	}
	return s
}

type lublinSource struct {
	lanes []lublinLane
	left  int
	id    int64
}

func (s *lublinSource) Next(j *sim.JobSpec) (bool, error) {
	if s.left == 0 {
		return false, nil
	}
	s.left--
	s.id++
	l := &s.lanes[0]
	if len(s.lanes) == 2 && s.lanes[1].time < l.time {
		l = &s.lanes[1]
	}
	size := l.size()
	run := l.runTime(size)
	*j = sim.JobSpec{ID: s.id, Submit: l.time, RunTime: run, Walltime: run, Procs: size, User: -1}
	l.arrive()
	return true, nil
}
