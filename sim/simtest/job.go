package simtest

import (
	"reflect"
	"unsafe"

	"schedsweep/sim"
)

// NewJob is a waiting job that is in no engine; its slot is its number.
func NewJob(spec sim.JobSpec, seq int64) *sim.Job {
	j := &sim.Job{}
	*Field[sim.JobSpec](j, "spec") = spec
	*Field[int64](j, "seq") = seq
	*Field[int32](j, "slot") = int32(seq)
	return j
}

// Field is a field of the job that only the engine may change: tests of those who
// watch change it behind the engine's back, as no policy can without package
// unsafe.
func Field[T any](j *sim.Job, name string) *T {
	f := reflect.ValueOf(j).Elem().FieldByName(name)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Interface().(*T)
}
