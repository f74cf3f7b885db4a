package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/external"
	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sim/host"
)

// computer gives a worker's policies and progress models programs, modules and the
// time, for the current run. Not safe for concurrent
// use, as the run itself.
type computer struct {
	streams sim.Streams
	asked   int             // of them and of failures, since the run was prepared
	ctx     context.Context // of the run; nil between runs
	keep    string          // where the folders of programs stay, "" for nowhere
	kept    int             // number of these folders

	commands bool                              // modules that the manifest names may be started
	locate   func(path string) (string, error) // finds input files
	modules  external.Modules
}

// maxOutput bounds the kept output of a program, each of stdout, stderr and the files.
const maxOutput = 32 << 20

// graceful is the time for which a killed program may hold its pipes open.
const graceful = 500 * time.Millisecond

var began = time.Now()

func (o *computer) Seconds() float64 { return time.Since(began).Seconds() }

func (o *computer) context() context.Context {
	if o.ctx == nil {
		return context.Background()
	}
	return o.ctx
}

func (o *computer) end() {
	o.modules.EndRun()
	o.ctx = nil
}

func (o *computer) Start(m host.Module) (host.Talk, error) {
	if !o.commands {
		return nil, fmt.Errorf("module %s%s: %w: see --allow-commands", strings.Join(m.Command, " "), m.Socket, ErrCommands)
	}
	path := ""
	if m.File != "" {
		var err error
		if path, err = o.locate(m.File); err != nil {
			return nil, err
		}
	}
	return o.modules.Start(o.context(), m, path)
}

func (o *computer) Run(c host.Command) (out host.Output, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("program %s: %w", c.Program, err)
		}
	}()
	dir, remove, err := o.folder()
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	for name, content := range c.Files {
		if !filepath.IsLocal(name) || filepath.Base(name) != name {
			return out, fmt.Errorf("file %q: a name without folders is needed", name)
		}
		if err := store.UnsyncedFile(filepath.Join(dir, name), store.Content(content)); err != nil {
			return out, err
		}
	}
	path, err := exec.LookPath(c.Program)
	if err != nil {
		return out, fmt.Errorf("%w: install it, or name its path", err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return out, err
	}
	ctx := o.context()
	if c.Limit > 0 {
		limit := harness.Seconds(c.Limit)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, fmt.Errorf("killed at its limit of %s", limit))
		defer cancel()
	}
	out, err = play(ctx, path, dir, c)
	return out, errors.Join(err, readBack(dir, c.Read, &out))
}

// folder makes a folder for a program, and says how it is removed. One that is kept
// is new too: the files of an earlier program would pass for the answer of this one.
func (o *computer) folder() (string, func() error, error) {
	if o.keep == "" {
		return store.TempFolder()
	}
	dir := filepath.Join(o.keep, strconv.Itoa(o.kept+1))
	if err := errors.Join(store.MakeFolder(o.keep), os.Mkdir(dir, 0o777)); err != nil {
		return "", nil, fmt.Errorf("%w: name a folder that is new", err)
	}
	o.kept++
	return dir, func() error { return nil }, nil
}

// play starts the program, waits for it and ends all that it has started.
func play(ctx context.Context, path, dir string, c host.Command) (host.Output, error) {
	var stdout, stderr bounded
	cmd := exec.CommandContext(ctx, path, c.Args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, bytes.NewReader(c.Stdin), &stdout, &stderr, graceful
	external.Apart(cmd)
	cmd.Cancel = func() error { return external.KillAll(cmd.Process) }
	start := time.Now()
	err := cmd.Start()
	if err == nil {
		err = cmd.Wait()
		_ = external.KillAll(cmd.Process) // its child processes, if any
	}
	out := host.Output{Stdout: stdout.kept, Stderr: stderr.kept, Seconds: time.Since(start).Seconds()}
	var exit *exec.ExitError
	switch {
	case stdout.full || stderr.full:
		return out, fmt.Errorf("wrote more than %d MB", maxOutput>>20)
	case ctx.Err() != nil:
		return out, context.Cause(ctx)
	case errors.As(err, &exit) && exit.Exited():
		out.Exit = exit.ExitCode()
		return out, nil
	default: // a signal, or a pipe that a child held open
		return out, err
	}
}

func readBack(dir string, names []string, out *host.Output) error {
	for _, name := range names {
		f, err := store.OpenRegular(filepath.Join(dir, filepath.Base(name)))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		b, err := io.ReadAll(io.LimitReader(f, maxOutput+1))
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		if len(b) > maxOutput { // half an answer reads like a whole one
			return fmt.Errorf("left more than %d MB in %s", maxOutput>>20, name)
		}
		if out.Files == nil {
			out.Files = map[string][]byte{}
		}
		out.Files[name] = b
	}
	return nil
}

// bounded keeps so much and then fails, which ends the program by its pipe. It is
// no [io.ReaderFrom], for that would read without end.
type bounded struct {
	kept []byte
	full bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if len(b.kept)+len(p) > maxOutput {
		b.full = true
		return 0, io.ErrShortWrite
	}
	b.kept = append(b.kept, p...)
	return len(p), nil
}
