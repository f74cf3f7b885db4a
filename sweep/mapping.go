package sweep

import "slices"

// keys reports keys that are not valid.
func (s *sink) keys(n *node, where string, valid []string) {
	for _, e := range n.entries {
		if !slices.Contains(valid, e.key) {
			s.add(e.pos, e.key, didYouMean(e.key, valid), "unknown key %s in %s", quote(e.key), where)
		}
	}
}

// mapping returns the entries of a map, or nothing after a report.
func (s *sink) mapping(n *node, name string) []entry {
	if n == nil || n.isNull() {
		return nil
	}
	if n.shape != mapNode {
		s.add(n.pos, name, "", "%s is %s; want a map", name, n.what())
		return nil
	}
	return n.entries
}

// list returns the items of a list, or nothing after a report.
func (s *sink) list(n *node, name string) []*node {
	if n == nil || n.isNull() {
		return nil
	}
	if n.shape != listNode {
		s.add(n.pos, name, "write it as a list", "%s is %s; want a list", name, n.what())
		return nil
	}
	return n.items
}
