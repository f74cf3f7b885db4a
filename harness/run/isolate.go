package run

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/external"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sweep"
)

// message holds rows of a dataset or the report of an instance, on their way to the parent
// process. The report is the last message of its instance.
type message struct {
	Dataset int
	Rows    [][]store.Cell
	ID      sweep.ID // of the instance, as the other process has it
	Report  *rows.Report
}

// rowSender sends the rows of a dataset to the parent process.
type rowSender struct {
	*rows.Recording
	dataset int
	to      *gob.Encoder
	rows    [][]store.Cell
}

const messageRows = 256

func (s *rowSender) Append(row *store.Row) error {
	if s.rows = append(s.rows, slices.Clone(row.Cells())); len(s.rows) < messageRows {
		return nil
	}
	return s.flush()
}

func (s *rowSender) flush() error {
	err := s.to.Encode(message{Dataset: s.dataset, Rows: s.rows})
	s.rows = s.rows[:0]
	return err
}

// overtime is the time that an instance may go on after its time limit, and a process after its
// input has ended, before it is given up.
const overtime = 2 * time.Second

// Serve runs the manifest's instances whose numbers come in, one after another, and
// sends what they gave: it is the other end of [Config].Child. It returns when the input
// ends, also while an instance runs, and after one that did not heed its time limit.
func Serve(m *sweep.Manifest, inputs *input.Files, in io.Reader, out io.Writer) error {
	plan, err := m.Plan()
	if err != nil {
		return err
	}
	numbers := make(chan int)
	go func() {
		defer close(numbers)
		for d := gob.NewDecoder(in); ; {
			var at int
			if d.Decode(&at) != nil { // the parent process is gone
				return
			}
			numbers <- at
		}
	}()
	w := newWorker(plan, input.NewWorkloads(inputs), time.Now)
	e := gob.NewEncoder(out)
	var sets []*rowSender
	var watching []sim.Observer
	for k, d := range rows.Asked(m) {
		s := &rowSender{dataset: k, to: e}
		s.Recording = d.Record(s)
		sets, watching = append(sets, s), append(watching, s.Observer)
	}
	for at := range numbers {
		if at < 0 || at >= plan.Len() {
			return fmt.Errorf("instance %d is requested from a plan of %d", at, plan.Len())
		}
		var inst sweep.Instance
		plan.At(at, &inst)
		began := time.Now()
		done, overdue := make(chan rows.Report, 1), make(chan time.Duration, 1)
		w.limited = func(limit time.Duration) { time.AfterFunc(limit+overtime, func() { overdue <- limit }) }
		go func() {
			r, _ := w.run(context.Background(), &inst, watching, len(watching) > 0) // that is never given up
			done <- r
		}()
		select {
		case r := <-done:
			for _, s := range sets {
				if err := errors.Join(s.Err(), s.flush()); err != nil {
					return fmt.Errorf("instance %d: %w", at, err)
				}
			}
			if err := e.Encode(message{ID: inst.ID, Report: &r}); err != nil {
				return fmt.Errorf("instance %d: %w", at, err)
			}
		case limit := <-overdue:
			return e.Encode(message{ID: inst.ID, Report: &rows.Report{Outcome: harness.Timeout, Audit: rows.AuditOff, Dropped: -1,
				Wall: time.Since(began),
				Err:  fmt.Sprintf("%v; it did not heed it, and its process was ended", timedOut(limit))}})
		case <-numbers: // the input has ended, for no parent requests two at once
			return nil
		}
	}
	return w.builder.host.modules.Close()
}

type child struct {
	command func() *exec.Cmd

	cmd   *exec.Cmd // nil where none runs
	ask   *gob.Encoder
	hear  *gob.Decoder
	input io.Closer
	words firstWords
	ran   int
}

// run runs the instance in the child, and takes its rows of datasets. One that dies has not always died of this
// instance: where it had run others, the instance has another try in a child of its
// own, so that the row depends on the instance alone. An error is ctx's, or says that no child could be started.
func (c *child) run(ctx context.Context, inst *sweep.Instance, out *rows.Output) (rows.Report, error) {
	alone := c.cmd == nil || c.ran == 0
	r, died, err := c.try(ctx, inst, out)
	if died && !alone {
		out.Discard()
		r, _, err = c.try(ctx, inst, out)
	}
	return r, err
}

// try runs the instance in the child that runs, or in a new one. A child that died is
// a report.
func (c *child) try(ctx context.Context, inst *sweep.Instance, out *rows.Output) (r rows.Report, died bool, err error) {
	if c.cmd == nil {
		if err := c.start(); err != nil {
			return r, false, fmt.Errorf("a process for instances: %w", err)
		}
	}
	process := c.cmd.Process
	defer context.AfterFunc(ctx, func() { _ = external.KillAll(process) })()
	began := time.Now()
	var p message
	for err = c.ask.Encode(inst.Index); err == nil && p.Report == nil; {
		p = message{}
		if err = c.hear.Decode(&p); err == nil && p.Report == nil {
			err = out.Take(p.Dataset, p.Rows)
		}
	}
	switch {
	case err == nil && p.ID != inst.ID:
		return r, false, fmt.Errorf("instance %d is another one in a process of its own: the manifest or its files have changed since the run "+
			"began", inst.Index)
	case err == nil:
		c.ran++
		return *p.Report, false, nil
	}
	reason := c.end()
	if ctx.Err() != nil {
		return r, false, ctx.Err()
	}
	return rows.Report{Outcome: harness.Failed, Err: "its process died: " + reason, Stack: c.words.String(), Audit: rows.AuditOff, Dropped: -1,
		Wall: time.Since(began)}, true, nil
}

func (c *child) start() error {
	cmd := c.command()
	external.Apart(cmd) // an interrupt is for the process that decides what it means
	cmd.Stderr, cmd.WaitDelay = &c.words, overtime
	c.words = firstWords{}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	c.cmd, c.ran, c.input = cmd, 0, in
	c.ask, c.hear = gob.NewEncoder(in), gob.NewDecoder(bufio.NewReader(out))
	return nil
}

// end ends the child, if there is one, and says how it ended.
func (c *child) end() string {
	if c.cmd == nil {
		return ""
	}
	cmd := c.cmd
	c.cmd = nil
	_ = c.input.Close()
	defer time.AfterFunc(overtime, func() { _ = external.KillAll(cmd.Process) }).Stop()
	err := cmd.Wait()
	reason := "it ended"
	if err != nil {
		reason = err.Error()
	}
	if line, _, _ := strings.Cut(c.words.String(), "\n"); line != "" {
		reason += ": " + line
	}
	return reason
}

// firstWords keeps the first bytes of the output. A program that dies names its reason there.
type firstWords struct{ kept strings.Builder }

func (f *firstWords) Write(p []byte) (int, error) {
	const most = 16 << 10
	f.kept.Write(p[:min(len(p), most-f.kept.Len())])
	return len(p), nil
}

func (f *firstWords) String() string { return f.kept.String() }
