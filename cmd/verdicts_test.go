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
)

// told are the columns of the count, in its order.
var told = []claim.Verdict{claim.Holds, claim.DoesNotHold, claim.CannotTell, claim.Reported}

const pageHead = `# Claims of all studies

What was published, and what came out: every claim of the studies, from the tables in their folders, which ` + "`make results`" + ` writes. A claim
holds where its 95 % interval over replications lies inside what is expected, does not hold where it lies outside, and cannot be told
otherwise; one without a bound is reported. [What intervals are worth](intervals/README.md). How each is tested, and what decides those that do not
hold, is on the study's page. Claims that are exact are about a single log that is run once, by its value alone. (` + "`make verdicts`" + ` writes this page.)

`

// TestVerdicts: the page of all claims is what the committed tables make of it, which are of the manifests as they are.
// make verdicts writes it.
func TestVerdicts(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	count := &table.Table{Columns: []table.Column{{Name: "study"}}}
	for _, v := range told {
		count.Columns = append(count.Columns, table.Column{Name: string(v)})
	}
	count.Columns = append(count.Columns, table.Column{Name: "claims"})
	all := &table.Table{Columns: []table.Column{{Name: "study"}, {Name: "claim"}, {Name: "what"}, {Name: "source"}, {Name: "published"},
		{Name: "expected"}, {Name: "ours"}, {Name: "2.5%"}, {Name: "97.5%"}, {Name: "unit"}, {Name: "n"}, {Name: "verdict"}}}
	counts := map[string]map[string]int{}
	var studies []string
	for _, m := range regexp.MustCompile(`[\t ]([a-z0-9-]+):(([a-z0-9]+)[a-z0-9/-]*)`).FindAllStringSubmatch(string(makefile), -1) {
		name, folder, study := m[1], m[2], m[3]
		path := "../manifests/" + name + ".yaml"
		text, err := os.ReadFile(path)
		if err != nil {
			continue // a rule of the Makefile
		}
		unread := func(string) (string, error) { return "", nil } // claims do not depend on the logs
		manifest, err := sweep.Load(path, text,
			sweep.Options{Registry: input.Registry(), HashFile: unread, ReadFile: func(name string) ([]byte, error) {
				return os.ReadFile("../manifests/" + name)
			}})
		if err != nil {
			t.Fatal(err)
		}
		if len(manifest.Claims) == 0 {
			continue
		}
		rows := claimRows(t, filepath.Join("../results", folder, "claims.csv"))
		var wanted, tested []string
		for _, c := range manifest.Claims {
			wanted = append(wanted, c.ID)
		}
		for _, r := range rows {
			tested = append(tested, r["claim"])
		}
		if d := cmp.Diff(wanted, tested); d != "" {
			t.Errorf("results/%s has not the claims of manifests/%s.yaml (-manifest +results):\n%s", folder, name, d)
		}
		if !slices.Contains(studies, study) {
			studies, counts[study] = append(studies, study), map[string]int{}
		}
		for _, r := range rows {
			counts[study][r["verdict"]]++
			all.Rows = append(all.Rows, table.Row{Cells: claimCells(t, folder, r)})
		}
	}
	sum := map[string]int{}
	line := func(name string, of map[string]int) {
		cells, n := []table.Cell{table.Text(name)}, 0
		for _, v := range told {
			cells, n = append(cells, table.Count(of[string(v)])), n+of[string(v)]
		}
		count.Rows = append(count.Rows, table.Row{Cells: append(cells, table.Count(n))})
	}
	for _, s := range studies {
		line("["+s+"]("+s+"/README.md)", counts[s])
		for v, n := range counts[s] {
			sum[v] += n
		}
	}
	line("all", sum)
	var page bytes.Buffer
	page.WriteString(pageHead)
	if err := count.WriteMarkdown(&page); err != nil {
		t.Fatal(err)
	}
	page.WriteString("\n")
	if err := all.WriteMarkdown(&page); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "../results/README.md", page.String())
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
	verdict := r["verdict"]
	if verdict != string(claim.Holds) && verdict != string(claim.Reported) {
		verdict = "**" + verdict + "**"
	}
	cells := []table.Cell{table.Text("[" + strings.Replace(folder, "/", ": ", 1) + "](" + folder + "/claims.md)"), table.Text(r["claim"]),
		table.Text(what), table.Text(r["source"]), table.Text(r["published"]), table.Text(r["expected"])}
	cells = append(cells, table.IntervalCells(i, table.SlopeDecimals(i))...)
	return append(cells, table.Text(r["unit"]), table.Count(int(number("replications"))), table.Text(verdict))
}
