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

// ceiling returns the number of bytes of memory that a process may have after it has read a log:
// half of what the machine, its container or GOMEMLIMIT give, for the jobs that are made of the log
// lie beside it. 0 is no bound.
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
		b.since = 0
		if err := within(b.most); err != nil {
			return 0, err
		}
	}
	n, err := b.Reader.Read(p[:min(len(p), checkedBytes)])
	b.since += n
	return n, err
}

// within is an error where the program uses more bytes than the limit.
func within(most int64) error {
	if inUse() <= most {
		return nil
	}
	runtime.GC() // frees data of earlier reads that the program needs no more
	if used := inUse(); used > most {
		return fmt.Errorf("%w: the program uses %d MiB, and up to %d MiB are for logs (half of the memory): take a part of the log, or a "+
			"machine with more memory", lines.ErrMemory, used>>20, most>>20)
	}
	return nil
}

func inUse() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
