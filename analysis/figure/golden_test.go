package figure

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden images; look at them before you commit")

// goldenDPI keeps the files small.
const goldenDPI = 60

// Golden images are compared with a tolerance: rasterisers round differently on other processors.
func TestGolden(t *testing.T) {
	for _, f := range gallery() {
		switch f.ID {
		case "dutot", "log", "slanted", "twelve", "references", "own-ranges", "spread", "shares", "tradeoff", "mean-ranks", "heat", "bars", "job-shares":
		default:
			continue
		}
		t.Run(f.ID, func(t *testing.T) {
			got, err := f.image(goldenDPI)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", f.ID+".png")
			if *update {
				var b bytes.Buffer
				if err := png.Encode(&b, got); err != nil {
					t.Fatal(err)
				}
				if err := os.MkdirAll("testdata", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			file, err := os.Open(path)
			if err != nil {
				t.Fatalf("%v; run go test -update and look at the image", err)
			}
			defer file.Close()
			want, err := png.Decode(file)
			if err != nil {
				t.Fatal(err)
			}
			if share := differing(got, want); share > 0.002 {
				t.Errorf("%.2f %% of the pixels of %s differ visibly; if that is meant, run go test -update and look at the image", 100*share, path)
			}
		})
	}
}

// differing is the share of pixels that differ by more than a tenth in some channel; 1 for different sizes.
func differing(a, b image.Image) float64 {
	if a.Bounds() != b.Bounds() {
		return 1
	}
	n := 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if apart(r1, r2) || apart(g1, g2) || apart(b1, b2) {
				n++
			}
		}
	}
	return float64(n) / float64(a.Bounds().Dx()*a.Bounds().Dy())
}

func apart(a, b uint32) bool { return max(a, b)-min(a, b) > 6553 }

func TestDifferingSeesAMovedLine(t *testing.T) {
	f, g := references(), references()
	mark[*Reference](g.Panels[0], -1).Y = 300
	a, errA := f.image(goldenDPI)
	b, errB := g.image(goldenDPI)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if differing(a, b) <= 0.002 {
		t.Error("a moved reference line passes the tolerance of the golden test")
	}
}
