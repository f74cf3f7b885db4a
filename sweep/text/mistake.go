package text

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// Mistake is one thing that is wrong in a manifest.
type Mistake struct {
	// File is the manifest's name as given to Load, or that of a parent; for a
	// value given by Options.Set it is "--set path=value" and Line is 0.
	File string
	// Line and Column count from 1, Column in characters.
	Line, Column int
	// Message states the mistake, without the position and without the hint.
	Message string
	// Hint is a remedy; it may be empty.
	Hint string
	// Excerpt is the line of the file, without its line break.
	Excerpt string

	order int // sources are reported in the order in which they were read
}

// String returns the mistake as it is shown to a user: position, message and
// hint, then the line and a caret under the column.
func (m Mistake) String() string {
	var b strings.Builder
	b.WriteString(m.File)
	if m.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", m.Line, m.Column)
	}
	b.WriteString(": ")
	b.WriteString(m.Message)
	if m.Hint != "" {
		b.WriteString(" (" + m.Hint + ")")
	}
	if m.Line > 0 && strings.TrimSpace(m.Excerpt) != "" {
		gutter := fmt.Sprintf("%5d | ", m.Line)
		line, column := around([]rune(m.Excerpt), m.Column)
		b.WriteString("\n" + gutter + string(line) + "\n")
		b.WriteString(strings.Repeat(" ", len(gutter)-2) + "| ")
		// A tab stays a tab, and characters have their width, so that the caret is under its column.
		before := strings.Split(string(line[:min(max(column-1, 0), len(line))]), "\t")
		b.WriteString(strings.Join(Each(before, func(s string) string { return strings.Repeat(" ", uniseg.StringWidth(s)) }), "\t"))
		b.WriteByte('^')
	}
	return b.String()
}

// around returns the part of a long line that holds a column, with dots for the parts cut off, and the column in it. With the line's number
// it fits 80 columns.
func around(line []rune, column int) ([]rune, int) {
	const most, dots = 71, "..."
	if len(line) <= most {
		return line, column
	}
	if from := min(column-1-most/2, len(line)-most); from > 0 {
		line, column = append([]rune(dots), line[from+len(dots):]...), column-from
	}
	if len(line) > most {
		line = append(line[:most-len(dots):most-len(dots)], []rune(dots)...)
	}
	return line, column
}

// Errors is every mistake of a manifest, in order of position.
type Errors []Mistake

const maxShown = 20

// Error lists the first mistakes, each with its line and a caret, and counts the
// others.
func (e *Errors) Error() string {
	var b strings.Builder
	for i, m := range *e {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == maxShown {
			fmt.Fprintf(&b, "and %d more, %d mistakes in all: mend these first", len(*e)-maxShown, len(*e))
			break
		}
		b.WriteString(m.String())
	}
	return b.String()
}

// Sink collects mistakes and drops repeats: the same base field is decoded
// once for every variant of its section.
type Sink struct {
	Found []Mistake
	seen  map[string]bool
	Count int // repeats included, so that a second look at a bad value is bad too
}

// Add reports a mistake at a position. The hint says what to do about it and may be
// empty; the message names the field.
func (s *Sink) Add(at Position, hint, format string, args ...any) {
	s.Count++
	m := Mistake{Message: fmt.Sprintf(format, args...), Hint: hint}
	if at.src != nil {
		m.File, m.order = at.src.name, at.src.order
		if !at.src.set && at.Line >= 0 {
			m.Line, m.Column = max(at.Line, 1), max(at.col, 1)
			m.Excerpt = at.src.line(m.Line)
		}
	}
	key := fmt.Sprint(m.order, ":", m.Line, ":", m.Column, ":", m.Message)
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	s.Found = append(s.Found, m)
}

func (s *Sink) Err() error {
	if len(s.Found) == 0 {
		return nil
	}
	slices.SortStableFunc(s.Found, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	e := Errors(slices.Clone(s.Found))
	return &e
}

// Keys reports the entries of a map that are not valid. The paths are what DidYouMean takes within.
func (s *Sink) Keys(n *Node, where string, valid []string, paths ...string) {
	for _, e := range n.Entries {
		if slices.Contains(valid, e.Key) {
			continue
		}
		hint := DidYouMean(e.Key, valid, paths...)
		if key, _, glued := strings.Cut(e.Key, ":"); glued && slices.Contains(valid, key) {
			hint = "write a space behind the colon"
		}
		s.Add(e.Pos, hint, "unknown key %s in %s", Quote(e.Key), where)
	}
}

// Mapping returns the entries of a map, or nothing after a report.
func (s *Sink) Mapping(n *Node, name string) []Entry {
	if n == nil || n.IsNull() {
		return nil
	}
	if n.Shape != Map {
		hint := "write its entries as key: value"
		if n.Shape == List {
			hint += ", without dashes before them"
		}
		s.Add(n.Pos, hint, "%s is %s; want a map", name, n.What())
		return nil
	}
	return n.Entries
}

// List returns the items of a list, or nothing after a report.
func (s *Sink) List(n *Node, name string) []*Node {
	if n == nil || n.IsNull() {
		return nil
	}
	if n.Shape != List {
		s.Add(n.Pos, "write it as a list", "%s is %s; want a list", name, n.What())
		return nil
	}
	return n.Items
}

// Nearest returns the candidate closest to the word in the Damerau-Levenshtein
// sense (optimal string alignment: insertions, deletions, substitutions and
// swaps of neighbours), or "" when none is close enough to be meant. The only name
// that ends with the word, or else begins with it, is closer than any with two
// mistakes: load is offered_load, not log2, and procs is processors, not price.
func Nearest(word string, candidates []string) string {
	limit := max(len(word)/3, 1)
	only := func(fits func(string) bool) string {
		found := slices.DeleteFunc(slices.Clone(candidates), func(c string) bool { return !fits(c) })
		if slices.Sort(found); len(slices.Compact(found)) != 1 {
			return ""
		}
		return found[0]
	}
	best, bestCost, stem := "", len(word)*4-1, strings.TrimSuffix(word, "s")
	if len(word) > 2 {
		best = only(func(c string) bool { return strings.HasSuffix(c, "_"+word) })
	}
	if best == "" && len(stem) > 3 {
		best = only(func(c string) bool { return strings.HasPrefix(c, stem) })
	}
	for _, c := range candidates {
		cost := Distance(strings.ToLower(word), strings.ToLower(c), limit)
		if cost > limit || cost >= max(len(word), len(c)) {
			continue
		}
		// Case decides between names that are equally near: gbps is Gbps, not GBps.
		cost = len(word)*2*cost + Distance(word, c, len(word))
		if best == "" || cost < bestCost {
			best, bestCost = c, cost
		}
	}
	return best
}

// DidYouMean returns the hint that names the nearest candidate, or lists the
// candidates when none is near and they are few. A word that is no candidate can
// be the name of a field within one: see Within.
func DidYouMean(word string, candidates []string, within ...string) string {
	if n := Nearest(word, candidates); n != "" {
		return `did you mean "` + n + `"?`
	}
	if hint := Within(word, within); hint != "" {
		return hint
	}
	if in := containing(word, candidates); in != "" {
		return "did you mean " + in + "?"
	}
	if len(candidates) == 0 || len(candidates) > 40 {
		return ""
	}
	return "valid: " + strings.Join(Once(nil, candidates...), ", ") // several kinds may have a field of the same name
}

// Within is the hint that names the paths to fields of this name: the least deep ones, "" where these are none or more than three.
func Within(name string, paths []string) string {
	found := slices.DeleteFunc(slices.Sorted(slices.Values(paths)), func(path string) bool { return !strings.HasSuffix(path, "."+name) })
	least := math.MaxInt
	for _, path := range found {
		least = min(least, strings.Count(path, "."))
	}
	found = slices.DeleteFunc(slices.Compact(found), func(path string) bool { return strings.Count(path, ".") > least })
	if len(found) == 0 || len(found) > 3 {
		return ""
	}
	return "did you mean " + strings.Join(found, ", ") + "?"
}

func containing(word string, candidates []string) string {
	found := slices.DeleteFunc(slices.Clone(candidates), func(c string) bool { return len(word) <= 2 || !strings.Contains(c, word) })
	if len(found) > maxContaining {
		return ""
	}
	return strings.Join(found, ", ")
}

const maxContaining = 20

// MeantOneOf names the nearest candidate and lists all of them.
func MeantOneOf(word string, candidates []string) string {
	list := "valid: " + strings.Join(candidates, ", ")
	if n := Nearest(word, candidates); n != "" {
		return `did you mean "` + n + `"? ` + list
	}
	return list
}

// Distance is the optimal string alignment distance; it takes time in the
// product of the lengths and gives up at the limit when lengths alone exceed it.
func Distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit || len(a) > 200 {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
