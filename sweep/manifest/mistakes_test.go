package manifest_test

import (
	"testing"

	"schedsweep/sweep/sweeptest"
)

func TestMistakes(t *testing.T) { sweeptest.Mistakes(t) }
