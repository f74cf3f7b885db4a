package main

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
	"time"
)

// pages that a server shows of a run folder.
var pages = []string{"live", "explore", "results", "instance?id=2", "instance?id=2&run=true"}

// shown is what a server answers: code and text by page.
type shown map[string]string

// serve shows pages over the disk while it fails. Each page is as on a sound disk, or names the error. Later the same server shows all
// pages as on a sound disk.
func (t *trials) serve(r *rand.Rand) error {
	v := verb{name: "serve", study: "study", before: "whole"}
	if err := t.prepare(v); err != nil {
		return err
	}
	t.disk.arm(0, false)
	s, err := t.start()
	if err != nil {
		return err
	}
	want := s.all()
	operations := t.disk.heal()
	if out := s.end(); out != "" {
		return fmt.Errorf("on a sound disk: %s", out)
	}
	for page, text := range want {
		if !strings.HasPrefix(text, "200 ") {
			return fmt.Errorf("%s on a sound disk: %s", page, text)
		}
	}
	for n := range t.faults {
		at, lasting := 1+(int64(n)*operations+r.Int64N(operations))/int64(t.faults), n%2 == 1
		if err := t.prepare(v); err != nil {
			return err
		}
		t.disk.arm(at, lasting)
		s, err := t.start()
		if err != nil { // it did not begin
			t.disk.heal()
			t.met++
			if !strings.Contains(err.Error(), "input/output error") || crash.MatchString(err.Error()) {
				t.wrong = append(t.wrong, fmt.Sprintf("serve, operation %d: %v", at, err))
			}
			continue
		}
		now := s.all()
		if t.disk.heal() >= at {
			t.met++
			if maps.Equal(now, want) {
				t.survived++
			}
		}
		later := s.all()
		for _, page := range pages {
			if now[page] != want[page] && !strings.Contains(now[page], "input/output error") {
				t.wrong = append(t.wrong, fmt.Sprintf("serve, operation %d of %d, lasting %v: %s does not name the error: %s", at, operations,
					lasting, page, unlike(now[page], want[page])))
			}
			if later[page] != want[page] {
				t.wrong = append(t.wrong, fmt.Sprintf("serve, operation %d of %d, lasting %v: %s is wrong on the sound disk: %s", at, operations,
					lasting, page, unlike(later[page], want[page])))
			}
		}
		if out := s.end(); out != "" {
			t.wrong = append(t.wrong, fmt.Sprintf("serve, operation %d: %s", at, out))
		}
	}
	fmt.Printf("serve: %d operations\n", operations)
	return nil
}

// server is a process that serves the run folder of the disk.
type server struct {
	*exec.Cmd
	url, token string
	said       strings.Builder // on standard error
}

// start begins to serve. The error is what the process wrote where it has no address.
func (t *trials) start() (*server, error) {
	s := &server{Cmd: exec.Command(t.program, "serve", filepath.Join(t.mount, "run"))}
	s.Env = append(os.Environ(), "TMPDIR="+filepath.Join(t.mount, "tmp"))
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

// took is how long a re-run took.
var took = regexp.MustCompile(`in [0-9.]+(µs|ms|s)\b`)

// all are its pages, without what differs from server to server.
func (s *server) all() shown {
	all, client := shown{}, http.Client{Timeout: time.Minute}
	for _, page := range pages {
		reply, err := client.Get(s.url + s.token + "/0/" + page)
		if err != nil {
			all[page] = err.Error()
			continue
		}
		text, err := io.ReadAll(reply.Body)
		all[page] = took.ReplaceAllString(strings.ReplaceAll(fmt.Sprintf("%d %s", reply.StatusCode, text), s.token, "TOKEN"), "in TIME")
		if err = errors.Join(err, reply.Body.Close()); err != nil {
			all[page] = err.Error()
		}
	}
	return all
}

// unlike is where a text begins to differ from another.
func unlike(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return fmt.Sprintf("%q in place of %q", a[n:min(len(a), n+200)], b[n:min(len(b), n+200)])
}
