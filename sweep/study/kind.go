package study

import (
	"reflect"
	"slices"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Kind describes the fields of a kind of statistic or question.
type Kind struct {
	Name, Doc string
	Fields    []string // plain ones: of a statistic or a question
	Required  []string // of all keys
	Sides     []string // of "of", "to"
	Others    []string // keys that take something else
	Precision []string // of Question: one is wanted
	Margin    bool     // of Question: takes a margin beside that
	Is        []string // allowed values of is
	Joins     bool     // may be made of two statistics
	ordinal   bool     // states the expected result itself, and cannot be a part
	whole     float64  // the largest value of a share: 1 or 100; 0 for other values
}

// Names are the keys that choose one of the kinds.
func Names(kinds []Kind) []string {
	return text.Each(kinds, func(k Kind) string { return k.Name })
}

// kindMap reads the plain fields of a kind into a struct, and tells which keys the map lacks and which it should not
// have. It returns false for a node that is no map.
func (l *reader) kindMap(n *text.Node, path string, k *Kind, into any, more ...string) bool {
	if n.Shape != text.Map {
		l.Out.Add(n.Pos, "write "+k.Name+": {metric: name, ...}", "%s is %s; want a map", path, n.What())
		return false
	}
	l.Out.Keys(n, path, slices.Concat(k.Fields, k.Sides, []string{WhereKey}, more, k.Others))
	for _, key := range k.Required {
		if n.Get(key) == nil {
			l.Out.Add(n.Pos, "add it", "%s is missing in %s", text.Quote(key), path)
		}
	}
	v := reflect.ValueOf(into).Elem()
	info := params.MustReflect(v.Type())
	for _, name := range k.Fields {
		if given := n.Get(name); given != nil {
			f := *info.ByName[name]
			switch {
			case name == "is":
				f.Enum = k.Is
			case slices.Contains(BoundKeys, name):
				var known bool
				if f.Unit, known = l.metricUnit(n.Get("metric")); !known {
					continue // the metric is a mistake, which says enough
				}
				if l.Catalog.Shares[n.Get("metric").Text] {
					f.Unit = "share"
				}
			}
			l.Decoder.Field(given, &f, v.FieldByIndex(f.Index), params.Scope{Path: path + "." + name})
		}
	}
	return true
}

// withIDs reads a list of maps, each with an id of its own.
func (l *reader) withIDs(n *text.Node, key, what, example string, read func(*text.Node)) {
	ids := map[string]text.Position{}
	for _, item := range l.Out.List(n, key) {
		if item.Shape != text.Map {
			l.Out.Add(item.Pos, "write - "+example, "a %s is %s; want a map", what, item.What())
			continue
		}
		l.uniqueID(item.Get("id"), what, ids)
		read(item)
	}
}
