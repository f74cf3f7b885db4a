//go:build unix

package external

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
)

// reply is a module that binds a REP socket, well or badly.
func reply(manner string) {
	l, err := net.Listen("unix", strings.TrimPrefix(os.Args[3], "ipc://"))
	if err != nil {
		panic(err)
	}
	c, err := l.Accept()
	if err != nil {
		panic(err)
	}
	if manner == "http" {
		fmt.Fprint(c, "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request")
		_, _ = io.Copy(io.Discard, c)
		return
	}
	mechanism := "NULL"
	if manner == "curve" {
		mechanism = "CURVE"
	}
	greeting := append(append([]byte("\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x01"), mechanism...), make([]byte, 64)...)[:64]
	_, _ = c.Write(greeting)
	in := bufio.NewReader(c)
	_, _ = in.Discard(64)
	frame := func(flags byte, body string) {
		if len(body) < 256 {
			_, _ = c.Write(append([]byte{flags, byte(len(body))}, body...))
			return
		}
		_, _ = c.Write(append(binary.BigEndian.AppendUint64([]byte{flags | zmtpLong}, uint64(len(body))), body...))
	}
	if manner != "shy" {
		frame(zmtpCommand, "\x05READY\x0bSocket-Type\x00\x00\x00\x03REP\x08Identity\x00\x00\x00\x00")
	}
	z := &zmtp{conn: c, in: in}
	if _, err := z.frame(); err != nil { // READY
		panic(err)
	}
	if manner == "shy" {
		return
	}
	for {
		message, err := z.receive()
		if err != nil {
			return
		}
		switch manner {
		case "rep":
			frame(zmtpMore, "")
			frame(0, "to "+string(message))
		case "rep parts":
			frame(zmtpMore, "")
			frame(zmtpMore, "one")
			frame(0, "two")
		case "rep bare":
			frame(0, "answer")
		case "rep command":
			frame(zmtpCommand, "\x04PING")
		case "rep huge":
			_, _ = c.Write(binary.BigEndian.AppendUint64([]byte{zmtpLong}, 1<<40))
		}
	}
}

// A module that speaks ZeroMQ binds. Anything but an answer is an error.
func TestZeroMQ(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for manner, want := range map[string]string{
		"rep":         "",
		"rep parts":   "ZeroMQ: an answer in several parts, to the message hello",
		"rep bare":    "ZeroMQ: an answer without the empty frame of a REP socket",
		"rep command": `ZeroMQ: the command "\x04PING" is not expected`,
		"rep huge":    "ZeroMQ: a frame of 1099511627776 bytes; at most 64 MB are taken",
		"curve":       "it does not speak ZMTP 3 with the mechanism NULL",
		"http":        `it does not speak ZMTP 3 with the mechanism NULL: its greeting is "HTTP/1.1`,
		"shy":         "ZeroMQ handshake: EOF",
	} {
		t.Run(manner, func(t *testing.T) {
			module := moduleOf(manner, 30)
			module.Protocol = "zeromq"
			var all Modules
			m, err := all.Start(context.Background(), module, "")
			if err == nil {
				for _, message := range []string{"hello", strings.Repeat("long", 100), "hello"} {
					var answer []byte
					if answer, err = m.Ask([]byte(message)); err != nil {
						break
					}
					if string(answer) != "to "+message {
						t.Errorf("%q is the answer to %s", answer, message)
					}
				}
				if err := m.End(false); err != nil {
					t.Error(err)
				}
			}
			if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
				t.Errorf("error %v, want %s", err, want)
			}
			all.EndRun()
			if left := sockets(t); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
