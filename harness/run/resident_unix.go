//go:build unix

package run

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// residentPeak is the most memory that this process had resident so far, in bytes; 0 where the system does not tell.
func residentPeak() int64 {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(used.Maxrss)
	}
	return int64(used.Maxrss) << 10
}
