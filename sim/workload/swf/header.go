package swf

import (
	"strconv"
	"strings"
	"time"
)

type Header struct {
	// Lines are all comment lines in order, without the semicolon that begins
	// them and without the space around them.
	Lines []string
}

// Get returns the value of the first line "key: value", without the space around
// it, and "" where there is none. Keys are compared without regard to case.
func (h *Header) Get(key string) string {
	for _, l := range h.Lines {
		k, v, found := strings.Cut(l, ":")
		if found && strings.EqualFold(strings.TrimSpace(k), key) {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// Int returns the whole number that the value of a key begins with, and whether
// there is one.
func (h *Header) Int(key string) (int64, bool) {
	f := strings.Fields(h.Get(key))
	if len(f) == 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(f[0], 10, 64)
	return n, err == nil
}

// Procs is the machine's size: MaxProcs, else MaxNodes, else 0.
func (h *Header) Procs() int {
	for _, key := range []string{"MaxProcs", "MaxNodes"} {
		if n, ok := h.Int(key); ok && n > 0 && n <= 1<<31-1 {
			return int(n)
		}
	}
	return 0
}

// LocalStart returns the local time of day and weekday of the log's time 0, and
// whether the log says so. The header's StartTime gives it, for it is local time
// in words; else UnixStartTime plus TimeZone (an offset in seconds, which many
// logs state wrongly). The location of the result is UTC whatever the log's is.
func (h *Header) LocalStart() (time.Time, bool) {
	if f := strings.Fields(h.Get("StartTime")); len(f) == 6 {
		// The zone's abbreviation is left out: its meaning depends on the
		// machine that parses it.
		s := strings.Join([]string{f[0], f[1], f[2], f[3], f[5]}, " ")
		if t, err := time.Parse("Mon Jan 2 15:04:05 2006", s); err == nil {
			return t, true
		}
	}
	start, ok := h.Int("UnixStartTime")
	if !ok || start <= 0 {
		return time.Time{}, false
	}
	offset, _ := h.Int("TimeZone")
	return time.Unix(start+offset, 0).UTC(), true
}
