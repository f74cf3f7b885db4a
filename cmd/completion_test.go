package cmd

import (
	"slices"
	"strings"
	"testing"
)

// TestFitting: what a shell offers behind some words holds these names; "" means file names.
func TestFitting(t *testing.T) {
	app := newApp(environment{})
	for words, want := range map[string]string{
		"":                                     "workload",
		"workload":                             "describe",
		"engine":                               "submit",
		"engine print":                         "slurm",
		"engine print slurm":                   "",
		"workload describe":                    "",
		"workload convert lublin --s":          "--seed",
		"schema":                               "claims",
		"schema claims":                        "",
		"init new.yaml --from":                 "curie",
		"gantt jobs.csv --by":                  "user",
		"export sweep.yaml --dataset":          "jobs",
		"export sweep.yaml --to":               "",
		"run sweep.yaml --wo":                  "--workers",
		"run sweep.yaml":                       "",
		"list policy":                          "easy",
		"workload redact dump.txt --map":       "sacct",
		"workload redact dump.txt --map=sacct": "",
	} {
		got := fitting(app, strings.Fields(words))
		if want == "" && got != nil || want != "" && !slices.Contains(got, want) {
			t.Errorf("behind %q fit %v, want %q", words, got, want)
		}
	}
}
