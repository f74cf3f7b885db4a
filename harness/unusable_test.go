package harness

import (
	"errors"
	"io/fs"
	"testing"
)

// TestUnusable: an error about an input keeps its own text and its cause.
func TestUnusable(t *testing.T) {
	err := Unusable("m.yaml:3: %w", fs.ErrNotExist)
	if !errors.Is(err, ErrInput) || !errors.Is(err, fs.ErrNotExist) || err.Error() != "m.yaml:3: "+fs.ErrNotExist.Error() {
		t.Error(err)
	}
}
