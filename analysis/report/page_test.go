package report

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"schedsweep/analysis"
	"schedsweep/analysis/claim"
	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/frame/frametest"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/table"
	"schedsweep/sweep/study"
)

// hostile texts would run, close what they are in, or turn what follows around.
var hostile = []string{
	`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</title></svg></style><svg onload=alert(1)>`, `'-alert(1)-'`,
	"\u202eevil\u2066", `<!--`, `]]>`, `{{.Manifest}}`, "a\nb; rm -rf /", `&lt;b&gt;`, "javascript:alert(1)",
}

// sweep is a run of policies of these names at two loads, two instances of it failed, in the order of the permutation.
func sweep(t testing.TB, policies []string, order []int) (*frame.Run, *frame.Frame) {
	t.Helper()
	run := frametest.Grid(t, policies, []float64{0.5, 0.7}, 8, func(p string, load float64, rep int) float64 {
		return 1000*load*float64(1+slices.Index(policies, p)) + 40*frametest.Noise("", load, rep)
	}, frametest.Noise)
	ids := make([]string, run.Frame.Rows)
	for i := range ids {
		ids[i] = fmt.Sprintf("%08x%024d", 0xabc00000+i, 0)
	}
	outcome := run.Frame.Column("outcome")
	outcome.Levels = append(outcome.Levels, "failed")
	for _, row := range []int{3, 20} {
		outcome.Codes[row] = 1
	}
	f := run.Frame
	f.IDs = func(row int32) string { return ids[row] }
	if order != nil {
		f = frametest.FrameOf(t, f, order)
	}
	return run, f
}

// written is the page of such a sweep; all texts that a manifest gives are the one given, where it is not "".
func written(t testing.TB, text string, order []int) string {
	t.Helper()
	policies := []string{"easy", "fcfs"}
	if text != "" {
		policies[0] = text
	}
	run, f := sweep(t, policies, order)
	run.Design.Metrics, run.Design.Better, run.Design.Order = []string{"y"}, map[string]string{"y": "lower"},
		map[string][]string{"policy": policies}
	design := run.Design
	design.PlannedTotal, design.PlannedPerPoint = frame.Exactly(36), frame.Exactly(9) // four of them have no rows
	res, err := analysis.Analyse(f, analysis.Spec{
		Design:    design,
		Contrasts: []compare.Contrast{{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("fcfs")}}},
		Trends:    []study.Trend{{X: "load", Y: "y"}},
		Figures: []study.Figure{
			{ID: "wait", Title: text, X: "load", Y: "y", Series: "policy", YLabel: text, Params: &plot.MeansParams{Band: true}},
			{ID: "single", X: "policy", Y: "y", Panels: "load", Params: &plot.MeansParams{Points: true}},
			{ID: "paired", X: "load", Y: "y", Series: "policy", Params: &plot.MeansParams{Paired: "ratio"}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	about := study.Statistic{Kind: "mean", Metric: "y", Of: frametest.Policy(policies[0])}
	run.Frame = f
	res.Claims = claim.Evaluate([]study.Claim{
		{ID: "low" + text, Source: "Fig. 1" + text, Statement: "waits stay low" + text, Note: "a remark" + text, Published: "about 600" + text,
			Statistic: about, Expect: study.Region{Given: true, Low: 0, High: 5000}, Across: []string{"load"}, Incomplete: "drop"},
		{ID: "high", Statistic: about, Expect: study.Region{Given: true, Low: 5000, High: 9000}, Incomplete: "drop"},
	}, run, nil)
	p := &Page{
		Name: "sweep" + text, Title: "Waits against load" + text, Result: res, Metrics: []string{"y"}, Manifest: "name: sweep\n# " + text,
		Program: "0.0.0-test" + text,
		Analyze: "schedsweep analyze sweep.yaml" + text, Replay: "schedsweep replay sweep.yaml" + text, Warnings: []string{"a warning" + text},
		Coverage: Coverage{Planned: 36, Rows: 32, OK: 30, Outcomes: []Outcome{{"ok", 30}, {"failed", 2}}, Notes: []string{"a note" + text},
			Failures: []Failure{{2, "abc00003", "failed: " + text}}},
		Provenance: []Facts{{"Rows" + text, []Fact{{"seed" + text, "42" + text}}}},
	}
	planned, err := frame.NewFrame(
		append(frametest.ColumnsOf(run.Planned), frame.NumberColumn(frame.PlannedColumn, "", []float64{9, 9, 9, 9}))...)
	if err != nil {
		t.Fatal(err)
	}
	p.Coverage.Look(f, planned, &res.Design)
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPageTellsWhatTheAnalysisDoes(t *testing.T) {
	page := written(t, "", nil)
	text := strings.Join(strings.Fields(textOf(t, page)), " ")
	for _, want := range []string{
		"Waits against load", "30 of 36", "2 failed", "4 missing", "1 holds", "1 does not hold",
		"waits stay low", "low; Fig. 1", "2 parts; 2 hold", "about 600", "a remark",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, want := range []string{
		`<h2 id="claims-head">`, `y (s): mean over 7 to 8 replications`, "2 inconclusive", `aria-label="Table trends.csv"`,
		"4 of 36 planned instances have no row yet",
		"Where answers are missing", "schedsweep replay sweep.yaml abc00003", "a warning", "name: sweep", "figures/wait.svg",
	} {
		if !strings.Contains(page, want) && !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if n := strings.Count(page, "<figure"); n != 3 {
		t.Errorf("%d figures, want 3", n)
	}
	if first, second := strings.Index(page, "figures/paired.svg"), strings.Index(page, "figures/wait.svg"); first < 0 || first > second {
		t.Errorf("the paired figure is at %d, the first of the manifest at %d", first, second)
	}
	if !strings.Contains(page, `"At":`) || !strings.Contains(page, "lowest ") {
		t.Error("no point of a figure knows the instances behind it")
	}
	if a, b := strings.Index(page, `id="claims"`), strings.Index(page, `id="figures"`); a < 0 || a > b {
		t.Error("claims do not come first")
	}
}

// TestHostileTextsAreTexts: texts of a manifest or an error add no element and no attribute to the page.
func TestHostileTextsAreTexts(t *testing.T) {
	for _, text := range hostile {
		page, harmless := written(t, text, nil), written(t, strings.Repeat("x", utf8.RuneCountInString(text)), nil)
		if shapeOf(t, page) != shapeOf(t, harmless) {
			t.Errorf("%q changes the page's elements", text)
		}
		if !strings.Contains(textOf(t, page), strings.Fields(text)[0]) {
			t.Errorf("%q is not in the page as a text", text)
		}
	}
}

// TestPageNeedsNothingElse: no address of anything outside, and a policy that knows the page's own script and style only.
func TestPageNeedsNothingElse(t *testing.T) {
	page := written(t, "", nil)
	if at := strings.Index(strings.ReplaceAll(page, `xmlns="http://www.w3.org/2000/svg"`, ""), "http"); at >= 0 &&
		!strings.HasPrefix(page[at:], "http-equiv") {
		for _, scheme := range []string{"http://", "https://"} {
			if n := strings.Count(page, scheme); n > strings.Count(page, `xmlns="http://www.w3.org/2000/svg"`) {
				t.Errorf("the page names %d addresses with %s", n, scheme)
			}
		}
	}
	walk(t, page, func(n *html.Node) {
		for _, a := range n.Attr {
			if slices.Contains([]string{"src", "srcset", "action", "data", "style"}, a.Key) || strings.HasPrefix(a.Key, "on") || a.Key == "href" &&
				!strings.HasPrefix(a.Val, "#") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
			if a.Key == "content" && strings.HasPrefix(a.Val, "default-src") && !strings.HasPrefix(a.Val, "default-src 'none'; ") {
				t.Errorf("the policy is %s", a.Val)
			}
		}
		if run := n.Data == "script" && !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Val == "application/json" }); run ||
			n.Data == "style" {
			if hash := HashOf(n.FirstChild.Data); !strings.Contains(html.UnescapeString(page), hash) {
				t.Errorf("the policy does not know this %s", n.Data)
			}
		}
	})
	if size := len(Style) + len(Script); size > 60_000 {
		t.Errorf("style and script take %d bytes", size)
	}
}

func TestSameRowsGiveTheSamePage(t *testing.T) {
	first := written(t, "", nil)
	if written(t, "", nil) != first {
		t.Error("twice the same rows give two pages")
	}
	if written(t, "", rand.New(rand.NewPCG(1, 2)).Perm(32)) != first {
		t.Error("the order of the rows changes the page")
	}
}

func TestLongTableSaysWhereItsRowsAre(t *testing.T) {
	long := &table.Table{ID: "long", Title: "Long", Columns: []table.Column{{Name: "n"}, {Name: "full", CSVOnly: true}}}
	for i := range 12_000 {
		long.Add(table.Row{Cells: []table.Cell{table.Count(i), table.Count(i)}})
	}
	g, err := GridOf(long, pageRows)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Rows) != pageRows || len(g.More) != mostRows-pageRows || g.Left != 7000 || len(g.Heads) != 1 ||
		g.More[0].Cells[0].Text != fmt.Sprint(pageRows) {
		t.Errorf("%d rows, %d that wait, %d left, %d columns", len(g.Rows), len(g.More), g.Left, len(g.Heads))
	}
	var b strings.Builder
	if err := page().ExecuteTemplate(&b, "grid", g); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"The first 5000 of 12000 rows are in this page; <code>long.csv</code> has all.",
		"20 of 12000 rows are on paper"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("a table of 12000 rows does not say %q", want)
		}
	}
}

// walk visits the nodes of a page, those in its templates too.
func walk(t testing.TB, page string, visit func(*html.Node)) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		visit(n)
	}
}

// shapeOf is the page's elements with the names of their attributes; of figures, whose lines break where texts are long, which ones.
func shapeOf(t testing.TB, page string) string {
	var b strings.Builder
	drawn := map[string]bool{}
	walk(t, page, func(n *html.Node) {
		if n.Type != html.ElementNode {
			return
		}
		element := "<" + n.Data
		for _, a := range n.Attr {
			element += " " + a.Key
		}
		if n.Namespace == "svg" {
			drawn[n.Data] = true
		} else {
			b.WriteString(element)
		}
	})
	return b.String() + fmt.Sprint(slices.Sorted(maps.Keys(drawn)))
}

// textOf returns the text of a page.
func textOf(t testing.TB, page string) string {
	var b strings.Builder
	walk(t, page, func(n *html.Node) {
		if n.Type == html.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style" {
			b.WriteString(n.Data)
		}
	})
	return b.String()
}

// TestRowsWithoutNotesHaveTheirCell: a table with notes has as many cells in every row.
func TestRowsWithoutNotesHaveTheirCell(t *testing.T) {
	g, err := GridOf(&table.Table{ID: "t", Columns: []table.Column{{Name: "a", Key: true}}, Rows: []table.Row{
		{Cells: []table.Cell{table.Text("x")}}, {Cells: []table.Cell{table.Text("y")}, Notes: []string{"a note"}}}}, 10)
	var b strings.Builder
	if err == nil {
		err = Parts().ExecuteTemplate(&b, "grid", g)
	}
	if n := strings.Count(b.String(), "<td"); err != nil || n != 2 {
		t.Errorf("two rows have %d cells of notes, %v: %s", n, err, b.String())
	}
}

// TestRegressionsAreCounted: the page counts regressions as the verb compare does, beside all comparisons that are worse.
func TestRegressionsAreCounted(t *testing.T) {
	s := shown{Page: &Page{Result: &analysis.Result{Verdicts: map[compare.Verdict]int{compare.Worse: 2, compare.Equivalent: 6}, Regressed: 1,
		Regressions: []compare.Comparison{{Metric: "y", Axes: []string{"policy", "limit"}, Units: map[string]string{"limit": "s"},
			Level: []frame.Value{frame.Text("FCFS"), frame.Number(60)}}}}}}
	s.comparisons()
	var b strings.Builder
	if err := page().ExecuteTemplate(&b, "results", &s); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 worse", "Shown to be worse: 1 of 8 comparisons", "<li>FCFS, 60 s: y: "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the results lack %q: %s", want, b.String())
		}
	}
}

// TestCoverageIsWhole: the page counts levels without answers that it does not list, and calls no sweep whole that lacks answers and has no
// axes.
func TestCoverageIsWhole(t *testing.T) {
	levels := make([]float64, mostLevels+5)
	for i := range levels {
		levels[i] = float64(i)
	}
	planned, err := frame.NewFrame(frame.NumberColumn("load", "", levels),
		frame.NumberColumn(frame.PlannedColumn, "", slices.Repeat([]float64{1}, len(levels))))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := frame.NewFrame(frame.NumberColumn("load", "", nil))
	if err != nil {
		t.Fatal(err)
	}
	const whole, more = "Every planned instance has an answer", "Answers are missing at 5 more values of axes."
	for _, c := range []struct {
		axes    []string
		ok      int
		says    string
		silence string
	}{{[]string{"load"}, 0, more, whole}, {nil, 0, "<dd>205", whole}, {nil, len(levels), whole, more}} {
		s := shown{Page: &Page{Result: &analysis.Result{}, Coverage: Coverage{Planned: len(levels), Rows: c.ok, OK: c.ok}}}
		s.Coverage.Look(rows, planned, &frame.Design{Axes: c.axes})
		var b strings.Builder
		if err := page().ExecuteTemplate(&b, "coverage", &s); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.says) || strings.Contains(b.String(), c.silence) {
			t.Errorf("axes %v, %d answers: %s", c.axes, c.ok, b.String()[:300])
		}
	}
}

// TestCoverageCountsLevels: each level that is not whole has its planned instances, its answers, its failures and the rest.
func TestCoverageCountsLevels(t *testing.T) {
	planned, err := frame.NewFrame(frame.NumberColumn("load", "", []float64{1, 2, 3}),
		frame.NumberColumn(frame.PlannedColumn, "", []float64{4, 2, 3}))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := frame.NewFrame(frame.NumberColumn("load", "", []float64{1, 1, 2, 2, 3, 3, 3, 9}),
		frame.TextColumn(frame.OutcomeColumn, []string{"ok", "failed", "ok", "ok", "timeout", "failed", "failed", "ok"}))
	if err != nil {
		t.Fatal(err)
	}
	var c Coverage
	c.Look(rows, planned, &frame.Design{Axes: []string{"load"}, Outcome: frame.OutcomeColumn, OK: "ok"})
	want := []Level{{"load", "1", 4, 1, 1}, {"load", "3", 3, 0, 3}}
	if !slices.Equal(c.Lacking, want) || c.Left != 0 || want[0].Missing() != 2 || want[1].Missing() != 0 {
		t.Errorf("%+v, want %+v", c.Lacking, want)
	}
}
