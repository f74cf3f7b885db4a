package run

import (
	"math"
	"math/bits"

	"schedsweep/sim"
)

// digest is an observer that hashes the jobs of a run, by which one sees that two
// replications played the same. It is no identity: 52 bits, which a table of
// float64 holds, make two different workloads of a sweep equal by chance once in
// 10^9 sweeps of 1000 replications.
type digest struct {
	sim.Quiet
	sum uint64
}

// Submitted enters a job: all of its fields but its number.
func (d *digest) Submitted(_ *sim.View, j *sim.Job) {
	spec := j.Spec()
	d.job(&spec)
}

func (d *digest) job(j *sim.JobSpec) {
	d.enter(math.Float64bits(j.Submit))
	d.enter(math.Float64bits(j.RunTime))
	d.enter(math.Float64bits(j.Walltime))
	d.enter(uint64(j.Procs)<<32 | uint64(uint32(j.Home)))
	d.enter(math.Float64bits(j.Flops))
	d.enter(math.Float64bits(j.Bytes))
	d.enter(j.Traits[0])
	d.enter(j.Traits[1])
	d.enter(j.Traits[2])
	d.enter(uint64(uint32(j.User))<<32 | uint64(uint32(j.Record)))
	// Of what few workloads have, the place among these says which it is.
	for i, x := range [...]uint64{
		math.Float64bits(j.Bandwidth), math.Float64bits(j.Communication), math.Float64bits(j.Share), math.Float64bits(j.ReservedStart),
		uint64(uint32(j.Priority)), uint64(uint32(j.Sites)), uint64(j.Part), uint64(uint32(j.Partition)),
	} {
		if x != 0 {
			d.enter(uint64(i))
			d.enter(x)
		}
	}
	if r := j.Request; r != nil {
		for i, x := range r.Numbers() {
			d.enter(uint64(64 + i))
			d.enter(x)
		}
	}
	for _, c := range []byte(j.Application) {
		d.enter(uint64(c))
	}
}

// enter mixes a number with what came before.
func (d *digest) enter(x uint64) { d.sum = sim.Mixed(bits.RotateLeft64(d.sum, 23) ^ x) }
