package cmd

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"schedsweep/analysis/gantt"
	"schedsweep/analysis/table"
	"schedsweep/sweep/text"
)

// TestDifferingTimes: times beyond a million seconds are written in full, so that a reader can go to them.
func TestDifferingTimes(t *testing.T) {
	of := func(last float64) *rerun {
		return &rerun{Schedule: &gantt.Schedule{Submitted: []gantt.Submission{{Job: 7, Submit: 2178221.25, Last: last, Procs: 4}}}}
	}
	rows := of(2178221.25).differing(of(5178221.75)).table.Rows
	got := strings.Join(text.Each(rows[0].Cells, table.Cell.Read), " ")
	if want := "7 4 2178221.2 0.0 3000000.5 3000000.5"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPartOfTime: a part of the time that cannot be shown is named. The page showed another in silence, beside the time in its form.
func TestPartOfTime(t *testing.T) {
	for query, want := range map[string]string{
		"":                        "10 100 ",
		"from=20&to=50":           "20 50 ",
		"from=20&to=1e9":          "20 100 ",
		"from=0&to=20&at=50":      "40 60 ",
		"from=50&to=20":           "10 20 50",
		"from=-5":                 "10 100 -5",
		"to=5":                    "10 100 5",
		"from=5000":               "10 100 5000",
		"from=1,000":              "10 100 1,000",
		"to=NaN":                  "10 100 NaN",
		"from=20&to=50&at=1e9":    "20 50 1e9",
		"from=20&to=50&at=<b>":    "20 50 <b>",
		"from=20.25&to=20.5&at=0": "0 1 ",
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		from, to, wrong := ends(q, 10, 100)
		said, lasts, is := strings.Cut(strings.TrimPrefix(wrong, `"`), `" is no time in s that the schedule can show here`)
		if got := fmt.Sprint(from, to, " ", said); got != want || is != strings.HasSuffix(lasts, "from 10 s to 100 s") {
			t.Errorf("%s: %s, want %s: %s", query, got, want, wrong)
		}
	}
	if _, _, wrong := ends(url.Values{"to": {"x"}}, 12.3456789, 2178221.23456); !strings.HasSuffix(wrong, "from 12.3457 s to 2178221 s") {
		t.Error(wrong)
	}
}
