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
	b := &jsonWriter{w: bufio.NewWriterSize(w, 1<<16)}
	b.text(`{"nb_res": `).int(int64(procs)).text(`,` + "\n" + `"jobs": [`)
	n, err = each(of.Source(), func(i int, j *sim.JobSpec) error {
		if i > 0 {
			b.text(",")
		}
		name := int64(i + 1)
		b.text("\n" + `{"id": "`).int(name).text(`", "subtime": `).number(j.Submit).text(`, "walltime": `).number(j.Walltime)
		b.text(`, "res": `).int(int64(j.Procs)).text(`, "profile": "p`).int(name).text(`", "original_id": `).int(j.ID).text(`}`)
		return b.err
	})
	if err != nil {
		return n, err
	}
	b.text("\n],\n" + `"profiles": {`)
	_, err = each(of.Source(), func(i int, j *sim.JobSpec) error {
		if i > 0 {
			b.text(",")
		}
		b.text("\n" + `"p`).int(int64(i + 1))
		if j.Flops > 0 || j.Bytes > 0 {
			b.text(`": {"type": "parallel_homogeneous", "cpu": `).number(j.Flops).text(`, "com": `).number(j.Bytes).text(`}`)
		} else {
			b.text(`": {"type": "delay", "delay": `).number(j.RunTime).text(`}`)
		}
		return b.err
	})
	if err != nil {
		return n, err
	}
	if b.text("\n}}\n"); b.err == nil {
		b.err = b.w.Flush()
	}
	return n, b.err
}

// jsonWriter writes pieces of JSON and keeps the first error.
type jsonWriter struct {
	w   *bufio.Writer
	buf []byte
	err error
}

func (b *jsonWriter) text(s string) *jsonWriter {
	if b.err == nil {
		_, b.err = b.w.WriteString(s)
	}
	return b
}

func (b *jsonWriter) int(n int64) *jsonWriter {
	b.buf = strconv.AppendInt(b.buf[:0], n, 10)
	return b.bytes()
}

func (b *jsonWriter) number(x float64) *jsonWriter {
	b.buf = strconv.AppendFloat(b.buf[:0], x, 'g', -1, 64)
	return b.bytes()
}

func (b *jsonWriter) bytes() *jsonWriter {
	if b.err == nil {
		_, b.err = b.w.Write(b.buf)
	}
	return b
}
