package external

import (
	"io"
	"net"
	"syscall"
	"time"
)

// awake is the time for which a thread looks for an answer before it sleeps. To wake a thread on
// another core costs more than what a module does at an instant: on two idle cores 10,000 jobs of
// easy.py took 2.2 s without this and 1.2 s with it. Between two looks the core is offered to
// others, so that a module on the same core loses nothing.
const awake = 100 * time.Microsecond

// stayAwake is the connection, with a Read that looks for a while before it sleeps.
func stayAwake(c net.Conn) net.Conn {
	s, ok := c.(syscall.Conn)
	if !ok {
		return c
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return c // it is closed, as the first message will say
	}
	a := &awakeConn{Conn: c, raw: raw}
	a.wait = a.look // once, for a closure for each read would be garbage
	return a
}

type awakeConn struct {
	net.Conn
	raw  syscall.RawConn
	wait func(fd uintptr) bool

	into  []byte // of the read that goes on
	n     int
	err   error
	began time.Time
}

func (a *awakeConn) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	a.into, a.began = p, time.Time{}
	err := a.raw.Read(a.wait)
	a.into = nil
	switch {
	case err != nil:
		return 0, err
	case a.err != nil:
		return 0, a.err
	case a.n == 0:
		return 0, io.EOF
	}
	return a.n, nil
}

// look reports whether there is an answer, an end or an error; if not, it is queried again when the kernel says that
// there may be.
func (a *awakeConn) look(fd uintptr) bool {
	for {
		a.n, a.err = syscall.Read(int(fd), a.into)
		switch {
		case a.err == syscall.EINTR:
			continue
		case a.err != syscall.EAGAIN:
			return true
		case a.began.IsZero():
			a.began = time.Now()
		case time.Since(a.began) > awake:
			return false
		}
		_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) // it cannot fail
	}
}
