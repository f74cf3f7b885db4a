package scripts

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"schedsweep/sim/simtest"
)

// TestServeScheduleSize: 25,000 jobs under two policies fit a page of 1 MB in each part of the time, from all of it to minutes. With all
// cases there are as many jobs as the Curie log has. BenchmarkServeCurie does the same with the log itself.
func TestServeScheduleSize(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs many jobs twice")
	}
	const most = 1_000_000
	jobs := strconv.Itoa(simtest.Cases(25_000, 100_000))
	dir := t.TempDir()
	manifest := filepath.Join(dir, "m.yaml")
	text := "name: large\nreplications: 1\nworkload: {kind: lublin, mode: typeless, machine_procs: 4096, offered_load: 0.8, " +
		"jobs: " + jobs + "}\nplatform: {processors: 4096}\naxes: {policy.kind: [easy, fcfs]}\n"
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	base, _ := servedBy(t, manifest, "--out", filepath.Join(dir, "run"))
	zoom := regexp.MustCompile(`href="(instance\?[^"]*)"[^>]*>Zoom in<`)
	dense := 0
	for level, address := 0, "instance?id=0&run=true&against=1"; level < 20 && address != ""; level++ {
		code, page := pageAt(t, base+address)
		if code != 200 || len(page) > most {
			t.Fatalf("level %d: code %d, %d bytes", level, code, len(page))
		}
		if regexp.MustCompile(`too many jobs`).MatchString(page) {
			dense++
		}
		next := zoom.FindStringSubmatch(page)
		if address = ""; next != nil {
			address = html.UnescapeString(next[1])
		}
	}
	if dense < 3 || dense > 18 {
		t.Errorf("%d of 20 parts show densities", dense)
	}
	if _, page := pageAt(t, base+"jobs?id=0&run=true"); len(page) > most {
		t.Errorf("the table of jobs has %d bytes", len(page))
	}
}
