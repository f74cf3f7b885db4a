package workload_test

import (
	"os"
	"path/filepath"
	"testing"

	"schedsweep/sim/workload/swf"
)

// dataFolder finds a folder of test data: the environment variable's, else the
// given place relative to the root of the repository. It skips the test where
// there is none.
func dataFolder(t testing.TB, env, fallback string) string {
	t.Helper()
	dir := os.Getenv(env)
	if dir == "" {
		root, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
				break
			}
			if filepath.Dir(root) == root {
				t.Fatal("no go.mod above the working directory")
			}
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, fallback)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no test data in %s; set %s", dir, env)
	}
	return dir
}

func traces(t testing.TB) string {
	return dataFolder(t, "SCHEDSWEEP_DATA", filepath.Join("..", "shared", "traces"))
}

func oracles(t testing.TB, name string) string {
	return filepath.Join(dataFolder(t, "SCHEDSWEEP_ORACLES", filepath.Join("..", "shared", "oracles")), name)
}

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

func readLog(t testing.TB, path string, opt swf.Options) *swf.Log {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l, err := swf.Parse(filepath.Base(path), f, opt)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
