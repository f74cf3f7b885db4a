package text

import "slices"

// Keys reports keys that are not valid.
func (s *Sink) Keys(n *Node, where string, valid []string) {
	for _, e := range n.Entries {
		if !slices.Contains(valid, e.Key) {
			s.Add(e.Pos, DidYouMean(e.Key, valid), "unknown key %s in %s", Quote(e.Key), where)
		}
	}
}

// Mapping returns the entries of a map, or nothing after a report.
func (s *Sink) Mapping(n *Node, name string) []Entry {
	if n == nil || n.IsNull() {
		return nil
	}
	if n.Shape != Map {
		s.Add(n.Pos, "", "%s is %s; want a map", name, n.What())
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
