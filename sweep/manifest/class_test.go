package manifest_test

import (
	"strings"
	"testing"

	"schedsweep/sweep/sweeptest"
)

// Conditions that are written in different ways are the same in rows.
func TestConditionsOfClasses(t *testing.T) {
	for written, is := range map[string]string{
		"processors<=4": "processors <= 4",
		"'run_time >= 1h30m   and processors != 2'":              "run_time >= 5400 and processors != 2",
		`'queue == "debug" or queue == ''night time'''`:          `queue == debug or queue == "night time"`,
		`queue != "and" and processors > 1e3 or run_time == 0.5`: `queue != "and" and processors > 1000 or run_time == 0.5`,
	} {
		m := sweeptest.Load(t, sweeptest.Base+"classes: {of: {is: "+strings.TrimSpace(quoted(written))+"}}\n")
		if got := m.Classes[0].Is(); got != is {
			t.Errorf("%s is %s, want %s", written, got, is)
		}
		again := sweeptest.Load(t, sweeptest.Base+"classes:\n  of: "+quoted(is)+"\n")
		if got := again.Classes[0].Is(); got != is {
			t.Errorf("%s, read again, is %s", is, got)
		}
	}
}

// quoted is a YAML scalar.
func quoted(s string) string {
	if strings.HasPrefix(s, "'") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// Classes change measurements and not answers: ids and the hash of the
// manifest stay.
func TestClassesAreInNoID(t *testing.T) {
	plain, classed := sweeptest.Load(t, sweeptest.Base), sweeptest.Load(t, sweeptest.Base+"classes: {narrow: processors <= 4}\nmetrics: "+
		"[mean_wait__narrow]\n")
	if plain.Hash() != classed.Hash() {
		t.Error("classes change the hash of the manifest")
	}
	a, b := sweeptest.IDs(t, plain), sweeptest.IDs(t, classed)
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("instance %d has another id with classes", i)
		}
	}
	if classed.Better["mean_wait__narrow"] != "lower" {
		t.Errorf("of mean_wait__narrow %q is better", classed.Better["mean_wait__narrow"])
	}
	override := sweeptest.Load(t, sweeptest.Base+"classes: {narrow: processors <= 4}\n", "classes.narrow=processors <= 8")
	if is := override.Classes[0].Is(); is != "processors <= 8" {
		t.Errorf("set to processors <= 8 it is %s", is)
	}
}
