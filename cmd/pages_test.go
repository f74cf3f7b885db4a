package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestArchitecture: the page stays short enough to read, and names each package two
// folders deep; deeper ones are described by the folder they are in.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 100 {
		t.Errorf("ARCHITECTURE.md has %d lines; the bound is 100", n)
	}
	named := 0
	for _, pattern := range []string{"../sim/*/*.go", "../harness/*/*.go", "../analysis/*/*.go", "../sweep/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			folder := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(f), "../"))
			if strings.HasSuffix(folder, "test") { // helpers that tests share
				continue
			}
			if named++; !strings.Contains(string(text), "`"+folder+"`") {
				t.Errorf("ARCHITECTURE.md does not name %s", folder)
			}
		}
	}
	if named < 20 {
		t.Errorf("%d files in packages", named)
	}
}
