//go:build unix

package external

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// apart starts a process in a session of its own that has left the folder, and one that has only its folder left. Their
// numbers, or what they say, are in a file beside the folder.
func apart(script string) {
	f, err := os.Create(filepath.Join(os.Getenv("TMPDIR"), "said"))
	if err != nil {
		panic(err)
	}
	for _, daemon := range []*exec.Cmd{exec.Command("/bin/sh", "-c", "cd /; "+script), exec.Command("/bin/sh", "-c", script)} {
		daemon.Stdout, daemon.SysProcAttr = f, &syscall.SysProcAttr{Setsid: true}
		if len(daemon.Args[2]) == len(script) {
			daemon.Env = []string{"PATH=/bin:/usr/bin"}
		}
		if err := daemon.Run(); err != nil {
			panic(err)
		}
	}
}

// saidBy returns the output of the processes of apart.
func saidBy(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(os.Getenv("TMPDIR"), "said"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(b))
}

func living(t *testing.T, pids []string) (n int) {
	t.Helper()
	for _, p := range pids {
		b, err := os.ReadFile("/proc/" + p + "/cmdline") // that of a zombie is empty
		if err == nil && len(b) > 0 {
			n++
		}
	}
	return n
}

// Children in sessions of their own are ended with the module, whether they have kept its environment or its folder.
func TestNoChildGetsAway(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	t.Setenv("TMPDIR", t.TempDir())
	var all Modules
	m, err := all.Start(context.Background(), moduleOf("child", 30), "")
	if err != nil {
		t.Fatal(err)
	}
	pids := saidBy(t)
	untilLiving(t, pids, 2) // a process that is just started has no command line yet
	if err := m.End(false); err != nil {
		t.Error(err)
	}
	untilLiving(t, pids, 0)
}

func untilLiving(t *testing.T, pids []string, want int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); living(t, pids) != want; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d of %v live", living(t, pids), pids)
		}
	}
}

// sockets are the folders of modules that there are, and their processes.
func sockets(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(os.TempDir(), "schedsweep-*", "socket"))
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// Hundreds of runs, with fresh modules, with kept ones, with ones that fail, leave no
// file open, no process and no goroutine.
func TestManyRunsLeakNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var all Modules
	runs := func(n int) {
		for i := range n {
			manner := []string{"good", "exit", "brief", "kept", "kept", "kept", "kept", "kept", "kept"}[i%9]
			ctx, cancel := context.WithCancel(context.Background())
			m, err := all.Start(ctx, moduleOf(manner, 30), "")
			if err != nil && manner == "brief" { // it may have ended before its connection was accepted
				cancel()
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			_, err = m.Ask([]byte("first"))
			if err == nil {
				_, err = m.Ask([]byte("second"))
			}
			if fails := manner == "exit" || manner == "brief"; (err != nil) != fails {
				t.Errorf("%s: error %v", manner, err)
			}
			if err := m.End(manner == "kept"); err != nil {
				t.Error(err)
			}
			all.EndRun()
			cancel()
		}
	}
	held := func() [4]int {
		files, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("no /proc here")
		}
		return [4]int{len(files), runtime.NumGoroutine(), of(t, os.Getenv("TMPDIR")), len(sockets(t))}
	}
	runs(9)
	before := held()
	n := 300
	if testing.Short() {
		n = 30
	}
	runs(n)
	more := func() bool { // than before: some that were there may have ended
		for i, h := range held() {
			if h > before[i] {
				return true
			}
		}
		return false
	}
	for end := time.Now().Add(20 * time.Second); more(); time.Sleep(10 * time.Millisecond) { // goroutines end a little later
		if time.Now().After(end) {
			t.Fatalf("files, goroutines, processes and sockets were %v and are %v after %d runs more", before, held(), n)
		}
	}
	if err := all.Close(); err != nil {
		t.Error(err)
	}
	if after := held(); after[2]+after[3] > 0 {
		t.Errorf("left: %v", after)
	}
}

// kill -9 of the program leaves no process of the module, no socket and no folder.
func TestNothingIsLeftByAKill(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "starter")
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "started\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if n := of(t, dir); n < 4 { // the module, the guard, and two children of the module
		t.Fatalf("%d processes", n)
	}
	t.Setenv("TMPDIR", dir)
	pids := saidBy(t)
	if err := os.Remove(filepath.Join(dir, "said")); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if n := of(t, dir) + living(t, pids); n == 0 && len(left) == 0 {
			return
		} else if time.Now().After(deadline) {
			t.Fatalf("%d processes and %v are left", n, left)
		}
	}
}

// of counts the living processes whose environment has this TMPDIR.
func of(t *testing.T, dir string) int {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil || len(all) == 0 {
		t.Skip("no /proc here")
	}
	n := 0
	for _, f := range all {
		if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), "TMPDIR="+dir) {
			n++
		}
	}
	return n
}
