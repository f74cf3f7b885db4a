package cmd

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	drawing "schedsweep/analysis/figure"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/store"
)

// TestServeExplore: a view copied into the manifest is the same figure byte for byte, in every form that analyze writes, and the
// page has the warnings that analyze has.
func TestServeExplore(t *testing.T) {
	manifest, dir := servedStudy(t)
	mustCall(t, exitFailed, "run", manifest, "--out", dir, "--quiet")
	base := running(t, manifest, "--out", dir) + "0/"
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), "analysis:\n")
	_, after, _ := strings.Cut(rest, "claims:")
	for _, query := range []string{
		"",
		"x=workload.offered_load&y=mean_wait_time&series=policy&panels=platform.processors&band=true",
		"x=workload.offered_load&y=mean_wait_time&series=policy&paired=difference&baseline.policy=fcfs&id=pairs",
		"x=policy&y=utilisation&kind=box&where.platform.processors=128",
		"x=mean_wait_time&kind=ecdf&series=policy&x_scale=log",
		"x=workload.offered_load&y=utilisation&series=policy&where.outcome=ok",
		"x=workload.offered_load&y=utilisation&series=policy&where.outcome=failed",
		"x=utilisation&y=mean_wait_time&points=true&line=none&from.workload.offered_load=0.6&to.workload.offered_load=1",
		"kind=parallel&x=mean_wait_time&series=policy&where.platform.processors=128",
		"x=workload.offered_load&y=mean_wait_time&where.policy=" + url.QueryEscape("<img src=x>") + "&title=" + url.QueryEscape(`a "b" <c>: {d}, #e`),
	} {
		code, page := got(t, base+"explore?"+query)
		copied := regexp.MustCompile(`(?s)<pre [^>]*>(analysis:.*?)</pre>`).FindStringSubmatch(page)
		if code != 200 || copied == nil {
			t.Fatalf("%s: %d: %s", query, code, page)
		}
		mine := filepath.Join(t.TempDir(), "m.yaml")
		figure := html.UnescapeString(copied[1])
		if err := os.WriteFile(mine, []byte(before+figure+"claims:"+after), 0o644); err != nil {
			t.Fatal(err)
		}
		to := t.TempDir()
		exit, _, stderr := called(t, "analyze", mine, "--out", dir, "--to", to, "--quiet")
		if exit != exitDone {
			t.Fatalf("%s: %s: %s", query, figure, stderr)
		}
		files, err := filepath.Glob(filepath.Join(to, "figures", "*"))
		if err != nil || len(files) != len(drawing.Forms) {
			t.Fatal(files, err)
		}
		for _, file := range files {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, form, _ := strings.Cut(filepath.Base(file), ".")
			address := "explore." + form + "?" + query
			if query == "" { // whose figure the page names in its links
				address = html.UnescapeString(regexp.MustCompile(`explore\.` + form + `\?[^"]*`).FindString(page))
			}
			if code, text := got(t, base+address); code != 200 || text != string(want) {
				t.Errorf("%s: the file of analyze has %d bytes, the page's has %d and the code %d", address, len(want), len(text), code)
			}
		}
		for _, line := range strings.Split(strings.TrimSpace(stderr), "\n") {
			_, warning, _ := strings.Cut(line, ": ")
			if strings.HasPrefix(warning, "figure ") {
				_, warning, _ = strings.Cut(warning, ": ")
			}
			if !strings.Contains(html.UnescapeString(page), warning) {
				t.Errorf("%s: the page lacks the warning %q", query, line)
			}
		}
	}
}

// TestServeNumbers: the means of a figure's points are those of statistics.csv, and behind a point are its instances.
func TestServeNumbers(t *testing.T) {
	manifest, dir := servedStudy(t)
	mustCall(t, exitFailed, "run", manifest, "--out", dir, "--quiet")
	mustCall(t, exitDone, "analyze", manifest, "--out", dir, "--quiet")
	base := running(t, dir) + "0/"
	const query = "x=workload.offered_load&y=mean_wait_time&series=policy&panels=platform.processors"
	_, drawn := got(t, base+"explore.csv?"+query)
	means := column(t, drawn, "y", func(row map[string]string) bool { return row["element"] == "mean" || row["kind"] == "mean" })
	stored, err := os.ReadFile(filepath.Join(dir, "analysis", "statistics.csv"))
	if err != nil {
		t.Fatal(err)
	}
	want := column(t, string(stored), "mean", func(row map[string]string) bool {
		return row["metric"] == "mean_wait_time" && row["mean"] != ""
	})
	if len(want) < 4 || !slices.Equal(means, want) {
		t.Errorf("the means of the page are %v, of statistics.csv %v", means, want)
	}
	_, page := got(t, base+"explore?"+query)
	id := regexp.MustCompile(`"IDs":\[\["[^"]*","([0-9a-f]+)"`).FindStringSubmatch(page)
	if id == nil {
		t.Fatal("no point names an instance")
	}
	code, behind := got(t, base+"explore?"+query+"&like="+id[1])
	if n := strings.Count(behind, `href="instance?id=`); code != 200 || n != 4 {
		t.Errorf("%d instances are behind a point of 4 replications, code %d", n, code)
	}
	const inFigure = "x=workload.offered_load&y=mean_wait_time&where.outcome=failed"
	_, failed := got(t, base+"explore?"+inFigure)
	if n := strings.Count(failed, `href="instance?id=`); n == 0 || n == 32 {
		t.Errorf("%d of 32 instances failed", n)
	}
	if _, drawn := got(t, base+"explore.csv?"+inFigure); strings.Contains(drawn, "mean,") {
		t.Errorf("the figure of failed instances has means: %s", drawn)
	}
	for _, wrong := range []string{"x=nothing&y=mean_wait_time", "x=workload.offered_load&y=mean_wait_time&kind=nothing",
		"x=policy&y=mean_wait_time&x_scale=log",
		query + "&like=zzz", "x=workload.offered_load&y=mean_wait_time&where.policy=}]"} {
		if code, page := got(t, base+"explore?"+wrong); code != 422 || !strings.Contains(page, `class="wrong"`) {
			t.Errorf("%s: the code is %d", wrong, code)
		}
	}
}

// column are the values of a column of the rows that are wanted, in ascending order.
func column(t *testing.T, text, name string, wanted func(map[string]string) bool) (values []string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows[1:] {
		row := map[string]string{}
		for i, head := range rows[0] {
			row[head] = r[i]
		}
		if wanted(row) {
			values = append(values, row[name])
		}
	}
	slices.Sort(values)
	return values
}

// TestExploreOffersThePairedFigureFirst: a study with a baseline is first seen by its paired figure, or by one that is made for it.
func TestExploreOffersThePairedFigureFirst(t *testing.T) {
	manifest, dir := servedStudy(t)
	mustCall(t, exitFailed, "run", manifest, "--out", dir, "--quiet")
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	figures := regexp.MustCompile(`(?m)^  figures:.*\n`)
	selecting := "where: {policy: [fcfs, '<img src=x>'], platform.processors: {from: 100, to: 200}}, x_limits: [0, 1]"
	for name, with := range map[string]string{
		"paired second": "  figures:\n    - {id: wait, x: workload.offered_load, y: mean_wait_time, series: policy}\n" +
			"    - {id: pairs, x: workload.offered_load, y: mean_wait_time, series: policy, paired: ratio}\n",
		"selecting":  "  figures: [{id: some, x: workload.offered_load, y: mean_wait_time, series: policy, paired: ratio, " + selecting + "}]\n",
		"no figures": "",
	} {
		if err := os.WriteFile(manifest, figures.ReplaceAll(text, []byte(with)), 0o644); err != nil {
			t.Fatal(err)
		}
		code, page := got(t, running(t, manifest, "--out", dir)+"0/explore")
		copied := regexp.MustCompile(`(?s)<pre [^>]*>(analysis:.*?)</pre>`).FindStringSubmatch(page)
		if code != 200 || copied == nil || !strings.Contains(copied[1], "paired: ratio") ||
			!strings.Contains(copied[1], "baseline: {policy: fcfs}") || name == "selecting" &&
			!(strings.Contains(copied[1], "platform.processors: [128]") && strings.Contains(copied[1], "where: {policy: [fcfs, ") &&
				strings.Contains(copied[1], "x_limits: [0, 1]")) {
			t.Errorf("%s: %d: %s", name, code, copied)
		}
	}
}

// TestExploreWithoutAxes: the first view of a study of one point is a figure. It was an error.
func TestExploreWithoutAxes(t *testing.T) {
	folder := t.TempDir()
	manifest, dir := filepath.Join(folder, "m.yaml"), filepath.Join(folder, "run")
	text := "name: point\nreplications: 3\nworkload: {kind: lublin, jobs: 30}\npolicy: {kind: easy}\nmetrics: [utilisation]\n"
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	mustCall(t, exitDone, "run", manifest, "--out", dir, "--quiet")
	if code, page := got(t, running(t, dir)+"0/explore"); code != http.StatusOK || !strings.Contains(page, "<svg") {
		t.Errorf("the first view has status %d: %s", code, page)
	}
}

// TestExploreByClass: the form has the classes of the manifest's figure, as axis and as filter. It showed another x.
func TestExploreByClass(t *testing.T) {
	manifest, dir := servedStudy(t)
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	figure := "classes: {wide: processors > 8, narrow: processors <= 8}\nanalysis:\n" +
		"  figures: [{id: who, kind: bars, x: class, y: mean_wait_time, series: policy, where: {class: [wide]}}]\n"
	text = regexp.MustCompile(`(?ms)^analysis:.*?^claims`).ReplaceAll(text, []byte(figure+"claims"))
	if err := os.WriteFile(manifest, text, 0o644); err != nil {
		t.Fatal(err)
	}
	mustCall(t, exitFailed, "run", manifest, "--out", dir, "--quiet")
	_, page := got(t, running(t, manifest, "--out", dir)+"0/explore")
	for _, want := range []string{`<option value="class" selected>`, `name="where.class" value="wide" checked>`} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in the form", want)
		}
	}
}

// TestServePages: a table of more instances than a page lists is read page by page, in the order that is chosen.
func TestServePages(t *testing.T) {
	dir := t.TempDir()
	manifest := filepath.Join(dir, "m.yaml")
	text := "name: many\nreplications: 1100\nworkload: {kind: poisson, jobs: 3}\nplatform: {processors: 128}\npolicy: {kind: fcfs}\n"
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	mustCall(t, exitDone, "run", manifest, "--out", filepath.Join(dir, "run"), "--quiet")
	base := running(t, filepath.Join(dir, "run")) + "0/"
	instances := regexp.MustCompile(`href="instance\?id=(\d+)"`)
	seen := map[string]bool{}
	address := "explore?x=makespan&kind=ecdf&sort=replication&descending=true"
	for page, want := range []int{mostListed, mostListed, 1100 - 2*mostListed} {
		code, body := got(t, base+address)
		found := instances.FindAllStringSubmatch(body, -1)
		if code != 200 || len(found) != want || page == 0 && found[0][1] != "1099" {
			t.Fatalf("page %d: code %d, %d instances, the first is %v", page, code, len(found), found[0])
		}
		for _, f := range found {
			seen[f[1]] = true
		}
		next := regexp.MustCompile(`href="(explore\?[^"]*)"[^>]*>Next instances`).FindStringSubmatch(body)
		if (next == nil) != (page == 2) {
			t.Fatalf("page %d leads to %v", page, next)
		}
		if next != nil {
			address = html.UnescapeString(next[1])
		}
	}
	if len(seen) != 1100 {
		t.Errorf("%d of 1100 instances are on the pages", len(seen))
	}
	if code, body := got(t, base+"nothing"); code != 404 || !strings.Contains(body, "No such page") || !strings.Contains(body, `href="live"`) {
		t.Errorf("a page that is not there: %d: %s", code, body)
	}
}

// TestServeViewers: 20 viewers at once see the same pages as one, while each follows the events.
func TestServeViewers(t *testing.T) {
	manifest, dir := servedStudy(t)
	mustCall(t, exitFailed, "run", manifest, "--out", dir, "--quiet")
	base := running(t, dir) + "0/"
	views := []string{"live", "explore", "explore?kind=parallel&x=utilisation", "results", "instance?id=3"}
	var want []string
	for _, v := range views {
		_, body := got(t, base+v)
		want = append(want, body)
	}
	base = running(t, dir) + "0/" // it has no page yet
	var all errgroup.Group
	for i := range 20 {
		all.Go(func() error {
			stream, err := http.Get(base + "live/events")
			if err != nil {
				return err
			}
			defer stream.Body.Close()
			if line, err := bufio.NewReader(stream.Body).ReadString('\n'); err != nil || !strings.HasPrefix(line, "data: ") {
				return fmt.Errorf("viewer %d: the first event is %q, %w", i, line, err)
			}
			for k := range views {
				at := (i + k) % len(views)
				r, err := http.Get(base + views[at])
				if err != nil {
					return err
				}
				body, err := io.ReadAll(r.Body)
				r.Body.Close()
				if err != nil || string(body) != want[at] {
					return fmt.Errorf("viewer %d: %s has %d bytes and another content than for one, %w", i, views[at], len(body), err)
				}
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
}

// TestServeDuringMerge reads a metric of rows whose files a merge has taken away since they were listed.
func TestServeDuringMerge(t *testing.T) {
	manifest, dir := servedStudy(t)
	for _, shard := range []string{"1/2", "2/2"} {
		called(t, "run", manifest, "--out", dir, "--shard", shard, "--quiet") // some instances fail
	}
	m, in, err := input.Load(manifest, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	p := &shownPage{served: &served{}, st: study{path: manifest, dir: dir, manifest: m, inputs: in, plan: plan},
		seen: seen{plan, store.PartsState(filepath.Join(dir, folder.Instances))}}
	if err := p.reading(func(*loaded) error { return nil }); err != nil {
		t.Fatal(err)
	}
	mustCall(t, exitDone, "merge", manifest, "--out", dir)
	if err := p.reading(func(l *loaded) error { l.frame.Column("utilisation"); return l.frame.Err() }); err != nil {
		t.Error(err)
	}
}
