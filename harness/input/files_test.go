package input

import (
	"strings"
	"testing"
)

// TestRemediesForFilesNotFound: the remedy suits the name.
func TestRemediesForFilesNotFound(t *testing.T) {
	const archive = "Parallel Workloads Archive"
	for _, c := range []struct {
		path, has, lacks string
	}{
		{"kth.swf.gz", archive, "expand"},
		{"prices.csv", "SCHEDSWEEP_DATA", archive},
		{"~/kth.swf", "do not expand ~", archive},
		{"$HOME/kth.swf", "do not expand ~ and variables", archive},
		{"https://example.org/kth.swf", "Download it", archive},
		{"sacct", "write ./sacct", archive},
	} {
		_, err := NewFiles(t.TempDir()).Find(c.path)
		if err == nil || !strings.Contains(err.Error(), c.has) || strings.Contains(err.Error(), c.lacks) {
			t.Errorf("%s: %v; want %q and not %q", c.path, err, c.has, c.lacks)
		}
	}
}
