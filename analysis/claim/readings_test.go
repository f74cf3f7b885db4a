package claim

import (
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/table"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

// TestReadings has three readings, named by their loads. The first satisfies claims one and two, the second two and three, the
// third none. Claim four holds nowhere. The sample's other knob has a column beside the load that names the reading.
func TestReadings(t *testing.T) {
	run := grid(t, []string{"fcfs", "easy"}, []float64{1, 2, 3}, 8, func(p string, l float64, r int) float64 {
		return 10*l + float64(len(p)%2) + 0.01*noise(p, l, r)
	}, zero)
	s := &manifest.Sample{Knobs: []string{"load", "order"}}
	for i, order := range []string{"a", "b", "c"} {
		s.Points = append(s.Points, []params.Value{{Kind: params.Float, F: float64(3 - i)}, {Kind: params.String, S: order}})
	}
	run.Design.Sample, run.Design.Units = s, map[string]string{"load": "B/s"}
	any := func(id string, low, high float64) study.Claim {
		return study.Claim{ID: id, Kind: "published", For: "any", Across: []string{"load"}, Expect: region(low, high),
			Statistic: study.Statistic{Kind: "mean", Metric: "y", Of: policy("fcfs")}}
	}
	alone := any("alone", 0, 1)
	alone.Across, alone.Statistic.Of = []string{"policy"}, of()
	claims := []study.Claim{any("one", 9, 11), any("two", 9, 21), any("three", 19, 21), alone, any("four", 50, 51)}
	results := Evaluate(claims, run, nil)
	if label := results[0].Parts[0].Label; label != "load = 1 B/s" {
		t.Errorf("a part is named %q", label)
	}
	tables := Tables(run.Design, results)
	k := slices.IndexFunc(tables, func(t *table.Table) bool { return t.ID == "readings" })
	if k < 0 || k != len(tables)-1 {
		t.Fatalf("%d tables, readings at %d", len(tables), k)
	}
	var csv, md strings.Builder
	if err := tables[k].WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	if err := tables[k].WriteMarkdown(&md); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(csv.String(), "\n")
	if !strings.HasPrefix(lines[0], "reading,order,satisfied,one,two,three,four") || !strings.HasPrefix(lines[1], "1,c,2,") ||
		!strings.HasPrefix(lines[2], "2,b,2,") || !strings.HasPrefix(lines[3], "3,a,0,") {
		t.Errorf("rows:\n%s", csv.String())
	}
	for _, want := range []string{"no reading of 3 satisfies all 4 claims: the best 2 satisfy 2", "no reading satisfies four",
		"both by none: one with three", " * |"} {
		if !strings.Contains(md.String(), want) {
			t.Errorf("nothing says %q:\n%s", want, md.String())
		}
	}
	results = Evaluate(claims[:2], run, nil)
	md.Reset()
	tables = Tables(run.Design, results)
	if err := tables[len(tables)-1].WriteMarkdown(&md); err != nil || !strings.Contains(md.String(), "1 of 3 readings satisfy all 2 claims") {
		t.Errorf("%v:\n%s", err, md.String())
	}
}
