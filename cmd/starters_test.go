package cmd

import (
	"strings"
	"testing"
)

// TestStartersDraw: every manifest of init --from draws a figure, of its own, of a question, or of the manifest that it extends.
func TestStartersDraw(t *testing.T) {
	for _, name := range starters() {
		content, err := starter(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(content, "\n  figures:\n") && !strings.Contains(content, "\nfind:\n") && !strings.Contains(content, "\nextends: ") {
			t.Errorf("init --from %s writes a manifest without a figure", name)
		}
	}
}
