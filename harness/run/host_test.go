//go:build unix

package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/input"
	"schedsweep/sim"
	"schedsweep/sim/host"
	"schedsweep/sweep"
)

// TestPoliciesDrawByReplication: a policy that is made once draws, run by run, what
// the replication's stream holds.
func TestPoliciesDrawByReplication(t *testing.T) {
	m, in := harnesstest.Loaded(t, "name: dice\nseed: 5\nreplications: 2\nworkload: {kind: lublin, jobs: 3}\npolicy: {kind: faulty}\n")
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	b := newBuilder(input.NewWorkloads(in))
	for _, i := range []int{0, 1, 0} {
		var inst sweep.Instance
		plan.At(i, &inst)
		sc, err := b.prepare(&inst)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.engine.Check(sc.cfg); err != nil {
			t.Fatal(err)
		}
		want := sim.Streams{Root: 5, Replication: uint64(inst.Replication)}.New("env", "policy", "dice").Uint64()
		if got := sc.cfg.Policy.(*faulty).drawn; got != want {
			t.Errorf("replication %d drew %d, want %d", inst.Replication, got, want)
		}
	}
}

func shell(script string) host.Command {
	return host.Command{Program: "sh", Args: []string{"-c", script}}
}

func TestProgramsRun(t *testing.T) {
	o := &computer{}
	c := shell("cat in.txt; cat; echo said >&2; echo answer > out.txt; pwd > where; exit 3")
	c.Stdin, c.Files, c.Read = []byte("typed\n"), map[string][]byte{"in.txt": []byte("filed\n")}, []string{"out.txt", "where", "missing"}
	out, err := o.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	if string(out.Stdout) != "filed\ntyped\n" || string(out.Stderr) != "said\n" || string(out.Files["out.txt"]) != "answer\n" ||
		out.Exit != 3 || len(out.Files) != 2 || out.Seconds <= 0 {
		t.Errorf("%+v", out)
	}
	if _, err := os.Stat(strings.TrimSpace(string(out.Files["where"]))); !os.IsNotExist(err) {
		t.Errorf("its folder is left: %v", err)
	}
}

func TestProgramsThatFail(t *testing.T) {
	ended, end := context.WithCancelCause(context.Background())
	end(errTimeout)
	outward := shell("true")
	outward.Files = map[string][]byte{"../x": nil}
	slow := shell("echo begun; sleep 60")
	slow.Limit = 2 // a busy machine takes a while to start a shell
	large := shell("head -c 40000000 /dev/zero > solution")
	large.Read = []string{"solution"}
	for name, c := range map[string]struct {
		ctx  context.Context
		cmd  host.Command
		want string
	}{
		"missing": {nil, host.Command{Program: "no-such-solver"}, "program no-such-solver: exec: \"no-such-solver\": executable file not found " +
			"in $PATH: install it"},
		"crashes": {nil, shell("kill -SEGV $$"), "program sh: signal: segmentation fault"},
		"hangs":   {nil, slow, "program sh: killed at its limit of 2s"},
		"run's":   {ended, shell("sleep 60"), "program sh: time limit of the instance"},
		"outward": {nil, outward, `file "../x": a name without folders is needed`},
		"endless": {nil, shell("cat /dev/zero"), "program sh: wrote more than 32 MB"},
		"large":   {nil, large, "program sh: left more than 32 MB in solution"},
	} {
		o := &computer{ctx: c.ctx}
		out, err := o.Run(c.cmd)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", name, err, c.want)
		}
		if name == "run's" && !errors.Is(err, errTimeout) {
			t.Errorf("%s: %v is no time limit", name, err)
		}
		if name == "hangs" && string(out.Stdout) != "begun\n" {
			t.Errorf("%s: what it wrote before is lost: %q", name, out.Stdout)
		}
	}
}

// TestNoProcessIsLeftBehind: children of a program are gone too, after it ended by itself or was killed.
func TestNoProcessIsLeftBehind(t *testing.T) {
	for _, last := range []string{"", "; wait"} {
		c := shell("sleep 600 >/dev/null 2>&1 & echo $! > child" + last)
		c.Read, c.Limit = []string{"child"}, 1
		out, err := (&computer{}).Run(c)
		if (err != nil) != (last != "") {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(out.Files["child"])))
		if err != nil {
			t.Fatal(err)
		}
		if !gone(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
}

// gone waits until a process has ended. A process without a parent to reap it stays as a zombie.
func gone(pid int) bool {
	for range 200 {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if syscall.Kill(pid, 0) == syscall.ESRCH || strings.Contains(string(stat), ") Z ") {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}
