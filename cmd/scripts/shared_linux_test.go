package scripts

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestTwoUsersInOneFolder: with umask 002 and a setgid folder two users run shards, merge and analyse. A user outside of the group reads
// with --to, and learns which folder cannot be written.
func TestTwoUsersInOneFolder(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root to become several users (CI is)")
	}
	home, err := os.MkdirTemp("", "schedsweep-users")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	prog, manifest, shared := filepath.Join(home, "schedsweep"), filepath.Join(home, "m.yaml"), filepath.Join(home, "shared")
	const group, anna, ben, guest = 5000, 5001, 5002, 5003
	for _, f := range []struct{ from, to string }{{self, prog}, {"../../manifests/quickstart.yaml", manifest}} {
		content, err := os.ReadFile(f.from)
		if err == nil {
			err = os.WriteFile(f.to, content, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{os.Chmod(home, 0o755), os.Mkdir(shared, 0o755), os.Chown(shared, anna, group),
		os.Chmod(shared, 0o775|fs.ModeSetgid)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(shared, "run")
	as := func(user, group uint32, verb string, more ...string) (string, error) {
		args := []string{"-c", `umask 002; exec "$0" "$@"`, prog, verb, manifest, "--set", "workload.jobs=12", "--set", "replications=3", "--out", dir}
		c := exec.Command("/bin/sh", append(args, more...)...)
		c.Dir, c.Env = home, []string{"PATH=/bin:/usr/bin", "HOME=/nonexistent"}
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: group}}
		out, err := c.CombinedOutput()
		return string(out), err
	}
	must := func(out string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	must(as(anna, group, "run", "--quiet", "--shard", "1/2"))
	must(as(ben, group, "run", "--quiet", "--shard", "2/2"))
	must(as(ben, group, "merge"))
	must(as(anna, group, "status", "--check"))
	must(as(ben, group, "analyze", "--quiet"))
	must(as(anna, group, "analyze", "--quiet"))

	more := []string{"--set", "replications=4", "--quiet"}
	if out, err := as(guest, guest, "run", more...); err == nil || !strings.Contains(out, "permission denied") || !strings.Contains(out, dir) {
		t.Errorf("a run by a user without permission: %v\n%s", err, out)
	}
	if out, err := as(guest, guest, "run", "--out", filepath.Join(shared, "new")); err == nil || !strings.Contains(out, "permission denied") ||
		strings.Count(out, "--out") != 1 || strings.Count(out, "run folder") != 1 {
		t.Errorf("a folder that cannot be made: error %v\n%s", err, out)
	}
	if out, err := as(guest, guest, "analyze", "--quiet"); err == nil || !strings.Contains(out, "--to") {
		t.Errorf("analyze by a user without permission: %v\n%s", err, out)
	}
	own := filepath.Join(home, "own")
	if err := os.Mkdir(own, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(own, guest, guest); err != nil {
		t.Fatal(err)
	}
	must(as(guest, guest, "analyze", "--quiet", "--to", filepath.Join(own, "analysis")))
	must(as(anna, group, "run", more...))
}

// TestJumpsOfTheClock: files from a far future and a far past change no rows.
func TestJumpsOfTheClock(t *testing.T) {
	prog, dir := program(t), filepath.Join(t.TempDir(), "run")
	call := func(verb, dir string, more ...string) {
		t.Helper()
		args := []string{verb, "../../manifests/quickstart.yaml", "--set", "workload.jobs=12", "--set", "replications=3", "--out", dir}
		if out, err := exec.Command(prog, append(args, more...)...).CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", verb, more, err, out)
		}
	}
	jump := func(to time.Time) {
		t.Helper()
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err == nil {
				err = os.Chtimes(path, to, to)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	whole := filepath.Join(t.TempDir(), "whole")
	call("run", whole, "--quiet")
	call("run", dir, "--quiet", "--shard", "1/3")
	jump(time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC))
	call("run", dir, "--quiet", "--shard", "2/3")
	jump(time.Date(1971, 1, 1, 0, 0, 0, 0, time.UTC))
	call("merge", dir)
	call("run", dir, "--quiet", "--shard", "3/3")
	jump(time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC))
	call("run", dir, "--quiet")
	call("status", dir, "--check")
	if hashOf(t, dir) != hashOf(t, whole) {
		t.Error("after jumps of the clock the table differs")
	}
}
