package text_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"schedsweep/sweep"
	"schedsweep/sweep/sweeptest"
	"schedsweep/sweep/text"
)

func TestHostileNestingIsAMistake(t *testing.T) {
	for _, text := range []string{strings.Repeat("[", 1<<20), strings.Repeat("- ", 1<<20), strings.Repeat("{a: ", 1<<18), "a: &a [x]\n" +
		strings.Repeat("b: &b [*a, *a]\n", 3)} {
		opt := sweeptest.Options("")
		if _, err := sweep.Load("x.yaml", []byte(text), opt); err == nil {
			t.Errorf("%.20q is accepted", text)
		}
	}
	// Every level doubles the one before: a billion values in a few lines.
	bomb := "name: t\n"
	for i := range 30 {
		bomb += fmt.Sprintf("a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
	}
	if _, err := sweep.Load("x.yaml", []byte(strings.Replace(bomb, "name: t\n", "name: t\na0: &a0 x\n", 1)),
		sweeptest.Options("")); err == nil {
		t.Error("a bomb of aliases is accepted")
	}
}

func TestRuleOfDashesIsAComment(t *testing.T) {
	sweeptest.Load(t, "# "+strings.Repeat("-", 5000)+"\n"+sweeptest.Base)
}

// Some editors begin a file with a byte order mark, which is no part of a key.
func TestByteOrderMark(t *testing.T) {
	if sweeptest.Load(t, text.ByteOrderMark+sweeptest.Base).Hash() != sweeptest.Load(t, sweeptest.Base).Hash() {
		t.Error("a byte order mark makes another manifest")
	}
}

// A thousand mistakes are one mistake made often: the first show it, all are counted.
func TestManyMistakesAreCounted(t *testing.T) {
	manifest := sweeptest.Base + "axes:\n  workload.jobs: ["
	for range 1000 {
		manifest += "\n    none,"
	}
	_, err := sweep.Load("many.yaml", []byte(manifest+"]\n"), sweeptest.Options(""))
	var mistakes *text.Errors
	if !errors.As(err, &mistakes) || len(*mistakes) != 1000 {
		t.Fatalf("error %v", err)
	}
	said := err.Error()
	if n := strings.Count(said, "want a whole number"); n != 20 || !strings.HasSuffix(said, "\nand 980 more, 1000 mistakes in all: mend "+
		"these first") {
		t.Errorf("%d are shown:\n%s", n, said)
	}
	few := text.Errors((*mistakes)[:20])
	if said := fmt.Sprint(&few); strings.Contains(said, "more") {
		t.Errorf("20 are counted:\n%s", said)
	}
}
