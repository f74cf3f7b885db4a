package store

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// The format's own footer keys. Everything else in the footer is provenance.
const (
	keyReserved = "schedsweep.store."
	keyFormat   = keyReserved + "format"   // formatVersion
	keySchema   = keyReserved + "schema"   // JSON of Schema
	keyPart     = keyReserved + "part"     // random name of this part, kept when the file is renamed
	keySegments = keyReserved + "segments" // JSON of []segment
	keySources  = keyReserved + "sources"  // merged parts: JSON list of the keyPart of what was merged
	keySums     = keyReserved + "sums"     // JSON of sums
	keyArrow    = "ARROW:schema"           // arrow's own, which brings categories back as dictionaries
)

// formatVersion is raised when a reader of the older format would misread a part.
const formatVersion = "1"

// segment is a run of rows that one shard wrote in one attempt. A part as
// written has one segment; a merged part has those of its sources, in order.
type segment struct {
	Shard   string `json:"shard"`
	Attempt string `json:"attempt"`
	Seq     int    `json:"seq"`
	Rows    int    `json:"rows"`
}

// compare orders segments by the number of the attempt, shard, and sequence:
// later wins. Attempts without a number come first, by name.
func (a segment) compare(b segment) int {
	x, y := attemptNumber(a.Attempt), attemptNumber(b.Attempt)
	if x != y {
		return x - y
	}
	if c := strings.Compare(a.Attempt, b.Attempt); x == 0 && c != 0 {
		return c
	}
	if x, y := shardIndex(a.Shard), shardIndex(b.Shard); x != y {
		return x - y
	}
	return cmp.Or(strings.Compare(a.Shard, b.Shard), strings.Compare(a.Attempt, b.Attempt), a.Seq-b.Seq)
}

// ended tells of a segment that who wrote it has ended, to one who holds the lock of
// that shard and writes as that attempt.
func (a segment) ended(shard, attempt string) bool {
	if a.Shard == shard {
		return attemptNumber(a.Attempt) < attemptNumber(attempt)
	}
	_, n, _ := strings.Cut(a.Shard, shardOf)
	_, of, _ := strings.Cut(shard, shardOf)
	return n != of
}

type footer struct {
	meta     map[string]string
	part     string
	segments []segment
	sources  []string
}

func (f footer) pairs(s Schema) ([][2]string, error) {
	schema, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	segments, err := json.Marshal(f.segments)
	if err != nil {
		return nil, err
	}
	all := [][2]string{{keyFormat, formatVersion}, {keySchema, string(schema)}, {keyPart, f.part}, {keySegments, string(segments)}}
	if len(f.sources) > 0 {
		sources, err := json.Marshal(f.sources)
		if err != nil {
			return nil, err
		}
		all = append(all, [2]string{keySources, string(sources)})
	}
	for k, v := range f.meta {
		all = append(all, [2]string{k, v})
	}
	sort.Slice(all, func(i, j int) bool { return all[i][0] < all[j][0] })
	return all, nil
}

func checkMeta(meta map[string]string) error {
	keys := make([]string, 0, len(meta))
	for k := range meta {
		if k == "" || k == keyArrow || strings.HasPrefix(k, keyReserved) {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	sort.Strings(keys)
	return fmt.Errorf("store: provenance keys %q: a key must not be empty, %s, or begin with %s", keys, keyArrow, keyReserved)
}

func newPartID() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand aborts the program instead)
	return hex.EncodeToString(b[:])
}
