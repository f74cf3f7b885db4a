package claim

import (
	"bytes"
	"path/filepath"
	"testing"

	"schedsweep/harness/store/golden"
	"schedsweep/sweep/study"
)

// TestClaimTablesGolden compares every form of the tables of claims with every verdict.
func TestClaimTablesGolden(t *testing.T) {
	mean := map[string]float64{"fcfs": 30, "easy": 10, "sjf": 10.001}
	run := grid(t, []string{"fcfs", "easy", "sjf"}, []float64{0.5, 1}, 6, func(p string, l float64, r int) float64 {
		return mean[p]*l + 0.01*noise(p, l+float64(p[0]), r)
	}, zero)
	run.Frame.Column("outcome").Levels = []string{"ok", "failed"}
	run.Frame.Column("outcome").Codes[2] = 1
	claims := []study.Claim{
		{ID: "halved", Kind: "published", Source: "Fig. 1", Statement: "EASY halves the wait | at least", Published: "2/3",
			Expect: region(50, 100),
			Across: []string{"load"}, Incomplete: "drop",
			Statistic: study.Statistic{Kind: "improvement", Metric: "y", Of: policy("easy"), To: policy("fcfs")}},
		{ID: "order", Kind: "published", Incomplete: "drop", Source: "Table 2", Note: "the paper gives no numbers",
			Statistic: study.Statistic{Kind: "order", Metric: "y", Axis: "policy", Is: "descending", Values: where("", "fcfs", "easy", "sjf").Values,
				Of: of()}},
		{ID: "possible", Kind: "arithmetic", Source: "section 4", Published: "0.5", Incomplete: "drop", Expect: region(0, 1),
			Statistic: study.Statistic{Kind: "ratio", Metric: "y", Of: policy("easy"), To: policy("fcfs")}},
		{ID: "wrong", Kind: "question", Incomplete: "drop", Expect: study.Region{Given: true, Low: 3, High: 4, LowOpen: true},
			Statistic: study.Statistic{Kind: "ratio", Metric: "y", Of: policy("easy"), To: policy("fcfs")}},
		{ID: "refused", Kind: "question", Expect: positive,
			Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: policy("fcfs"), To: policy("easy")}},
		{ID: "reported", Kind: "question", Statistic: study.Statistic{Kind: "slope", Metric: "y", X: "load", Of: policy("easy")}},
		{ID: "missing", Kind: "regression", Expect: positive, Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: policy("easy"),
			To: &study.Selection{Run: "other"}}},
	}
	for _, tb := range Tables(run.Design, Evaluate(claims, run, nil)) {
		for ending, write := range map[string]func(*bytes.Buffer) error{
			".txt": func(b *bytes.Buffer) error { return tb.WriteText(b) },
			".csv": func(b *bytes.Buffer) error { return tb.WriteCSV(b) },
			".md":  func(b *bytes.Buffer) error { return tb.WriteMarkdown(b) },
		} {
			var got bytes.Buffer
			if err := write(&got); err != nil {
				t.Fatal(err)
			}
			golden.Check(t, filepath.Join("testdata", tb.ID+ending), got.String())
		}
	}
}
