package analysis

import (
	"os"
	"path/filepath"
	"testing"
)

func TestZZ(t *testing.T) {
	r, err := Analyse(sample(t), wholeSpec())
	if err != nil {
		t.Fatal(err)
	}
	paths, err := r.Write("/tmp/ana/out")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		if filepath.Ext(p) == ".txt" {
			b, _ := os.ReadFile(p)
			t.Log("\n" + string(b))
		}
	}
	for _, d := range r.Figures {
		t.Log(d.Figure.ID, d.Warnings)
	}
	t.Log(r.Warnings)
}
