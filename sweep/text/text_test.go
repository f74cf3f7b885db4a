package text

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestQuantities(t *testing.T) {
	tests := []struct {
		text, unit string
		want       float64
	}{
		{"90s", "s", 90}, {"1h30m", "s", 5400}, {"30d", "s", 30 * 86400}, {"1.5h", "s", 5400}, {"24us", "s", 24e-6}, {"1 h 30 min", "s", 5400},
		{"2w", "s", 14 * 86400}, {"-5s", "s", -5}, {"1e3ms", "s", 1}, {"0.1ns", "s", 0.1e-9},
		{"16MB", "B", 16e6}, {"4KiB", "B", 4096}, {"2.3GB", "B", 2.3e9}, {"1TiB", "B", 1 << 40}, {"1_000kB", "B", 1e6},
		{"1Gbps", "B/s", 125e6}, {"125MBps", "B/s", 125e6}, {"8bps", "B/s", 1}, {"1.25GB/s", "B/s", 1.25e9}, {"10MiBps", "B/s", 10 << 20},
		{"2.5Gflops", "flop/s", 2.5e9}, {"286.097kflops", "flop/s", 286097}, {"1Tflop", "flop", 1e12},
	}
	for _, tt := range tests {
		got, err := Quantity(tt.text, tt.unit)
		if err != nil || got != tt.want {
			t.Errorf("%s in %s is %v (%v), want %v", tt.text, tt.unit, got, err, tt.want)
		}
	}
	for _, bad := range []struct {
		text, unit string
	}{{"", "s"}, {"s", "s"}, {"1h30", "s"}, {"1x", "s"}, {"1MB2kB", "B"}, {"1.2.3s", "s"}, {"-", "B"}, {"1mB", "B"}, {"1e400s", "s"},
		{"5Gb", "B/s"}} {
		if v, err := Quantity(bad.text, bad.unit); err == nil {
			t.Errorf("%q in %s is %v, want an error", bad.text, bad.unit, v)
		}
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{"1e6": 1e6, "+1E3": 1000, "010": 10, "0x1F": 31, ".5": 0.5, "-.inf": math.Inf(-1),
		"1_000.5": 1000.5, "-0": 0} {
		if got, ok := Number(text); !ok || got != want {
			t.Errorf("%s is %v, %t; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", ".", "inf", "nan", ".nan", "1h", "1e", "e1", "--1", "0x", "1e999", "2015-01-01", "_1"} {
		if got, ok := Number(text); ok {
			t.Errorf("%q is the number %v", text, got)
		}
	}
}

func TestScalarsSurviveTheEmitter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text")
		n := &Node{Shape: Map, Entries: []Entry{{Key: "k" + text, Value: &Node{Text: text, Quoted: true}},
			{Key: "l", Value: &Node{Shape: List, Items: []*Node{{Text: text, Quoted: true}}}}}}
		out := &Sink{}
		back := Parse(NewSource("x", 0, nil), Emit(n), out)
		if len(out.Found) > 0 || back == nil || back.Get("k"+text) == nil || back.Get("k"+text).Text != text ||
			back.Get("l").Items[0].Text != text {
			rt.Fatalf("%q became %v:\n%s", text, out.Err(), Emit(n))
		}
	})
}

func TestNearest(t *testing.T) {
	names := []string{"placement", "depth", "max_depth", "Gbps", "GBps", "log2", "offered_load", "offered_load_of", "load_factor", "price",
		"processors"}
	for word, want := range map[string]string{"placment": "placement", "plaecment": "placement", "dpeth": "depth", "gbps": "Gbps",
		"maxdepth": "max_depth", "load": "offered_load", "procs": "processors", "xyz": "", "a": ""} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q is near %q, want %q", word, got, want)
		}
	}
	if d := Distance("ca", "ac", 5); d != 1 {
		t.Errorf("a swap costs %d, want 1", d)
	}
}

func TestPlaceOfAField(t *testing.T) {
	text := "clusters:\n  - {nodes: 1}\n  - {nodes: 2}\n"
	n := Parse(NewSource("x", 0, []byte(text)), []byte(text), &Sink{})
	for path, want := range map[string][2]int{"clusters[1].nodes": {3, 13}, "clusters[0].speed": {2, 5}, "clusters[9]": {2, 3}, "": {1, 1}} {
		if at := n.Place(path); at.Line != want[0] || at.col != want[1] {
			t.Errorf("%q stands at %d:%d, want %v", path, at.Line, at.col, want)
		}
	}
}
