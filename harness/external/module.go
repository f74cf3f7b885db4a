// Package external starts scheduling modules, talks to them over sockets and ends
// them with all that they have started, also when this program is killed: each has
// a guard, a shell of its own that reads from a pipe which closes then. On Linux this
// includes children in sessions of their own (setsid); on other systems those stay.
// The policy external (package sim/policy/external) defines the messages.
package external

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"schedsweep/harness/store"
	"schedsweep/sim/host"
)

// maxMessage bounds a message of a module, so that one that floods is noticed
// before memory is gone.
const maxMessage = 64 << 20

const lastWords = 2 << 10

const socketName = "socket"

// graceful is the time that a process may take to end, once its connection is closed, before it is
// killed.
const graceful = 500 * time.Millisecond

// Modules are those of one worker: the ones of its run, and the ones that declared after an earlier run that they can
// play another. The zero value has none. It is not safe for concurrent use.
type Modules struct {
	run  []*module
	kept map[string]*module // by their command lines
}

func (s *Modules) Start(ctx context.Context, m host.Module, file string) (host.Talk, error) {
	key := fmt.Sprintf("%q %q %q %q", m.Command, file, m.Protocol, m.Socket)
	t := s.kept[key]
	delete(s.kept, key)
	if t != nil && t.process != nil && errEnded(t.process.over) != nil {
		_ = t.finish() // it has left between two runs
		t = nil
	}
	if t == nil {
		var err error
		if t, err = launch(ctx, m, file); err != nil {
			return nil, err
		}
	}
	t.all, t.key, t.ctx, t.limit = s, key, ctx, seconds(m.Limit)
	conn := t.conn
	t.stop = context.AfterFunc(ctx, func() { _ = conn.Close() })
	s.run = append(s.run, t)
	return t, nil
}

func (s *Modules) EndRun() {
	for _, t := range s.run {
		if s.kept[t.key] != t {
			_ = t.finish() // its run has its outcome already
		}
	}
	s.run = s.run[:0]
}

func (s *Modules) Close() error {
	var errs []error
	for _, m := range s.kept {
		errs = append(errs, m.finish())
	}
	clear(s.kept)
	return errors.Join(errs...)
}

// seconds returns a duration of s seconds, but at most 146 years.
func seconds(s float64) time.Duration { return time.Duration(min(s*float64(time.Second), 1<<62)) }

func launch(ctx context.Context, m host.Module, file string) (*module, error) {
	open, ok := framings[m.Protocol]
	if !ok {
		return nil, fmt.Errorf("module: there is no protocol %q", m.Protocol)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, seconds(m.Limit), fmt.Errorf("it has not connected within %g s (policy.timeout)", m.Limit))
	defer cancel()
	t := &module{name: strings.Join(m.Command, " ")}
	var err error
	if len(m.Command) == 0 {
		t.name = "at " + m.Socket
		t.conn, err = dialWhenThere(ctx, m.Socket, nil)
	} else {
		err = t.start(ctx, m, file)
	}
	if err == nil {
		_ = t.conn.SetDeadline(time.Now().Add(seconds(m.Limit)))
		conn := stayAwake(t.conn)
		t.in = bufio.NewReaderSize(conn, 64<<10)
		t.framing, err = open(conn, t.in)
	}
	if err != nil {
		err = t.failed(err)
		return nil, errors.Join(err, t.finish())
	}
	return t, nil
}

type module struct {
	name    string
	key     string
	all     *Modules
	ctx     context.Context // of the run
	stop    func() bool
	limit   time.Duration
	conn    net.Conn
	in      *bufio.Reader // of the connection
	framing framing
	process *process // nil where another program started it
}

// framing separates the messages on a connection.
type framing interface {
	send(message []byte) error
	receive() ([]byte, error)
}

var framings = map[string]func(net.Conn, *bufio.Reader) (framing, error){"lines": newLines, "zeromq": newZMTP}

func (t *module) start(ctx context.Context, m host.Module, file string) error {
	dir, remove, err := store.TempFolder()
	if err != nil {
		return err
	}
	address := filepath.Join(dir, socketName)
	if t.process, err = newProcess(dir, remove); err != nil {
		return errors.Join(err, remove())
	}
	if file != "" {
		if file, err = filepath.Abs(file); err != nil {
			return err
		}
	}
	endpoint := address
	var listener net.Listener
	if m.Protocol == "zeromq" {
		endpoint = "ipc://" + address
	} else if listener, err = net.Listen("unix", address); err != nil {
		return fmt.Errorf("%w (a Unix domain socket's path is short: TMPDIR may be too long)", err)
	} else {
		defer listener.Close()
	}
	r := strings.NewReplacer("{module}", file, "{socket}", endpoint)
	args := make([]string, len(m.Command))
	for i, a := range m.Command {
		args[i] = r.Replace(a)
	}
	t.name = strings.Join(args, " ")
	if err := t.process.start(args, "SCHEDSWEEP_SOCKET="+endpoint); err != nil {
		return err
	}
	if listener == nil {
		t.conn, err = dialWhenThere(ctx, endpoint, t.process.over)
		return err
	}
	t.conn, err = accept(ctx, listener, t.process.over)
	return err
}

func accept(ctx context.Context, l net.Listener, over <-chan struct{}) (net.Conn, error) {
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-ctx.Done():
		case <-over:
		case <-done:
			return
		}
		_ = l.Close() // wakes Accept
	}()
	c, err := l.Accept()
	if err != nil {
		return nil, cmp.Or(context.Cause(ctx), errEnded(over), err)
	}
	return c, nil
}

func dialWhenThere(ctx context.Context, address string, over <-chan struct{}) (net.Conn, error) {
	network, path := "unix", strings.TrimPrefix(strings.TrimPrefix(address, "ipc://"), "unix://")
	if rest, ok := strings.CutPrefix(address, "tcp://"); ok {
		network, path = "tcp", rest
	}
	for wait := time.Millisecond; ; wait = min(2*wait, 20*time.Millisecond) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, path)
		if err == nil {
			return c, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", context.Cause(ctx), err)
		case <-over:
			return nil, errModuleEnded
		case <-time.After(wait):
		}
	}
}

var errModuleEnded = errors.New("it ended")

func errEnded(over <-chan struct{}) error {
	select {
	case <-over:
		return errModuleEnded
	default:
		return nil
	}
}

// more is the begin of unrequested input, if any.
func (t *module) more() []byte {
	b, _ := t.in.Peek(min(t.in.Buffered(), 100)) // it is there
	return b
}

func (t *module) Ask(message []byte) ([]byte, error) {
	if cause := context.Cause(t.ctx); cause != nil {
		return nil, t.failed(cause)
	}
	if more := t.more(); len(more) > 0 {
		return nil, t.failed(fmt.Errorf("it has sent more than one answer to the message before; the second begins %q", more))
	}
	if err := t.conn.SetDeadline(time.Now().Add(t.limit)); err != nil {
		return nil, t.failed(err)
	}
	err := t.framing.send(message)
	var answer []byte
	if err == nil {
		answer, err = t.framing.receive()
	}
	switch {
	case err == nil:
		return answer, nil
	case context.Cause(t.ctx) != nil:
		err = context.Cause(t.ctx)
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = fmt.Errorf("no answer within %s (policy.timeout)", t.limit)
		if l, is := t.framing.(*lines); is && len(l.long) > 0 {
			err = fmt.Errorf("%w: it has sent %q, and no end of the line", err, l.long[:min(len(l.long), 100)])
		}
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET):
		err = errors.New("it has closed the connection")
	}
	const most = 300
	if len(message) > most {
		message = append(bytes.Clone(message[:most]), "..."...)
	}
	return nil, t.failed(fmt.Errorf("%w, to the message %s", err, message))
}

// failed names the module, and says how it ended and what it wrote last.
func (t *module) failed(err error) error {
	err = fmt.Errorf("module %s: %w", t.name, err)
	if t.process == nil {
		return err
	}
	return t.process.account(err)
}

// End ends the module, or keeps it for the worker's next run.
func (t *module) End(keep bool) error {
	if !t.stop() || !keep || t.all.kept[t.key] != nil || len(t.more()) > 0 {
		return t.finish()
	}
	if t.all.kept == nil {
		t.all.kept = map[string]*module{}
	}
	t.all.kept[t.key] = t
	return nil
}

// finish ends it for good. A second call does nothing.
func (t *module) finish() error {
	if t.conn != nil {
		_ = t.conn.Close() // no reader is to hear more of it
		t.conn = nil
	}
	if t.process == nil {
		return nil
	}
	p := t.process
	t.process = nil
	return p.end()
}

// process is a module's process with the folder of its socket, and a guard that
// removes both, also when this program dies.
type process struct {
	dir    string
	remove func() error // the folder
	cmd    *exec.Cmd
	guard  *guard
	words  tail
	over   chan struct{} // closed when it has ended
}

func newProcess(dir string, remove func() error) (*process, error) {
	g, err := newGuard(dir)
	if err != nil {
		return nil, fmt.Errorf("guard of %s: %w", dir, err)
	}
	return &process{dir: dir, remove: remove, guard: g, over: make(chan struct{})}, nil
}

// start runs it in its folder, so that what it leaves there goes, and modules of
// several workers do not meet.
func (p *process) start(args []string, env ...string) error {
	path, err := exec.LookPath(args[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return err
	}
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir = p.dir
	cmd.Env = environment(env...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &p.words, &p.words, graceful
	Apart(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd = cmd
	p.guard.watch(cmd.Process.Pid)
	go func() {
		_ = cmd.Wait() // the exit state is in ProcessState
		close(p.over)
	}()
	return nil
}

// account adds to err how the process ended, if it did by itself, and its last
// words.
func (p *process) account(err error) error {
	if p.cmd == nil {
		return err
	}
	select {
	case <-p.over:
		err = fmt.Errorf("%w; the process ended: %s", err, p.cmd.ProcessState)
	case <-time.After(graceful / 5): // one that closes its socket is often about to end
	}
	if words := p.words.String(); words != "" {
		err = fmt.Errorf("%w; its last words:\n%s", err, words)
	}
	return err
}

// end gives the process a moment after the last message, and then kills it with all that it has started.
func (p *process) end() error {
	if p.cmd != nil {
		select {
		case <-p.over:
		case <-time.After(graceful):
		}
		_ = KillAll(p.cmd.Process)
	}
	p.guard.release()
	if p.cmd != nil {
		<-p.over
	}
	return p.remove()
}
