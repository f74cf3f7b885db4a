package sweep

import (
	"reflect"
	"regexp"
	"slices"
)

// namePattern is what a manifest's name may be, for it names files.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// header is the manifest's plain keys.
type header struct {
	Name         string   `sweep:"name" doc:"names the study's files: letters, digits, dots, dashes, underscores"`
	Title        string   `sweep:"title" doc:"what the study is, for people"`
	Seed         uint64   `sweep:"seed" doc:"master seed; every random stream derives from it"`
	Replications int      `sweep:"replications" min:"1" max:"1000000" doc:"instances of every point, with different random streams"`
	Metrics      []string `sweep:"metrics" doc:"the numbers that analyze shows, all when absent; rows hold all"`
}

var headerDefaults = header{Replications: 1}

// header reads the plain keys and checks that there are no others.
func (l *document) header() header {
	root := l.root
	l.out.keys(root, "a manifest", append(l.cat.names(), topLevelKeys...))
	h := headerDefaults
	info := mustReflect(reflect.TypeOf(h))
	for _, f := range info.fields {
		if n := root.get(f.name); n != nil {
			l.dec.field(n, f, reflect.ValueOf(&h).Elem().FieldByIndex(f.index), scope{path: f.name})
		}
	}
	h.Replications = max(h.Replications, 1)
	n := root.get("name")
	switch {
	case n == nil:
		l.out.add(root.pos, "name", "", "name is missing")
	case n.shape == scalarNode && !n.isNull() && h.Name == n.text && !namePattern.MatchString(h.Name):
		l.out.add(n.pos, "name", "use letters, digits, dots, dashes and underscores", "%s cannot name files", quote(h.Name))
	}
	if n := root.get("metrics"); n != nil && n.shape == listNode {
		for i, item := range n.items {
			l.metric(item, "metrics")
			if item.shape == scalarNode && slices.Contains(h.Metrics[:i], item.text) {
				l.out.add(item.pos, "metrics", "", "metric %s is listed twice", item.text)
			}
		}
	}
	return h
}

// replicationsOf reads a block's own number of replications.
func (l *document) replicationsOf(n *node) int {
	h := headerDefaults
	f := mustReflect(reflect.TypeOf(h)).byName["replications"]
	l.dec.field(n, f, reflect.ValueOf(&h).Elem().FieldByIndex(f.index), scope{path: "blocks.replications"})
	return max(h.Replications, 1)
}

// metric checks the name of a metric.
func (l *document) metric(n *node, path string) {
	if n.shape == scalarNode && !n.isNull() && !slices.Contains(l.cat.metrics, n.text) {
		l.out.add(n.pos, path, didYouMean(n.text, l.cat.metrics), "there is no metric %s", quote(n.text))
	}
}
