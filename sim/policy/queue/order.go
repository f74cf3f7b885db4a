package queue

import (
	"fmt"
	"math"

	"schedsweep/sim"
)

// Order is a queue order: the rule by which waiting jobs come one before the
// other. Jobs that a rule makes equal come in order of submission.
type Order struct {
	// Name is the order's name in manifests.
	Name string
	// Changes says that the key depends on the time, so that the queue must be
	// sorted anew at each pass.
	Changes bool
	// Absolute says that the key adds seconds to other things, so that doubling
	// all times may change the order.
	Absolute bool
	// key is what the rule sorts by, smallest first.
	key func(j *sim.Job, now float64) float64
}

// Orders are the queue orders. Walltimes stand where the publications have the
// run time, which no scheduler knows.
//
//   - wfp3, unicep: W. Tang, Z. Lan, N. Desai, D. Buettner, "Fault-aware,
//     utility-based job scheduling on Blue Gene/P systems", IEEE Cluster 2009;
//     W. Tang, N. Desai, D. Buettner, Z. Lan, "Analyzing and adjusting user
//     runtime estimates to improve job scheduling on the Blue Gene/P", IPDPS
//     2010. Both put the highest score first; here the sign is turned. For jobs
//     of one processor unicep's formula divides by log2(1) = 0: they count as
//     jobs of two.
//   - f1 to f4: D. Carastan-Santos, R. Y. de Camargo, "Obtaining dynamic
//     scheduling policies with simulation and machine learning", SC'17, table 3,
//     with s the submit time. Submit times below 1 s count as 1 s, for log10(0)
//     has no value.
var Orders = []Order{
	{Name: "fcfs", key: func(*sim.Job, float64) float64 { return 0 }},
	{Name: "sjf", key: func(j *sim.Job, _ float64) float64 { return j.Walltime() }},
	{Name: "ljf", key: func(j *sim.Job, _ float64) float64 { return -j.Walltime() }},
	{Name: "smallest", key: func(j *sim.Job, _ float64) float64 { return float64(j.Procs()) }},
	{Name: "largest", key: func(j *sim.Job, _ float64) float64 { return -float64(j.Procs()) }},
	{Name: "wfp3", Changes: true, key: func(j *sim.Job, now float64) float64 {
		w := (now - j.Submit()) / j.Walltime()
		return -w * w * w * float64(j.Procs())
	}},
	{Name: "unicep", Changes: true, key: func(j *sim.Job, now float64) float64 {
		return -(now - j.Submit()) / (math.Log2(float64(max(j.Procs(), 2))) * j.Walltime())
	}},
	{Name: "f1", Absolute: true, key: func(j *sim.Job, _ float64) float64 {
		return math.Log10(j.Walltime())*float64(j.Procs()) + 8.70e2*logSubmit(j)
	}},
	{Name: "f2", Absolute: true, key: func(j *sim.Job, _ float64) float64 {
		return math.Sqrt(j.Walltime())*float64(j.Procs()) + 2.56e4*logSubmit(j)
	}},
	{Name: "f3", Absolute: true, key: func(j *sim.Job, _ float64) float64 {
		return j.Walltime()*float64(j.Procs()) + 6.86e6*logSubmit(j)
	}},
	{Name: "f4", Absolute: true, key: func(j *sim.Job, _ float64) float64 {
		return j.Walltime()*math.Sqrt(float64(j.Procs())) + 5.30e5*logSubmit(j)
	}},
}

// Ordered are the parameters of a policy with a queue.
type Ordered struct {
	Order string `sweep:"order" doc:"order of the queue" enum:"fcfs: order of submission|sjf: shortest walltime|ljf: longest walltime|smallest: fewest processors|largest: most processors|wfp3: largest (wait/walltime)^3 * processors (Tang 2009)|unicep: largest wait/(log2(processors) * walltime) (Tang 2009)|f1: smallest log10(walltime)*processors + 870*log10(submit) (Carastan-Santos 2017, as f2 to f4)|f2: smallest sqrt(walltime)*processors + 25600*log10(submit)|f3: smallest walltime*processors + 6860000*log10(submit)|f4: smallest walltime*sqrt(processors) + 530000*log10(submit)"`
}

func logSubmit(j *sim.Job) float64 { return math.Log10(max(j.Submit(), 1)) }

// orderByName returns the order of that name.
func orderByName(name string) (Order, error) {
	for _, o := range Orders {
		if o.Name == name {
			return o, nil
		}
	}
	return Order{}, fmt.Errorf("unknown queue order %q", name)
}
