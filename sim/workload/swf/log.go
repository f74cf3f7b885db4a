package swf

import (
	"slices"
	"sync"
)

// Log is a parsed log. It does not change and may be shared freely.
type Log struct {
	// Name is what the log was called when it was parsed; for messages.
	Name string
	// Header is what the comment lines say.
	Header Header
	// Names are what numbers in the records stand for.
	Names Names

	records  [][]Record // in blocks, for logs are long
	extras   []Extra    // of each record; nil where the log has none
	size     int        // of them together
	waits    bool       // some are known
	distinct bool       // job numbers ascend in the file
	invalid  error      // the first line that cannot be read, nil if there is none
	short    Finding
	notWhole Finding
	unsorted Finding
	found    []Finding // by a reader of another format
	notes    []string  // what else it has to say
	// fromEpoch are submit times that counted from 1970.
	fromEpoch Finding

	mu       sync.Mutex
	prepared memo[Rules, *Prepared]
}

// Records returns a copy of the jobs in order of submission; equal times in order
// of the file.
func (l *Log) Records() []Record { return slices.Concat(l.records...) }

// At is the record at a position of [Log.Records]. It is not to be changed.
func (l *Log) At(i int) *Record {
	if len(l.records) == 1 {
		return &l.records[0][i]
	}
	return &l.records[i/recordBlock][i%recordBlock]
}

// Extra is what the log says beyond the record at a position.
func (l *Log) Extra(i int) Extra {
	if l.extras == nil {
		return noExtra
	}
	return l.extras[i]
}

// Waits reports whether any wait time (field 3) is known.
func (l *Log) Waits() bool { return l.waits }

// Invalid says what is wrong with the first line that cannot be read: nil where
// every one can.
func (l *Log) Invalid() error { return l.invalid }

// memo keeps what was computed for the last few keys. It is not safe for
// concurrent use by itself. Look-up is linear in the few entries.
type memo[K comparable, V any] struct {
	keys   []K
	values []V
}

const most = 16

func (m *memo[K, V]) get(key K) (v V, ok bool) {
	for i, k := range m.keys {
		if k == key {
			return m.values[i], true
		}
	}
	return v, false
}

func (m *memo[K, V]) put(key K, v V) {
	if len(m.keys) == most {
		m.keys = append(m.keys[:0], m.keys[1:]...)
		m.values = append(m.values[:0], m.values[1:]...)
	}
	m.keys = append(m.keys, key)
	m.values = append(m.values, v)
}
