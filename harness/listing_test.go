package harness

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The page of the datasets is what their schemas make of it; -update writes it.
func TestDatasetsPage(t *testing.T) {
	const page = "datasets.md"
	var want bytes.Buffer
	if err := WriteDatasets(&want, Datasets()); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	is, err := os.ReadFile(page)
	if d := cmp.Diff(want.String(), string(is)); err != nil || d != "" {
		t.Errorf("%v; go test ./harness -run DatasetsPage -update writes it (-want +is):\n%s", err, d)
	}
}
