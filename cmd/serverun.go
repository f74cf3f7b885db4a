package cmd

import (
	"bufio"
	"bytes"
	"cmp"
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
	"schedsweep/sweep"
)

// rerun is an instance that was run again: its schedule, and its trace in a file that has no name.
type rerun struct {
	plan   *sweep.Plan
	number int
	*gantt.Schedule
	begin   float64    // of the first submission, in s
	end     float64    // of the last job, in s
	drawing sync.Mutex // of the schedule, and of what follows, up to differs
	others  []int      // instances with the same jobs; nil until they are looked for
	differs differing  // from the instance that it was compared with last
	said    string     // summary by replay
	trace   *os.File
}

// keptReruns is the number that is kept. Pages that read the file of an older one go on; the collector closes it.
const keptReruns = 4

// again runs an instance in a process of its own, as replay does and with its rules of consent.
func (p *shownPage) again(number int) (*rerun, error) {
	p.site.mu.Lock()
	i := slices.IndexFunc(p.site.reruns, func(r *rerun) bool { return r.plan == p.st.plan && r.number == number })
	if i >= 0 {
		defer p.site.mu.Unlock()
		return p.site.reruns[i], nil
	}
	p.site.mu.Unlock()
	if !p.site.running.TryLock() {
		return nil, errors.New("another instance is being run again: wait until it has ended, and ask again")
	}
	defer p.site.running.Unlock()
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
	r, err := readRerun(p.st.describe(number), out)
	_, _ = io.Copy(io.Discard, out) // so that the process ends
	ended := cmd.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil || r.Submitted == nil {
		if err != nil && (ended == nil || said.Len() == 0) { // the trace could not be kept, or the process was killed
			return nil, fmt.Errorf("the instance could not be run again: %w", cmp.Or(ended, err))
		}
		return nil, fmt.Errorf("the instance could not be run again: %s", strings.TrimSpace(said.String()))
	}
	r.plan, r.number, r.said = p.st.plan, number, strings.TrimSpace(said.String())
	if ended != nil && r.said == "" {
		r.said = ended.Error()
	}
	if cmd.ProcessState.ExitCode() != exitUnexpected { // such as of a disk that fails: the next time may be better
		p.site.mu.Lock()
		p.site.reruns = append(slices.Clone(p.site.reruns[max(0, len(p.site.reruns)+1-keptReruns):]), r)
		p.site.mu.Unlock()
	}
	p.site.limitHeap()
	return r, nil
}

// watchMemory stops a process that takes more memory than the limit, where the system tells.
func watchMemory(ctx context.Context, pid int, limit int64, stop context.CancelCauseFunc) {
	for range time.Tick(20 * time.Millisecond) {
		text, err := store.ReadRegular(fmt.Sprintf("/proc/%d/statm", pid))
		fields := strings.Fields(string(text))
		if ctx.Err() != nil || err != nil || len(fields) < 2 { // it has ended
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
	trace, err := store.ScratchFile()
	if err != nil {
		return nil, err
	}
	r, to := &rerun{trace: trace}, bufio.NewWriterSize(trace, 1<<16)
	r.Schedule, err = gantt.ReadTrace(title, io.TeeReader(from, to))
	if err = errors.Join(err, to.Flush()); err != nil {
		return nil, err
	}
	r.end, _ = r.Size()
	if len(r.Submitted) > 0 {
		r.begin = r.Submitted[0].Submit
	}
	r.end = max(r.end, r.begin+1)
	return r, nil
}
