package claim

import "testing"

// TestSides: a remark names its side by what the other side does not have.
func TestSides(t *testing.T) {
	side := func(selected string, terms ...string) *sample { return &sample{selected: selected, described: terms} }
	for _, c := range []struct {
		of, to     *sample
		first, two string
	}{
		{side("", "load = 0.9", "policy = easy"), side("", "load = 0.9", "policy = fcfs"), "policy = easy:", "policy = fcfs:"},
		{side("load = 0.6", "load = 0.6"), side("", "load = 0.6", "cap = 30"), "load = 0.6:", "cap = 30:"},
		{side("", "load = 0.6"), side("", "load = 0.6"), "", ""},
	} {
		both := &test{samples: []*sample{c.of, c.to}}
		if first, two := both.sideOf(c.of), both.sideOf(c.to); first != c.first || two != c.two {
			t.Errorf("got %q and %q, want %q and %q", first, two, c.first, c.two)
		}
	}
	if alone := (&test{samples: []*sample{side("", "policy = easy")}}); alone.sideOf(alone.samples[0]) != "" {
		t.Error("a single sample has no side")
	}
}
