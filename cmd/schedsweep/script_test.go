package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"schedsweep": main, "nolocks": nolocks})
}

// TestScripts runs the transcripts under testdata/script: what a person types
// and what the command answers. Each runs in a folder of its own.
func TestScripts(t *testing.T) {
	logs, err := filepath.Abs(dataFolder())
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("LOGS", logs)
			return damagedLogs(e.WorkDir)
		},
		Condition: func(name string) (bool, error) {
			_, err := os.Stat(logs)
			return name == "logs" && err == nil, nil
		},
	})
}

// dataFolder is where real logs are, if anywhere.
func dataFolder() string {
	if d := os.Getenv("SCHEDSWEEP_DATA"); d != "" {
		return filepath.SplitList(d)[0]
	}
	return filepath.Join("..", "..", "..", "shared", "traces")
}

// damagedLogs writes the inputs that a text archive cannot hold: a compressed
// log that breaks off, and bytes that are no log.
func damagedLogs(dir string) error {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	for i := range 1000 {
		fmt.Fprintf(w, "%d %d -1 %d 4 -1 -1 4 %d -1 1 1 1 1 1 1 -1 -1\n", i+1, 7*i, 100+i*i%977, 3600+i)
	}
	if err := w.Close(); err != nil {
		return err
	}
	garbage := make([]byte, 4096)
	for i := range garbage {
		garbage[i] = byte(i * i * 2654435761 >> 7)
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "truncated.swf.gz"), z.Bytes()[:z.Len()/2], 0o644),
		os.WriteFile(filepath.Join(dir, "garbage.swf"), garbage, 0o644))
}
