package run

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/sim/simtest"
)

// BenchmarkModule simulates jobs from the log of KTH under EASY backfilling by three programs: our own policy, the module in
// Python that comes with schedsweep, and the stock scheduler of pybatsim (installed by .ci/modules/run). Target: 10,000 jobs
// of the module under 2 s. The scheduler of pybatsim by itself takes .1 ms and more per message.
func BenchmarkModule(b *testing.B) {
	if caches, err := os.UserCacheDir(); err == nil {
		b.Setenv("PATH", filepath.Join(caches, "schedsweep-modules", "bin")+":"+os.Getenv("PATH"))
	}
	python, err := filepath.Abs("../../cmd/python")
	if err != nil {
		b.Fatal(err)
	}
	b.Setenv("PYTHONPATH", python)
	for _, c := range []struct{ name, policy, jobs, program string }{
		{"own", "{kind: easy}", "10000", ""},
		{"python", `{kind: external, command: [python3, "{module}"], module: easy.py, timeout: 60}`, "10000", "python3"},
		{"pybatsim", `{kind: external, command: [pybatsim, easyBackfill, -s, "{socket}", -t, "0", -v, error], protocol: zeromq, timeout: 60}`,
			"1000", "pybatsim"},
	} {
		b.Run(c.name, func(b *testing.B) {
			if _, err := exec.LookPath(c.program); c.program != "" && err != nil {
				b.Skip(err)
			}
			path := filepath.Join(b.TempDir(), "m.yaml")
			text := "name: m\nworkload: {kind: swf, path: KTH-SP2-1996-2.2.swf.gz, select: {jobs: " + c.jobs +
				", sample: first}}\nplatform: {clusters: [{name: sp2, nodes: 100}]}\npolicy: " + c.policy + "\n"
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				b.Fatal(err)
			}
			data := []string{simtest.Data(b), filepath.Join(python, "schedsweep")}
			m, in, err := input.Load(path, input.Options{Data: data, Commands: true})
			if err != nil {
				b.Skipf("needs the log of KTH in $SCHEDSWEEP_DATA: %v", err)
			}
			plan, err := m.Plan()
			if err != nil {
				b.Fatal(err)
			}
			messages, seconds := 0., 0.
			for b.Loop() {
				out, err := Simulate(context.Background(), plan, in, 0, Kept{})
				if err != nil || out.Outcome != harness.OK {
					b.Fatalf("%s: %s %v", out.Outcome, out.Err, err)
				}
				for _, v := range out.Metrics {
					switch v.Name {
					case "module_messages":
						messages += v.Value
					case "module_seconds":
						seconds += v.Value
					}
				}
			}
			if messages > 0 {
				b.ReportMetric(seconds/messages*1e6, "us/message")
			}
		})
	}
}
