package siteconf

import (
	"fmt"
	"math"
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

// pair is Key=value in a file, an item of a list in its value, or a cell of a table.
type pair struct {
	key, value string
	at         text.Position
}

// word is the last word of the key, in small letters: the key of an option or a cell, or the name of an item.
func (p pair) word() string { return strings.ToLower(p.key[strings.LastIndexByte(p.key, ' ')+1:]) }

// is reports whether the value is one of these, in letters of any size.
func (p pair) is(values ...string) bool { return slices.Contains(values, strings.ToLower(p.value)) }

// items are the parts of a list with commas, each with the key of the list before its own.
func (p pair) items() (all []pair) {
	for _, item := range strings.Split(p.value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			key, value, _ := strings.Cut(item, "=")
			all = append(all, pair{p.key + " " + key, value, p.at})
		}
	}
	return all
}

// statement is a line of a file, or a row of a table.
type statement struct {
	first pair
	all   []pair
}

// of is the last value of the first of these keys that the statement has.
func (s *statement) of(keys ...string) (pair, bool) {
	for _, key := range keys {
		for _, p := range slices.Backward(s.all) {
			if strings.EqualFold(p.key, key) {
				return p, true
			}
		}
	}
	return pair{}, false
}

// conf is a configuration that is being read.
type conf struct {
	read    func(name string) ([]byte, error) // a file beside the first
	out     text.Sink
	notes   []note
	files   int
	names   int                    // of nodes that lists have named so far
	options map[string]pair        // by key in small letters, the last of each
	taken   map[string]bool        // options that are carried over
	lines   map[string][]statement // of nodename, partitionname, nodeset, switchname
	start   text.Position
	site
}

func newConf(read func(string) ([]byte, error)) *conf {
	return &conf{read: read, options: map[string]pair{}, taken: map[string]bool{}, lines: map[string][]statement{}}
}

// fault reports that a value is wrong, with the reason.
func (c *conf) fault(p pair, hint, format string, args ...any) {
	c.out.Add(p.at, hint, "%s=%s %s", p.key, text.Visible(p.value), fmt.Sprintf(format, args...))
}

var (
	include  = regexp.MustCompile(`^(?i:include)\s+(\S+)$`)
	keyValue = regexp.MustCompile(`^([A-Za-z0-9_.]+\s*[-*+/]?)=[ \t]*(?:"([^"]*)"|(\S*))(?:\s+|$)`)
)

// file reads one file of the syntax of slurm.conf.
func (c *conf) file(path string, data []byte) {
	src := text.NewSource(path, c.files, data)
	if c.files++; c.files == 1 {
		c.start = src.Whole()
	}
	lines := strings.Split(strings.TrimPrefix(string(data), text.ByteOrderMark), "\n")
	for i := 0; i < len(lines); i++ {
		from, line, starts := i+1, "", []int{0}
		for {
			part, more := strings.CutSuffix(uncommented(lines[i]), `\`)
			if line += part; !more || i+1 == len(lines) {
				break
			}
			starts = append(starts, len(line))
			i++
		}
		c.statement(strings.TrimRight(line, " \t\r"), func(offset int) text.Position {
			k := len(starts) - 1
			for starts[k] > offset {
				k--
			}
			return src.At(from+k, utf8.RuneCountInString(line[starts[k]:offset])+1)
		})
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
func (c *conf) statement(line string, at func(offset int) text.Position) {
	rest := strings.TrimLeft(line, " \t")
	offset := len(line) - len(rest)
	if m := include.FindStringSubmatch(rest); m != nil {
		c.include(pair{"Include", m[1], at(offset)})
		return
	}
	var s statement
	for rest != "" {
		m := keyValue.FindStringSubmatch(rest)
		if m == nil {
			c.out.Add(at(offset), "write Key=value, with blanks between pairs, and quotes around values with blanks", "this is no Key=value")
			return
		}
		s.all = append(s.all, pair{strings.Join(strings.Fields(m[1]), ""), m[2] + m[3], at(offset)})
		offset, rest = offset+len(m[0]), rest[len(m[0]):]
	}
	if len(s.all) == 0 {
		return
	}
	s.first = s.all[0]
	switch key := s.first.word(); key {
	case "nodename", "partitionname", "nodeset", "switchname":
		c.lines[key] = append(c.lines[key], s)
	case "downnodes", "frontendname":
		c.name(s.first, optionReasons)
	default:
		for _, p := range s.all {
			if before, ok := c.options[p.word()]; ok && optionReasons.decides(before) {
				c.drop(before, fmt.Sprintf("line %d of %s replaces it", p.at.Line, filepath.Base(p.at.File())))
			}
			c.options[p.word()] = p
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
		hint := "copy the file below the folder of slurm.conf, and name it from there"
		if strings.ContainsAny(p.value, "*?[") {
			hint = "name each file: patterns are not read"
		}
		c.fault(p, hint, "cannot be read: %v", err)
		return
	}
	c.file(p.value, data)
}

// option takes the value of an option, to carry it over.
func (c *conf) option(key string) (pair, bool) {
	key = strings.ToLower(key)
	c.taken[key] = true
	p, ok := c.options[key]
	return p, ok
}

// list takes an option that is a list, gives each item to its reader, and names the items without one.
func (c *conf) list(key string, readers map[string]func(pair), others reasons) {
	p, _ := c.option(key)
	for _, item := range p.items() {
		if read := readers[item.word()]; read != nil {
			read(item)
		} else {
			c.name(item, others)
		}
	}
}

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

// minutes is a time as Slurm writes it, in seconds, rounded up to minutes: minutes, minutes:seconds, hours:minutes:seconds, days-hours and
// so on. Endless times are 0.
func (c *conf) minutes(p pair) float64 {
	if p.is("infinite", "unlimited", "none", "-1") {
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
	return 60 * math.Ceil(s/60)
}
