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

// guard is a shell that ends what a module has started outside of its process group, and removes the temporary folder and its
// lock. It outlives this program after any end for long enough to kill the process group too.
type guard struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// The last line that it reads is the group, or 0 when that has been ended. On Linux it finds children in sessions of their own by
// the socket in their environment and by their folder. A process that has left both behind is not found.
// It looks several times, for children may start others.
const guarding = `trap '' INT HUP TERM QUIT
p=0
while read -r x; do p=$x; done
end() {
	[ "$p" = 0 ] || kill -s KILL -- "-$p" 2>/dev/null
	i=0
	while [ $((i += 1)) -le 100 ]; do
		all=
		for f in $(grep -lsF -- "$1/socket" /proc/[0-9]*/environ); do f=${f#/proc/}; all="$all ${f%/environ}"; done
		for d in /proc/[0-9]*; do [ "$d/cwd" -ef "$1" ] && all="$all ${d#/proc/}"; done
		[ -n "$all" ] || break
		kill -s KILL $all 2>/dev/null
	done
	rm -rf -- "$1" "$1.lock"
}
end "$1"`

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

// release ends the guard, once the process group has been ended.
func (g *guard) release() {
	g.watch(0)
	_ = g.pipe.Close()
	_ = g.cmd.Wait()
}
