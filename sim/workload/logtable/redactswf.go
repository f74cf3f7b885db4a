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
// as far as it is numbers and dates; zone tells whether a name is one of a time zone.
func RedactSWF(name string, r io.Reader, w io.Writer, how *Redaction, zone func(string) bool) (*Redacted, error) {
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
	done := newRedactor(how)
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
			if value, ok := how.header(strings.TrimSpace(key), strings.TrimSpace(value), zone); ok {
				fmt.Fprintf(out, "; %s: %s\n", strings.TrimSpace(key), value)
			}
			continue
		}
		f := bytes.Fields(line)
		if len(f) != swf.Fields && len(f) != swf.TodayFields {
			done.Left++
			continue
		}
		for i, field := range f {
			f[i] = done.field(i, field)
		}
		out.Write(bytes.Join(f, []byte(" ")))
		out.WriteByte('\n')
		done.Rows++
	}
	done.report(swfFields)
	done.Kept = []string{"numbers of all other fields"}
	return &done.Redacted, out.Flush()
}

// swfFields are the fields that may be kept.
var swfFields = []string{"job", "user", "group", "executable", "queue", "partition", "property"}

func (r *redactor) field(at int, text []byte) []byte {
	class, is := swfNames[at]
	_, numeric := number(text)
	switch {
	case is && slices.Contains(r.Keep, class), numeric && !is, string(text) == "-1":
		return text
	case !is:
		r.Empty++
		return []byte("-1")
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

// header is the value of an entry of the header, written again, false where it is left out.
func (r *Redaction) header(key, value string, zone func(string) bool) (string, bool) {
	first, _, _ := strings.Cut(value, " ")
	switch key {
	case "Version":
		_, ok := swf.Number([]byte(first))
		return first, ok
	case "MaxProcs", "MaxNodes", "MaxJobs", "MaxRecords", "MaxRuntime", "UnixStartTime", "TimeZone":
		n, err := strconv.ParseInt(first, 10, 64)
		if key == "UnixStartTime" {
			n += int64(r.Weeks) * 7 * 86400
		}
		return strconv.FormatInt(n, 10), err == nil
	case "TimeZoneString":
		return first, zone(first)
	case "Preemption":
		return first, slices.Contains([]string{"No", "Yes", "Double", "TS"}, first)
	case "StartTime", "EndTime":
		// The zone's abbreviation is no word of a list, and readers pass over it.
		f := strings.Fields(value)
		if len(f) != 6 {
			return "", false
		}
		const layout = "Mon Jan 2 15:04:05 2006"
		at, err := time.Parse(layout, strings.Join(append(f[:4:4], f[5]), " "))
		return at.AddDate(0, 0, 7*r.Weeks).Format("Mon Jan 2 15:04:05 LT 2006"), err == nil
	}
	return "", false
}
