package cmd

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestNothingOutsideWithoutConsent: no verb connects to a manifest's address or starts its program without consent.
// Verbs that would do so refuse before they do anything.
func TestNothingOutsideWithoutConsent(t *testing.T) {
	dir := t.TempDir()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	var calls atomic.Int32
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			calls.Add(1)
			conn.Close()
		}
	}()
	touched := filepath.Join(dir, "touched")
	const base = "name: %s\nreplications: 2\nworkload: {kind: lublin, jobs: 20, machine_procs: 8}\nmetrics: [mean_wait_time]\n" +
		"claims: [{id: short, mean: {metric: mean_wait_time}, below: 1e9}]\n"
	write := func(name, axes string) string {
		path := filepath.Join(dir, name+".yaml")
		if err := os.WriteFile(path, []byte(fmt.Sprintf(base, "consent")+axes), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	own := write("own", "axes: {policy: [{label: own, value: {kind: easy}}]}\n")
	all := write("all", fmt.Sprintf("axes:\n  policy:\n    - {label: own, value: {kind: easy}}\n"+
		"    - {label: address, value: {kind: external, protocol: zeromq, socket: 'tcp://%s', timeout: 1}}\n"+
		"    - {label: program, value: {kind: external, command: [sh, -c, 'touch %s'], timeout: 1}}\n", listener.Addr(), touched))
	out := filepath.Join(dir, "out")
	if exit, _, stderr := called(t, "run", own, "--out", out, "--quiet"); exit != exitDone {
		t.Fatal(stderr)
	}
	refused := map[string]bool{}
	for _, args := range [][]string{
		{"validate", all}, {"plan", all, "--out", out}, {"status", all, "--out", out}, {"analyze", all, "--out", out, "--quiet"},
		{"claims", all, "--out", out}, {"report", all, "--out", out}, {"export", all, "--out", out, "--to", filepath.Join(dir, "rows.csv")},
		{"explain", all, "--out", out, "0"}, {"merge", all, "--out", out},
		{"engine", "print", "slurm", all, "--out", out}, {"verify", all, "--out", out, "--sample", "100%"},
		{"pack", all, "--out", out, "--to", filepath.Join(dir, "a.tar.gz")}, {"run", all, "--out", out}, {"simulate", all, "--instance", "2"},
		{"simulate", all, "--instance", "4"},
	} {
		exit, _, stderr := called(t, args...)
		if strings.Contains(stderr, "allow-commands") {
			refused[strings.Join(args[:1], " ")] = true
			if exit != exitMisuse {
				t.Errorf("%v is refused with exit code %d: %s", args, exit, stderr)
			}
		}
		if n := calls.Load(); n != 0 {
			t.Errorf("%v connected", args)
			calls.Store(0)
		}
		if _, err := os.Stat(touched); err == nil {
			t.Errorf("%v started the program", args)
			os.Remove(touched)
		}
	}
	for _, verb := range []string{"engine", "verify", "pack", "run", "simulate"} {
		if !refused[verb] {
			t.Errorf("%s was not refused", verb)
		}
	}
	if len(refused) != 5 {
		t.Errorf("refused were %v", refused)
	}
	if _, err := os.Stat(filepath.Join(dir, "a.tar.gz")); err == nil {
		t.Error("an archive was written")
	}
	// With it both happen.
	_, _, stderr := called(t, "run", all, "--out", out, "--quiet", "--allow-commands")
	if _, err := os.Stat(touched); err != nil || calls.Load() == 0 {
		t.Errorf("%d connections, %v: %s", calls.Load(), err, stderr)
	}
	if _, _, stderr := called(t, "run", all, "--out", out); !strings.Contains(stderr, "tcp://"+listener.Addr().String()) ||
		!strings.Contains(stderr, touched) {
		t.Errorf("the message names neither address nor program: %s", stderr)
	}
}
