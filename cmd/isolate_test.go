package cmd

import (
	"os"
	"testing"
)

// TestMain ends a process that run --isolate starts from this test program: it is not schedsweep, and would run all tests again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == isolatedVerb {
		os.Exit(exitUnexpected)
	}
	os.Exit(m.Run())
}
