// Package simtest is what the tests of the simulator share: where reference
// answers and real logs are, machines and jobs, what became of them, and how a
// suite is tested. No program imports it.
package simtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Data is the folder of real logs, $SCHEDSWEEP_DATA or ../shared/traces beside
// the repository. It skips the test where there is none.
func Data(t testing.TB) string {
	t.Helper()
	return shared(t, "SCHEDSWEEP_DATA", "traces")
}

// Oracles returns the files with reference answers in a folder of
// $SCHEDSWEEP_ORACLES, or of ../shared/oracles beside the repository, whose names
// match. It skips the test where the folder is missing, and fails it where the
// folder has no such file.
func Oracles(t testing.TB, folder, pattern string) []string {
	t.Helper()
	dir := filepath.Join(shared(t, "SCHEDSWEEP_ORACLES", "oracles"), folder)
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("%s holds no file %s", dir, pattern)
	}
	return paths
}

func shared(t testing.TB, variable, name string) string {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared", name)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%v: set %s to the folder of the %s (CI has them)", err, variable, name)
	}
	return dir
}

// root is the folder of the repository.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
}

// Cases returns the number of cases that a test plays: few, or all where $SCHEDSWEEP_CASES is "all", as in CI.
func Cases(few, all int) int {
	if os.Getenv("SCHEDSWEEP_CASES") == "all" {
		return all
	}
	return few
}
