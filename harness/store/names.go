package store

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	shardPattern   = regexp.MustCompile(`^(\d+)-of-(\d+)$`)
	attemptPattern = regexp.MustCompile(`^[A-Za-z0-9._+-]+$`)
	numberPattern  = regexp.MustCompile(`^a(\d{6,9})-`)
	partPattern    = regexp.MustCompile(`^part-(\d+-of-\d+)-([A-Za-z0-9._+-]+)-(\d{6,})\.parquet$`)
)

const (
	tempPrefix = "."    // hidden, so that no *.parquet of a shell or a reader takes a temporary
	tempSuffix = ".tmp" // and a reader that lists hidden files does not either
)

// NewAttempt names the attempt that is about to write to the datasets: a number
// above that of every attempt whose rows the folders hold, or whose unfinished files. Then follow, for people, the UTC time and
// what makes it unique (host and process id). Clocks decide nothing. Characters that a file name should not hold become '_'.
func NewAttempt(start time.Time, unique string, dirs ...string) (string, error) {
	number := 0
	for _, dir := range dirs {
		latest, err := latestAttempt(dir)
		if err != nil {
			return "", err
		}
		number = max(number, latest)
	}
	clean := strings.Map(func(r rune) rune {
		if r < 128 && attemptPattern.MatchString(string(r)) {
			return r
		}
		return '_'
	}, unique)
	return fmt.Sprintf("a%06d-%s-%s", number+1, start.UTC().Format("20060102T150405.000000000Z"), clean), nil
}

// latestAttempt is the highest number of an attempt in the folder, which holds
// something, 0 where there is none.
func latestAttempt(dir string) (number int, err error) {
	parts, err := completeParts(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	for _, p := range parts {
		for _, s := range p.segments {
			number = max(number, attemptNumber(s.Attempt))
		}
	}
	entries, err := filesOf(dir)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		final, _ := finalName(e.Name())
		if _, attempt, _, ok := parsePartName(final); ok {
			number = max(number, attemptNumber(attempt))
		}
	}
	return number, nil
}

// attemptNumber returns the number in the name of an attempt; 0 for names of older
// releases, which begin with their time.
func attemptNumber(attempt string) int {
	m := numberPattern.FindStringSubmatch(attempt)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return 0
	}
	return n
}

func checkShard(s string) error {
	m := shardPattern.FindStringSubmatch(s)
	if m == nil {
		return fmt.Errorf("store: shard %q: write it i-of-n, such as 0-of-1", s)
	}
	i, errI := strconv.Atoi(m[1])
	n, errN := strconv.Atoi(m[2])
	if errI != nil || errN != nil || i >= n {
		return fmt.Errorf("store: shard %q: i must be in [0, n)", s)
	}
	return nil
}

func checkAttempt(s string) error {
	if !attemptPattern.MatchString(s) {
		return fmt.Errorf("store: attempt %q: letters, digits, and . _ + - only, at least one (see NewAttempt)", s)
	}
	return nil
}

func partName(shard, attempt string, seq int) string {
	return fmt.Sprintf("part-%s-%s-%06d.parquet", shard, attempt, seq)
}

func parsePartName(name string) (shard, attempt string, seq int, ok bool) {
	m := partPattern.FindStringSubmatch(name)
	if m == nil {
		return "", "", 0, false
	}
	seq, err := strconv.Atoi(m[3])
	return m[1], m[2], seq, err == nil
}

func tempName(final string) string { return tempPrefix + final + tempSuffix }

// probeName is the file that NewWriter writes and removes to see that it can.
func probeName(shard, attempt string) string { return "probe-" + shard + "-" + attempt }

func finalName(temp string) (string, bool) {
	rest, a := strings.CutPrefix(temp, tempPrefix)
	rest, b := strings.CutSuffix(rest, tempSuffix)
	return rest, a && b
}

func shardIndex(s string) int {
	if m := shardPattern.FindStringSubmatch(s); m != nil {
		if i, err := strconv.Atoi(m[1]); err == nil {
			return i
		}
	}
	return -1
}

// The format's own footer keys. Everything else in the footer is provenance.
const (
	keyReserved = "schedsweep.store."
	keyFormat   = keyReserved + "format"   // formatVersion
	keySchema   = keyReserved + "schema"   // JSON of Schema
	keyPart     = keyReserved + "part"     // random name of this part, kept when the file is renamed
	keySegments = keyReserved + "segments" // JSON of []segment
	keySources  = keyReserved + "sources"  // merged parts: JSON list of the keyPart of the sources
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
	slices.SortFunc(all, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return all, nil
}

func checkMeta(meta map[string]string) error {
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(meta)), func(k string) bool {
		return k != "" && k != keyArrow && !strings.HasPrefix(k, keyReserved)
	})
	if len(keys) == 0 {
		return nil
	}
	return fmt.Errorf("store: provenance keys %q: a key must not be empty, %s, or begin with %s", keys, keyArrow, keyReserved)
}

func newPartID() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand aborts the program instead)
	return hex.EncodeToString(b[:])
}
