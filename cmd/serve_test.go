package cmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"schedsweep/harness/folder"
)

// running is a server of the arguments, until the test ends; the address ends with the token and a slash. It has read its first
// folder: before, the page says so after a second, and a busy machine may take longer.
func running(t *testing.T, args ...string) (address string) {
	t.Helper()
	in, out := io.Pipe()
	interrupts, ended := make(chan os.Signal, 1), make(chan int, 1)
	var stderr bytes.Buffer
	go func() {
		code := execute(environment{args: append([]string{"schedsweep", "serve"}, args...), stdout: out, stderr: &stderr,
			getenv: func(string) string { return "" }, interrupts: func() <-chan os.Signal { return interrupts }})
		out.Close()
		ended <- code
	}()
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	t.Cleanup(func() {
		interrupts <- os.Interrupt
		if code := <-ended; code != exitDone {
			t.Errorf("the server ended with %d: %s", code, stderr.String())
		}
	})
	address = strings.Replace(strings.TrimSpace(line), "?token=", "", 1) + "/"
	for {
		if _, page := got(t, address+"0/live"); !strings.Contains(page, "The rows are being read.") {
			return address
		}
	}
}

func got(t *testing.T, url string) (code int, body string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

// servedStudy is a manifest with hostile texts whose instances fail in part, and its run folder, which is not there
// yet.
func servedStudy(t *testing.T) (manifest, dir string) {
	t.Helper()
	folder := t.TempDir()
	manifest, dir = filepath.Join(folder, "m.yaml"), filepath.Join(folder, "run")
	text := `name: served
title: Waits <script>alert(1)</script> & "loads"
seed: 7
replications: 4
workload: {kind: lublin, mode: typeless, machine_procs: 128, jobs: 30}
axes:
  workload.offered_load: [0.5, 0.8]
  policy: [{label: "<img src=x>", value: {kind: easy}}, {label: fcfs, value: {kind: fcfs}}]
  platform.processors: [32, 128]
metrics: [mean_wait_time, utilisation]
analysis:
  baseline: {policy: fcfs}
  figures: [{id: wait, x: workload.offered_load, y: mean_wait_time, series: policy, panels: platform.processors, band: true}]
claims: [{id: shorter, statement: waits are short, mean: {metric: mean_wait_time, of: {policy: fcfs}}, below: 1e9}]
`
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return manifest, dir
}

func mustCall(t *testing.T, want int, args ...string) string {
	t.Helper()
	exit, out, stderr := called(t, args...)
	if exit != want {
		t.Fatalf("%v: exit %d: %s", args, exit, stderr)
	}
	return out
}

// eventsOf are the lines of a stream of events, until the test ends.
func eventsOf(t *testing.T, url string) <-chan string {
	t.Helper()
	stream, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stream.Body.Close() })
	lines := make(chan string, 1000)
	go func() {
		for s := bufio.NewScanner(stream.Body); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return lines
}

// TestServeLive: the page follows a sweep from before its first row on, and survives what happens to its folder.
func TestServeLive(t *testing.T) {
	manifest, dir := servedStudy(t)
	base := running(t, manifest, "--out", dir)
	lines := eventsOf(t, base+"0/live/events")
	_, first := got(t, base+"0/live")
	if !strings.Contains(first, "0 of 32 done") || !strings.Contains(first, "holds no rows yet") {
		t.Fatalf("before the first row: %s", first)
	}
	for _, page := range []string{"explore", "results"} {
		if _, text := got(t, base+"0/"+page); !strings.Contains(text, "holds no rows yet: start the sweep with") {
			t.Errorf("%s before the first row: %s", page, text)
		}
	}
	await := func(what string) {
		t.Helper()
		late := time.After(time.Minute) // make test-serve measures how soon
		for {
			select {
			case line := <-lines:
				if strings.Contains(line, what) {
					return
				}
			case <-late:
				t.Fatalf("no event says %q", what)
			}
		}
	}
	await("0 of 32")
	mustCall(t, exitFailed, "run", manifest, "--out", dir, "--shard", "1/2", "--quiet")
	await(`value="16"`)
	torn := filepath.Join(dir, "instances", "part-1-of-2-a000007-x-000000.parquet")
	if err := os.WriteFile(torn, []byte("PAR1"), 0o644); err != nil {
		t.Fatal(err)
	}
	await(filepath.Base(torn) + " is truncated")
	if err := os.Remove(torn); err != nil {
		t.Fatal(err)
	}
	mustCall(t, exitFailed, "run", manifest, "--out", dir, "--shard", "2/2", "--quiet")
	await(`value="32"`)
	if err := os.Rename(dir, dir+"-moved"); err != nil {
		t.Fatal(err)
	}
	await("is not there any more")
	if err := os.Rename(dir+"-moved", dir); err != nil {
		t.Fatal(err)
	}
	await(`value="32"`)
	_, last := got(t, base+"0/live")
	if strings.Contains(last, "<img") || strings.Contains(last, "<script>alert") {
		t.Error("a hostile text is more than text")
	}
	if !strings.Contains(last, "failed: ") {
		t.Error("the page names no cause of failures")
	}
}

// TestServeKilled: a shard that was killed is silent on the page as soon as it has written nothing for a minute.
func TestServeKilled(t *testing.T) {
	manifest, dir := servedStudy(t)
	for _, shard := range []string{"1/2", "2/2"} {
		mustCall(t, exitFailed, "run", manifest, "--out", dir, "--shard", shard, "--quiet")
	}
	records, err := filepath.Glob(filepath.Join(dir, "runs", "*.json"))
	if err != nil || len(records) != 2 {
		t.Fatal(records, err)
	}
	page := func(updated time.Time) string { // record of a killed process, which has not ended
		text, err := os.ReadFile(records[1])
		var record map[string]any
		if err == nil {
			err = json.Unmarshal(text, &record)
		}
		if err != nil {
			t.Fatal(err)
		}
		delete(record, "ended")
		record["updated"] = updated
		if text, err = json.Marshal(record); err == nil {
			err = os.WriteFile(records[1], text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, page := got(t, running(t, dir)+"0/live")
		return page
	}
	if now := page(time.Now()); !strings.Contains(now, ">running\n") || strings.Contains(now, "silent") {
		t.Errorf("a shard that wrote just now is not running: %s", now)
	}
	if later := page(time.Now().Add(-2 * folder.Silence)); !strings.Contains(later, ">silent for 2m") {
		t.Errorf("a killed shard is not silent: %s", later)
	}
}

// TestServeRefuses: serve names the reason why it cannot serve a folder.
func TestServeRefuses(t *testing.T) {
	manifest, dir := servedStudy(t)
	for _, args := range [][]string{
		{"serve"}, {"serve", filepath.Dir(dir)}, {"serve", manifest, "--port", "70000"}, {"serve", manifest, "--memory-limit", "x"},
		{"serve", manifest, manifest, "--out", dir}, {"serve", manifest, "--host", "no.such.host.invalid"},
	} {
		if exit, _, stderr := called(t, args...); exit != exitMisuse {
			t.Errorf("%v: exit %d: %s", args, exit, stderr)
		}
	}
}

// TestServeResults: the page has the verdicts of the report, and compare says what the verb says.
func TestServeResults(t *testing.T) {
	manifest, dir := servedStudy(t)
	mustCall(t, exitFailed, "run", manifest, "--out", dir, "--quiet")
	other := dir + "-other"
	mustCall(t, exitFailed, "run", manifest, "--out", other, "--quiet")
	base := running(t, dir, other)
	if code, page := got(t, base); code != 200 || strings.Count(page, "/live\"") != 2 {
		t.Fatalf("the list of folders: %d %s", code, page)
	}
	code, page := got(t, base+"0/results")
	for _, what := range []string{"waits are short", "name: served", "semantic version", "Coverage", "failed: ",
		"are in the tables statistics and comparisons."} {
		if !strings.Contains(page, what) || code != 200 {
			t.Errorf("%d: the results lack %q", code, what)
		}
	}
	if strings.Contains(page, "<img") {
		t.Error("a hostile text is more than text")
	}
	_, page = got(t, base+"1/compare")
	exit, _, stderr := called(t, "compare", dir, other)
	const says = "has no answer for 16 of 32 instances"
	if exit != exitClaim || !strings.Contains(stderr, says) || !strings.Contains(page, says) {
		t.Errorf("compare ends with %d and says %s", exit, stderr)
	}
	fields := strings.NewReplacer("--margin", `"margin"`, "--allow-failures", `"allow failures"`)
	for _, options := range [][]string{{}, {"allow-failures"}, {"strict"}, {"allow-failures", "strict"}} {
		args, query := []string{"compare", dir, other}, "1/compare?margin=2%25"
		for _, o := range options {
			args, query = append(args, "--"+o), query+"&"+o+"=true"
		}
		exit, _, stderr := called(t, append(args, "--margin", "2%")...)
		_, page := got(t, base+query)
		verdict := html.UnescapeString(regexp.MustCompile(`(?s)<p class="said" dir="auto">(.*?)</p>`).FindStringSubmatch(page)[1])
		passes := verdict == "No regression is shown."
		if passes != (exit == exitDone) || !passes && !strings.Contains(fields.Replace(stderr), verdict) ||
			strings.Count(page, `value="true" checked`) != len(options) {
			t.Errorf("%v: the verb ends with %d and says\n%s\nthe page says\n%s", options, exit, stderr, verdict)
		}
	}
	if _, page = got(t, base+"1/compare?margin=x"); !strings.Contains(page, `class="wrong"`) {
		t.Error("a wrong margin is not refused")
	}
	unlike := dir + "-unlike"
	mustCall(t, exitFailed, "run", manifest, "--out", unlike, "--quiet", "--set", "seed=8")
	base = running(t, dir, unlike)
	if _, page = got(t, base+"0/compare"); strings.Contains(page, `class="wrong"`) || !strings.Contains(page, `name="across"`) {
		t.Error("before a choice, the page Compare is not the form alone")
	}
	if _, page = got(t, base+"0/compare?independent="); !strings.Contains(page, "the runs have the seeds 8 and 7") ||
		!strings.Contains(html.UnescapeString(page), `"unrelated replications" compares the means`) {
		t.Error("after a choice, the error is not on the page")
	}
	alone := running(t, dir)
	if code, page := got(t, alone+"0/compare"); code != 422 || !strings.Contains(page, "give two") {
		t.Errorf("one folder: %d", code)
	}
}

// TestServeResultsOfOneMetric: where a study has too many values for a page, a page has the rows of one metric, as the page of all has
// them, and the claims.
func TestServeResultsOfOneMetric(t *testing.T) {
	manifest, dir := servedStudy(t)
	mustCall(t, exitFailed, "run", manifest, "--out", dir, "--quiet")
	base := running(t, dir) + "0/"
	_, whole := got(t, base+"results")
	defer func(was int) { mostValues = was }(mostValues)
	mostValues = 20
	base = running(t, dir) + "0/" // it has no page yet
	rows, cell := regexp.MustCompile(`(?s)<tr[ >].*?\n`), regexp.MustCompile(`<t[dh][^>]*>([^<]+)`)
	cellsOf := func(page, metric string) (all []string) { // without units, which a table of one unit has in its heads
		for _, row := range rows.FindAllString(page, -1) {
			var cells []string
			for _, c := range cell.FindAllStringSubmatch(row, -1) {
				if c[1] != "s" && c[1] != "-" && c[1] != metric {
					cells = append(cells, c[1])
				}
			}
			if strings.Contains(row, ">"+metric+"<") {
				all = append(all, strings.Join(cells, " "))
			}
		}
		return all
	}
	for metric, other := range map[string]string{"mean_wait_time": "utilisation", "utilisation": "mean_wait_time"} {
		_, page := got(t, base+"results?metric="+metric)
		if !strings.Contains(page, "waits are short") || !strings.Contains(page, "too many values for one page") {
			t.Errorf("%s: %s", metric, page)
		}
		want, mine := cellsOf(whole, metric), cellsOf(page, metric)
		if len(want) < 12 || !slices.Equal(mine, want) {
			t.Errorf("the page of %s has\n%s\nand not\n%s", metric, strings.Join(mine, "\n"), strings.Join(want, "\n"))
		}
		if others := cellsOf(page, other); others != nil {
			t.Errorf("the page of %s has %s", metric, others)
		}
	}
	if _, page := got(t, base+"results"); !strings.Contains(page, `<option value="mean_wait_time" selected>`) {
		t.Error("the first page is not of the first metric")
	}
}

// TestServeParents reads a manifest again if its parent has changed.
func TestServeParents(t *testing.T) {
	dir := t.TempDir()
	write := writerTo(t, dir)
	const parent = "replications: 2\nworkload: {kind: lublin, jobs: 20}\npolicy: {kind: fcfs}\n"
	write("parent.yaml", parent)
	address := running(t, write("m.yaml", "extends: parent.yaml\nname: child\n"), "--out", filepath.Join(dir, "run"))
	if _, page := got(t, address+"0/live"); !strings.Contains(page, "child: 0 of 2 done") {
		t.Fatal(page)
	}
	write("parent.yaml", "title: More\n"+strings.Replace(parent, "2", "30", 1))
	if _, page := got(t, address+"0/live"); !strings.Contains(page, "child: 0 of 30 done") {
		t.Error("the page is of the parent as it was")
	}

	write("other.yaml", strings.Replace(parent, "2", "5", 1))
	if write("m.yaml", "extends: other.yaml\nname: child\n"); os.Remove(filepath.Join(dir, "parent.yaml")) != nil {
		t.Fatal("the parent is still there")
	}
	if _, page := got(t, address+"0/live"); !strings.Contains(page, "child: 0 of 5 done") {
		t.Error("the page is of a parent that is gone")
	}
}
