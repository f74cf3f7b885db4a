//go:build !linux

package input

// machineMemory is not known here: GOMEMLIMIT bounds what logs may take.
func machineMemory() int64 { return 0 }
