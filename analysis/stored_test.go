package analysis

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/harness/store"
)

// inDataset is the frame with its metrics in a dataset instead, and counts the numbers of the largest reading.
func inDataset(t *testing.T, f *frame.Frame, metrics []string) (*frame.Frame, *int) {
	t.Helper()
	var here []frame.Column
	var there store.Schema
	for _, name := range f.Names() {
		c := f.Column(name)
		if slices.Contains(metrics, name) {
			there = append(there, store.Column{Name: name, Unit: c.Unit, Type: store.Float64, Nullable: true})
			continue
		}
		here = append(here, *c)
	}
	out, err := frame.NewFrame(here...)
	if err != nil {
		t.Fatal(err)
	}
	largest := new(int)
	out.Later(there, func(columns []string, rows []int32) (*store.Table, error) {
		*largest = max(*largest, len(columns)*len(rows))
		table := store.NewTable(there, len(rows))
		for _, name := range columns {
			v, from := table.Column(name), f.Column(name).Numbers
			for i, row := range rows {
				if stats.Finite(from[row]) {
					v.SetFloat(i, from[row])
				}
			}
		}
		return table, nil
	})
	return out, largest
}

// Columns that are read from a dataset when they are needed give the same bits as columns in memory: in tables,
// trends and figures.
func TestColumnsMayStayInTheDataset(t *testing.T) {
	f := sampleOf(t, 6, 3)
	want, err := Analyse(f, wholeSpec())
	if err != nil {
		t.Fatal(err)
	}
	later, _ := inDataset(t, f, wholeSpec().Design.Metrics)
	got, err := Analyse(later, wholeSpec())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got, bits, cmpopts.IgnoreUnexported(Result{})); d != "" {
		t.Error(d)
	}
	for i, table := range want.Tables() {
		if written(t, table.WriteCSV) != written(t, got.Tables()[i].WriteCSV) {
			t.Errorf("table %s differs", table.ID)
		}
	}
	part, few := frame.Every(f)[7:], f.Take(frame.Every(f)[7:])
	if want, err = Analyse(few, wholeSpec()); err != nil {
		t.Fatal(err)
	}
	again, _ := inDataset(t, f, wholeSpec().Design.Metrics)
	larger := again.Take(frame.Every(f)[3:])
	for what, later := range map[string]*frame.Frame{"a part": again.Take(part), "a part of a part": larger.Take(frame.Every(larger)[4:])} {
		if got, err = Analyse(later, wholeSpec()); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, bits, cmpopts.IgnoreUnexported(Result{})); d != "" {
			t.Errorf("of %s: %s", what, d)
		}
	}
}

// A point of many rows, and many points of few, are read in pieces.
func TestManyRowsAreReadInPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const atOnce = 20_000
	const big, small = atOnce * 2 / 3, atOnce / 2
	policy, x := make([]string, big+small), make([]float64, big+small)
	replication, a, b := make([]float64, big+small), make([]float64, big+small), make([]float64, big+small)
	for i := range policy {
		policy[i] = []string{"p", "q"}[i%2]
		if replication[i] = float64(i / 2); i >= big {
			x[i] = float64((i - big) / 600)
			replication[i] = float64((i - big) % 600 / 2)
		}
		a[i], b[i] = r.ExpFloat64(), r.NormFloat64()
	}
	f, err := frame.NewFrame(frame.TextColumn("policy", policy), frame.NumberColumn("x", "", x),
		frame.NumberColumn("replication", "", replication), frame.NumberColumn("a", "s", a), frame.NumberColumn("b", "", b))
	if err != nil {
		t.Fatal(err)
	}
	d := frame.Design{Axes: []string{"policy", "x"}, Replication: "replication", Metrics: []string{"a", "b"}}
	c := compare.Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("p")}, Metrics: []string{"b"}}
	later, largest := inDataset(t, f, d.Metrics)
	later.Stored.AtOnce = atOnce
	want, err := summarise(f, d)
	if err != nil {
		t.Fatal(err)
	}
	got, err := summarise(later, d)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, bits); diff != "" {
		t.Error(diff)
	}
	if *largest > atOnce || *largest < atOnce/2 {
		t.Errorf("%d numbers were read at once, the bound is %d", *largest, atOnce)
	}
	pairs, err := compare.Paired(f, d, c)
	if err != nil {
		t.Fatal(err)
	}
	pairsLater, err := compare.Paired(later, d, c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pairs, pairsLater, bits); diff != "" {
		t.Error(diff)
	}
}

// A damaged column is an error of the analysis, at each place that first reads it.
func TestColumnThatCannotBeRead(t *testing.T) {
	spec := wholeSpec()
	for name, of := range map[string]Spec{"statistics": {Design: spec.Design},
		"trend": {Design: frame.Design{Axes: spec.Design.Axes, Replication: "replication", Outcome: "outcome"}, Trends: spec.Trends}} {
		f, _ := inDataset(t, sampleOf(t, 3, 3), spec.Design.Metrics)
		damage := errors.New("damage")
		f.Stored.Read = func([]string, []int32) (*store.Table, error) { return nil, damage }
		if _, err := Analyse(f, of); !errors.Is(err, damage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A result keeps a limited number of statistics in memory. Beyond it, tables still have all. An overview shows the first points
// as the tables do, and the number of the others.
func TestMoreStatisticsThanAreKept(t *testing.T) {
	const points = compare.MostKept/2 + 10
	var policy []string
	var x, replication, a []float64
	for i := range points {
		for k, p := range []string{"q", "p"} {
			for rep := range 3 {
				policy, x, replication = append(policy, p), append(x, float64(i)), append(replication, float64(rep))
				a = append(a, float64(100+i%7+10*k+rep*rep))
			}
		}
	}
	f, err := frame.NewFrame(frame.TextColumn("policy", policy), frame.NumberColumn("x", "", x),
		frame.NumberColumn("replication", "", replication), frame.NumberColumn("a", "s", a))
	if err != nil {
		t.Fatal(err)
	}
	s := Spec{Design: frame.Design{Axes: []string{"policy", "x"}, Replication: "replication", Metrics: []string{"a"}},
		Contrasts: []compare.Contrast{{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("p")}}}}
	many, err := Analyse(f, s)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(written(t, many.Tables()[0].WriteCSV), "\n"); n != 1+2*points {
		t.Errorf("%d lines of statistics, want a head and %d points", n, 2*points)
	}
	if n := strings.Count(written(t, many.Tables()[1].WriteCSV), "\n"); n != 1+points {
		t.Errorf("%d lines of comparisons, want a head and %d points", n, points)
	}
	first, err := Analyse(f.Take(frame.Every(f)[:6*(mostRows+5)]), s)
	if err != nil {
		t.Fatal(err)
	}
	want, got := written(t, first.Overview(s.Design.Metrics)[0].WriteMarkdown), written(t, many.Overview(s.Design.Metrics)[0].WriteMarkdown)
	if more := strconv.Itoa(points - mostRows); got != strings.Replace(want, "5 more", more+" more", 1) ||
		!strings.Contains(got, more+" more points") {
		t.Errorf("overview\n%s\nwant\n%s", got, want)
	}
}

// TestManyStatisticsOfLooks: more statistics than are kept, with looks. Comparisons of an overview tell of the looks, as the table does.
func TestManyStatisticsOfLooks(t *testing.T) {
	const points = compare.MostKept/2 + 10
	var policy []string
	var x, replication, a []float64
	for i := range 6 * points {
		policy, x, replication = append(policy, "pq"[i%2:i%2+1]), append(x, float64(i/6)), append(replication, float64(i/2%3))
		a = append(a, float64(100+i%7+10*(i%2)))
	}
	f, err := frame.NewFrame(frame.TextColumn("policy", policy), frame.NumberColumn("x", "", x),
		frame.NumberColumn("replication", "", replication), frame.NumberColumn("a", "s", a))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(f, Spec{Design: frame.Design{Axes: []string{"policy", "x"}, Replication: "replication", Metrics: []string{"a"},
		Looks: []int{2, 3, 9}}, Contrasts: []compare.Contrast{{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("p")}}}})
	if err != nil {
		t.Fatal(err)
	}
	const told = "looks at 2, 3, 9 replications, each at 98.33%"
	for _, c := range r.Comparisons[0] {
		n := 0
		for _, w := range c.Warnings {
			if w.Code == stats.Looks && strings.Contains(w.Text, told) {
				n++
			}
		}
		if !slices.Equal(c.Looks, []int{2, 3, 9}) || n != 1 {
			t.Fatalf("%v, %v", c.Looks, c.Warnings)
		}
	}
	if r.Complete() || !strings.Contains(r.Reading(), told) || !strings.Contains(written(t, r.Tables()[1].WriteCSV), told) {
		t.Errorf("complete %t: %s", r.Complete(), r.Reading())
	}
}

// Statistics and comparisons of some metrics are those of all metrics, also where replications agree in these metrics alone.
func TestOnlySomeMetrics(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const replications, points = 5, 40
	var policy []string
	var x, replication []float64
	values := make([][]float64, 3)
	for i := range points {
		for _, p := range []string{"p", "q"} {
			for rep := range replications {
				policy, x, replication = append(policy, p), append(x, float64(i)), append(replication, float64(rep))
				for k := range values { // every eighth point agrees in all metrics, the others in some
					v := float64(10 + k)
					if i>>k%2 == 1 {
						v += r.Float64()
					}
					values[k] = append(values[k], v)
				}
			}
		}
	}
	f, err := frame.NewFrame(frame.TextColumn("policy", policy), frame.NumberColumn("x", "", x),
		frame.NumberColumn("replication", "", replication), frame.NumberColumn("a", "s", values[0]),
		frame.NumberColumn("b", "", values[1]), frame.NumberColumn("c", "", values[2]))
	if err != nil {
		t.Fatal(err)
	}
	s := Spec{Design: frame.Design{Axes: []string{"policy", "x"}, Replication: "replication", Metrics: []string{"a", "b", "c"}},
		Contrasts: []compare.Contrast{{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("p")}}}}
	all, err := Analyse(f, s)
	if err != nil {
		t.Fatal(err)
	}
	identical := 0
	for _, metric := range s.Design.Metrics {
		later, largest := inDataset(t, f, s.Design.Metrics)
		later.Stored.AtOnce = 300
		s.Only = []string{metric}
		got, err := Analyse(later, s)
		if err != nil {
			t.Fatal(err)
		}
		statistics := slices.DeleteFunc(slices.Clone(all.Statistics), func(s Summary) bool { return s.Metric != metric })
		comparisons := slices.DeleteFunc(slices.Clone(all.Comparisons[0]), func(c compare.Comparison) bool { return c.Metric != metric })
		if d := cmp.Diff(statistics, got.Statistics, bits); d != "" || len(statistics) != 2*points {
			t.Errorf("%s: %s", metric, d)
		}
		if d := cmp.Diff(comparisons, got.Comparisons[0], bits); d != "" || len(comparisons) != points {
			t.Errorf("%s: %s", metric, d)
		}
		for _, s := range statistics {
			if slices.Contains(s.Warnings, frame.IdenticalRemark()) {
				identical++
			}
		}
		if *largest > 300 {
			t.Errorf("%d numbers were read at once", *largest)
		}
	}
	if identical != 3*2*points/8 {
		t.Errorf("%d means are without an interval", identical)
	}
}
