package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
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
// above that of every attempt whose rows the folders hold, or whose unfinished
// files, then, for people, the UTC time and what makes it unique (host and process
// id). Clocks decide nothing. Characters that a file name should not hold become
// '_'.
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

// latestAttempt is the highest number of an attempt of which the folder holds
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
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, fmt.Errorf("store: listing dataset %s: %w", dir, err)
	}
	for _, e := range entries {
		final, _ := finalName(e.Name())
		if _, attempt, _, ok := parsePartName(final); ok {
			number = max(number, attemptNumber(attempt))
		}
	}
	return number, nil
}

// attemptNumber is the number in the name of an attempt; 0 for the names that
// begin with their time, which folders of before hold.
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

// probeName is what NewWriter writes and removes to see that it can.
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
