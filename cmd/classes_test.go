package cmd

import (
	"regexp"
	"slices"
	"testing"

	"schedsweep/harness/input"
	"schedsweep/sweep/schema"
)

// The guide names every field of jobs that classes can be of.
func TestGuideNamesFieldsOfJobs(t *testing.T) {
	topics := schema.Topics()
	guide := topics[slices.IndexFunc(topics, func(t schema.Topic) bool { return t.Name == "classes" })].Text
	for _, f := range input.Registry().JobFields {
		if !regexp.MustCompile(`\b` + f.Name + `\b`).MatchString(guide) {
			t.Errorf("list classes says nothing of %s", f.Name)
		}
	}
}
