package cmd

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

func TestCommit(t *testing.T) {
	at := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	for want, settings := range map[string][]debug.BuildSetting{
		"unknown commit":           {at("GOOS", "linux")},
		"commit 0123456789abcdef":  {at("vcs", "git"), at("vcs.revision", "0123456789abcdef"), at("vcs.modified", "false")},
		"commit 0123 with changes": {at("vcs.modified", "true"), at("vcs.revision", "0123")},
	} {
		if got := commit(settings); got != want {
			t.Errorf("%v: %q, want %q", settings, got, want)
		}
	}
}

// TestCitation: the file that tells others how to cite names the version that the program has.
func TestCitation(t *testing.T) {
	text, err := os.ReadFile("../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\nversion: "+release+"\n") {
		t.Errorf("CITATION.cff does not name version %s", release)
	}
}
