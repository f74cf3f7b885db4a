package scripts

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"schedsweep/cmd"
	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sim"
)

// breaking is the command with a policy that breaks the process that it runs in.
func breaking() {
	debug.SetMaxStack(1 << 20)
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{Name: "breaking", Doc: "breaks its process", Params: breakingParams{How: "not"},
		New: func(p any, _ sim.Env) (sim.Policy, error) { return breakingPolicy{p.(*breakingParams).How}, nil }})
	cmd.Main()
}

type breakingParams struct {
	How string `sweep:"how" enum:"not|exit|overflow|kill|spin|print|second" doc:"how it breaks"`
}

type breakingPolicy struct{ how string }

// runs is the number of runs that the process has begun.
var runs int

func (breakingPolicy) Reset(*sim.State) error     { runs++; return nil }
func (breakingPolicy) Ended(*sim.State, *sim.Job) {}
func (breakingPolicy) Pass(*sim.State)            {}

// deeper needs all the stack that there is.
func deeper(n int) int {
	if n < 0 {
		return 0
	}
	return deeper(n+1) + 1
}

func (b breakingPolicy) Submitted(s *sim.State, j *sim.Job) {
	switch b.how {
	case "exit":
		os.Exit(7)
	case "overflow":
		fmt.Println(deeper(0))
	case "kill":
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		panic(err)
	case "spin":
		if name := os.Getenv("SPINNING"); name != "" {
			if err := os.WriteFile(name, []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
				panic(err)
			}
		}
		for {
			runs++
		}
	case "print":
		fmt.Println("this is no answer")
	case "second":
		if runs > 1 {
			os.Exit(8)
		}
	}
	s.Reject(j)
}

// TestNoProcessOutlivesItsRun: when a run is killed, so do the processes of its instances
// end, also one that never comes back from its policy.
func TestNoProcessOutlivesItsRun(t *testing.T) {
	dir := t.TempDir()
	manifest, pid := filepath.Join(dir, "spin.yaml"), filepath.Join(dir, "pid")
	if err := os.WriteFile(manifest, []byte("name: spin\nworkload: {kind: lublin, jobs: 3}\npolicy: {kind: breaking, how: spin}\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	prog := filepath.Join(dir, "schedsweep-breaking")
	if err := os.Rename(program(t), prog); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(prog, "run", manifest, "--out", filepath.Join(dir, "run"), "--isolate", "--quiet")
	cmd.Env = append(os.Environ(), "SPINNING="+pid)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	child := 0
	for range 6000 {
		text, err := os.ReadFile(pid)
		if child, _ = strconv.Atoi(string(text)); err == nil && child > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if child == 0 || child == cmd.Process.Pid {
		t.Fatalf("the instance runs in process %d, the run in %d", child, cmd.Process.Pid)
	}
	for range 6000 {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child))
		if err != nil || !strings.Contains(string(line), "isolated") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d still runs", child)
}

// TestTheManifestOfARunStaysWhatItWas: where it changes before a process of its own has
// read it too, the run ends with an error and not with rows of other instances.
func TestTheManifestOfARunStaysWhatItWas(t *testing.T) {
	prog, dir := program(t), t.TempDir()
	manifest, out := filepath.Join(dir, "m.yaml"), filepath.Join(dir, "run")
	write := func(jobs int) {
		if err := os.WriteFile(manifest, fmt.Appendf(nil, "name: m\nworkload: {kind: lublin, jobs: %d}\npolicy: {kind: fcfs}\n", jobs),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(10)
	unlock, _, err := store.LockShard(t.Context(), filepath.Join(out, folder.Instances), "0-of-1", store.LockOptions{})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(prog, "run", manifest, "--out", out, "--isolate", "--wait", "--quiet")
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	told := bufio.NewReader(stderr)
	if line, err := told.ReadString('\n'); err != nil || !strings.HasPrefix(line, "note: waiting: ") {
		t.Fatalf("it does not wait: %s%v", line, err)
	}
	write(11)
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(told)
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // its exit code tells
	if code := cmd.ProcessState.ExitCode(); code != exitUnexpected || !strings.Contains(string(text), "the manifest or its files have "+
		"changed since the run began") {
		t.Errorf("exit code %d\n%s", code, text)
	}
}
