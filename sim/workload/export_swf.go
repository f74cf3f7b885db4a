package workload

import (
	"fmt"
	"io"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

// WriteSWF writes the jobs of a source as an SWF log and returns their number.
// The size goes into fields 5 and 8, the run time into 4, the walltime into 9,
// the home cluster, counted from 1, into 16; what a simulation does not know is
// -1. It streams.
func WriteSWF(w io.Writer, h *swf.Header, src sim.Source) (int, error) {
	sw := swf.NewWriter(w, h)
	n := 0
	var j sim.JobSpec
	for {
		ok, err := src.Next(&j)
		if err != nil {
			return n, err
		}
		if !ok {
			return n, sw.Flush()
		}
		r := swf.Record{ID: j.ID, Submit: j.Submit, Wait: -1, RunTime: j.RunTime, CPUTime: -1, UsedMemory: -1,
			RequestedTime: j.Walltime, RequestedMemory: -1, ThinkTime: -1, Allocated: j.Procs, Requested: j.Procs,
			Status: -1, User: j.User, Group: -1, Executable: -1, Queue: -1, Partition: j.Home + 1, Preceding: -1}
		if err := sw.Write(&r); err != nil {
			return n, fmt.Errorf("writing job %d: %w", j.ID, err)
		}
		n++
	}
}
