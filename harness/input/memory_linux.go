package input

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"schedsweep/harness/store"
)

// machineMemory is the memory of the machine, or of the container where that is less,
// in bytes; 0 where nothing tells.
func machineMemory() int64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	most := int64(info.Totalram) * int64(info.Unit)
	own, _ := store.ReadRegular("/proc/self/cgroup") // where there is none, the machine's memory is the bound
	for _, file := range limitFiles(string(own)) {
		text, err := store.ReadRegular(file)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 { // "max" is none
			most = min(most, n)
		}
	}
	return most
}

// limitFiles are the files that may bound the memory of a process whose /proc/self/cgroup is own: of its cgroup and of
// all above it, such as those of a job and its steps under a batch engine.
func limitFiles(own string) []string {
	files := []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}
	for line := range strings.Lines(own) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3) // cgroups(7): number, controllers, path
		if len(f) < 3 {
			continue
		}
		root, name := "/sys/fs/cgroup", "memory.max"
		switch {
		case slices.Contains(strings.Split(f[1], ","), "memory"):
			root, name = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		case f[1] != "":
			continue
		}
		for at := path.Clean("/" + f[2]); at != "/"; at = path.Dir(at) {
			files = append(files, path.Join(root, at, name))
		}
	}
	return files
}
