package input

import (
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
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
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
