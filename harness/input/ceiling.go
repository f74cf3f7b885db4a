package input

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"schedsweep/sim/workload/lines"
)

// ceiling is how many bytes of memory a process may have when it has read a log: half
// of what the machine, its container or GOMEMLIMIT give, for the jobs that are made of
// the log lie beside it. 0 is no bound.
func ceiling() int64 {
	most := int64(math.MaxInt64)
	if own := machineMemory(); own > 0 {
		most = own
	}
	if most = min(most, debug.SetMemoryLimit(-1)); most == math.MaxInt64 {
		return 0
	}
	return most / 2
}

// checkedBytes is after how many bytes of a file the memory is looked at: compressed
// by gzip they become at most a thousand times as many of text.
const checkedBytes = 1 << 14

// bounded reads a log until it has filled the memory.
type bounded struct {
	io.Reader
	most  int64 // 0 is no bound
	since int   // bytes
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.since >= checkedBytes && b.most > 0 {
		if b.since = 0; inUse() > b.most {
			runtime.GC() // what was read before and is not needed any more
			if used := inUse(); used > b.most {
				return 0, fmt.Errorf("%w: the program uses %d MiB, and up to %d MiB are for logs (half of the memory): take a part of "+
					"the log, or a machine with more memory", lines.ErrMemory, used>>20, b.most>>20)
			}
		}
	}
	n, err := b.Reader.Read(p[:min(len(p), checkedBytes)])
	b.since += n
	return n, err
}

func inUse() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
