package figure

import (
	"bytes"
	"image/png"
	"path/filepath"
	"testing"

	"schedsweep/harness/store/golden"
)

// goldenDPI keeps the files small.
const goldenDPI = 60

func TestGolden(t *testing.T) {
	for _, f := range gallery() {
		switch f.ID {
		case "dutot", "log", "slanted", "twelve", "references", "own-ranges", "spread", "shares", "tradeoff", "mean-ranks", "heat", "bars",
			"job-shares", "parallel":
		default:
			continue
		}
		t.Run(f.ID, func(t *testing.T) {
			got, err := f.image(goldenDPI)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := png.Encode(&b, got); err != nil {
				t.Fatal(err)
			}
			golden.CheckPNG(t, filepath.Join("testdata", f.ID+".png"), b.Bytes())
		})
	}
}

func TestDifferingSeesAMovedLine(t *testing.T) {
	f, g := references(), references()
	mark[*Reference](g.Panels[0], -1).Y = 300
	a, errA := f.image(goldenDPI)
	b, errB := g.image(goldenDPI)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if golden.Differing(a, b) <= golden.Tolerated {
		t.Error("a moved reference line passes the tolerance of the golden test")
	}
}
