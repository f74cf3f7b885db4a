package scripts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkSiteWeek runs a week of a real site on one worker: 217 nodes, 19,579 jobs, planned every 2 min. The manifest has the sections
// that platform converts from its slurm.conf. It also runs the first 5,000 jobs alone. Targets: 120 s of processor time for the week,
// and memory that does not grow with the log.
func BenchmarkSiteWeek(b *testing.B) {
	from := filepath.Join(dataFolder(), "slurm", "ubhpc")
	if _, err := os.Stat(from); err != nil {
		b.Skip(err)
	}
	dir := b.TempDir()
	sections, accounts := siteSections(b, from, dir)
	for _, most := range []int{5000, 1 << 30} {
		n := siteManifest(b, dir, filepath.Join(from, "workload_week.events.gz"), sections, accounts, most, "")
		b.Run(fmt.Sprintf("jobs=%d", n), func(b *testing.B) {
			for i := range b.N {
				c := exec.Command(program(b), "run", filepath.Join(dir, "site.yaml"), "--out", filepath.Join(dir, fmt.Sprint(n, i)), "--workers",
					"1", "--quiet")
				c.Env = append(os.Environ(), "GOMAXPROCS=1")
				var errs strings.Builder
				c.Stderr = &errs
				if err := c.Start(); err != nil {
					b.Fatal(err)
				}
				ended, most := make(chan error), 0.0
				go func() { ended <- c.Wait() }()
				for running := true; running; {
					select {
					case err := <-ended:
						if running = false; err != nil {
							b.Fatalf("%v\n%s", err, errs.String())
						}
					case <-time.After(50 * time.Millisecond):
						most = max(most, memoryOf(c.Process.Pid))
					}
				}
				b.ReportMetric(c.ProcessState.UserTime().Seconds(), "cpu-s(target:120)")
				b.ReportMetric(most, "MiB")
			}
		})
	}
}
