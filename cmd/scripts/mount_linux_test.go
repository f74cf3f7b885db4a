package scripts

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"schedsweep/harness/folder"
)

// TestFullDisk fills a file system of 256 kB: the run says what happened and what to do, keeps all rows that it
// wrote completely, and goes on when there is room.
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
	if out, err := exec.Command(prog, append(append([]string{"run"}, slow...), other, "--set", "workload.jobs=50",
		"--quiet")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if hashOf(t, dir) != hashOf(t, other) {
		t.Error("after a full disk the table differs")
	}
}

// TestFinishedFolderThatIsReadOnly: there is nothing to do and nothing to write.
func TestFinishedFolderThatIsReadOnly(t *testing.T) {
	mount := t.TempDir()
	if err := syscall.Mount("tmpfs", mount, "tmpfs", 0, "size=16m"); err != nil {
		t.Skipf("this machine lets us mount no tmpfs: %v (CI as root does)", err)
	}
	defer func() {
		if err := syscall.Unmount(mount, 0); err != nil {
			t.Error(err)
		}
	}()
	prog, dir := program(t), filepath.Join(mount, "run")
	args := append(append([]string{"run"}, slow...), dir, "--set", "workload.jobs=20")
	if out, err := exec.Command(prog, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// So that something would be written: the folder was moved without its locks and
	// lost a file.
	for _, lost := range []string{"provenance.json", filepath.Join(folder.Instances, ".shard-0-of-1.lock")} {
		if err := os.Remove(filepath.Join(dir, lost)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mount("", mount, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(prog, args...).CombinedOutput(); err != nil || !strings.Contains(string(out), "nothing left to do") {
		t.Errorf("finished and read-only: %v\n%s", err, out)
	}
	more := append(args, "--set", "replications=21")
	if out, err := exec.Command(prog, more...).CombinedOutput(); err == nil || !strings.Contains(string(out), "read-only file system: the "+
		"folder cannot be written; mend its permissions") {
		t.Errorf("not finished and read-only: %v\n%s", err, out)
	}
}
