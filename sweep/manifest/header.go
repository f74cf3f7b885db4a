package manifest

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

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
	Datasets     []string `sweep:"datasets" doc:"what a run writes beside the rows of instances, such as a row for each job; in no id"`
	Overridden   []string `sweep:"overridden" enum:"axes: an axis or its values|metrics: the metrics that are asked for|datasets: what a run writes" doc:"what --set changed, as the manifest of a run folder notes: selections may name values that are gone"`
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
		l.Out.Add(root.Pos, "", "name is missing")
	case n.Shape == text.Scalar && !n.IsNull() && h.Name == n.Text && !NamePattern.MatchString(h.Name):
		l.Out.Add(n.Pos, "use letters, digits, dots, dashes and underscores", "%s cannot name files", text.Quote(h.Name))
	}
	l.named("metrics", "metric", l.Catalog.Metrics)
	l.named("datasets", "dataset", l.Catalog.Datasets)
	return h
}

// named checks a list of different names of what there is.
func (l *Document) named(key, what string, valid []string) {
	n := l.Root.Get(key)
	if n == nil || n.Shape != text.List {
		return
	}
	for i, item := range n.Items {
		l.known(item, what, valid)
		if item.Shape == text.Scalar && slices.ContainsFunc(n.Items[:i], func(o *text.Node) bool { return o.Shape == text.Scalar && o.Text == item.Text }) {
			l.Out.Add(item.Pos, "", "%s %s is listed twice", what, item.Text)
		}
	}
}

func (l *Document) replicationsOf(n *text.Node) int {
	h := HeaderDefaults
	f := params.MustReflect(reflect.TypeOf(h)).ByName["replications"]
	l.Decoder.Field(n, f, reflect.ValueOf(&h).Elem().FieldByIndex(f.Index), params.Scope{Path: "blocks.replications"})
	return max(h.Replications, 1)
}

func (l *Document) Metric(n *text.Node) { l.known(n, "metric", l.Catalog.Metrics) }

// wanted says what to do about a name that is none of the valid ones.
func (l *Document) wanted(name string, valid []string) string {
	metric, class, byClass := strings.Cut(name, ByClass("", ""))
	switch {
	case byClass && slices.Contains(valid, metric) && len(l.JobClasses) == 0:
		return "declare the class, such as classes: {" + class + ": processors <= 4}"
	case byClass && slices.ContainsFunc(l.JobClasses, func(c Class) bool { return c.Name == class }) && slices.Contains(valid, metric):
		return "no class has " + metric + "; schedsweep list metrics tells which metrics are by class"
	}
	return text.DidYouMean(name, valid)
}

func (l *Document) known(n *text.Node, what string, valid []string) {
	if n != nil && n.Shape == text.Scalar && !n.IsNull() && !slices.Contains(valid, n.Text) {
		l.Out.Add(n.Pos, l.wanted(n.Text, valid), "there is no %s %s", what, text.Quote(n.Text))
	}
}
