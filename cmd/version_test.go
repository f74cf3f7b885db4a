package cmd

import (
	"runtime/debug"
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
