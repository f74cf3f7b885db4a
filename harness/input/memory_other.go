//go:build !linux

package input

// machineMemory is not known here: GOMEMLIMIT bounds the memory of logs.
func machineMemory() int64 { return 0 }
