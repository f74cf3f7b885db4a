package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/store"
)

// program is the command as a program of its own: this test, called by the
// command's name.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "schedsweep")
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// slow is the quickstart made to last for about a second on two cores.
var slow = []string{"../../manifests/quickstart.yaml", "--set", "workload.jobs=1000", "--out"}

func hashOf(t *testing.T, dir string) [32]byte {
	t.Helper()
	table, err := store.Scan(filepath.Join(dir, harness.InstancesDir), store.ScanOptions{Records: harness.Instances})
	if err != nil {
		t.Fatal(err)
	}
	return table.Hash(harness.Volatile...)
}

// TestKilledAndResumed kills the quickstart with signal 9 at random moments and
// runs it again, with 1 and with 8 workers: the sorted table is that of a run
// that nothing disturbed.
func TestKilledAndResumed(t *testing.T) {
	prog, whole, killed := program(t), t.TempDir(), filepath.Join(t.TempDir(), "killed")
	run := func(dir, workers string) *exec.Cmd {
		return exec.Command(prog, append(append([]string{"run"}, slow...), dir, "--workers", workers, "--quiet")...)
	}
	began := time.Now()
	if out, err := run(whole, "1").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	takes := time.Since(began)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	kills := 0
	for range 4 {
		cmd := run(killed, "8")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.Int64N(int64(takes))))
		if err := cmd.Process.Kill(); err == nil {
			kills++
		}
		_ = cmd.Wait() // it was killed, or had ended
	}
	if out, err := run(killed, "8").CombinedOutput(); err != nil {
		t.Fatalf("after %d kills (seed %d): %v\n%s", kills, seed, err, out)
	}
	if hashOf(t, whole) != hashOf(t, killed) {
		t.Errorf("after %d kills (seed %d) the table differs", kills, seed)
	}
}

// TestInterrupted interrupts a run once: it drains, says so, and goes on later.
func TestInterrupted(t *testing.T) {
	prog, dir := program(t), filepath.Join(t.TempDir(), "run")
	args := append(append([]string{"run"}, slow...), dir, "--set", "replications=400", "--workers", "2")
	cmd := exec.Command(prog, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 500 { // until it runs
		if _, err := os.Stat(filepath.Join(dir, harness.InstancesDir)); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitDrained {
		t.Fatalf("interrupted: %v, want exit code %d\n%s", err, exitDrained, stderr.String())
	}
	for _, want := range []string{"finishing the instances that are running", "run the same command to go on"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("stderr has no %q:\n%s", want, stderr.String())
		}
	}
}

// TestFullDisk fills a file system of 256 kB: the run says what happened and what
// to do, keeps what was written whole, and goes on when there is room.
func TestFullDisk(t *testing.T) {
	mount := t.TempDir()
	if err := syscall.Mount("tmpfs", mount, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("this machine lets us mount no tmpfs: %v (CI as root does)", err)
	}
	defer func() {
		if err := syscall.Unmount(mount, 0); err != nil {
			t.Error(err)
		}
	}()
	dir := filepath.Join(mount, "run")
	ballast := filepath.Join(mount, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 236<<10), 0o644); err != nil {
		t.Fatal(err)
	}
	prog := program(t)
	args := append(append([]string{"run"}, slow...), dir, "--set", "workload.jobs=50", "--quiet")
	out, err := exec.Command(prog, args...).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitUnexpected || !strings.Contains(string(out), "no space left") {
		t.Fatalf("on a full disk: %v, want exit code %d and \"no space left\"\n%s", err, exitUnexpected, out)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(prog, args...).CombinedOutput(); err != nil {
		t.Fatalf("with room again: %v\n%s", err, out)
	}
	other := t.TempDir()
	if out, err := exec.Command(prog, append(append([]string{"run"}, slow...), other, "--set", "workload.jobs=50", "--quiet")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if hashOf(t, dir) != hashOf(t, other) {
		t.Error("after a full disk the table differs")
	}
}
