package figure

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func labels(ts []tick) string {
	var s []string
	for _, t := range ts {
		s = append(s, t.label)
	}
	return strings.Join(s, " ")
}

func TestLinearTicks(t *testing.T) {
	plain := display{factor: 1}
	for _, c := range []struct {
		lo, hi float64
		count  int
		show   display
		want   string
	}{
		{0, 1, 6, plain, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{0.5, 0.95, 10, plain, "0.50 0.55 0.60 0.65 0.70 0.75 0.80 0.85 0.90 0.95"},
		{-15, 17, 8, plain, "−15 −10 −5 0 5 10 15"},
		{0, 3.9e8, 5, display{factor: 1e6}, "0 100 200 300"},
		{79200, 147600, 5, display{factor: 3600}, "25 30 35 40"},
		{0, 0.003, 4, plain, "0.000 0.001 0.002 0.003"},
	} {
		if got := labels(linearTicks(c.lo, c.hi, c.count, c.show)); got != c.want {
			t.Errorf("%g..%g: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

func TestLogTicks(t *testing.T) {
	plain, seconds := display{factor: 1}, display{factor: 1, readable: "s"}
	for _, c := range []struct {
		lo, hi float64
		most   int
		show   display
		want   string
	}{
		{1e-4, 1e2, 8, plain, "10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 10⁰ 10¹ 10²"},
		{1, 1e3, 8, plain, "1 10 100 1000"},
		{3, 600, 9, plain, "5 10 20 50 100 200 500"},
		{3, 600, 4, plain, "5 20 100 500"},
		{280, 1600, 8, plain, "300 500 700 1000 1500"},
		{1e-12, 1e12, 5, plain, "10⁻¹⁰ 10⁻⁵ 10⁰ 10⁵ 10¹⁰"},
		{1.02, 1.18, 4, plain, "1.05 1.10 1.15"},
		{2e-5, 0.4, 8, seconds, "100 µs 1 ms 10 ms 100 ms"},
		{20, 9000, 8, seconds, "1 min 10 min 1 h"},
		{200, 1600, 8, seconds, "5 min 10 min 20 min"},
		{6000, 4e5, 8, seconds, "6 h 1 d 3 d"},
		{10000, 20500, 8, seconds, "3.0 h 3.5 h 4.0 h 4.5 h 5.0 h 5.5 h"},
		{4e4, 4e8, 8, seconds, "1 d 10 d 100 d 1000 d"},
		{1e-1, 1e6, 1, seconds, "100 ms"},
		{1e-7, 1e3, 1, plain, "10⁻⁴"},
	} {
		fits := func(ts []tick) bool { return len(ts) <= c.most }
		if got := labels(logTicks(c.lo, c.hi, c.show, fits)); got != c.want {
			t.Errorf("%g..%g: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

// TestTicksOfAnyRange: ticks lie inside the range, ascend, are no more than allowed, and their labels give their values.
func TestTicksOfAnyRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.Float64Range(-12, 15).Draw(t, "exponent")
		lo := rapid.Float64Range(-1, 1).Draw(t, "lo") * math.Pow(10, e)
		hi := lo + math.Pow(10, e)*rapid.Float64Range(1e-3, 3).Draw(t, "span")
		count := rapid.IntRange(2, 12).Draw(t, "count")
		d := chooseDisplay(&Axis{Unit: rapid.SampledFrom([]string{"", "s", "B/s"}).Draw(t, "unit")}, lo, hi)
		ts := linearTicks(lo, hi, count, d)
		if len(ts) > count {
			t.Fatalf("%d ticks, allowed are %d", len(ts), count)
		}
		slack := 1e-8 * (hi - lo)
		for i, k := range ts {
			if k.at < lo-slack || k.at > hi+slack || i > 0 && (k.at <= ts[i-1].at || k.label == ts[i-1].label) {
				t.Fatalf("tick %+v of %v in %g..%g", k, ts, lo, hi)
			}
			if len(k.label) > 14 {
				t.Fatalf("label %q is long (%g..%g, %+v)", k.label, lo, hi, d)
			}
		}
	})
}

// TestTicksInAFarUnit: panels with axes of their own share the unit of the figure, which may be far too large for one of them.
func TestTicksInAFarUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1, 1).Draw(t, "lo")
		hi := lo + rapid.Float64Range(1e-3, 3).Draw(t, "span")
		small := math.Pow(10, rapid.Float64Range(-298, 0).Draw(t, "small"))
		d := display{factor: math.Pow(10, rapid.Float64Range(0, 300).Draw(t, "large"))}
		count := rapid.IntRange(1, 12).Draw(t, "count")
		ts := linearTicks(lo*small, hi*small, count, d)
		if len(ts) > count {
			t.Fatalf("%d ticks, allowed are %d", len(ts), count)
		}
		for i, k := range ts {
			if utf8.RuneCountInString(k.label) > 14 || i > 0 && (k.at <= ts[i-1].at || k.label == ts[i-1].label) {
				t.Fatalf("ticks %v", ts)
			}
		}
	})
}

func TestAxisTitles(t *testing.T) {
	for _, c := range []struct {
		unit   string
		lo, hi float64
		want   string
	}{
		{"s", 0, 90, "X (s)"}, {"s", 0, 7200, "X (min)"}, {"s", 0, 36000, "X (h)"}, {"s", 0, 3e6, "X (days)"}, {"s", 0, 2e-5, "X (µs)"},
		{"B/s", 0, 1.25e8, "X (MB/s)"}, {"flop", 0, 5e12, "X (Tflop)"}, {"", 0, 4e8, "X (×10⁶)"}, {"", 0, 5e-5, "X (×10⁻⁶)"},
		{"%", -20, 40, "X (%)"}, {"", 0, 1, "X"}, {"jobs", 0, 2e7, "X (×10⁶ jobs)"}, {"s", 1e9 - 1, 1e9 + 2, "X − 1000000000 s (s)"},
	} {
		if got := chooseDisplay(&Axis{Label: "X", Unit: c.unit}, c.lo, c.hi).title; got != c.want {
			t.Errorf("%s %g..%g: %q, want %q", c.unit, c.lo, c.hi, got, c.want)
		}
	}
}

func TestSeriesLookDifferent(t *testing.T) {
	type look struct {
		colour any
		shape  shape
		dash   int
	}
	seen := map[look]int{}
	for i := range 35 {
		l := look{seriesColour(i), seriesShape(i), i % len(dashes)}
		if j, ok := seen[l]; ok {
			t.Errorf("series %d and %d look the same", i, j)
		}
		seen[l] = i
	}
}

func TestClipping(t *testing.T) {
	a := &area{x: 0, y: 0, w: 10, h: 10, scene: &scene{}}
	a.stroke([]Point{{-5, 5}, {5, 5}, {5, 20}, {8, 20}, {8, 5}}, black, 1, nil)
	want := []any{}
	for _, line := range [][]Point{{{0, 5}, {5, 5}, {5, 10}}, {{8, 10}, {8, 5}}} {
		want = append(want, shapeItem{path: through(line...), stroke: black, width: 1})
	}
	if d := cmp.Diff(want, a.scene.items, cmp.AllowUnexported(shapeItem{}, path{}, op{})); d != "" {
		t.Error(d)
	}
	if got := a.clipPolygon([]Point{{20, 20}, {30, 20}, {30, 30}}); len(got) != 0 {
		t.Errorf("a polygon outside leaves %v", got)
	}
}

func TestWrap(t *testing.T) {
	for _, line := range wrap("a rather long title that goes on", 60, 8, false) {
		if textWidth(line, 8, false) > 60 {
			t.Errorf("%q is wider than 60", line)
		}
	}
	if got := strings.Join(wrap("a-b c", 500, 8, false), "|"); got != "a-b c" {
		t.Errorf("%q", got)
	}
	if got := strings.Join(words("10 MB/s (GB/s) over traces/log or B/s"), "|"); got != "10 |MB/s |(GB/s) |over |traces/|log |or |B/s" {
		t.Errorf("%q", got)
	}
}

// TestWrapLosesNothing: the lines of a wrapped text have all its letters, and none is too wide.
func TestWrapLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zé]{1,40}([ -][a-z]{1,40}){0,5}`).Draw(t, "text")
		width, height := rapid.Float64Range(20, 200).Draw(t, "width"), rapid.Float64Range(8, 40).Draw(t, "height")
		lines, size := wrap(text, width, 8, false), 8.0
		if rapid.Bool().Draw(t, "shrunk") {
			lines, size = shrunk(text, width, height, 8, false)
			if len(lines) > 1 && size > 1 && size*(1+lineGap*float64(len(lines)-1)) > height {
				t.Fatalf("%d lines of size %v in %v", len(lines), size, height)
			}
		}
		for _, line := range lines {
			if textWidth(line, size, false) > width {
				t.Fatalf("%q is wider than %v", line, width)
			}
		}
		if got := strings.Join(lines, ""); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(text, " ", "") {
			t.Fatalf("%q became %q", text, lines)
		}
	})
}

// A logarithmic axis of any range has labels enough to be read by.
func TestLogAxesHaveThreeLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := math.Pow(10, rapid.Float64Range(-9, 12).Draw(t, "lo"))
		hi := lo * math.Pow(10, rapid.Float64Range(0.02, 14).Draw(t, "decades"))
		a := &Axis{Log: true, Unit: rapid.SampledFrom([]string{"", "s", "B/s"}).Draw(t, "unit")}
		s := newScale(a, extent{lo, hi})
		s.labelVertically(rapid.Float64Range(110, 400).Draw(t, "length"))
		if len(s.ticks) < fewestTicks {
			t.Fatalf("%g..%g has %d labels: %s", s.lo, s.hi, len(s.ticks), labels(s.ticks))
		}
		seen := map[string]bool{}
		for i, k := range s.ticks {
			if k.at < s.lo*(1-1e-8) || k.at > s.hi*(1+1e-8) || i > 0 && k.at <= s.ticks[i-1].at || seen[k.label] {
				t.Fatalf("tick %+v of %v in %g..%g", k, s.ticks, s.lo, s.hi)
			}
			seen[k.label] = true
		}
	})
}

// Where steps of 2 ms are too close at their end and steps of 5 ms too few, every second one is taken.
func TestLogAxisOfLessThanADecade(t *testing.T) {
	s := newScale(&Axis{Log: true, Unit: "s"}, extent{math.Pow(10, -2.5625), math.Pow(10, -1.875)})
	if s.labelVertically(110); len(s.ticks) < fewestTicks {
		t.Errorf("%g..%g has %d labels: %s", s.lo, s.hi, len(s.ticks), labels(s.ticks))
	}
	s = newScale(&Axis{Log: true, Limits: &[2]float64{1.00000001e11, 1.00000007e11}}, extent{})
	if s.labelVertically(110); !strings.HasPrefix(labels(s.ticks), "1.00000001×10¹¹ ") {
		t.Errorf("labels %s", labels(s.ticks))
	}
}

func TestReadable(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{{90, "s", "1.5 min"}, {100, "s", "100 s"}, {1e5, "s", "100000 s"}, {129600, "s", "1.5 d"}, {3600, "s", "1 h"},
		{864000, "s", "10 d"}, {0.25, "s", "250 ms"}, {0, "s", "0 s"}, {1e9, "B/s", "1 GB/s"},
		{1.25e8, "B/s", "125 MB/s"}, {0.7, "", "0.7"}, {-3, "jobs", "−3 jobs"}, {0.1 + 0.2, "", "0.3"},
		{math.Inf(1), "s", "∞"}, {math.Inf(-1), "W", "−∞"}, {math.Inf(1), "", "∞"}} {
		if got := Readable(c.v, c.unit); got != c.want {
			t.Errorf("%g %s: %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

// TestNamesTellValuesApart: names have as few digits as tell the values apart, four at least. Short and whole numbers stay as they are.
func TestNamesTellValuesApart(t *testing.T) {
	third := 0.7 / 3
	for _, c := range []struct {
		values []float64
		unit   string
		want   string
	}{
		{[]float64{0.1, third, 0.5, 0.30000000000000004}, "", "0.1 0.2333 0.5 0.3"},
		{[]float64{third, third + 1e-6}, "", "0.233333 0.233334"},
		{[]float64{0.12345, 1234567, 1234567.1234567}, "", "0.12345 1234567 1234567.123"},
		{[]float64{-third, 1.23456789e-7, 0}, "", "−0.2333 1.235e−07 0"},
		{[]float64{60, 100000, 400.0 / 3}, "s", "1 min 100000 s 2.222 min"},
		{[]float64{1e9 / 3, 1e9}, "B/s", "333.3 MB/s 1 GB/s"},
	} {
		if got := strings.Join(Names(c.values, c.unit), " "); got != c.want {
			t.Errorf("%v %s: %s, want %s", c.values, c.unit, got, c.want)
		}
	}
}
