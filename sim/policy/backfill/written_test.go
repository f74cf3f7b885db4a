package backfill

import "testing"

// TestOrdersAreWrittenAsPeopleDo: abbreviations are capitals, words are not.
func TestOrdersAreWrittenAsPeopleDo(t *testing.T) {
	written := Order("").Written()
	for name, want := range map[string]string{"fcfs": "FCFS", "sjf": "SJF", "f1": "F1", "wfp3": "WFP3", "smallest": "smallest"} {
		if got, ok := written[name]; got != want {
			t.Errorf("%s is written %q (%v), want %q", name, got, ok, want)
		}
	}
}
