package sweep

import (
	"testing"

	"schedsweep/sweep/text"
)

// Some editors begin a file with a byte order mark, which is no part of a key.
func TestByteOrderMark(t *testing.T) {
	if load(t, text.ByteOrderMark+twoBlocks).Hash() != load(t, twoBlocks).Hash() {
		t.Error("a byte order mark makes another manifest")
	}
}
