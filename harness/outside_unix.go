//go:build unix

package harness

import (
	"os"
	"os/exec"
	"syscall"
)

// apart gives the program a process group of its own, by which all that it starts
// can be ended with it.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killAll(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
