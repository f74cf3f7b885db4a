package scripts

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// cpuOf is the processor time of a process without its children in ms.
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

// memoryOf is the most memory that a process has used, in MiB; 0 of one that has ended.
func memoryOf(pid int) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	most := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(text)
	if most == nil {
		return 0
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
			code, page := pageAt(b, base+address) // runs the instances that are not there yet
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
				b.ReportMetric(memoryOf(pid), "MiB")
			})
			next := regexp.MustCompile(`href="(instance\?[^"]*)"[^>]*>Zoom in<`).FindStringSubmatch(page)
			if address = ""; next != nil && level < 15 {
				address = next[1]
			}
		}
	}
}

// BenchmarkServeViewers is a million instances (ROWS=N: fewer) on the pages of one viewer, and of 20 at once that follow the events.
// The 20 open the same views in different orders, or views that no other viewer opens. No view is made before. The processor time is
// for each view. Target: first view 3 s, another view 1 s, 320 MiB.
func BenchmarkServeViewers(b *testing.B) {
	dir := b.TempDir()
	_, study := millionInstances(b)
	manifest, run := millionManifest(b, dir, study), filepath.Join(dir, "run")
	if code, _, stderr := call(b, "run", manifest, "--out", run, "--quiet"); code != exitDone {
		b.Fatal(stderr)
	}
	base, pid := servedBy(b, manifest, "--out", run)
	views := []string{"live?", "explore?", "explore?x=workload.mean_run_time&y=utilisation&series=policy.kind&panels=platform.processors",
		"explore?kind=parallel&x=mean_wait_time", "explore?x=mean_wait_time&kind=ecdf&series=policy.kind", "results?"}
	b.Run("opened", func(b *testing.B) { // once: it reads the rows in the background until the server is quiet
		pageAt(b, base+"live")
		for idle, before := 0, cpuOf(b, pid); idle < 5; before = cpuOf(b, pid) {
			time.Sleep(400 * time.Millisecond)
			if idle++; cpuOf(b, pid)-before > 10 {
				idle = 0
			}
		}
		b.ReportMetric(cpuOf(b, pid), "cpu-ms")
		b.ReportMetric(memoryOf(pid), "MiB")
	})
	opened := 0
	view := func(k, n int) string { return fmt.Sprintf("%s%s&metric=%d", base, views[k], n) } // each number makes another page
	for i := range views {
		b.Run(fmt.Sprintf("one/view=%d", i), func(b *testing.B) {
			before, n := cpuOf(b, pid), 0
			for b.Loop() {
				opened++
				if code, page := pageAt(b, view(i, opened)); code != http.StatusOK {
					b.Fatal(page)
				}
				n++
			}
			b.ReportMetric((cpuOf(b, pid)-before)/float64(n), "cpu-ms/view")
			b.ReportMetric(memoryOf(pid), "MiB")
		})
	}
	for _, name := range []string{"twenty/same views", "twenty/different views"} {
		b.Run(name, func(b *testing.B) {
			const viewers = 20
			before, n := cpuOf(b, pid), 0
			var longest atomic.Int64 // ns
			for b.Loop() {
				opened += viewers
				var all errgroup.Group
				for i := range viewers {
					number := opened
					if strings.HasSuffix(name, "different views") {
						number += i
					}
					all.Go(func() error {
						stream, err := http.Get(base + "live/events")
						if err != nil {
							return err
						}
						defer stream.Body.Close()
						for k := range views {
							began := time.Now()
							r, err := http.Get(view((i+k)%len(views), number))
							if err != nil {
								return err
							}
							_, err = io.Copy(io.Discard, r.Body)
							r.Body.Close()
							if err != nil || r.StatusCode != http.StatusOK {
								return fmt.Errorf("viewer %d: %s, %w", i, r.Status, err)
							}
							for took := int64(time.Since(began)); ; {
								if was := longest.Load(); took <= was || longest.CompareAndSwap(was, took) {
									break
								}
							}
						}
						return nil
					})
				}
				if err := all.Wait(); err != nil {
					b.Fatal(err)
				}
				n += viewers * len(views)
			}
			b.ReportMetric((cpuOf(b, pid)-before)/float64(n), "cpu-ms/view")
			b.ReportMetric(b.Elapsed().Seconds()*viewers/float64(n), "s/view")
			b.ReportMetric(time.Duration(longest.Load()).Seconds(), "s(longest)")
			b.ReportMetric(memoryOf(pid), "MiB")
		})
	}
}
