package workload

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

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
	b := jsonWriter{bufio.NewWriterSize(w, 1<<16)}
	b.text(`{"nb_res": `).int(int64(procs)).text(`,` + "\n" + `"jobs": [`)
	n, err = Each(of.Source(), func(i int, j *sim.JobSpec) error {
		if i > 0 {
			b.text(",")
		}
		name := int64(i + 1)
		b.text("\n" + `{"id": "`).int(name).text(`", "subtime": `).number(j.Submit).text(`, "walltime": `).number(j.Walltime)
		b.text(`, "res": `).int(int64(j.Procs)).text(`, "profile": "p`).int(name).text(`", "original_id": `).int(j.ID)
		_, err := b.WriteString(`}`)
		return err
	})
	if err != nil {
		return n, err
	}
	b.text("\n],\n" + `"profiles": {`)
	_, err = Each(of.Source(), func(i int, j *sim.JobSpec) error {
		if i > 0 {
			b.text(",")
		}
		b.text("\n" + `"p`).int(int64(i + 1))
		if j.Flops > 0 || j.Bytes > 0 {
			b.text(`": {"type": "parallel_homogeneous", "cpu": `).number(j.Flops).text(`, "com": `).number(j.Bytes)
		} else {
			b.text(`": {"type": "delay", "delay": `).number(j.RunTime)
		}
		_, err := b.WriteString(`}`)
		return err
	})
	if err != nil {
		return n, err
	}
	return n, b.text("\n}}\n").Flush()
}

// jsonWriter writes pieces of JSON; the buffer keeps the first error.
type jsonWriter struct{ *bufio.Writer }

func (b jsonWriter) text(s string) jsonWriter {
	b.WriteString(s)
	return b
}

func (b jsonWriter) int(n int64) jsonWriter {
	b.Write(strconv.AppendInt(b.AvailableBuffer(), n, 10))
	return b
}

func (b jsonWriter) number(x float64) jsonWriter {
	b.Write(strconv.AppendFloat(b.AvailableBuffer(), x, 'g', -1, 64))
	return b
}
