package frame

import (
	"slices"
	"testing"
)

// TestReplicationsOfOtherPlaces: only the last of three replications has rows at both loads. Without it, no mean is of both.
func TestReplicationsOfOtherPlaces(t *testing.T) {
	f, err := NewFrame(NumberColumn("load", "", []float64{1, 2, 1, 2}), NumberColumn("rep", "", []float64{0, 1, 2, 2}),
		NumberColumn("m", "", []float64{10, 20, 30, 50}))
	if err != nil {
		t.Fatal(err)
	}
	r := NewReplications(f, &Design{Replication: "rep"}, "load")
	for _, c := range []struct {
		rows    []int32
		values  []float64
		partial int
	}{{[]int32{0, 1, 2, 3}, []float64{40}, 2}, {[]int32{0, 1}, nil, 2}, {[]int32{0, 2}, []float64{10, 30}, 0}} {
		if values, partial := r.Values(c.rows, f.Column("m").Number); !slices.Equal(values, c.values) || partial != c.partial {
			t.Errorf("rows %v: %v and %d partial, want %v and %d", c.rows, values, partial, c.values, c.partial)
		}
	}
}
