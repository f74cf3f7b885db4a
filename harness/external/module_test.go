//go:build unix

package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"schedsweep/sim/host"
)

// TestMain lets the test binary be a module of many manners, and the program that
// starts one.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "module" {
		behave(os.Args[2])
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "starter" {
		var all Modules
		if _, err := all.Start(context.Background(), moduleOf("child", 30), ""); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("started")
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

func moduleOf(manner string, limit float64) host.Module {
	return host.Module{Command: []string{os.Args[0], "module", manner, "{socket}"}, Protocol: "lines", Limit: limit}
}

// behave is the module.
func behave(manner string) {
	switch manner {
	case "absent":
		time.Sleep(time.Hour)
	case "stillborn":
		fmt.Fprintln(os.Stderr, "no licence")
		os.Exit(3)
	case "rep", "rep parts", "rep bare", "rep command", "rep huge", "curve", "http", "shy":
		reply(manner)
		return
	case "child":
		c := exec.Command("sleep", "98766")
		if err := c.Start(); err != nil {
			panic(err)
		}
		apart("sleep 98765 & echo $!")
	case "environment":
		apart("env; echo")
	}
	conn, err := net.Dial("unix", os.Getenv("SCHEDSWEEP_SOCKET"))
	if err != nil {
		panic(err)
	}
	if manner == "brief" {
		return
	}
	in := bufio.NewReader(conn)
	for i := 0; ; i++ {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch {
		case i == 1 && manner == "hang":
			time.Sleep(time.Hour)
		case i == 1 && manner == "exit":
			fmt.Fprintln(os.Stderr, "Traceback: a mistake")
			os.Exit(1)
		case i == 1 && manner == "crash":
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			time.Sleep(time.Hour)
		case i == 1 && manner == "twice":
			fmt.Fprint(conn, "one\ntwo\n")
		case i == 1 && manner == "endless":
			fmt.Fprint(conn, "{}")
		case i == 1 && manner == "flood":
			for _, err := conn.Write(make([]byte, 1<<20)); err == nil; _, err = conn.Write(make([]byte, 1<<20)) {
			}
		case i == 1 && manner == "long":
			fmt.Fprintln(conn, strings.Repeat("x", 1<<20))
		default:
			fmt.Fprint(conn, strconv.Itoa(i), " ", line)
		}
	}
}

// A module gets the variables of a list, and no others.
func TestEnvironment(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("LC_ALL", "C")
	t.Setenv("PYTHONPATH", "/there")
	var all Modules
	m, err := all.Start(context.Background(), moduleOf("environment", 30), "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := m.End(false); err != nil {
			t.Error(err)
		}
	}()
	got := saidBy(t)
	for name, want := range map[string]bool{"AWS_SECRET_ACCESS_KEY": false, "LC_ALL": true, "PYTHONPATH": true, "PATH": true,
		"SCHEDSWEEP_SOCKET": true} {
		if has := slices.ContainsFunc(got, func(v string) bool { return strings.HasPrefix(v, name+"=") }); has != want {
			t.Errorf("%s is passed: %v, in %v", name, has, got)
		}
	}
}

func TestModulesThatMisbehave(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	t.Setenv("TMPDIR", t.TempDir())
	for manner, want := range map[string]string{
		"good":      "",
		"long":      "",
		"absent":    "it has not connected within 1 s (policy.timeout)",
		"stillborn": "exit status 3; its last words:\nno licence",
		"hang":      "no answer within 1s (policy.timeout), to the message second",
		"exit": "it has closed the connection, to the message second; the process ended: exit status 1; its last words:\nTraceback: a " +
			"mistake",
		"crash":   "it has closed the connection, to the message second; the process ended: signal: killed",
		"twice":   `it has sent more than one answer to the message before; the second begins "two\n"`,
		"endless": `no answer within 1s (policy.timeout): it has sent "{}", and no end of the line, to the message second`,
		"flood":   "an answer of more than 64 MB, to the message second",
	} {
		t.Run(manner, func(t *testing.T) {
			limit := 30.
			if manner == "absent" || manner == "hang" || manner == "endless" {
				limit = 1
			}
			var all Modules
			m, err := all.Start(context.Background(), moduleOf(manner, limit), "")
			if err == nil {
				for _, message := range []string{"first", "second", "third"} {
					var answer []byte
					if answer, err = m.Ask([]byte(message)); err != nil {
						break
					}
					if manner == "good" && !strings.HasSuffix(string(answer), " "+message) {
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

// A module that is kept is the same process in the next run; a run that ends by
// its limit keeps none.
func TestKeptModules(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var all Modules
	var got []string
	limit := errors.New("time limit")
	for i := range 4 {
		ctx, cancel := context.WithCancelCause(context.Background())
		m, err := all.Start(ctx, moduleOf("good", 30), "")
		if err != nil {
			t.Fatal(err)
		}
		answer, err := m.Ask([]byte("hello"))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(answer))
		if i == 2 {
			cancel(limit)
			if _, err := m.Ask([]byte("late")); !errors.Is(err, limit) {
				t.Errorf("error %v, want the run's limit", err)
			}
		}
		if err := m.End(true); err != nil {
			t.Error(err)
		}
		all.EndRun()
		cancel(nil)
	}
	if want := []string{"0 hello", "1 hello", "2 hello", "0 hello"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if err := errors.Join(all.Close(), all.Close()); err != nil || len(sockets(t)) > 0 {
		t.Errorf("error %v, left %v", err, sockets(t))
	}
}

// A kept module that has died since is started anew.
func TestKeptModuleThatDied(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var all Modules
	for range 2 {
		m, err := all.Start(context.Background(), moduleOf("good", 30), "")
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := m.Ask([]byte("hello")); err != nil || string(answer) != "0 hello" {
			t.Fatalf("%q, %v", answer, err)
		}
		if err := m.End(true); err != nil {
			t.Fatal(err)
		}
		all.EndRun()
		for _, kept := range all.kept {
			_ = KillAll(kept.process.cmd.Process)
			<-kept.process.over
		}
	}
	if err := all.Close(); err != nil {
		t.Error(err)
	}
}

// A module that somebody else has started is talked to and left alone.
func TestModuleAtASocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err == nil {
			_, _ = io.Copy(c, c)
		}
	}()
	var all Modules
	m, err := all.Start(context.Background(), host.Module{Socket: path, Protocol: "lines", Limit: 1e11}, "")
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := m.Ask([]byte("echo")); err != nil || string(answer) != "echo" {
		t.Errorf("%q, %v", answer, err)
	}
	if err := m.End(false); err != nil {
		t.Error(err)
	}
}
