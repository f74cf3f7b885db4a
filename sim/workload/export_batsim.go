package workload

import (
	"bufio"
	"fmt"
	"io"

	"schedsweep/sim"
)

// WriteBatsim writes a workload as the JSON file that Batsim reads: nb_res,
// jobs, profiles. Jobs are named by their position from 1, for Batsim wants
// unique names; the number in the log stands in original_id. A job that has work
// or traffic gets a parallel_homogeneous profile, others a delay. It returns the
// number of jobs and streams: the workload is read twice.
func WriteBatsim(w io.Writer, of Workload, procs int) (n int, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing a Batsim workload: %w", err)
		}
	}()
	if procs < 1 {
		return 0, fmt.Errorf("nb_res is %d; give the machine's size, at least 1", procs)
	}
	b := bufio.NewWriterSize(w, 1<<16) // it keeps the first error
	fmt.Fprintf(b, "{\"nb_res\": %d,\n\"jobs\": [", procs)
	separator := ""
	n, err = Each(of.Source(), func(i int, j *sim.JobSpec) error {
		_, err := fmt.Fprintf(b, "%s\n"+`{"id": "%d", "subtime": %g, "walltime": %g, "res": %d, "profile": "p%d", "original_id": %d}`, separator, i+1, j.Submit, j.Walltime, j.Procs, i+1, j.ID)
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
