package frame

import (
	"errors"
	"testing"

	"schedsweep/harness/store"
)

// TestApart holds that a frame for another goroutine reads columns and meets errors by itself, and has the values of the first.
func TestApart(t *testing.T) {
	f, err := NewFrame(NumberColumn("x", "", []float64{1, 2}))
	if err != nil {
		t.Fatal(err)
	}
	f.Later(store.Schema{{Name: "y", Type: store.Float64}}, func([]string, []int32) (*store.Table, error) {
		return nil, errors.New("no file")
	})
	other := f.Apart()
	if other.Column("y"); other.Err() == nil || f.Err() != nil {
		t.Errorf("the one that reads has the error %v, the other %v", other.Err(), f.Err())
	}
	if f.Head("y").held() || other.Column("x").Number(1) != 2 {
		t.Error("frames apart share what one has read, or not what both had")
	}
	if none := (*Frame)(nil); none.Apart() != nil {
		t.Error("no frame is one apart")
	}
}
