package siteconf

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"schedsweep/sim/workload/logtable"
	"schedsweep/sweep/text"
)

// Bounds on the contents of one configuration.
const (
	maxFiles = 64
	maxNames = 1 << 19 // of nodes, in all lists together
	longest  = 255     // name of a node
	maxParts = 1000    // partitions, and node sets
	maxRows  = 50000   // of a table
	maxDepth = 100     // of accounts
)

// pair is Key=value in a file, or a cell of a table.
type pair struct {
	key, value string
	file       string
	line       int
	at         text.Position
}

// statement is a line: the pairs by key in small letters, and in their order.
type statement struct {
	first pair
	all   []pair
}

// of is the value of the first of these keys that the statement has.
func (s *statement) of(keys ...string) (pair, bool) {
	for _, key := range keys {
		for i := len(s.all) - 1; i >= 0; i-- {
			if strings.EqualFold(s.all[i].key, key) {
				return s.all[i], true
			}
		}
	}
	return pair{}, false
}

// conf is a configuration that is being read.
type conf struct {
	read       func(name string) ([]byte, error) // a file beside the first
	out        text.Sink
	notes      []note
	files      int
	names      int                    // of nodes that lists have named so far
	options    map[string]pair        // by key in small letters, the last of each
	taken      map[string]bool        // options that are carried over
	lines      map[string][]statement // of nodename, partitionname, nodeset, switchname
	kinds      map[string]int         // of nodes
	parts      []statement            // partitions in order
	associated []row                  // associations, where the site holds limits
	start      text.Position
	first      string // name of the first file
}

func newConf(read func(string) ([]byte, error)) *conf {
	return &conf{read: read, options: map[string]pair{}, taken: map[string]bool{}, lines: map[string][]statement{}, kinds: map[string]int{}}
}

// fault reports that a value is wrong, with the reason.
func (c *conf) fault(p pair, hint, format string, args ...any) {
	c.out.Add(p.at, hint, "%s=%s %s", p.key, text.Visible(p.value), fmt.Sprintf(format, args...))
}

// drop names a pair that is not carried over and may change decisions of the scheduler.
func (c *conf) drop(p pair, why string) {
	what := p.key
	if p.value != "" {
		what += "=" + p.value
	}
	c.notes = append(c.notes, note{p.file, p.line, what, why, true})
}

var (
	include  = regexp.MustCompile(`^(?i:include)\s+(\S+)$`)
	keyValue = regexp.MustCompile(`^([A-Za-z0-9_.]+\s*[-*+/]?)=[ \t]*(?:"([^"]*)"|(\S*))(?:\s+|$)`)
)

// file reads one file of the syntax of slurm.conf.
func (c *conf) file(path string, data []byte) {
	src := text.NewSource(path, c.files, data)
	name := filepath.Base(path)
	if c.files++; c.files == 1 {
		c.start, c.first = src.Start(), name
	}
	lines := strings.Split(strings.TrimPrefix(string(data), text.ByteOrderMark), "\n")
	for i := 0; i < len(lines); i++ {
		from := i
		line, starts := "", []int{0}
		for {
			part := strings.TrimRight(lines[i], " \t\r")
			more := strings.HasSuffix(part, `\`) && i+1 < len(lines)
			line += strings.TrimSuffix(part, `\`)
			if !more {
				break
			}
			starts = append(starts, len(line))
			i++
		}
		at := func(offset int) (int, text.Position) {
			k := len(starts) - 1
			for starts[k] > offset {
				k--
			}
			return from + k + 1, src.At(from+k+1, utf8.RuneCountInString(line[starts[k]:offset])+1)
		}
		c.statement(name, uncommented(line), at)
	}
}

// uncommented is a line up to its comment.
func uncommented(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] != '\\') {
			line = line[:i]
			break
		}
	}
	return strings.TrimRight(line, " \t\r")
}

// statement reads a line.
func (c *conf) statement(name, line string, at func(offset int) (int, text.Position)) {
	rest := strings.TrimLeft(line, " \t")
	offset := len(line) - len(rest)
	if m := include.FindStringSubmatch(rest); m != nil {
		n, pos := at(offset)
		c.include(pair{"Include", m[1], name, n, pos})
		return
	}
	var s statement
	for rest != "" {
		n, pos := at(offset)
		m := keyValue.FindStringSubmatch(rest)
		if m == nil {
			c.out.Add(pos, "write Key=value, with blanks between pairs, and quotes around values with blanks", "this is no Key=value")
			return
		}
		s.all = append(s.all, pair{strings.ReplaceAll(strings.ReplaceAll(m[1], " ", ""), "\t", ""), m[2] + m[3], name, n, pos})
		offset, rest = offset+len(m[0]), rest[len(m[0]):]
	}
	if len(s.all) == 0 {
		return
	}
	s.first = s.all[0]
	switch key := strings.ToLower(s.first.key); key {
	case "nodename", "partitionname", "nodeset", "switchname":
		c.lines[key] = append(c.lines[key], s)
	case "downnodes":
		c.drop(s.first, "events say which nodes are out of service")
	case "frontendname":
		c.notes = append(c.notes, note{s.first.file, s.first.line, s.first.key, "access and daemons", false})
	default:
		for _, p := range s.all {
			key := strings.ToLower(p.key)
			if before, ok := c.options[key]; ok && reasonOf(key).decides {
				c.drop(before, fmt.Sprintf("line %d of %s replaces it", p.line, p.file))
			}
			c.options[key] = p
		}
	}
}

// include reads a file that another names.
func (c *conf) include(p pair) {
	if c.files >= maxFiles {
		c.fault(p, "join the files", "is one file too many: at most %d are read; does a file include itself?", maxFiles)
		return
	}
	data, err := c.read(p.value)
	if err != nil {
		c.fault(p, "copy the file below the folder of slurm.conf, and name it from there", "cannot be read: %v", err)
		return
	}
	c.file(p.value, data)
}

// option takes the value of an option, to carry it over.
func (c *conf) option(key string) (pair, bool) {
	c.taken[strings.ToLower(key)] = true
	p, ok := c.options[strings.ToLower(key)]
	return p, ok
}

// items are the parts of a list with commas.
func (p pair) items() (all []pair) {
	for _, item := range strings.Split(p.value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			key, value, _ := strings.Cut(item, "=")
			q := p
			q.key, q.value = p.key+" "+key, value
			all = append(all, q)
		}
	}
	return all
}

// item is an item of a list, in small letters.
func (p pair) item() string { return strings.ToLower(p.key[strings.LastIndexByte(p.key, ' ')+1:]) }

// whole is a whole number within bounds.
func (c *conf) whole(p pair, least, most int) int {
	n, err := strconv.Atoi(p.value)
	if err != nil || n < least || n > most {
		c.fault(p, "correct it", "must be a whole number from %d to %d", least, most)
		return least
	}
	return n
}

// points is a number from 0 on.
func (c *conf) points(p pair) float64 {
	x, err := strconv.ParseFloat(p.value, 64)
	if err != nil || !(x >= 0 && x <= 1e15) {
		c.fault(p, "correct it", "must be a number from 0 to 1e15")
		return 0
	}
	return x + 0
}

// minutes is a time as Slurm writes it, in seconds: minutes, minutes:seconds, hours:minutes:seconds, days-hours and so on. Endless times
// are 0.
func (c *conf) minutes(p pair) float64 {
	if slices.Contains([]string{"infinite", "unlimited", "none"}, strings.ToLower(p.value)) {
		return 0
	}
	s, ok := logtable.Duration([]byte(p.value))
	if !strings.ContainsAny(p.value, ":-") {
		s *= 60
	}
	if !ok || !(s >= 0 && s <= 1e12) {
		c.fault(p, "write 90, 1:30:00, 2-12 or INFINITE", "must be minutes, hours:minutes:seconds or days-hours")
		return 0
	}
	return s
}
