package scripts

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// servedBy is the address of the pages of the first folder of a server with these arguments, and the process, which runs until the
// test ends.
func servedBy(t testing.TB, args ...string) (base string, pid int) {
	t.Helper()
	cmd := exec.Command(program(t), append([]string{"serve"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(strings.TrimSpace(line), "?token=", "", 1) + "/0/", cmd.Process.Pid
}

func pageAt(t testing.TB, url string) (code int, text string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, html.UnescapeString(string(body))
}

// TestServeInstance: an instance is run again on request only, and its schedule, jobs and events are those of replay.
func TestServeInstance(t *testing.T) {
	dir := t.TempDir()
	manifest := filepath.Join(dir, "m.yaml")
	const text = "name: inside\nreplications: 2\nworkload: {kind: lublin, mode: typeless, machine_procs: 32, jobs: 60, offered_load: 0.9}\n" +
		"platform: {processors: 32}\naxes: {policy.kind: [fcfs, easy]}\nmetrics: [mean_wait_time]\n"
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(dir, "run")
	if code, _, stderr := call(t, "run", manifest, "--out", run, "--quiet"); code != exitDone {
		t.Fatal(stderr)
	}
	base, _ := servedBy(t, manifest, "--out", run, "--memory-limit", "1e10TB")
	code, page := pageAt(t, base+"instance?id=2")
	if code != 200 || strings.Contains(page, "Schedule") || !strings.Contains(page, "Run it again") {
		t.Fatalf("%d: it was run without a request: %s", code, page)
	}
	code, page = pageAt(t, base+"instance?id=2&run=true&against=0")
	if code != 200 || strings.Count(page, "<svg") != 2 || !strings.Contains(page, "this repeats its row in "+run) {
		t.Fatalf("%d: %s", code, page)
	}
	_, narrow := pageAt(t, base+"instance?id=2&run=true&narrow=true")
	for _, of := range []struct{ page, other, width string }{{page, `data-narrow="instance?against=0&id=2&narrow=true&run=true"`, "672"},
		{narrow, `data-wide="instance?id=2&run=true"`, "270"}} {
		if !strings.Contains(of.page, of.other) || !strings.Contains(of.page, ` width="`+of.width+`pt"`) {
			t.Errorf("the page for %s points lacks its width, or %s", of.width, of.other)
		}
	}
	differing := regexp.MustCompile(`Jobs that wait for another time: (\d+) of 60`).FindStringSubmatch(page)
	job := regexp.MustCompile(`&job=(\d+)`).FindStringSubmatch(page)
	if differing == nil || differing[1] == "0" || job == nil {
		t.Fatal("EASY and FCFS let no job wait for another time")
	}
	_, trace, _ := call(t, "replay", manifest, "2", "--out", run, "--trace", "-")
	lines := strings.Split(strings.TrimSpace(trace), "\n")
	for _, k := range []int{0, 1, len(lines) / 2, len(lines) - 1} {
		_, page := pageAt(t, fmt.Sprintf("%sinstance?id=2&run=true&event=%d", base, k))
		here := regexp.MustCompile(`aria-current="step"><a [^>]*><code>(.*?)</code>`).FindStringSubmatch(page)
		if want := fmt.Sprintf("%d: %s", k, strings.Trim(lines[k], "{}")); here == nil || here[1] != want {
			t.Errorf("event %d is %v, want %s", k, here, want)
		}
	}
	start := regexp.MustCompile(`"t":([0-9.e+]+),"event":"start","job":` + job[1] + `,`).FindStringSubmatch(trace)
	_, page = pageAt(t, base+"instance?id=2&run=true&job="+job[1]+"&from=0&to=1000")
	exact, _ := strconv.ParseFloat(start[1], 64)
	want := strconv.FormatFloat(math.Round(1000*exact)/1000, 'f', -1, 64)
	if !strings.Contains(page, "<dt>started<dd>"+want+" s") || !strings.Contains(page, "Job "+job[1]) {
		t.Errorf("the card of job %s lacks its start %s", job[1], start[1])
	}
	_, page = pageAt(t, base+"instance?id=2&run=true&against=0&job="+job[1])
	for i := 1; i <= 2; i++ { // the second is of FCFS
		card := regexp.MustCompile(fmt.Sprintf(`(?s)Job %s in schedule %d</h2>(.*?)</section>`, job[1], i)).FindString(page)
		explained := strings.Contains(card, "started when it was submitted") || strings.Contains(card, "Of 32 processors")
		if !strings.Contains(card, "<dt>started<dd>") || !explained {
			t.Errorf("the card of job %s in schedule %d is %q", job[1], i, card)
		}
	}
	_, page = pageAt(t, base+"instance?id=2&run=true&against=0&from=10&to=900&event=3")
	form := regexp.MustCompile(`(?s)id="schedule-head".*?</form>`).FindString(page)
	for _, kept := range []string{`name="from" value="10"`, `name="to" value="900"`, `name="event" value="3"`, `<option value="0" selected>`} {
		if strings.Count(form, kept) != 1 || strings.Count(form, `name="against"`) != 1 {
			t.Errorf("the form has %s not once, or two fields for the other schedule: %s", kept, form)
		}
	}
	if !strings.Contains(form, `name="instance" value="2"`) || strings.Contains(form, `name="id"`) { // form.id would be the field, and htmx lost
		t.Errorf("the form has no field for the instance, or one that hides its id: %s", form)
	}
	if _, page := pageAt(t, base+"instance?instance=2&run=true"); !strings.Contains(page, "<p dir=\"auto\">instance 2 ") {
		t.Errorf("the address that the form makes leads to another instance: %s", page)
	}
	for address, part := range map[string]string{"&from=10&to=910&at=5000": `data-from="4550" data-to="5450"`, // around the time
		"&from=10&to=910&at=500": `data-from="10" data-to="910"`, "&from=10&to=910&at=x": `data-from="10" data-to="910"`} {
		if _, page := pageAt(t, base+"instance?id=2&run=true"+address); !strings.Contains(page, part) {
			t.Errorf("%s does not lead to %s", address, part)
		}
	}
	for _, wrong := range []string{"id=99", "id=2&run=true&job=x", "id=2&run=true&against=77",
		"id=2&run=true&against=1", "id=2&run=true&by=colour"} {
		if code, page := pageAt(t, base+"instance?"+wrong); code != 422 || !strings.Contains(page, `class="wrong"`) {
			t.Errorf("%s: the code is %d", wrong, code)
		}
	}
	jobsListed(t, base, trace)
	small, _ := servedBy(t, run, "--memory-limit", "2MB")
	if code, page := pageAt(t, small+"instance?id=1&run=true"); code != 422 || !strings.Contains(page, "2000000 bytes of memory") {
		t.Errorf("a limit of 2 MB: %d", code)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	nowhere, _ := servedBy(t, run)
	if code, page := pageAt(t, nowhere+"instance?id=2&run=true"); code != 422 || !strings.Contains(page, "TMPDIR chooses the folder") {
		t.Errorf("without a temporary folder: %d", code)
	}
}

// TestServeJobOfOneSchedule: a job that is in one of two schedules has one card, and a job of neither is an error.
func TestServeJobOfOneSchedule(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.swf":  "; MaxProcs: 16\n1 0 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 -1 -1 -1\n2 5 -1 60 8 -1 -1 8 60 -1 1 1 1 1 1 -1 -1 -1\n",
		"m.yaml": "name: m\nreplications: 1\nworkload: {kind: swf, path: a.swf}\npolicy: {kind: fcfs}\naxes: {platform.processors: [4, 16]}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	base, _ := servedBy(t, filepath.Join(dir, "m.yaml"), "--out", filepath.Join(dir, "run"))
	for _, id := range []string{"id=0&against=1", "id=1&against=0"} {
		code, page := pageAt(t, base+"instance?run=true&job=2&"+id)
		if n := strings.Count(page, "Job 2 in schedule"); code != http.StatusOK || n != 1 {
			t.Errorf("%s: status %d, %d cards\n%s", id, code, n, page)
		}
	}
	if code, page := pageAt(t, base+"instance?run=true&id=0&against=1&job=3"); code == http.StatusOK || !strings.Contains(page, `no job "3"`) {
		t.Errorf("status %d\n%s", code, page)
	}
}

// jobsListed holds the table of jobs against the trace of replay: each job once with its wait, in the order that is chosen.
func jobsListed(t *testing.T, base, trace string) {
	t.Helper()
	if code, page := pageAt(t, base+"jobs?id=2"); code != 422 || !strings.Contains(page, "runs again") {
		t.Errorf("without a re-run: %d", code)
	}
	_, instance := pageAt(t, base+"instance?id=2&run=true")
	if !strings.Contains(instance, `href="jobs?id=2&run=true"`) {
		t.Error("the schedule does not lead to its jobs")
	}
	code, page := pageAt(t, base+"jobs?id=2&run=true&sort=wait&descending=true")
	row := regexp.MustCompile(`<a href="instance\?id=2&job=(\d+)&run=true">[^<]*</a>(.*)`)
	cell := regexp.MustCompile(`<td class="n"[^>]*>([^<\n]*)`)
	rows, before := row.FindAllStringSubmatch(page, -1), math.Inf(1)
	if code != 200 || len(rows) != 60 {
		t.Fatalf("%d: %d rows of 60 jobs: %s", code, len(rows), page)
	}
	for _, r := range rows {
		cells := cell.FindAllStringSubmatch(r[2], -1)
		event := regexp.MustCompile(`"event":"start","job":` + r[1] + `,"seq":\d+,"wait":([0-9.e+-]+)`).FindStringSubmatch(trace)
		if len(cells) < 3 || event == nil {
			t.Fatalf("job %s: %v, %v", r[1], cells, event)
		}
		shown, _ := strconv.ParseFloat(strings.ReplaceAll(cells[2][1], ",", ""), 64)
		want, _ := strconv.ParseFloat(event[1], 64)
		if !(math.Abs(shown-want) <= 0.0500001) || shown > before {
			t.Errorf("job %s waits %g s in the table, %g s in the trace, and comes after %g s", r[1], shown, want, before)
		}
		before = shown
	}
}

// TestServeAsksForConsent: a re-run starts programs of the manifest with the user's word only.
func TestServeAsksForConsent(t *testing.T) {
	dir := t.TempDir()
	manifest, touched := filepath.Join(dir, "m.yaml"), filepath.Join(dir, "touched")
	text := "name: consent\nreplications: 1\nworkload: {kind: lublin, jobs: 5, machine_procs: 8}\naxes:\n  policy:\n" +
		"    - {label: own, value: {kind: easy}}\n" +
		"    - {label: program, value: {kind: external, command: [sh, -c, 'touch " + touched + "'], timeout: 1}}\n"
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	base, _ := servedBy(t, manifest, "--out", filepath.Join(dir, "run"))
	code, page := pageAt(t, base+"instance?id=1&run=true")
	if _, err := os.Stat(touched); err == nil || code != 422 || !strings.Contains(page, "--allow-commands") {
		t.Errorf("%d, %v: a program ran without consent", code, err)
	}
	if code, _ := pageAt(t, base+"instance?id=0&run=true"); code != 200 {
		t.Errorf("an instance without programs: %d", code)
	}
}

// TestServeBusy: while an instance runs again, the server refuses another re-run with a message, and runs it later. A policy that waits for
// a file keeps the first one busy.
func TestServeBusy(t *testing.T) {
	dir := t.TempDir()
	manifest, started, goOn := filepath.Join(dir, "m.yaml"), filepath.Join(dir, "started"), filepath.Join(dir, "go")
	text := "name: busy\nreplications: 1\nworkload: {kind: lublin, jobs: 5, machine_procs: 8}\naxes:\n  policy:\n" +
		"    - {label: own, value: {kind: easy}}\n    - {label: program, value: {kind: external, command: [sh, -c, 'touch " + started +
		"; until [ -e " + goOn + " ]; do sleep 0.01; done'], timeout: 60}}\n"
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	base, _ := servedBy(t, manifest, "--out", filepath.Join(dir, "run"), "--allow-commands")
	first := make(chan int)
	go func() {
		code := 0
		if r, err := http.Get(base + "instance?id=1&run=true"); err == nil {
			code = r.StatusCode
			r.Body.Close()
		}
		first <- code
	}()
	for {
		if _, err := os.Stat(started); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, address := range []string{"instance?id=0&run=true", "jobs?id=0&run=true"} {
		if code, page := pageAt(t, base+address); code != 422 || !strings.Contains(page, "another instance is being run again") {
			t.Errorf("%s: a second re-run at the same time: %d", address, code)
		}
	}
	if code, _ := pageAt(t, base+"instance?id=0"); code != 200 {
		t.Errorf("the row of an instance during a re-run: %d", code)
	}
	if err := os.WriteFile(goOn, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if code := <-first; code == 0 {
		t.Error("the first re-run has no answer")
	}
	if code, page := pageAt(t, base+"instance?id=0&run=true"); code != 200 || !strings.Contains(page, "<svg") {
		t.Errorf("after the first re-run: %d", code)
	}
}
