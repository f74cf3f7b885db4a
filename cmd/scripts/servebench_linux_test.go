package scripts

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// cpuOf is the processor time of a process without its children in ms, and memoryOf is the most memory that it had in MiB.
func cpuOf(b *testing.B, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) * 10 // ticks of 10 ms
}

func memoryOf(b *testing.B, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	most := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(text)
	if err != nil || most == nil {
		b.Fatal(err, string(text))
	}
	kB, _ := strconv.ParseFloat(string(most[1]), 64)
	return kB / 1024
}

// BenchmarkServeCurie zooms into the schedules of the Curie log (295,540 jobs), from all of it to minutes: of EASY alone, and beside
// FCFS. Target: 200 ms of processor time and 1 MB a page. The processor time is that of the server, without the re-run.
func BenchmarkServeCurie(b *testing.B) {
	const log = "CEA-Curie-2011-2.1-cln.swf.gz"
	data := os.Getenv("SCHEDSWEEP_DATA")
	if _, err := os.Stat(filepath.Join(data, log)); err != nil {
		b.Skip(err)
	}
	dir := b.TempDir()
	manifest := filepath.Join(dir, "m.yaml")
	text := "name: curie\nworkload: {kind: swf, path: " + log + "}\naxes: {policy.kind: [easy, fcfs]}\n"
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	base, pid := servedBy(b, manifest, "--data", data, "--out", filepath.Join(dir, "run"))
	for _, with := range []string{"", "&against=1"} {
		address := "instance?id=0&run=true" + with
		for level := 0; address != ""; level++ {
			code, page := pageAt(b, base+address) // runs what is not there yet
			if code != http.StatusOK {
				b.Fatal(code, page)
			}
			b.Run(fmt.Sprintf("schedules=%d/level=%d", 1+len(with)/10, level), func(b *testing.B) {
				before, n := cpuOf(b, pid), 0
				for b.Loop() {
					_, page = pageAt(b, base+address)
					n++
				}
				b.ReportMetric((cpuOf(b, pid)-before)/float64(n), "cpu-ms/page")
				b.ReportMetric(float64(len(page)), "B/page")
				b.ReportMetric(memoryOf(b, pid), "MiB")
			})
			next := regexp.MustCompile(`href="(instance\?[^"]*)"[^>]*>Zoom in<`).FindStringSubmatch(page)
			if address = ""; next != nil && level < 15 {
				address = next[1]
			}
		}
	}
}
