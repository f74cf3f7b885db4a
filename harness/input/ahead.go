package input

import (
	"context"
	"errors"
	"slices"

	"schedsweep/harness"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
	"schedsweep/sweep"
)

// blocksAhead is the number of blocks of records of a log that are parsed ahead of a run: 4 MB.
const blocksAhead = 8

var errNotAhead = errors.New("the log is not one that can be played while it is read")

// reading is a log that a goroutine parses while its jobs run.
type reading struct {
	files   *Files
	ctx     context.Context
	stop    context.CancelFunc
	blocks  chan []swf.Record // closed when the log has been parsed
	unread  []swf.Record      // the first of them
	whole   bool              // all records came by blocks; valid once that is closed
	stopped chan struct{}     // closed when no reader takes records any more
}

// log begins to read and returns the log when its beginning is there.
func (r *reading) log(path string) (*swf.Log, error) {
	f := r.files.file(path)
	if _, err := f.find(); err != nil || len(r.files.Beside(path)) > 0 {
		return nil, errNotAhead
	}
	r.blocks, r.whole = make(chan []swf.Record, blocksAhead), true
	var header *swf.Header // set before the first block is sent
	f.give = func(h swf.Header, block []swf.Record) {
		if block == nil {
			if r.whole = false; header != nil {
				r.stop()
				<-r.stopped
			}
			return
		}
		if header == nil {
			header = &h
		}
		select {
		case r.blocks <- block:
		case <-r.ctx.Done():
		}
	}
	go func() {
		defer close(r.blocks)
		if _, err := f.parse(); err != nil {
			r.whole = false
		}
	}()
	r.unread = <-r.blocks
	if r.unread == nil {
		return nil, errNotAhead
	}
	waits := slices.ContainsFunc(r.unread, func(r swf.Record) bool { return r.Wait > 0 })
	return swf.Growing(path, *header, waits, r.more), nil
}

func (r *reading) more() (block []swf.Record, err error) {
	if block, r.unread = r.unread, nil; block != nil {
		return block, nil
	}
	select {
	case block = <-r.blocks:
		return block, nil
	case <-r.ctx.Done():
		return nil, r.ctx.Err()
	}
}

// end waits for the goroutine, and tells whether all records were read.
func (r *reading) end() bool {
	r.stop()
	close(r.stopped)
	if r.blocks == nil {
		return false
	}
	for range r.blocks {
	}
	return r.whole
}

// Ahead calls play with a workload of the instance's log that is read while play runs, and returns the whole workload. It
// reports false where a log has to be known before it is played, and where play reports false. Then the workload of play
// was no good. The instance is to be played as any other, which also gives the error of a bad log.
func (ws *Workloads) Ahead(ctx context.Context, inst *sweep.Instance, play func(context.Context) bool) (*Workload, bool) {
	key := keyOf(inst)
	if key.procs == 0 || inst.Sections[harness.SectionWorkload].Kind != "swf" || ws.known[key] != nil {
		return nil, false
	}
	ctx, stop := context.WithCancel(ctx)
	r := &reading{files: ws.Files, ctx: ctx, stop: stop, stopped: make(chan struct{})}
	played, waits := false, false
	if w, err := newWorkload(inst, ws.Files, r.log); err == nil {
		p := &Workload{w: w, Info: w.Info(), Sample: &workload.Sample{}}
		p.once.Do(func() {})
		ws.known[key] = p
		played, waits = play(ctx), p.Info.Records.Waits()
		delete(ws.known, key)
	}
	whole := &Workload{}
	if !r.end() || !played || whole.make(inst, ws.Files) != nil {
		return whole, false
	}
	// Whether waits are recorded was known from the first block alone.
	return whole, whole.Info.Records.Waits() == waits
}
