package cmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"schedsweep/analysis/gantt"
	"schedsweep/harness/store"
)

// rerun is an instance that was run again: its schedule, and its trace in a file that has no name.
type rerun struct {
	number int
	plan   any // the plan that the number is of
	*gantt.Schedule
	begin   float64    // of the first submission, in s
	end     float64    // of the last job, in s
	drawing sync.Mutex // of the schedule, and of what follows, up to differs
	others  []int      // instances with the same jobs; nil until they are looked for
	differs *differing // from the instance that it was compared with last
	said    string     // what replay says of it
	trace   *os.File
}

// reruns keeps the last few instances that were run again.
type reruns struct {
	running sync.Mutex // held while an instance runs again
	mu      sync.Mutex
	kept    []*rerun
}

const keptReruns = 4

func (k *reruns) find(plan any, number int) *rerun {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.kept {
		if r.plan == plan && r.number == number {
			return r
		}
	}
	return nil
}

func (k *reruns) keep(r *rerun) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, old := range k.kept { // so that none holds on to one that goes
		old.drawing.Lock()
		old.differs = nil
		old.drawing.Unlock()
	}
	if k.kept = append(k.kept, r); len(k.kept) > keptReruns {
		k.kept = slices.Delete(k.kept, 0, 1) // pages that read its file go on; the collector closes it
	}
}

// heap is what the schedules need in memory, in bytes, with some room: nearly the size of their traces.
func (k *reruns) heap() (sum int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.kept {
		sum += 2 * r.Events[len(r.Events)-1].End
	}
	return sum
}

// again runs an instance in a process of its own, as replay does and with its rules of consent.
func (p *shownPage) again(number int) (*rerun, error) {
	k := &p.site.reruns
	if r := k.find(p.st.plan, number); r != nil {
		return r, nil
	}
	if !k.running.TryLock() {
		return nil, errors.New("another instance is being run again: wait until it has ended, and ask again")
	}
	defer k.running.Unlock()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancelCause(p.r.Context())
	defer stop(nil)
	cmd := exec.CommandContext(ctx, self)
	cmd.Args = append([]string{p.site.env.args[0]}, p.st.args("replay", append(outFlags(p.st.dir, p.st.manifest.Name), strconv.Itoa(number),
		"--trace", "-")...)...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMEMLIMIT=%d", p.site.memory/4*3))
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	go watchMemory(ctx, cmd.Process.Pid, p.site.memory, stop)
	r, err := readRerun(p.describe(number), out)
	ended := cmd.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil || r.Submitted == nil {
		return nil, fmt.Errorf("the instance could not be run again: %s", strings.TrimSpace(said.String()))
	}
	r.number, r.plan, r.said = number, p.st.plan, strings.TrimSpace(said.String())
	if ended != nil && r.said == "" {
		r.said = ended.Error()
	}
	var exit *exec.ExitError
	if !errors.As(ended, &exit) || exit.ExitCode() != exitUnexpected { // such as of a disk that fails: the next time may be better
		k.keep(r)
	}
	p.site.limitHeap()
	return r, nil
}

// watchMemory stops a process that takes more memory than the limit, where the system tells.
func watchMemory(ctx context.Context, pid int, limit int64, stop context.CancelCauseFunc) {
	for tick := time.Tick(20 * time.Millisecond); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		text, err := store.ReadRegular(fmt.Sprintf("/proc/%d/statm", pid))
		fields := strings.Fields(string(text))
		if err != nil || len(fields) < 2 {
			return
		}
		if pages, _ := strconv.ParseInt(fields[1], 10, 64); pages*int64(os.Getpagesize()) > limit {
			stop(fmt.Errorf("the instance was ended, for it took more than %d bytes of memory; serve --memory-limit allows more", limit))
			return
		}
	}
}

// readRerun reads a trace, and keeps it.
func readRerun(title string, from io.Reader) (*rerun, error) {
	r := &rerun{}
	var err error
	if r.trace, err = store.ScratchFile(); err != nil {
		return nil, err
	}
	to := bufio.NewWriterSize(r.trace, 1<<16)
	r.Schedule, err = gantt.ReadTrace(title, io.TeeReader(from, to))
	if err = errors.Join(err, to.Flush()); err != nil {
		_, _ = io.Copy(io.Discard, from) // so that the process ends
		return nil, err
	}
	for i := range r.Jobs {
		r.end = max(r.end, r.Jobs[i].Finish)
	}
	if len(r.Submitted) > 0 {
		r.begin = r.Submitted[0].Submit
	}
	r.end = max(r.end, r.begin+1)
	return r, nil
}

// event is the line of an event.
func (r *rerun) event(k int) (string, error) {
	from := int64(0)
	if k > 0 {
		from = r.Events[k-1].End
	}
	b := make([]byte, min(r.Events[k].End-from, 4096))
	_, err := r.trace.ReadAt(b, from)
	return strings.TrimSpace(string(b)), err
}
