package scripts

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/store"
)

// program is the command as a program of its own: this test, called by the
// command's name.
func program(t testing.TB) string { return programCalled(t, "schedsweep") }

func programCalled(t testing.TB, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Exit codes of the command, as run --help lists them.
const (
	exitDone       = 0
	exitUnexpected = 1
	exitMisuse     = 2
	exitFailed     = 3
	exitDrained    = 4
	exitBusy       = 6
)

// call runs the command.
func call(t testing.TB, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(program(t), args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // its exit code tells
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// slow is the quickstart made to last for about a second on two cores.
var slow = []string{"../../manifests/quickstart.yaml", "--set", "workload.jobs=1000", "--out"}

// TestInterrupted interrupts a run once: it drains, says so, and goes on later.
func TestInterrupted(t *testing.T) {
	prog, dir := program(t), filepath.Join(t.TempDir(), "run")
	args := append(append([]string{"run"}, slow...), dir, "--set", "replications=400", "--workers", "2")
	cmd := exec.Command(prog, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	begun(t, cmd, dir)
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

// begun starts the slow sweep, with more replications, and waits until it runs.
func begun(t *testing.T, cmd *exec.Cmd, dir string) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 6000 { // a busy machine takes long to start a process
		if _, err := os.Stat(filepath.Join(dir, folder.Instances)); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it does not begin")
}

// TestHungUp: a terminal that closes drains the run, as often as it says so; a run
// under nohup does not hear it.
func TestHungUp(t *testing.T) {
	// Under nohup the test ignores hang-ups, and the runs would inherit that.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	prog := program(t)
	for _, c := range []struct {
		name   string
		before []string
		times  int
		code   int
	}{{"once", nil, 1, exitDrained}, {"twice", nil, 2, exitDrained}, {"nohup", []string{"nohup"}, 2, exitDone}} {
		dir := filepath.Join(t.TempDir(), "run")
		replications := "replications=400"
		if c.code == exitDone {
			replications = "replications=30"
		}
		args := append(append([]string{prog, "run"}, slow...), dir, "--set", replications, "--workers", "2", "--json")
		args = append(c.before, args...)
		cmd := exec.Command(args[0], args[1:]...)
		var stdout bytes.Buffer
		cmd.Stdout = &stdout
		begun(t, cmd, dir)
		for range c.times {
			time.Sleep(50 * time.Millisecond)
			if err := cmd.Process.Signal(syscall.SIGHUP); err != nil && !errors.Is(err, os.ErrProcessDone) { // it may have drained already
				t.Fatal(err)
			}
		}
		_ = cmd.Wait() // its exit code tells
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(stdout.String(), `"event":"ended"`) {
			t.Errorf("%s: exit code %d, want %d; %s", c.name, code, c.code, stdout.String())
		}
	}
}

// TestClosedPipes: the reader of a run's output may go away.
func TestClosedPipes(t *testing.T) {
	prog, many := program(t), filepath.Join(t.TempDir(), "many.yaml")
	text := "name: many\nreplications: 200\nworkload: {kind: list, jobs: [{processors: 9, run_time: 1}]}\nplatform: {processors: " +
		"8}\npolicy: {kind: fcfs}\n"
	if err := os.WriteFile(many, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"--json"}, {"--quiet"}, nil} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "run")
		cmd := exec.Command(prog, append([]string{"run", many, "--out", dir, "--keep-going"}, flags...)...)
		cmd.Stdout, cmd.Stderr = w, w
		if err := errors.Join(r.Close(), cmd.Start(), w.Close()); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // its exit code tells
		if code := cmd.ProcessState.ExitCode(); code != exitFailed {
			t.Errorf("run %v: exit code %d (%v), want %d", flags, code, cmd.ProcessState, exitFailed)
			continue
		}
		if table, err := harnesstest.Scan(filepath.Join(dir, folder.Instances), store.Records{}); err != nil || table.Rows != 200 {
			t.Errorf("run %v: %v", flags, err)
		}
	}
}

// TestBusyFolder: a shard that another process runs has an exit code of its own,
// and --wait waits for it, up to a time or without end; an interrupt ends the wait.
func TestBusyFolder(t *testing.T) {
	prog, dir := program(t), filepath.Join(t.TempDir(), "run")
	args := append(append([]string{"run"}, slow...), dir, "--set", "workload.jobs=20", "--shard", "1/2", "--quiet")
	unlock, _, err := store.LockShard(t.Context(), filepath.Join(dir, folder.Instances), "0-of-2", store.LockOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]string{nil, {"--wait=10ms"}} {
		out, err := exec.Command(prog, append(args, more...)...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitBusy || !strings.Contains(string(out), "in use by another process, which runs "+
			"shard 1/2: wait for it (--wait)") {
			t.Fatalf("%v: %v, want exit code %d\n%s", more, err, exitBusy, out)
		}
	}
	waiting := func() (*exec.Cmd, *bytes.Buffer) {
		t.Helper()
		cmd := exec.Command(prog, append(args, "--wait")...)
		r, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var told bytes.Buffer
		for part := make([]byte, 1024); !strings.Contains(told.String(), "note: waiting: "); {
			n, err := r.Read(part)
			told.Write(part[:n])
			if err != nil {
				t.Fatalf("it does not wait: %v\n%s", err, told.String())
			}
		}
		return cmd, &told
	}
	cmd, _ := waiting()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitDrained {
		t.Errorf("interrupted while it waits: %v, want exit code %d", err, exitDrained)
	}
	// An engine's deadline comes while another process is still there.
	out, err := exec.Command(prog, append(args, "--wait", "--deadline", "1s")...).CombinedOutput()
	if !errors.As(err, &exit) || exit.ExitCode() != exitDrained {
		t.Errorf("waiting until the deadline: %v, want exit code %d\n%s", err, exitDrained, out)
	}
	cmd, told := waiting()
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it waited and then: %v\n%s", err, told.String())
	}
}

// TestFoldersAreBornInAnyOrder starts shards as processes, all at once, in folders
// that do not exist.
func TestFoldersAreBornInAnyOrder(t *testing.T) {
	prog := program(t)
	for range 3 {
		dir := filepath.Join(t.TempDir(), "run")
		var started []*exec.Cmd
		for i := range 16 {
			args := append(append([]string{"run"}, slow...), dir, "--set", "workload.jobs=5", "--set", "replications=4", "--shard",
				fmt.Sprintf("%d/16", i+1), "--quiet")
			cmd := exec.Command(prog, args...)
			cmd.Stderr = &bytes.Buffer{}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			started = append(started, cmd)
		}
		for i, cmd := range started {
			if err := cmd.Wait(); err != nil {
				t.Errorf("shard %d/16: %v\n%s", i+1, err, cmd.Stderr)
			}
		}
	}
}
