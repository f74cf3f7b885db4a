package logtable

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"schedsweep/sim/workload/lines"
	"schedsweep/sim/workload/swf"
)

// named is the number from which names of queues and partitions are counted, in logs
// that name them: numbers stay as they are.
const named = 1_000_000

// swfNames are the fields of SWF that stand for names, by their place.
var swfNames = map[int]string{0: "job", 11: "user", 12: "group", 13: "executable", 14: "queue", 15: "partition", 16: "job", 20: "property"}

// RedactSWF writes a log anew. Its fields are numbers afterwards: jobs, users, groups and
// executables have new ones, and so have queues, partitions and properties that are no
// numbers; keep names fields among these that stay. Of the header it writes what counts,
// as far as it is numbers and dates.
func RedactSWF(name string, r io.Reader, w io.Writer, how *Redaction) (*Redacted, error) {
	for _, k := range how.Keep {
		if !slices.Contains(swfFields, k) {
			return nil, fmt.Errorf("%s has no field %q that could be kept; it has %s", name, k, strings.Join(swfFields, ", "))
		}
	}
	l, err := lines.NewReader(name, r, text)
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	done, times := newRedactor(how), swfTimes{weeks: how.Weeks, zone: time.UTC}
	for _, note := range how.notes() {
		fmt.Fprintf(out, "; Note: %s\n", note) // Flush returns the first error
	}
	for {
		line, err := l.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if comment, is := bytes.CutPrefix(bytes.TrimSpace(line), []byte(";")); is || len(comment) == 0 {
			key, value, _ := strings.Cut(string(comment), ":")
			key, value = strings.TrimSpace(key), strings.TrimSpace(value)
			if times.header(key, value) {
				continue
			}
			if value, ok := how.header(key, value); ok {
				fmt.Fprintf(out, "; %s: %s\n", key, value)
			}
			continue
		}
		f := bytes.Fields(line)
		if len(f) != swf.Fields && len(f) != swf.TodayFields {
			done.Left++
			continue
		}
		times.begin(out, f[1])
		for i, field := range f {
			f[i] = done.field(i, field)
		}
		f[1] = times.moved(f[1])
		out.Write(bytes.Join(f, []byte(" ")))
		out.WriteByte('\n')
		done.Rows++
	}
	times.begin(out, nil)
	done.report(swfFields)
	done.Kept = []string{"numbers of all other fields"}
	return &done.Redacted, out.Flush()
}

// swfTimes moves a log's UnixStartTime so that the clock of the log's zone moves by whole weeks, and submit times by as many seconds
// where they count from 1970 too.
type swfTimes struct {
	weeks        int
	zone         *time.Location
	start        int64
	known, begun bool  // the start is known; it is written
	by           int64 // of submit times, s
}

// header reads an entry of the header, and reports whether begin writes it: the zone may come behind it.
func (s *swfTimes) header(key, value string) bool {
	first, _, _ := strings.Cut(value, " ")
	switch key {
	case "UnixStartTime":
		if n, err := strconv.ParseInt(first, 10, 64); err == nil && !s.known {
			s.start, s.known = n, true
		}
		return true
	case "TimeZoneString":
		if z := swf.Zone(first); z != nil {
			s.zone = z
		}
	}
	return false
}

// begin writes the start before the first job, or at the end of a log without jobs; submit is the first submit time.
func (s *swfTimes) begin(w io.Writer, submit []byte) {
	if s.begun {
		return
	}
	s.begun = true
	by := int64(s.weeks) * 7 * 86400
	if s.known {
		if s.weeks != 0 {
			by = time.Unix(s.start, 0).In(s.zone).AddDate(0, 0, 7*s.weeks).Unix() - s.start
		}
		fmt.Fprintf(w, "; UnixStartTime: %d\n", s.start+by)
	}
	if first, ok := swf.Decimal(submit); ok && first >= swf.Epoch {
		s.by = by
	}
}

func (s *swfTimes) moved(submit []byte) []byte {
	if s.by == 0 {
		return submit
	}
	if n, err := strconv.ParseInt(string(submit), 10, 64); err == nil {
		return strconv.AppendInt(nil, n+s.by, 10)
	} else if x, ok := swf.Decimal(submit); ok {
		return strconv.AppendFloat(nil, x+float64(s.by), 'f', -1, 64)
	}
	return submit
}

// swfFields are the fields that may be kept.
var swfFields = []string{"job", "user", "group", "executable", "queue", "partition", "property"}

func (r *redactor) field(at int, text []byte) []byte {
	class, is := swfNames[at]
	_, numeric := swf.Decimal(text)
	switch {
	case is && slices.Contains(r.Keep, class), numeric && !is, string(text) == "-1":
		return text
	case !is:
		r.Empty++
		return []byte("-1")
	case class == "property":
		return r.property(string(text))
	case class != "queue" && class != "partition":
		return []byte(r.note(class, r.Number(class, text)))
	case numeric:
		return text
	}
	n, err := strconv.Atoi(r.Number(class, text))
	if err != nil { // the translation was edited
		r.Empty++
		return []byte("-1")
	}
	return []byte(r.note(class, strconv.Itoa(named+n)))
}

// property gives what nodes must have a name, and keeps how many nodes and cores it is of. Nodes of all clusters do for "all".
func (r *redactor) property(text string) []byte {
	parts := strings.Split(text, ":")
	if parts[0] != "all" && parts[0] != "-1" {
		parts[0] = r.note("property", r.Number("property", []byte(parts[0])))
	}
	kept := parts[:1]
	for _, part := range parts[1:] {
		nodes, cores, ok := swf.NodesAndCores(part)
		switch {
		case ok:
			kept = append(kept, fmt.Sprintf("%dx%d", nodes, cores))
		case part == "excl":
			kept = append(kept, part)
		default:
			r.Empty++
		}
	}
	return []byte(strings.Join(kept, ":"))
}

// header is the value of an entry of the header, written again, false where it is left out.
func (r *Redaction) header(key, value string) (string, bool) {
	first, _, _ := strings.Cut(value, " ")
	switch key {
	case "Version":
		_, ok := swf.Number([]byte(first))
		return first, ok
	case "MaxProcs", "MaxNodes", "MaxJobs", "MaxRecords", "MaxRuntime", "TimeZone":
		n, err := strconv.ParseInt(first, 10, 64)
		return strconv.FormatInt(n, 10), err == nil
	case "TimeZoneString":
		return first, swf.Zone(first) != nil
	case "Preemption":
		return first, slices.Contains([]string{"No", "Yes", "Double", "TS"}, first)
	case "StartTime", "EndTime":
		// The zone's abbreviation is no word of a list, and readers pass over it.
		at, ok := swf.Date(value)
		return at.AddDate(0, 0, 7*r.Weeks).Format("Mon Jan 2 15:04:05 LT 2006"), ok
	}
	return "", false
}
