package figure

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strconv"
	"testing"
)

// TestVegaHasTheDataOfTheDrawing: the rows of a specification are those of the CSV, all of them, and every row that the
// drawing shows is in one layer.
func TestVegaHasTheDataOfTheDrawing(t *testing.T) {
	seen := map[string]bool{}
	gantt := &Figure{ID: "ties", Panels: []Panel{{Marks: []Mark{
		&Blocks{Blocks: []Block{{1, 4, 0, 2, "a", 0, false, 0}, {4, 5, 1, 2, "b", 1, true, 0}}}, &Rules{X: []float64{2}},
		&Ties{At: [][2]Point{{{1, 1}, {4, 1}}, {{2, 1}, {5, 2}}}}, &Stripe{Low: 0, High: 1}, &Beyond{X: []float64{3}},
		&Published{At: []Point{{3, 1}}}}}}}
	for _, f := range append(gallery(), gantt) {
		var spec struct {
			Data  struct{ Values []map[string]any }
			Layer []map[string]any
			Spec  struct{ Layer []map[string]any }
		}
		var vega, plain bytes.Buffer
		if err := f.Vega(&vega); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(vega.Bytes(), &spec); err != nil {
			t.Fatalf("%s: %v\n%s", f.ID, err, vega.Bytes())
		}
		if err := f.CSV(&plain); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&plain).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if len(rows)-1 != len(spec.Data.Values) {
			t.Fatalf("%s: %d rows in the CSV, %d in the specification", f.ID, len(rows)-1, len(spec.Data.Values))
		}
		layers := map[string]bool{}
		for _, l := range append(spec.Layer, spec.Spec.Layer...) {
			layers[l["transform"].([]any)[0].(map[string]any)["filter"].(map[string]any)["equal"].(string)] = true
		}
		for i, row := range rows[1:] {
			value := spec.Data.Values[i]
			for j, name := range rows[0] {
				got := ""
				switch v := value[name].(type) {
				case string:
					got = v
				case float64:
					got = full(v)
				}
				if want := row[j]; got != want && want != "inf" && want != "-inf" {
					t.Fatalf("%s, row %d: %s is %q in the specification, %q in the CSV", f.ID, i, name, got, want)
				}
			}
			draw := value["draw"].(string)
			seen[draw] = true
			if draw != "" && !layers[draw] {
				t.Errorf("%s, row %d: there is no layer %q", f.ID, i, draw)
			}
			if (draw == "cell" || draw == "block") && value["to"].(float64) <= asNumber(t, value["x"]) {
				t.Errorf("%s, row %d: a cell from %v to %v", f.ID, i, value["x"], value["to"])
			}
		}
	}
	for _, l := range vegaLayers {
		if !seen[l.draw] {
			t.Errorf("no figure of the gallery has the layer %q", l.draw)
		}
	}
	if names := len(vegaLayers); names != len(slices.Compact(slices.Sorted(slices.Values(drawn())))) {
		t.Errorf("%d layers, of which some have one name", names)
	}
}

func drawn() (names []string) {
	for _, l := range vegaLayers {
		names = append(names, l.draw)
	}
	return names
}

func asNumber(t *testing.T, v any) float64 {
	t.Helper()
	if s, ok := v.(string); ok {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return v.(float64)
}

// TestVegaShowsTheCaption: warnings are in captions, and Vega-Lite draws no subtitle below an empty title.
func TestVegaShowsTheCaption(t *testing.T) {
	for _, title := range []string{"", "Waits"} {
		f := &Figure{ID: "waits", Title: title, Caption: "3 of 4 means depend on how long runs are.",
			Panels: []Panel{{Marks: []Mark{&Rules{X: []float64{2}}}}}}
		var spec struct {
			Description string
			Title       struct{ Text, Subtitle any }
		}
		var vega bytes.Buffer
		if err := f.Vega(&vega); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(vega.Bytes(), &spec); err != nil {
			t.Fatal(err)
		}
		shown := spec.Title.Subtitle
		if title == "" {
			shown = spec.Title.Text
		}
		if got, ok := shown.([]any); !ok || len(got) != 1 || got[0] != f.Caption {
			t.Errorf("title %q: the caption is %v", title, shown)
		}
	}
}
