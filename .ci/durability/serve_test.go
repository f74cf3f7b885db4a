package durability

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// pages that a server shows of a run folder.
var pages = []string{"live", "explore", "results", "instance?id=2", "instance?id=2&run=true"}

// shown maps each page to the server's answer: code and text.
type shown map[string]string

// serve shows pages over the disk while it fails. Each page is as on a sound disk, or names the error. Later the same server shows all
// pages as on a sound disk.
func (all *trials) serve(t *testing.T, r *rand.Rand) {
	v := verb{name: "serve", study: "study", before: "whole"}
	must(t, all.prepare(v))
	all.disk.arm(0, false)
	s, err := all.start()
	must(t, err)
	want := s.all()
	operations := all.disk.heal()
	if out := s.end(); out != "" {
		t.Fatalf("on a sound disk: %s", out)
	}
	for page, text := range want {
		if !strings.HasPrefix(text, "200 ") {
			t.Fatalf("%s on a sound disk: %s", page, text)
		}
	}
	for n := range all.faults {
		at, lasting := 1+(int64(n)*operations+r.Int64N(operations))/int64(all.faults), n%2 == 1
		must(t, all.prepare(v))
		all.disk.arm(at, lasting)
		s, err := all.start()
		if err != nil { // it did not begin
			all.disk.heal()
			all.met++
			if !strings.Contains(err.Error(), "input/output error") || crash.MatchString(err.Error()) {
				t.Errorf("operation %d: %v", at, err)
			}
			continue
		}
		now := s.all()
		if all.disk.heal() >= at {
			all.met++
			if maps.Equal(now, want) {
				all.survived++
			}
		}
		later := s.all()
		for _, page := range pages {
			if now[page] != want[page] && !strings.Contains(now[page], "input/output error") {
				t.Errorf("operation %d of %d, lasting %v: %s does not name the error: %s", at, operations, lasting, page,
					unlike(now[page], want[page]))
			}
			if later[page] != want[page] {
				t.Errorf("operation %d of %d, lasting %v: %s is wrong on the sound disk: %s", at, operations, lasting, page,
					unlike(later[page], want[page]))
			}
		}
		if out := s.end(); out != "" {
			t.Errorf("operation %d: %s", at, out)
		}
	}
	t.Logf("%d operations", operations)
}

// server is a process that serves the run folder of the disk.
type server struct {
	*exec.Cmd
	url, token string
	said       strings.Builder // on standard error
}

// start begins to serve. The error is what the process wrote where it has no address.
func (all *trials) start() (*server, error) {
	s := &server{Cmd: exec.Command(all.program, "serve", filepath.Join(all.mount, "run"))}
	s.Env = append(os.Environ(), "TMPDIR="+filepath.Join(all.mount, "tmp"))
	s.Stderr = &s.said
	out, err := s.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("%w: %s", s.Wait(), &s.said)
	}
	s.url, s.token, _ = strings.Cut(strings.TrimSpace(line), "?token=")
	return s, nil
}

// end stops the server, and returns an error if it ends badly.
func (s *server) end() string {
	_ = s.Process.Signal(os.Interrupt) // Wait tells
	if err := s.Wait(); err != nil || crash.MatchString(s.said.String()) {
		return fmt.Sprintf("the server ended with %v: %s", err, &s.said)
	}
	return ""
}

// took matches the duration of a re-run.
var took = regexp.MustCompile(`in [0-9.]+(µs|ms|s)\b`)

// all are its pages when the rows have been read, without what differs from server to server.
func (s *server) all() shown {
	all := shown{}
	for _, page := range pages {
		for until := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			all[page] = s.page(page)
			if !strings.Contains(all[page], "The rows are being read.") || time.Now().After(until) {
				break
			}
		}
	}
	return all
}

func (s *server) page(name string) string {
	client := http.Client{Timeout: time.Minute}
	reply, err := client.Get(s.url + s.token + "/0/" + name)
	if err != nil {
		return err.Error()
	}
	text, err := io.ReadAll(reply.Body)
	if err = errors.Join(err, reply.Body.Close()); err != nil {
		return err.Error()
	}
	return took.ReplaceAllString(strings.ReplaceAll(fmt.Sprintf("%d %s", reply.StatusCode, text), s.token, "TOKEN"), "in TIME")
}

// unlike returns the position at which a text begins to differ from another.
func unlike(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return fmt.Sprintf("%q in place of %q", a[n:min(len(a), n+200)], b[n:min(len(b), n+200)])
}
