package rows

import (
	"bytes"
	"testing"

	"schedsweep/harness/store/golden"
)

// The page of the datasets is what their schemas make of it; -update writes it.
func TestDatasetsPage(t *testing.T) {
	var want bytes.Buffer
	if err := WriteDatasets(&want, Datasets()); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "../../docs/reference/columns.md", want.String())
}
