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
	Mode         string  `sweep:"mode" doc:"types of jobs" enum:"both: batch and interactive jobs, with laws of their own|typeless: one law for all jobs|batch: batch jobs only|interactive: interactive jobs only"`
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

// Needs refuses constants of the one type where the mode has two, and a size of the machine that the model does not read.
func (p *LublinParams) Needs(report func(missing, field, message string)) {
	if p.Mode == "both" && p.Typeless != lublinTypeless {
		report("mode", "typeless", "has the constants of the mode typeless, and the mode is both; add mode: typeless, or set those of batch "+
			"and interactive")
	}
	if p.Log2 >= 1 && p.MachineProcs != lublinMachine {
		report("log2", "machine_procs", fmt.Sprintf("is %d, but log2 takes its place; give one of the two", p.MachineProcs))
	}
	p.Transforms.needs(modelTransforms(), report)
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
	Add("lublin", "The workload model of Lublin and Feitelson (1999 program, JPDC 2003).",
		LublinParams{Jobs: 10000, MachineProcs: lublinMachine, Mode: "both", LongestLog: 12, LongestGapLog: 13, DayStart: 11,
			Typeless: lublinTypeless, Batch: lublinBatch, Interactive: lublinInteractive, Transforms: modelTransforms()}, newLublin)
}

// lublinMachine is the default number of processors of the machine.
const lublinMachine = 128

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
		// If arrivals are equal, the first type in this list goes first.
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
		l := &o.types[i]
		s.lanes[i] = lublinLane{law: l, arrivals: o.streams.New("arrivals", l.name), sizes: o.streams.New("sizes", l.name),
			runTimes: o.streams.New("runtimes", l.name)}
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

// LublinType are the constants of one type of jobs. gamma(a, b) has shape a and
// scale b, so its mean is a*b. The defaults are those of the authors' program
// (U. Lublin, 1999); the forms are in U. Lublin and D. G. Feitelson, "The
// workload on parallel supercomputers: modeling the characteristics of rigid
// jobs", JPDC 63(11), 2003.
type LublinType struct {
	Serial     float64 `sweep:"serial" unit:"share" doc:"probability of one processor" min:"0" max:"1"`
	PowerOfTwo float64 `sweep:"power_of_two" unit:"share" doc:"probability of a power of two (absolute)" min:"0" max:"1"`
	ULow       float64 `sweep:"u_low" doc:"smallest log2 of a parallel job's size" min:"0" max:"30"`
	UMed       float64 `sweep:"u_med" doc:"log2 of the size where the two uniform parts meet; 0: from the machine's size" min:"0" max:"30"`
	UHi        float64 `sweep:"u_hi" doc:"largest log2 of the size; 0: from the machine's size" min:"0" max:"30"`
	UProb      float64 `sweep:"u_prob" unit:"share" doc:"probability of the lower uniform part" min:"0" max:"1"`
	// PA*size + PB, clamped to [0, 1], is the probability of the first.
	A1 float64 `sweep:"a1" doc:"shape of the first gamma of ln(run time)" above:"0" finite:"yes"`
	B1 float64 `sweep:"b1" doc:"scale of the first gamma of ln(run time)" above:"0" finite:"yes"`
	A2 float64 `sweep:"a2" doc:"shape of the second gamma of ln(run time)" above:"0" finite:"yes"`
	B2 float64 `sweep:"b2" doc:"scale of the second gamma of ln(run time)" above:"0" finite:"yes"`
	PA float64 `sweep:"pa" doc:"slope over the size of the first gamma's probability" finite:"yes"`
	PB float64 `sweep:"pb" doc:"the first gamma's probability at size 0" finite:"yes"`
	// AArr*ARAR and BArr are the gamma distribution of the logarithm of the work
	// of the arrival process between two jobs, in seconds of mean rate.
	AArr float64 `sweep:"aarr" doc:"shape of the gamma of ln(inter-arrival)" above:"0" finite:"yes"`
	BArr float64 `sweep:"barr" doc:"scale of the gamma of ln(inter-arrival)" above:"0" finite:"yes"`
	ANum float64 `sweep:"anum" doc:"shape of the gamma of the daily cycle" above:"0" finite:"yes"`
	BNum float64 `sweep:"bnum" doc:"scale of the gamma of the daily cycle, in half hours" above:"0" finite:"yes"`
	ARAR float64 `sweep:"arar" doc:"multiplies aarr" above:"0" finite:"yes"`
}

// The types' constants for a machine of 128 nodes.
var (
	lublinTypeless = LublinType{Serial: .244, PowerOfTwo: .576, ULow: .8, UProb: .86,
		A1: 4.2, B1: .94, A2: 312, B2: .03, PA: -.0054, PB: .78,
		AArr: 10.2303, BArr: .4871, ANum: 8.1737, BNum: 3.9631, ARAR: 1.0225}
	lublinBatch = LublinType{Serial: .2927, PowerOfTwo: .6686, ULow: 1.2, UProb: .875,
		A1: 6.57, B1: .823, A2: 639.1, B2: .0156, PA: -.003, PB: .6986,
		AArr: 6.0415, BArr: .8531, ANum: 6.1271, BNum: 5.2740, ARAR: 1.0519}
	lublinInteractive = LublinType{Serial: .1541, PowerOfTwo: .625, ULow: 1, UProb: .705,
		A1: 3.8351, B1: .6605, A2: 7.073, B2: .6856, PA: -.0118, PB: .9156,
		AArr: 6.5510, BArr: .6621, ANum: 8.9186, BNum: 3.6680, ARAR: .9797}
)

// sized returns the constants with UHi and UMed derived where they are 0. UHi is
// below, so much less than log2 of the machine's size. UMed is the authors' at
// 128 nodes, and 2.5 less than UHi for all other sizes.
func (t LublinType) sized(log2, below, medAt128 float64) LublinType {
	derived := t.UHi == 0
	if derived {
		t.UHi = log2 - below
	}
	if t.UMed == 0 {
		if derived && log2 == 7 {
			t.UMed = medAt128
		} else {
			t.UMed = t.UHi - 2.5
		}
		// A machine of a few nodes has no room for two parts.
		t.UMed = min(max(t.UMed, t.ULow), max(t.UHi, t.ULow))
	}
	t.UHi = max(t.UHi, t.ULow)
	return t
}

// validate checks the rules between the constants; name is the section's.
func (t *LublinType) validate(name string, report func(field, message string)) {
	if t.Serial+t.PowerOfTwo > 1 {
		report(name+".power_of_two", fmt.Sprintf("is %g; together with serial, %g, it must not be above 1, for it is an absolute probability",
			t.PowerOfTwo, t.Serial))
	}
	if t.UMed > 0 && t.UMed < t.ULow || t.UHi > 0 && (t.UHi < t.ULow || t.UHi < t.UMed) {
		report(name+".u_hi", fmt.Sprintf("must be the largest: u_low is %g, u_med %g and u_hi %g, and they must ascend", t.ULow, t.UMed, t.UHi))
	}
}
