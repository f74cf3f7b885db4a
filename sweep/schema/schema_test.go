package schema_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"schedsweep/harness/input"
	"schedsweep/sweep/schema"
	"schedsweep/sweep/sweeptest"
	"schedsweep/sweep/text"
)

// compiled returns the test registry's schema, ready to validate.
func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	text, err := schema.JSON(sweeptest.Registry())
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, text)
}

func compile(t testing.TB, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("manifest.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// plain converts a tree into what JSON would hold.
func plain(n *text.Node) any {
	switch n.Shape {
	case text.Map:
		out := map[string]any{}
		for _, e := range n.Entries {
			out[e.Key] = plain(e.Value)
		}
		return out
	case text.List:
		out := []any{}
		for _, item := range n.Items {
			out = append(out, plain(item))
		}
		return out
	}
	if n.IsNull() {
		return nil
	}
	if b, ok := text.Bool(n.Text); ok && !n.Quoted {
		return b
	}
	if f, ok := text.Number(n.Text); ok && !n.Quoted {
		if math.IsInf(f, 0) {
			f = math.Copysign(1e300, f) // JSON has no infinity; editors read .inf as a number
		}
		return f
	}
	return n.Text
}

func validate(t testing.TB, schema *jsonschema.Schema, file string) error {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := &text.Sink{}
	tree := text.Parse(text.NewSource(file, 0, data), data, out)
	if len(out.Found) > 0 {
		return out.Err()
	}
	if tree == nil {
		tree = text.Null(text.Position{})
	}
	return schema.Validate(plain(tree))
}

func TestSchemaAcceptsValidManifests(t *testing.T) {
	schema := compiled(t)
	for _, file := range sweeptest.Manifests(t, "../testdata/valid") {
		if err := validate(t, schema, file); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// The schema of all that there is takes every manifest of ours, and is small enough for an editor.
func TestSchemaOfEverything(t *testing.T) {
	text, err := schema.JSON(input.Registry())
	if err != nil {
		t.Fatal(err)
	}
	if most := 500_000; len(text) >= most {
		t.Errorf("the schema has %d bytes, and should have fewer than %d", len(text), most)
	}
	schema := compile(t, text)
	for _, file := range sweeptest.Manifests(t, "../../manifests") {
		if err := validate(t, schema, file); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// Of a figure only the fields of its kind are valid.
func TestSchemaKnowsFiguresByKind(t *testing.T) {
	schema := compiled(t)
	for figure, valid := range map[string]bool{
		"x: mean_wait, y: makespan": true, "x: mean_wait": false, "kind: means, x: mean_wait, y: makespan, trend: true, fit: quadratic": true,
		"kind: box, x: policy.kind, y: makespan, points: true": true, "kind: box, x: policy.kind, y: makespan, band: true": false,
		"kind: ecdf, x: makespan": true, "kind: ecdf, x: makespan, y: mean_wait": false, "kind: profile, x: mean_wait": false,
		"kind: profile, x: mean_wait, series: policy.kind": true, "kind: pie, x: makespan": false,
		"kind: heat, x: jobs.processors, y: jobs.wait_time, fewest: 3": true, "x: mean_wait, y: makespan, fewest: 3": false,
	} {
		file := filepath.Join(t.TempDir(), "t.yaml")
		if err := os.WriteFile(file, []byte("name: t\nworkload: {kind: lublin}\npolicy: {kind: easy}\nanalysis: {figures: [{id: f, "+figure+
			"}]}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := validate(t, schema, file); (err == nil) != valid {
			t.Errorf("{%s}: valid %t, error %v", figure, valid, err)
		}
	}
}

// Mistakes that take more than the shape of one file to see: the names of these
// files begin with beyond-schema.
func TestSchemaRejectsMalformedManifests(t *testing.T) {
	schema := compiled(t)
	for _, file := range sweeptest.Manifests(t, "../testdata/invalid", "../*/testdata/invalid") {
		err := validate(t, schema, file)
		if beyond := strings.HasPrefix(filepath.Base(file), "beyond-schema-"); beyond != (err == nil) {
			t.Errorf("%s: beyond the schema %t, error %v", file, beyond, err)
		}
	}
}

func TestSchemaIsDeterministicAndHoldsDocsAndDefaults(t *testing.T) {
	a, err := schema.JSON(sweeptest.Registry())
	if err != nil {
		t.Fatal(err)
	}
	b, _ := schema.JSON(sweeptest.Registry())
	if !bytes.Equal(a, b) {
		t.Error("two schemas of one registry differ")
	}
	var s struct {
		Defs struct {
			Axes struct{ Properties map[string]any }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(a, &s); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"policy", "policy.kind", "policy.placement", "workload.select.jobs", "platform.clusters"} {
		if s.Defs.Axes.Properties[path] == nil {
			t.Errorf("the schema has no axis %s", path)
		}
	}
	for _, want := range []string{`"placement of jobs on nodes"`, `"contiguous"`, `"default": 0.95`, `[flop/s]`} {
		if !strings.Contains(string(a), want) {
			t.Errorf("the schema lacks %s", want)
		}
	}
}

// What repeats is written once, and the schema says the same.
func TestSchemaRepeatsNothing(t *testing.T) {
	written, err := schema.JSON(sweeptest.Registry())
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(written, &root); err != nil {
		t.Fatal(err)
	}
	defs, used, seen := root["$defs"].(map[string]any), map[string]bool{}, map[string]bool{}
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if name, ok := v["$ref"].(string); ok {
				used[strings.TrimPrefix(name, "#/$defs/")] = true
			}
			if _, is := v["type"]; is {
				one, _ := json.Marshal(v)
				if len(one) >= 200 && seen[string(one)] {
					t.Errorf("stands twice: %.120s", one)
				}
				seen[string(one)] = true
			}
			for _, x := range v {
				look(x)
			}
		case []any:
			for _, x := range v {
				look(x)
			}
		}
	}
	look(root)
	for name := range used {
		if defs[name] == nil {
			t.Errorf("there is no definition %s", name)
		}
	}
	for name := range defs {
		if !used[name] {
			t.Errorf("nothing uses the definition %s", name)
		}
	}
}
