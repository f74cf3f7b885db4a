package cmd

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/analysis/claim"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/harness/input"
	"schedsweep/harness/store/golden"
	"schedsweep/sweep"
	asked "schedsweep/sweep/study"
)

// The columns of the count, in its order.
var told = []claim.Verdict{claim.Holds, claim.DoesNotHold, claim.CannotTell, claim.Reported}

const pageHead = `# Claims of all studies

This page has every claim of the studies with its verdict, from the tables that ` + "`make results`" + ` writes into their folders. A claim holds if
its 95 % interval over replications lies inside the expected region. It does not hold if the interval lies outside, and the verdict
is inconclusive otherwise. A claim without a bound is reported. [What intervals are worth](intervals/README.md). Each study's page says
how the claims are tested, which tolerances they have, and what decides the claims that do not hold. (` + "`make verdicts`" + ` writes this page.)

Claims are of four kinds:

- **published**: the paper states it.
- **arithmetic**: the paper states it, and its own numbers exclude it.
- **question**: our own question, stated before the run.
- **regression**: our own bounds, drawn around a result so that a change is noticed. It tests nothing else.

`

const chance = `
Papers state %[1]d claims with a verdict. Of these %[2]d hold (%.0[7]f %%). The papers' own numbers exclude %[3]d more, so no simulation can confirm
these, and ours does not: with them %.0[4]f %% come out as they must.

**What chance does.** A 95 %% interval misses its value in 5 %% of cases, so about %.0[5]f of %[1]d intervals do. A true claim fails by this
only if its value lies at the border of the expected region, and on one side of it. Expect at most %.0[6]f such failures.

`

// verdicts is the page of all claims: counts by kind, then study and verdict, and the rows of each kind.
type verdicts struct {
	studies []string
	counts  map[string]map[string]map[string]int
	rows    map[string][]table.Row
	judged  int // claims of a source that have an interval and a verdict
}

// TestVerdicts: the page of all claims is what the committed tables make of it, which are of the manifests as they are.
// make verdicts writes it.
func TestVerdicts(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	v := verdicts{counts: map[string]map[string]map[string]int{}, rows: map[string][]table.Row{}}
	for _, m := range regexp.MustCompile(`[\t ]([a-z0-9-]+):(([a-z0-9]+)[a-z0-9/-]*)`).FindAllStringSubmatch(string(makefile), -1) {
		name, folder, study := m[1], m[2], m[3]
		claims := claimsIn(t, name)
		if len(claims) == 0 {
			continue
		}
		rows := claimRows(t, filepath.Join("../results", folder, "claims.csv"))
		if d := cmp.Diff(statedBy(claims), statedIn(rows)); d != "" {
			t.Errorf("results/%s has not the claims of manifests/%s.yaml (-manifest +results):\n%s", folder, name, d)
			continue
		}
		for i, r := range rows {
			v.add(study, &claims[i], r["verdict"], claimCells(t, folder, r))
		}
	}
	golden.Check(t, "../results/README.md", v.page(t))
}

// claimsIn are the claims of a study's manifest; none where the name is that of a rule of the Makefile.
func claimsIn(t *testing.T, name string) []asked.Claim {
	t.Helper()
	path := "../manifests/" + name + ".yaml"
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	unread := func(string) (string, error) { return "", nil } // claims do not depend on the logs
	manifest, err := sweep.Load(path, text,
		sweep.Options{Registry: input.Registry(), HashFile: unread, ReadFile: func(name string) ([]byte, error) {
			return os.ReadFile("../manifests/" + name)
		}})
	if err != nil {
		t.Fatal(err)
	}
	return manifest.Claims
}

// stated holds the parts of a claim that a table repeats from a manifest.
type stated struct{ ID, Kind, Source, Statement, Published, Expected string }

func statedBy(claims []asked.Claim) []stated {
	var out []stated
	for i := range claims {
		c := &claims[i]
		s := stated{c.ID, c.Kind, table.Dash(c.Source), c.Statement, table.Dash(c.Published), c.Expect.String()}
		if c.Statistic.Kind == "extreme" || c.Statistic.Kind == "order" {
			s.Expected = "> 0" // which these say themselves
		}
		out = append(out, s)
	}
	return out
}

func statedIn(rows []map[string]string) []stated {
	var out []stated
	for _, r := range rows {
		out = append(out, stated{r["claim"], r["kind"], r["source"], r["statement"], r["published"], r["expected"]})
	}
	return out
}

func (v *verdicts) add(study string, c *asked.Claim, verdict string, cells []table.Cell) {
	if !slices.Contains(v.studies, study) {
		v.studies = append(v.studies, study)
	}
	if v.counts[c.Kind] == nil {
		v.counts[c.Kind] = map[string]map[string]int{}
	}
	if v.counts[c.Kind][study] == nil {
		v.counts[c.Kind][study] = map[string]int{}
	}
	v.counts[c.Kind][study][verdict]++
	if c.FromSource() && !c.Exact && verdict != string(claim.Reported) {
		v.judged++
	}
	v.rows[c.Kind] = append(v.rows[c.Kind], table.Row{Cells: cells})
}

func (v *verdicts) page(t *testing.T) string {
	t.Helper()
	count := &table.Table{Columns: []table.Column{{Name: "kind"}, {Name: "study"}}}
	for _, verdict := range told {
		count.Columns = append(count.Columns, table.Column{Name: verdict.String()})
	}
	count.Columns = append(count.Columns, table.Column{Name: "claims"})
	all := &table.Table{Columns: []table.Column{{Name: "kind"}, {Name: "study"}, {Name: "claim"}, {Name: "what"}, {Name: "source"},
		{Name: "published"}, {Name: "expected"}, {Name: "ours"}, {Name: "2.5%"}, {Name: "97.5%"}, {Name: "unit"}, {Name: "n"}, {Name: "verdict"}}}
	sums := map[string]map[string]int{}
	line := func(kind, name string, of map[string]int) {
		cells, n := []table.Cell{table.Text(kind), table.Text(name)}, 0
		for _, verdict := range told {
			cells, n = append(cells, table.Count(of[string(verdict)])), n+of[string(verdict)]
		}
		count.Rows = append(count.Rows, table.Row{Cells: append(cells, table.Count(n))})
	}
	for _, kind := range []string{asked.KindPublished, asked.KindArithmetic, asked.KindQuestion, asked.KindRegression} {
		sums[kind] = map[string]int{}
		for _, s := range v.studies {
			if of := v.counts[kind][s]; of != nil {
				line(kind, "["+s+"]("+s+"/README.md)", of)
				for verdict, n := range of {
					sums[kind][verdict] += n
				}
			}
		}
		line("**"+kind+"**", "all", sums[kind])
		for _, r := range v.rows[kind] {
			all.Rows = append(all.Rows, table.Row{Cells: append([]table.Cell{table.Text(kind)}, r.Cells...)})
		}
	}
	var page bytes.Buffer
	page.WriteString(pageHead)
	if err := count.WriteMarkdown(&page); err != nil {
		t.Fatal(err)
	}
	holding, failing := sums[asked.KindPublished][string(claim.Holds)], sums[asked.KindArithmetic][string(claim.DoesNotHold)]
	fmt.Fprintf(&page, chance, v.judged, holding, failing, 100*float64(holding+failing)/float64(v.judged), .05*float64(v.judged),
		.025*float64(v.judged), 100*float64(holding)/float64(v.judged))
	if err := all.WriteMarkdown(&page); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// claimRows reads a committed table of claims: one map from column to cell for each.
func claimRows(t *testing.T, path string) []map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(lines) < 2 {
		t.Fatalf("%s: %d lines, %v", path, len(lines), err)
	}
	var out []map[string]string
	for _, l := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = l[i]
		}
		if !slices.Contains(told, claim.Verdict(row["verdict"])) {
			t.Errorf("%s: claim %s: there is no verdict %q", path, row["claim"], row["verdict"])
		}
		out = append(out, row)
	}
	return out
}

// claimCells is the row of a claim on the page.
func claimCells(t *testing.T, folder string, r map[string]string) []table.Cell {
	t.Helper()
	number := func(column string) float64 {
		if r[column] == "" { // an exact claim has no interval
			return math.NaN()
		}
		v, err := strconv.ParseFloat(r[column], 64)
		if err != nil {
			t.Errorf("%s: claim %s: %s: %v", folder, r["claim"], column, err)
		}
		return v
	}
	i := stats.Interval{Estimate: number("ours"), Low: number("low"), High: number("high")}
	what := r["statement"]
	if what == "" {
		what = r["statistic"] + " of " + r["metric"]
	}
	if n := number("parts"); n > 1 {
		what += fmt.Sprintf(" (one of %g parts)", n)
	}
	verdict := claim.Verdict(r["verdict"]).String()
	if verdict != string(claim.Holds) && verdict != string(claim.Reported) {
		verdict = "**" + verdict + "**"
	}
	cells := []table.Cell{table.Text("[" + strings.Replace(folder, "/", ": ", 1) + "](" + folder + "/claims.md)"), table.Text(r["claim"]),
		table.Text(what), table.Text(r["source"]), table.Text(r["published"]), table.Text(r["expected"])}
	cells = append(cells, table.IntervalCells(i, table.SlopeDecimals(i))...)
	return append(cells, table.Text(r["unit"]), table.Count(int(number("replications"))), table.Text(verdict))
}
