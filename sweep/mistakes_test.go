package sweep

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"schedsweep/sweep/text"
)

// A thousand mistakes are one mistake made often: the first show it, all are counted.
func TestManyMistakesAreCounted(t *testing.T) {
	manifest := base + "axes:\n  workload.jobs: ["
	for range 1000 {
		manifest += "\n    none,"
	}
	_, err := Load("many.yaml", []byte(manifest+"]\n"), testOptions(""))
	var mistakes *text.Errors
	if !errors.As(err, &mistakes) || len(*mistakes) != 1000 {
		t.Fatalf("error %v", err)
	}
	said := err.Error()
	if n := strings.Count(said, "want a whole number"); n != 20 || !strings.HasSuffix(said, "\nand 980 more, 1000 mistakes in all: mend these first") {
		t.Errorf("%d are shown:\n%s", n, said)
	}
	few := text.Errors((*mistakes)[:20])
	if said := fmt.Sprint(&few); strings.Contains(said, "more") {
		t.Errorf("20 are counted:\n%s", said)
	}
}
