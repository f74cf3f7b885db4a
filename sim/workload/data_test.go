package workload_test

import (
	"os"
	"path/filepath"
	"testing"

	"schedsweep/sim/simtest"
	"schedsweep/sim/workload/swf"
)

func traces(t testing.TB) string { return simtest.Data(t) }

// matching returns the files of a pattern and fails where there are none.
func matching(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no file matches %s", pattern)
	}
	return files
}

func readLog(t testing.TB, path string) *swf.Log {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l, err := swf.Parse(filepath.Base(path), f, nil)
	if err == nil {
		err = l.Invalid()
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}
