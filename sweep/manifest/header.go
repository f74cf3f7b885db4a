package manifest

import (
	"reflect"
	"regexp"
	"slices"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// NamePattern is what a manifest's name may be, for it names files.
var NamePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// Header is the manifest's plain keys.
type Header struct {
	Name         string   `sweep:"name" doc:"names the study's files: letters, digits, dots, dashes, underscores"`
	Title        string   `sweep:"title" doc:"what the study is, for people"`
	Seed         uint64   `sweep:"seed" doc:"master seed; every random stream derives from it"`
	Replications int      `sweep:"replications" min:"1" max:"1000000" doc:"instances of every point, with different random streams"`
	Metrics      []string `sweep:"metrics" doc:"the numbers that analyze shows, all when absent; rows hold all"`
}

// HeaderDefaults are the values of absent keys.
var HeaderDefaults = Header{Replications: 1}

// Header reads the plain keys and checks that there are no others.
func (l *Document) Header() Header {
	root := l.Root
	l.Out.Keys(root, "a manifest", append(l.Catalog.Names(), params.TopLevelKeys...))
	h := HeaderDefaults
	info := params.MustReflect(reflect.TypeOf(h))
	for _, f := range info.Fields {
		if n := root.Get(f.Name); n != nil {
			l.Decoder.Field(n, f, reflect.ValueOf(&h).Elem().FieldByIndex(f.Index), params.Scope{Path: f.Name})
		}
	}
	h.Replications = max(h.Replications, 1)
	n := root.Get("name")
	switch {
	case n == nil:
		l.Out.Add(root.Pos, "name", "", "name is missing")
	case n.Shape == text.Scalar && !n.IsNull() && h.Name == n.Text && !NamePattern.MatchString(h.Name):
		l.Out.Add(n.Pos, "name", "use letters, digits, dots, dashes and underscores", "%s cannot name files", text.Quote(h.Name))
	}
	if n := root.Get("metrics"); n != nil && n.Shape == text.List {
		for i, item := range n.Items {
			l.Metric(item, "metrics")
			if item.Shape == text.Scalar && slices.Contains(h.Metrics[:i], item.Text) {
				l.Out.Add(item.Pos, "metrics", "", "metric %s is listed twice", item.Text)
			}
		}
	}
	return h
}

// replicationsOf reads a block's own number of replications.
func (l *Document) replicationsOf(n *text.Node) int {
	h := HeaderDefaults
	f := params.MustReflect(reflect.TypeOf(h)).ByName["replications"]
	l.Decoder.Field(n, f, reflect.ValueOf(&h).Elem().FieldByIndex(f.Index), params.Scope{Path: "blocks.replications"})
	return max(h.Replications, 1)
}

// Metric checks the name of a metric.
func (l *Document) Metric(n *text.Node, path string) {
	if n.Shape == text.Scalar && !n.IsNull() && !slices.Contains(l.Catalog.Metrics, n.Text) {
		l.Out.Add(n.Pos, path, text.DidYouMean(n.Text, l.Catalog.Metrics), "there is no metric %s", text.Quote(n.Text))
	}
}
