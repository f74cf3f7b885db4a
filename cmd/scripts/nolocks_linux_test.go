package scripts

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// nolocks runs a program for which the system answers every flock as a file system
// without locks does, with ENOLCK.
func nolocks() {
	const loadNumber, ifEqual, answer = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K,
		unix.BPF_RET | unix.BPF_K
	filter := []unix.SockFilter{
		{Code: loadNumber}, // the number of the call comes first
		{Code: ifEqual, K: unix.SYS_FLOCK, Jf: 1},
		{Code: answer, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOLCK)},
		{Code: answer, K: unix.SECCOMP_RET_ALLOW},
	}
	runtime.LockOSThread() // the filter is the thread's, and then the program's
	prog, err := exec.LookPath(os.Args[1])
	if err == nil {
		err = unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	}
	if err == nil {
		list := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
		err = unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&list)), 0, 0)
	}
	if err == nil {
		err = syscall.Exec(prog, os.Args[1:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "nolocks:", err)
	os.Exit(1)
}
