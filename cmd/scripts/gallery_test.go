package scripts

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "schedsweep/analysis/plot"
	"schedsweep/harness/store/golden"
	"schedsweep/sim/simtest"
	"schedsweep/sweep/study"
)

const (
	gallery = "../../docs/gallery"
	// longestOfGallery is the number of lines of a manifest that a reader sees at once; largestOfGallery bounds all pictures.
	longestOfGallery = 30
	largestOfGallery = 1_500_000
)

var kindOf = regexp.MustCompile(`\bkind: ([\w-]+)`)

// TestGallery runs each manifest of the gallery and compares its figure with the committed picture. Every kind of figure has a
// section with a manifest that draws it, and a picture. The large manifests, which sample parameters, run with all cases. make gallery
// (-update) writes the pictures anew.
func TestGallery(t *testing.T) {
	prog, err := filepath.Abs(program(t))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(gallery, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, s := range read(t, string(text)).steps {
		if s.file == "" {
			continue
		}
		name := strings.TrimSuffix(s.file, ".yaml")
		kind := study.DefaultFigureKind
		_, figures, _ := strings.Cut(s.content, "figures:")
		if k := kindOf.FindStringSubmatch(figures); k != nil {
			kind = k[1]
		}
		kinds = append(kinds, kind)
		if n := strings.Count(s.content, "\n"); n > longestOfGallery {
			t.Errorf("%s has %d lines, and %d is the most", s.file, n, longestOfGallery)
		}
		if !strings.Contains(string(text), "]("+name+".svg)") {
			t.Errorf("the page does not show %s.svg", name)
		}
	}
	var size int64
	pictures, err := filepath.Glob(filepath.Join(gallery, "*.svg"))
	if err != nil || len(pictures) != len(kinds) {
		t.Errorf("%d pictures for %d manifests, %v", len(pictures), len(kinds), err)
	}
	for _, p := range pictures {
		if info, err := os.Stat(p); err == nil {
			size += info.Size()
		}
	}
	if size > largestOfGallery {
		t.Errorf("the pictures have %d bytes, and %d is the most", size, largestOfGallery)
	}
	for _, k := range study.FigureKinds {
		if !slices.Contains(kinds, k.Name) || !strings.Contains(string(text), "\n## "+k.Name+"\n") {
			t.Errorf("the gallery has no section or no manifest of the kind %s", k.Name)
		}
	}
	if testing.Short() {
		t.Skip("slow")
	}
	var waiting sync.WaitGroup
	for _, s := range read(t, string(text)).steps {
		large := strings.Contains(s.content, "\nsample:")
		if s.file != "" && (!large || simtest.Cases(0, 1) > 0 || *golden.Update) {
			waiting.Go(func() { drawn(t, prog, s) })
		}
	}
	waiting.Wait()
}

// drawn runs a manifest of the gallery and compares its figure with the picture.
func drawn(t *testing.T, prog string, s step) {
	dir, name := t.TempDir(), strings.TrimSuffix(s.file, ".yaml")
	if err := os.WriteFile(filepath.Join(dir, s.file), []byte(s.content), 0o644); err != nil {
		t.Error(err)
		return
	}
	for _, args := range [][]string{{"run", s.file, "--quiet"}, {"analyze", s.file, "--to", ".", "--quiet"}} {
		cmd := exec.Command(prog, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s of %s: %v\n%s", args[0], s.file, err, out)
			return
		}
	}
	got, err := os.ReadFile(filepath.Join(dir, "figures", name+".svg"))
	if err != nil {
		t.Errorf("%s draws no figure of its name: %v", s.file, err)
		return
	}
	picture := filepath.Join(gallery, name+".svg")
	if *golden.Update {
		if err := os.WriteFile(picture, got, 0o644); err != nil {
			t.Error(err)
		}
	}
	if want, err := os.ReadFile(picture); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what its manifest draws (%v): run make gallery and look at the picture", picture, err)
	}
}
