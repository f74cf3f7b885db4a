package figure

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestVegaHasTheDataOfTheDrawing: the rows of a specification are those of the CSV, all of them, and every row that the
// drawing shows is in one layer.
func TestVegaHasTheDataOfTheDrawing(t *testing.T) {
	seen := map[string]bool{}
	gantt := &Figure{ID: "ties", Warnings: []string{"1 of 4 instances failed"}, Panels: []Panel{{Marks: []Mark{
		&Line{At: []Point{{1, 1}}, N: []int{3}},
		&Blocks{Blocks: []Block{{1, 4, 0, 2, "a", 0, false, 0}, {4, 5, 1, 2, "b", 1, true, 0}}}, &Rules{X: []float64{2}},
		&Ties{At: [][2]Point{{{1, 1}, {4, 1}}, {{2, 1}, {5, 2}}}}, &Stripe{Low: 0, High: 1}, &Beyond{X: []float64{3}},
		&Published{At: []Point{{3, 1}}}}}}}
	for _, f := range append(gallery(), gantt) {
		var spec struct {
			Data  struct{ Values []map[string]any }
			Layer []map[string]any
			Spec  struct{ Layer []map[string]any }
			Each  []struct{ Layer []map[string]any } `json:"concat"`
			Meta  struct{ Warnings []string }        `json:"usermeta"`
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
		if bytes.Contains(vega.Bytes(), []byte(`"layer": null`)) {
			t.Errorf("%s: Vega-Lite refuses a figure without a list of layers", f.ID)
		}
		if !slices.Equal(spec.Meta.Warnings, f.Warnings) {
			t.Errorf("%s: warnings %q, want %q", f.ID, spec.Meta.Warnings, f.Warnings)
		}
		layers, drawn := map[string]bool{}, append(spec.Layer, spec.Spec.Layer...)
		if len(spec.Each) > 0 { // panels of the same layers
			drawn = spec.Each[0].Layer
		}
		for _, l := range drawn {
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
				if want := row[j]; got != want && name != "warnings" && want != "inf" && want != "-inf" {
					t.Fatalf("%s, row %d: %s is %q in the specification, %q in the CSV", f.ID, i, name, got, want)
				}
			}
			if place, ok := value["place"].(float64); ok && (place < 0 || place > 1) {
				t.Errorf("%s, row %d: a line leaves its axis, at %g", f.ID, i, place)
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

// TestVegaSideBySide: boxes of several series have places of their own and medians, categories are not joined, and the legend has the
// series that are drawn.
func TestVegaSideBySide(t *testing.T) {
	box := []Box{{.5, 1, 2, 3, 4, 5, nil}}
	boxes := []Mark{&Boxes{Series: 0, Boxes: box}, &Boxes{Series: 2, Boxes: box}, &Reference{Label: "b", Y: 1}}
	line := []Mark{&Line{Series: 1, At: []Point{{0, 1}, {1, 2}}}}
	for _, test := range []struct {
		x      Axis
		marks  []Mark
		want   string // marks, side by side where there is a +
		legend []string
	}{
		{Axis{}, boxes, "whisker rule+ box bar+ box tick+ reference rule", []string{"a", "c"}},
		{Axis{Categories: []string{"x", "y"}}, line, "line point+", []string{"b"}},
		{Axis{Values: []float64{0, 1}}, line, "line line", []string{"b"}},
	} {
		var spec struct {
			Layer []struct {
				Transform []struct{ Filter any }
				Mark      struct{ Type string }
				Encoding  struct {
					XOffset any
					X       struct {
						Type string
						Axis struct{ Values []float64 }
					}
					Color struct {
						Legend struct{ Values []string }
					}
				}
			}
		}
		var vega bytes.Buffer
		err := (&Figure{ID: "x", Series: []string{"a", "b", "c"}, X: test.x, Panels: []Panel{{Marks: test.marks}}}).Vega(&vega)
		if err == nil {
			err = json.Unmarshal(vega.Bytes(), &spec)
		}
		var got []string
		for _, l := range spec.Layer {
			name := l.Transform[0].Filter.(map[string]any)["equal"].(string) + " " + l.Mark.Type
			if l.Encoding.XOffset != nil && l.Encoding.X.Type != "quantitative" {
				name += "+"
			}
			got = append(got, name)
			if e := l.Encoding; name != "reference rule" && (!slices.Equal(e.Color.Legend.Values, test.legend) ||
				!slices.Equal(e.X.Axis.Values, test.x.Values)) {
				t.Errorf("%s: legend %v, ticks %v", name, e.Color.Legend.Values, e.X.Axis.Values)
			}
		}
		if strings.Join(got, " ") != test.want || err != nil {
			t.Errorf("%v, want %s, %v", got, test.want, err)
		}
	}
}

// TestVegaDrawsWhatTheAxesHave: with one value of 0 on a logarithmic scale, Vega-Lite draws all values at its end. A mark beyond limits
// lies outside the plot. An end that is null hides an interval, or gives it no width.
func TestVegaDrawsWhatTheAxesHave(t *testing.T) {
	at, inf := []Point{{0, 10}, {2, 20}}, math.Inf(1)
	for _, test := range []struct {
		name  string
		y     Axis
		marks []Mark
		want  []string
	}{
		{"shares", Axis{Log: true}, []Mark{&Steps{At: at, Fall: 4}},
			[]string{`"datum.y > 0 ? datum.y : 9.76`, `"field": "height"`, `"clip": true`}},
		{"points", Axis{Log: true}, []Mark{&Line{At: append(at, Point{3, 0})}}, []string{`"datum.y > 0 ? datum.y : null"`, `"field": "height"`}},
		{"intervals", Axis{Log: true}, []Mark{&Whiskers{Spans: []Span{{0, -1, 11}}}, &Line{At: at}},
			[]string{`"datum.low > 0 ? datum.low : 9.76`, `"field": "from"`, `"field": "until"`}},
		{"open intervals", Axis{}, []Mark{&Band{Spans: []Span{{0, 9, inf}}}, &Line{At: at}},
			[]string{`"isValid(datum.high) ? datum.high : 20.38`, `"clip": true`}},
		{"a gap in a band", Axis{}, []Mark{&Band{Spans: []Span{{0, 9, 11}, {1, math.NaN(), math.NaN()}, {2, 8, 12}}}, &Line{At: at}},
			[]string{`"(isValid(datum.low) || isValid(datum.high)) ? datum.from : null"`}},
		{"limits", Axis{Limits: &[2]float64{0, 15}}, []Mark{&Line{At: at}}, []string{`"clip": true`}},
	} {
		var vega strings.Builder
		if err := (&Figure{ID: "x", Series: []string{"a"}, Y: test.y, Panels: []Panel{{Marks: test.marks}}}).Vega(&vega); err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(vega.String(), want) {
				t.Errorf("%s: no %s in\n%s", test.name, want, &vega)
			}
		}
	}
}

// TestVegaPanelsHaveTheirFrames: an open interval reaches the frame of its panel, also where each has its own.
func TestVegaPanelsHaveTheirFrames(t *testing.T) {
	f := &Figure{ID: "x", Series: []string{"a"}, OwnY: true}
	for _, y := range []float64{10, 1000} {
		f.Panels = append(f.Panels, Panel{Title: full(y), Marks: []Mark{&Line{At: []Point{{0, y}, {2, 2 * y}}},
			&Whiskers{Spans: []Span{{0, y, math.Inf(1)}}}}})
	}
	var vega strings.Builder
	if err := f.Vega(&vega); err != nil {
		t.Fatal(err)
	}
	for i, y := range arrange(f).ys {
		if want := "isValid(datum.high) ? datum.high : " + full(y.hi); !strings.Contains(vega.String(), want) {
			t.Errorf("panel %d: no %s in\n%s", i, want, &vega)
		}
	}
}
