// Package text reads and writes the YAML of manifests as trees whose every value
// knows its place, reads numbers, units and nearly right names, and collects
// mistakes.
package text

import (
	"slices"
	"strconv"
	"strings"
)

// Source is a text that positions point into: a file, or a --set argument.
type Source struct {
	name  string
	order int // mistakes are shown in the order of their sources
	set   bool
	lines []string
}

// ByteOrderMark is a mark that some editors put before a text. The text does not contain the mark.
const ByteOrderMark = "\ufeff"

// NewSource splits a file into lines for excerpts.
func NewSource(name string, order int, data []byte) *Source {
	lines := strings.Split(strings.TrimPrefix(string(data), ByteOrderMark), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return &Source{name: name, order: order, lines: lines}
}

// NewOverride is a --set argument, path=value, without a line to show.
func NewOverride(arg string, order int) *Source {
	return &Source{name: "--set " + arg, order: order, set: true}
}

func (s *Source) Start() Position { return Position{s, 1, 1} }

// Whole is the source as a whole, for mistakes on what it lacks.
func (s *Source) Whole() Position { return Position{s, -1, -1} }

// At is a place in the source; line and column count from 1.
func (s *Source) At(line, column int) Position { return Position{s, line, column} }

func (s *Source) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return s.lines[n-1]
}

// Position is a place in a source; line and column count from 1.
type Position struct {
	src       *Source
	Line, col int
}

// File returns the name of the position's source.
func (p Position) File() string { return p.src.name }

// Shape is the form of a node of a manifest before types are known.
type Shape uint8

// The shapes: one value, keys with values, values.
const (
	Scalar Shape = iota
	Map
	List
)

// Node is a YAML value with its position. Nodes are never changed once read:
// extends, set, blocks and axes make new ones that share what stays.
type Node struct {
	Shape   Shape
	Text    string // of a scalar
	Quoted  bool   // a quoted or literal scalar is always a string
	Pos     Position
	Entries []Entry // of a map, in the order of the file
	Items   []*Node // of a list
}

// Entry is one key of a map.
type Entry struct {
	Key   string
	Pos   Position
	Value *Node
}

// NewMap is a map without keys, for [Node.With] to give it some.
func NewMap(at Position) *Node { return &Node{Shape: Map, Pos: at} }

func NewList(at Position, items ...*Node) *Node { return &Node{Shape: List, Pos: at, Items: items} }

// All returns the items of a list, and none of a node that is none or nil.
func (n *Node) All() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// Pairs returns the entries of a map, and none of a node that is none or nil.
func (n *Node) Pairs() []Entry {
	if n == nil {
		return nil
	}
	return n.Entries
}

// Texts returns the texts of a list's items, "" for items that are no scalars.
func (n *Node) Texts() []string { return Each(n.All(), func(item *Node) string { return item.Text }) }

// Keys returns the keys of a map in the order of the file.
func (n *Node) Keys() []string { return Each(n.Pairs(), func(e Entry) string { return e.Key }) }

// Get returns the value of the key, or nil. A nil node has no keys.
func (n *Node) Get(key string) *Node {
	if e := n.Entry(key); e != nil {
		return e.Value
	}
	return nil
}

func (n *Node) Entry(key string) *Entry {
	if n == nil || n.Shape != Map {
		return nil
	}
	for i := range n.Entries {
		if n.Entries[i].Key == key {
			return &n.Entries[i]
		}
	}
	return nil
}

func (n *Node) Find(path []string) *Node {
	for _, p := range path {
		key, i, element := Element(p)
		if n = n.Get(key); n == nil || element && i >= len(n.Items) {
			return nil
		}
		if element {
			n = n.Items[i]
		}
	}
	return n
}

const maxElement = 1000

// Element splits a part of a path such as clusters[1], which counts from 0; of other
// parts it returns the key itself.
func Element(part string) (key string, i int, ok bool) {
	key, number, found := strings.Cut(part, "[")
	number, closed := strings.CutSuffix(number, "]")
	i, err := strconv.Atoi(number)
	if !found || !closed || err != nil || i < 0 || i >= maxElement {
		return part, 0, false
	}
	return key, i, true
}

// With returns a copy of the map with the key set; the value nil removes it.
func (n *Node) With(key string, at Position, value *Node) *Node {
	out := &Node{Shape: Map, Pos: at}
	found := false
	if n != nil && n.Shape == Map {
		out.Pos = n.Pos
		out.Entries = make([]Entry, 0, len(n.Entries)+1)
		for _, e := range n.Entries {
			if e.Key != key {
				out.Entries = append(out.Entries, e)
				continue
			}
			found = true
			if value != nil {
				out.Entries = append(out.Entries, Entry{key, at, value})
			}
		}
	}
	if !found && value != nil {
		out.Entries = append(out.Entries, Entry{key, at, value})
	}
	return out
}

// Changed returns a copy in which the nodes directly below n are changed; the key is ""
// of an item.
func (n *Node) Changed(change func(key string, below *Node) *Node) *Node {
	out := *n
	out.Entries, out.Items = slices.Clone(n.Entries), slices.Clone(n.Items)
	for i, e := range out.Entries {
		out.Entries[i].Value = change(e.Key, e.Value)
	}
	for i, item := range out.Items {
		out.Items[i] = change("", item)
	}
	return &out
}

// Place returns the position of the field at a dotted path such as
// clusters[1].nodes, or that of the nearest value above it.
func (n *Node) Place(path string) Position {
	at := n.Pos
	for _, seg := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		if i, err := strconv.Atoi(seg); err == nil && n.Shape == List && i >= 0 && i < len(n.Items) {
			n = n.Items[i]
		} else {
			n = n.Get(seg)
		}
		if n == nil {
			break
		}
		at = n.Pos
	}
	return at
}

// Replace returns a copy of n with the value at the path; maps on
// the way are made where they are missing, elements of lists are not.
func (n *Node) Replace(path []string, at Position, value *Node) *Node {
	if len(path) == 0 {
		return value
	}
	key, i, element := Element(path[0])
	if !element {
		return n.With(key, at, n.Get(key).Replace(path[1:], at, value))
	}
	list := n.Get(key)
	if list == nil { // of a piece: the elements before are not looked at
		list = &Node{Shape: List, Pos: at, Items: slices.Repeat([]*Node{{Shape: Map, Pos: at}}, i+1)}
	}
	if i >= len(list.Items) {
		return n
	}
	out := *list
	out.Items = slices.Clone(list.Items)
	out.Items[i] = list.Items[i].Replace(path[1:], at, value)
	return n.With(key, at, &out)
}

// IsNull reports whether the node is an empty or a null scalar.
func (n *Node) IsNull() bool {
	return n.Shape == Scalar && !n.Quoted && slices.Contains([]string{"", "~", "null", "Null", "NULL"}, n.Text)
}

// What names the shape of the node for messages.
func (n *Node) What() string {
	switch {
	case n.Shape == Map:
		return "a map"
	case n.Shape == List:
		return "a list"
	case n.IsNull():
		return "nothing"
	case n.Quoted:
		return "the string " + Quote(n.Text)
	}
	if _, ok := Number(n.Text); ok {
		return "the number " + n.Text
	}
	if _, ok := Bool(n.Text); ok {
		return n.Text
	}
	return Quote(n.Text)
}

// Quote returns the text in quotes, cut where it is long.
func Quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:57]) + "..."
	}
	return `"` + s + `"`
}
