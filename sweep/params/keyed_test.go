package params

import (
	"reflect"
	"strings"
	"testing"

	"schedsweep/sweep/text"
)

type keyedParams struct {
	Nodes []struct {
		Name  string `sweep:"name"`
		Count int    `sweep:"count" min:"1" required:"true"`
		Cores int    `sweep:"cores" default:"1"`
	} `sweep:"nodes" keyed:"name"`
	Map []struct {
		Number string `sweep:"number"`
		To     string `sweep:"to"`
	} `sweep:"map" keyed:"number"`
}

func keyedSection(t *testing.T, manifest string) (*Resolved, string) {
	t.Helper()
	cat, err := NewCatalog(&Registry{Sections: []Section{{Name: "platform", Kinds: []Kind{{Params: keyedParams{}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	sink := &text.Sink{}
	n := text.Parse(text.NewSource("m.yaml", 0, []byte(manifest)), []byte(manifest), sink)
	d := NewDecoder(sink, nil)
	d.Partial(n, cat.Sections[0], cat.Sections[0].Kinds[0], nil)
	r := d.Section(n, cat.Sections[0])
	all := ""
	for _, m := range sink.Found {
		all += m.Message + "\n"
	}
	return r, all
}

// TestKeyedLists: a map becomes a list in order of its keys, and what it is encoded as does not depend on the order written.
func TestKeyedLists(t *testing.T) {
	r, mistakes := keyedSection(t, "nodes: {thin: {count: 3}, large: {count: 2, cores: 8}}\nmap: {17: thin, 4: {to: large}}\n")
	if mistakes != "" {
		t.Fatal(mistakes)
	}
	p := r.Params.(*keyedParams)
	if len(p.Nodes) != 2 || p.Nodes[0].Name != "large" || p.Nodes[0].Cores != 8 || p.Nodes[1].Count != 3 || p.Nodes[1].Cores != 1 ||
		p.Map[0].Number != "17" || p.Map[0].To != "thin" || p.Map[1].To != "large" {
		t.Errorf("decoded %+v", *p)
	}
	o, _ := keyedSection(t, "map: {4: large, 17: thin}\nnodes: {large: {cores: 8, count: 2}, thin: {count: 3}}\n")
	if o.Hash != r.Hash {
		t.Errorf("another order is encoded as\n%s\nnot\n%s", o.Canonical, r.Canonical)
	}
	for path, want := range map[string]string{"nodes.thin.count": "3", "nodes.large.cores": "8", "map.4": "large", "map.17.to": "thin"} {
		rel := strings.Split(path, ".")
		if v, ok := r.Value(rel); !ok || v.String() != want || r.kind.Fields.Find(rel) == nil {
			t.Errorf("%s is %v, %v, want %s", path, v, ok, want)
		}
	}
	if _, ok := r.Value([]string{"nodes", "none", "count"}); ok {
		t.Error("an element that is not there has a value")
	}
	empty, _ := keyedSection(t, "{}\n")
	if strings.Contains(string(empty.Canonical), "nodes") {
		t.Errorf("without nodes: %s", empty.Canonical)
	}
}

func TestKeyedMistakes(t *testing.T) {
	for manifest, want := range map[string]string{
		"nodes: [1]":                        "want a map",
		"nodes: {thin: {count: 0}}":         "platform.nodes.thin.count is 0",
		"nodes: {thin: {cores: 1}}":         "platform.nodes.thin.count is missing",
		"nodes: {a b: {count: 1}}":          "cannot be a key",
		"nodes: {a: {count: 1, name: x}}":   "unknown key",
		"nodes: {a: {count: 1, colour: 1}}": "unknown key",
	} {
		if _, mistakes := keyedSection(t, manifest+"\n"); !strings.Contains(mistakes, want) {
			t.Errorf("%s: %q, want %q", manifest, mistakes, want)
		}
	}
}

func TestKeyedTagIsChecked(t *testing.T) {
	for _, params := range []any{
		struct {
			L []string `sweep:"l" keyed:"name"`
		}{},
		struct {
			L []struct {
				Name int `sweep:"name"`
			} `sweep:"l" keyed:"name"`
		}{},
	} {
		if _, err := reflectStruct(reflect.TypeOf(params)); err == nil {
			t.Errorf("%T is accepted", params)
		}
	}
}

type orderParams struct {
	Order string `sweep:"order"`
	By    struct {
		Weights struct {
			Age  float64 `sweep:"age" min:"0"`
			Size float64 `sweep:"size"`
		} `sweep:"weights" chooses:"multifactor"`
		Share  struct{} `sweep:"share" chooses:"fair-share"`
		MaxAge float64  `sweep:"max_age" unit:"s"`
	} `sweep:"order"`
}

// TestMapInPlaceOfAText: a text may be written as a map with a key that says which text is meant. A text has the
// encoding that it has without the map.
func TestMapInPlaceOfAText(t *testing.T) {
	section := func(manifest string) (*Resolved, string) {
		cat, err := NewCatalog(&Registry{Sections: []Section{{Name: "policy", Kinds: []Kind{{Params: orderParams{Order: "fcfs"}}}}}})
		if err != nil {
			t.Fatal(err)
		}
		sink := &text.Sink{}
		d := NewDecoder(sink, nil)
		n := text.Parse(text.NewSource("m.yaml", 0, []byte(manifest)), []byte(manifest), sink)
		d.Partial(n, cat.Sections[0], cat.Sections[0].Kinds[0], nil)
		r := d.Section(n, cat.Sections[0])
		all := ""
		for _, m := range sink.Found {
			all += m.Message + "\n"
		}
		return r, all
	}
	for manifest, want := range map[string]string{
		"order: sjf":         "order s \"sjf\"\n",
		"order: fcfs":        "",
		"order: {share: {}}": "order s \"fair-share\"\n",
		"order: {weights: {age: 10}, max_age: 1h}":        "order s \"multifactor\"\norder.max_age f 3600\norder.weights.age f 10\n",
		"order: {weights: {age: -1}}":                     "policy.order.weights.age is -1, below its least value 0\n",
		"order: {max_age: 1h}":                            "policy.order has 0 of the keys weights, share; want one of them\n",
		"order: {weights: {age: 1}, share: {}}":           "policy.order has 2 of the keys weights, share; want one of them\n",
		"order: {weights: {age: 1}, halflife: 1}":         "unknown key \"halflife\" in policy.order (policy)\n",
		"order: [fcfs]":                                   "policy.order is a list; want text\n",
		"order: {weights: {age: 1, size: 2}, max_age: 0}": "order s \"multifactor\"\norder.weights.age f 1\norder.weights.size f 2\n",
	} {
		r, got := section(manifest)
		if got == "" {
			_, got, _ = strings.Cut(string(r.Canonical), "\n")
		}
		if got != want {
			t.Errorf("%s gives\n%s\nwant\n%s", manifest, got, want)
		}
	}
	r, _ := section("order: {weights: {age: 10}}")
	for path, want := range map[string]string{"order": "multifactor", "order.weights.age": "10", "order.max_age": "0"} {
		rel := strings.Split(path, ".")
		if v, ok := r.Value(rel); !ok || v.String() != want || r.kind.Fields.Find(rel) == nil {
			t.Errorf("%s is %v, %v, want %s", path, v, ok, want)
		}
	}
	d := NewDecoder(&text.Sink{}, nil)
	swept := d.Pattern(r, [][]string{{"order", "weights", "age"}}).Variant(d, []*text.Node{{Text: "7"}})
	if other, _ := section("order: {weights: {age: 7}}"); swept == nil || swept.Hash != other.Hash {
		t.Errorf("swept is %+v, want %s", swept, other.Canonical)
	}
}
