package external

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

type lines struct {
	conn net.Conn
	in   *bufio.Reader
	out  []byte
	long []byte
}

func newLines(c net.Conn, in *bufio.Reader) (framing, error) { return &lines{conn: c, in: in}, nil }

func (l *lines) send(message []byte) error {
	l.out = append(append(l.out[:0], message...), '\n') // one write, or the other side wakes twice
	_, err := l.conn.Write(l.out)
	return err
}

func (l *lines) receive() ([]byte, error) {
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if err == nil && len(l.long) == 0 {
			return part[:len(part)-1], nil
		}
		l.long = append(l.long, part...)
		switch {
		case len(l.long) > maxMessage:
			return nil, fmt.Errorf("an answer of more than %d MB", maxMessage>>20)
		case err == nil:
			return l.long[:len(l.long)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// zmtp is the client's side of a ZeroMQ REQ socket: ZMTP 3.0, mechanism NULL
// (https://rfc.zeromq.org/spec/23). The protocol over our own connection keeps its
// deadlines and its end; the pure Go library has neither.
type zmtp struct {
	conn net.Conn
	in   *bufio.Reader
	out  []byte
	body []byte
}

const (
	zmtpMore = 1 << iota
	zmtpLong
	zmtpCommand
)

func newZMTP(c net.Conn, in *bufio.Reader) (framing, error) {
	z := &zmtp{conn: c, in: in}
	var greeting [64]byte
	greeting[0], greeting[8], greeting[9], greeting[10] = 0xff, 1, 0x7f, 3
	copy(greeting[12:], "NULL")
	if _, err := c.Write(greeting[:]); err != nil {
		return nil, err
	}
	var theirs [64]byte
	if _, err := io.ReadFull(z.in, theirs[:]); err != nil {
		return nil, fmt.Errorf("ZeroMQ greeting: %w", err)
	}
	if theirs[0] != 0xff || theirs[9] != 0x7f || theirs[10] < 3 || string(theirs[12:17]) != "NULL\x00" {
		return nil, fmt.Errorf("it does not speak ZMTP 3 with the mechanism NULL: its greeting is %q", theirs[:32])
	}
	ready := "\x05READY\x0bSocket-Type\x00\x00\x00\x03REQ\x08Identity\x00\x00\x00\x00"
	z.out = append(append(z.out, zmtpCommand, byte(len(ready))), ready...)
	if _, err := c.Write(z.out); err != nil {
		return nil, err
	}
	flags, err := z.frame()
	if err != nil {
		return nil, fmt.Errorf("ZeroMQ handshake: %w", err)
	}
	if flags&zmtpCommand == 0 || len(z.body) < 6 || string(z.body[:6]) != "\x05READY" {
		return nil, fmt.Errorf("ZeroMQ handshake: %q is no READY", z.body)
	}
	return z, nil
}

func (z *zmtp) send(message []byte) error {
	b := append(z.out[:0], zmtpMore, 0) // the empty frame that a REQ puts before its body
	if len(message) < 256 {
		b = append(b, 0, byte(len(message)))
	} else {
		b = binary.BigEndian.AppendUint64(append(b, zmtpLong), uint64(len(message)))
	}
	z.out = append(b, message...)
	_, err := z.conn.Write(z.out)
	return err
}

// receive returns the frames after the empty one as one.
func (z *zmtp) receive() ([]byte, error) {
	for first := true; ; first = false {
		flags, err := z.frame()
		switch {
		case err != nil:
			return nil, err
		case flags&zmtpCommand != 0:
			return nil, fmt.Errorf("ZeroMQ: the command %q is not expected", z.body)
		case first && (flags&zmtpMore == 0 || len(z.body) != 0):
			return nil, errors.New("ZeroMQ: an answer without the empty frame of a REP socket")
		case !first && flags&zmtpMore != 0:
			return nil, errors.New("ZeroMQ: an answer in several parts")
		case !first:
			return z.body, nil
		}
	}
}

func (z *zmtp) frame() (flags byte, err error) {
	if flags, err = z.in.ReadByte(); err != nil {
		return 0, err
	}
	var size [8]byte
	width := size[7:]
	if flags&zmtpLong != 0 {
		width = size[:]
	}
	if _, err := io.ReadFull(z.in, width); err != nil {
		return 0, err
	}
	n := binary.BigEndian.Uint64(size[:])
	if n > maxMessage {
		return 0, fmt.Errorf("ZeroMQ: a frame of %d bytes; at most %d MB are taken", n, maxMessage>>20)
	}
	if uint64(cap(z.body)) < n {
		z.body = make([]byte, n)
	}
	z.body = z.body[:n]
	_, err = io.ReadFull(z.in, z.body)
	return flags, err
}

// tail keeps the last bytes that are written to it. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if n := len(t.kept) - lastWords; n > 0 {
		t.kept = append(t.kept[:0], t.kept[n:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
