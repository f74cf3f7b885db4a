//go:build unix

package external

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// Apart gives the program a process group of its own, by which all that it starts
// can be ended with it.
func Apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func KillAll(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }

// guard is a shell that outlives this program after any end for long enough to kill a process group and to remove a
// temporary folder and its lock.
type guard struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// The last line that it reads is the group, or 0 when that has been ended. On Linux it finds children outside the group by
// the socket in their environment and by their folder (see stragglers).
const guarding = `trap '' INT HUP TERM QUIT
p=0
while read -r x; do p=$x; done
if [ "$p" != 0 ]; then
	kill -s KILL -- "-$p" 2>/dev/null
	for i in 1 2 3 4 5; do
		all=
		for f in $(grep -lsF -- "$1/socket" /proc/[0-9]*/environ); do f=${f#/proc/}; all="$all ${f%/environ}"; done
		for d in /proc/[0-9]*; do [ "$d/cwd" -ef "$1" ] && all="$all ${d#/proc/}"; done
		[ -n "$all" ] || break
		kill -s KILL $all 2>/dev/null
		sleep 1
	done
fi
rm -rf -- "$1" "$1.lock"`

func newGuard(dir string) (*guard, error) {
	cmd := exec.Command("/bin/sh", "-c", guarding, "sh", dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	return &guard{cmd, pipe}, cmd.Start()
}

func (g *guard) watch(pid int) { _, _ = fmt.Fprintln(g.pipe, pid) }

// release ends the guard, which removes the folder.
func (g *guard) release() {
	g.watch(0)
	_ = g.pipe.Close()
	_ = g.cmd.Wait()
}
