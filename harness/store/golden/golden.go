// Package golden compares the output of tests with committed files.
package golden

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update tells that the files are written anew.
var Update = flag.Bool("update", false, "write golden files anew; read and understand every difference before you commit it")

// Check compares text with a file.
func Check(t testing.TB, path, got string) {
	t.Helper()
	if d := cmp.Diff(string(file(t, path, []byte(got))), got); d != "" {
		t.Errorf("%s; if the difference is meant, run go test -update (-want +got):\n%s", path, d)
	}
}

// CheckPNG compares an image with a file, with a tolerance: rasterisers round differently on other processors.
func CheckPNG(t testing.TB, path string, got []byte) {
	t.Helper()
	a, errA := png.Decode(bytes.NewReader(got))
	b, errB := png.Decode(bytes.NewReader(file(t, path, got)))
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if share := Differing(a, b); share > Tolerated {
		t.Errorf("%.2f %% of the pixels of %s differ visibly; if that is meant, run go test -update and look at the image", 100*share, path)
	}
}

// Tolerated is the share of pixels that may differ.
const Tolerated = 0.002

// Differing is the share of pixels that differ by more than a tenth in some channel; 1 for different sizes.
func Differing(a, b image.Image) float64 {
	if a.Bounds() != b.Bounds() {
		return 1
	}
	apart := func(a, b uint32) bool { return max(a, b)-min(a, b) > 6553 }
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

// file returns the contents of the file, after it has been written with -update.
func file(t testing.TB, path string, got []byte) []byte {
	t.Helper()
	if *Update {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, got, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run go test -update and read the difference", err)
	}
	return want
}

// Block writes text between the lines <!-- NAME --> and <!-- end of NAME --> of a page, with -update. It compares nothing.
func Block(t testing.TB, path, name, text string) {
	t.Helper()
	if !*Update {
		return
	}
	page, err := os.ReadFile(path)
	begin, end := []byte("<!-- "+name+" -->\n"), []byte("<!-- end of "+name+" -->\n")
	before, rest, found := bytes.Cut(page, begin)
	_, after, ended := bytes.Cut(rest, end)
	if err == nil && !(found && ended) {
		err = errors.New(path + " has no lines <!-- " + name + " --> and <!-- end of " + name + " -->")
	}
	if err == nil {
		err = os.WriteFile(path, bytes.Join([][]byte{before, begin, []byte("\n" + text + "\n"), end, after}, nil), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
