package workload

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

// WriteSWF writes the jobs of a workload as an SWF log and returns their number. The size goes into fields 5 and 8, the
// run time into 4 and the walltime into 9. Records of a log, where there are any, fill the fields of wait, memory, group, queue, partition
// and preceding job. Where jobs have home clusters, these are in the field of the partition, counted from 1. Unknown values are -1. It
// streams: the workload is read twice.
func WriteSWF(w io.Writer, h *swf.Header, of Workload) (int, error) {
	homes, records := false, of.Info().Records
	if _, err := Each(of.Source(), func(_ int, j *sim.JobSpec) error { homes = homes || j.Home > 0; return nil }); err != nil {
		return 0, err
	}
	sw := swf.NewWriter(w, h)
	n, err := Each(of.Source(), func(_ int, j *sim.JobSpec) error {
		r := swf.Record{ID: j.ID, Submit: j.Submit, Wait: -1, RunTime: j.RunTime, CPUTime: -1, UsedMemory: -1,
			RequestedTime: j.Walltime, RequestedMemory: -1, ThinkTime: -1, Allocated: j.Procs, Requested: j.Procs,
			Status: -1, User: j.User, Group: -1, Executable: -1, Queue: -1, Partition: j.Home + 1, Preceding: -1}
		if j.Record > 0 && records != nil {
			of := records.Record(j.Record)
			r.Wait, r.RequestedMemory, r.Group, r.Queue, r.ThinkTime = of.Wait, of.Memory, of.Group, of.Queue, of.ThinkTime
			if !homes {
				r.Partition = of.Partition
			}
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

// WriteBatsim writes a workload as the JSON file that Batsim reads: nb_res,
// jobs, profiles. Jobs are named by their position from 1, for Batsim wants
// unique names; the number in the log is in original_id. A job that has work
// or traffic gets a parallel_homogeneous profile, others a delay. It returns the
// number of jobs and streams: the workload is read twice.
func WriteBatsim(w io.Writer, of Workload, procs int) (n int, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing a Batsim workload: %w", err)
		}
	}()
	if procs < 1 {
		return 0, errors.New("nb_res: the workload does not say how many processors its machine has: set machine_procs, or convert a manifest " +
			"with platform.processors")
	}
	b := bufio.NewWriterSize(w, 1<<16) // it keeps the first error
	fmt.Fprintf(b, "{\"nb_res\": %d,\n\"jobs\": [", procs)
	separator := ""
	n, err = Each(of.Source(), func(i int, j *sim.JobSpec) error {
		_, err := fmt.Fprintf(b, "%s\n"+`{"id": "%d", "subtime": %g, "walltime": %g, "res": %d, "profile": "p%d", "original_id": %d}`, separator,
			i+1, j.Submit, j.Walltime, j.Procs, i+1, j.ID)
		separator = ","
		return err
	})
	if err != nil {
		return n, err
	}
	fmt.Fprint(b, "\n],\n\"profiles\": {")
	separator = ""
	_, err = Each(of.Source(), func(i int, j *sim.JobSpec) error {
		profile := fmt.Sprintf(`"type": "delay", "delay": %g`, j.RunTime)
		if j.Flops > 0 || j.Bytes > 0 {
			profile = fmt.Sprintf(`"type": "parallel_homogeneous", "cpu": %g, "com": %g`, j.Flops, j.Bytes)
		}
		_, err := fmt.Fprintf(b, "%s\n"+`"p%d": {%s}`, separator, i+1, profile)
		separator = ","
		return err
	})
	if err != nil {
		return n, err
	}
	fmt.Fprint(b, "\n}}\n")
	return n, b.Flush()
}
