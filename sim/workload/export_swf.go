package workload

import (
	"fmt"
	"io"
	"math"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

// WriteSWF writes the jobs of a source as an SWF log and returns their number.
// The size goes into fields 5 and 8, the run time into 4, the walltime into 9,
// the home cluster, counted from 1, into 16, and what records say, which may be nil,
// into the fields of wait, memory, group, queue and preceding job; what nobody knows
// is -1. It streams.
func WriteSWF(w io.Writer, h *swf.Header, src sim.Source, records sim.Records) (int, error) {
	sw := swf.NewWriter(w, h)
	n, err := Each(src, func(_ int, j *sim.JobSpec) error {
		r := swf.Record{ID: j.ID, Submit: j.Submit, Wait: -1, RunTime: j.RunTime, CPUTime: -1, UsedMemory: -1,
			RequestedTime: j.Walltime, RequestedMemory: -1, ThinkTime: -1, Allocated: j.Procs, Requested: j.Procs,
			Status: -1, User: j.User, Group: -1, Executable: -1, Queue: -1, Partition: j.Home + 1, Preceding: -1}
		if j.Record > 0 && records != nil {
			of := records.Record(j.Record)
			r.Wait, r.RequestedMemory, r.Group, r.Queue, r.ThinkTime = of.Wait, of.Memory, of.Group, of.Queue, of.ThinkTime
			if of.Memory > 0 {
				r.RequestedMemory = of.Memory / 1024
			}
			if of.Preceding >= 0 && of.Preceding <= math.MaxInt32 {
				r.Preceding = int32(of.Preceding)
			}
		}
		if err := sw.Write(&r); err != nil {
			return fmt.Errorf("writing job %d: %w", j.ID, err)
		}
		return nil
	})
	if err != nil {
		return n, err
	}
	return n, sw.Flush()
}
