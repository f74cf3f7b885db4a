package external

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"schedsweep/harness/store"
)

// stragglers are the living processes that the module's process has started, also in sessions of their own:
// all of its group, all whose environment names its socket or who work in its folder, and their descendants. A process
// that has left the folder, its parents and the environment behind is not found.
func stragglers(group int, dir string) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		real = dir
	}
	parents, in := map[int]int{}, map[int]bool{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		parent, of, alive := status(pid)
		if !alive {
			continue
		}
		parents[pid] = parent
		in[pid] = of == group || belongs(pid, dir, real)
	}
	for more := true; more; { // a child may have a smaller number than its parent
		more = false
		for pid, parent := range parents {
			if in[parent] && !in[pid] {
				in[pid], more = true, true
			}
		}
	}
	var all []int
	for pid, is := range in {
		if is {
			all = append(all, pid)
		}
	}
	return all
}

func belongs(pid int, dir, real string) bool {
	at := "/proc/" + strconv.Itoa(pid)
	if cwd, err := os.Readlink(at + "/cwd"); err == nil && (cwd == real || strings.HasPrefix(cwd, real+"/")) {
		return true
	}
	env, err := store.ReadRegular(at + "/environ")
	return err == nil && bytes.Contains(env, []byte(filepath.Join(dir, socketName)))
}

// status reads the parent and the group of a process, and whether it is more than a zombie.
func status(pid int) (parent, group int, alive bool) {
	b, err := store.ReadRegular("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, 0, false
	}
	// proc(5): pid (name) state parent group; the name may hold anything
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(f) < 3 || f[0] == "Z" || f[0] == "X" {
		return 0, 0, false
	}
	parent, err1 := strconv.Atoi(f[1])
	group, err2 := strconv.Atoi(f[2])
	return parent, group, err1 == nil && err2 == nil
}

func killStragglers(group int, dir string) {
	const rounds = 100 // against a child that starts others
	for range rounds {
		all := stragglers(group, dir)
		if len(all) == 0 {
			return
		}
		for _, pid := range all {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone
		}
	}
}
