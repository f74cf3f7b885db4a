package sweep

import (
	"strconv"
	"strings"
)

// source is a text that positions point into: a file, or a --set argument.
type source struct {
	name  string
	order int
	set   bool
	lines []string
}

// byteOrderMark is what some editors put before a text; it is no part of it.
const byteOrderMark = "\ufeff"

// newSource splits the text into lines for excerpts.
func newSource(name string, order int, data []byte) *source {
	lines := strings.Split(strings.TrimPrefix(string(data), byteOrderMark), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return &source{name: name, order: order, lines: lines}
}

// line returns line n, counted from 1, or "".
func (s *source) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return s.lines[n-1]
}

// position is a place in a source; line and column count from 1.
type position struct {
	src       *source
	line, col int
}

// shape is what a node of a manifest is before types are known.
type shape uint8

const (
	scalarNode shape = iota
	mapNode
	listNode
)

// node is a YAML value with its position. Nodes are never changed once read:
// extends, set, blocks and axes make new ones that share what stays.
type node struct {
	shape   shape
	text    string // of a scalar
	quoted  bool   // a quoted or literal scalar is a string whatever it looks like
	pos     position
	entries []entry // of a map, in the order of the file
	items   []*node // of a list
}

// entry is one key of a map.
type entry struct {
	key   string
	pos   position
	value *node
}

// get returns the value of the key, or nil. A nil node has no keys.
func (n *node) get(key string) *node {
	if e := n.entry(key); e != nil {
		return e.value
	}
	return nil
}

// entry returns the entry of the key, or nil.
func (n *node) entry(key string) *entry {
	if n == nil || n.shape != mapNode {
		return nil
	}
	for i := range n.entries {
		if n.entries[i].key == key {
			return &n.entries[i]
		}
	}
	return nil
}

// find returns the node at the path below n, or nil.
func (n *node) find(path []string) *node {
	for _, p := range path {
		if n = n.get(p); n == nil {
			return nil
		}
	}
	return n
}

// with returns a copy of the map with the key set; the value nil removes it.
func (n *node) with(key string, at position, value *node) *node {
	out := &node{shape: mapNode, pos: at}
	found := false
	if n != nil && n.shape == mapNode {
		out.pos = n.pos
		out.entries = make([]entry, 0, len(n.entries)+1)
		for _, e := range n.entries {
			if e.key != key {
				out.entries = append(out.entries, e)
				continue
			}
			found = true
			if value != nil {
				out.entries = append(out.entries, entry{key, at, value})
			}
		}
	}
	if !found && value != nil {
		out.entries = append(out.entries, entry{key, at, value})
	}
	return out
}

// place returns the position of the field at a dotted path such as
// clusters[1].nodes, or that of the nearest value above it.
func (n *node) place(path string) position {
	at := n.pos
	for _, seg := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		if i, err := strconv.Atoi(seg); err == nil && n.shape == listNode && i >= 0 && i < len(n.items) {
			n = n.items[i]
		} else {
			n = n.get(seg)
		}
		if n == nil {
			break
		}
		at = n.pos
	}
	return at
}

// replace returns a copy of n in which the value stands at the path; maps on
// the way are made where they are missing.
func (n *node) replace(path []string, at position, value *node) *node {
	if len(path) == 0 {
		return value
	}
	return n.with(path[0], at, n.get(path[0]).replace(path[1:], at, value))
}

// isNull tells whether the node is an empty or a null scalar.
func (n *node) isNull() bool {
	if n.shape != scalarNode || n.quoted {
		return false
	}
	switch n.text {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

// what names the shape of the node for messages.
func (n *node) what() string {
	switch {
	case n.shape == mapNode:
		return "a map"
	case n.shape == listNode:
		return "a list"
	case n.isNull():
		return "nothing"
	case n.quoted:
		return "the string " + quote(n.text)
	}
	if _, ok := parseNumber(n.text); ok {
		return "the number " + n.text
	}
	if _, ok := parseBool(n.text); ok {
		return n.text
	}
	return quote(n.text)
}

// quote returns the text in quotes, cut where it is long.
func quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:57]) + "..."
	}
	return `"` + s + `"`
}
