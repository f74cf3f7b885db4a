package input_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedsweep/harness/input"
)

// TestBoundsOfWorkloads: the bounds in the tags of a workload's parameters hold in manifests.
func TestBoundsOfWorkloads(t *testing.T) {
	for _, c := range []struct{ workload, want string }{
		{"kind: lublin, load_factor: 0", "workload.load_factor is 0; it must be above 0"},
		{"kind: lublin, load_factor: .inf", "workload.load_factor is .inf; it must be finite"},
		{"kind: lublin, jitter: -1", "workload.jitter is -1, below its least value 0"},
		{"kind: lublin, submit: never", `workload.submit cannot be "never"`},
		{"kind: lublin, select: {window: [3, 1]}", "workload.select.window begins at 3, above its end 1"},
		{"kind: lublin, select: {jobs: -1}", "workload.select.jobs is -1"},
		{"kind: lublin, estimates: {model: factor, factor: .inf}", "workload.estimates.factor is .inf; it must be finite"},
		{"kind: lublin, estimates: {model: tsafrir, tsafrir: {curve: 1}}", "workload.estimates.tsafrir.curve is 1; it must be above 1"},
		{"kind: lublin, estimates: {model: tsafrir, tsafrir: {head_decay: 101}}", "workload.estimates.tsafrir.head_decay is 101, above its " +
			"greatest value 100"},
		{"kind: lublin, estimates: {model: tsafrir, tsafrir: {head_values: 40}}", "there are 39 round values"},
		{"kind: lublin, longest_log: 101", "workload.longest_log is 101, above its greatest value 100"},
		{"kind: lublin, machine_procs: 1", "workload.machine_procs is 1, below its least value 2"},
		{"kind: lublin, log2: .5", "workload.log2 is 0.5; it must be in [1, 30]"},
		{"kind: lublin, batch: {a1: 0}", "workload.batch.a1 is 0; it must be above 0"},
		{"kind: lublin, batch: {u_low: 31}", "workload.batch.u_low is 31, above its greatest value 30"},
		{"kind: lublin, batch: {pa: .inf}", "workload.batch.pa is .inf; it must be finite"},
		{"kind: lublin, slowdowns: {max_sl: 0}", "workload.slowdowns.max_sl is 0; it must be above 0"},
		{"kind: lublin, messages: {share: [-1, 1]}", "workload.messages.share is -1, below its least value 0"},
		{"kind: lublin, messages: {share: [0, .inf]}", "workload.messages.share is .inf; it must be finite"},
		{"kind: lublin, messages: {clusters: [{processors: 0}]}", "workload.messages.clusters[0].processors is 0"},
		{"kind: lublin, cross_site: {portion: 2}", "workload.cross_site.portion is 2"},
		{"kind: poisson, clusters: 0", "workload.clusters is 0, below its least value 1"},
		{"kind: poisson, mean_run_time: -1", "workload.mean_run_time is -1; it must be above 0"},
		{"kind: poisson, per_cluster: [{mean_run_time: .inf}]", "workload.per_cluster[0].mean_run_time is .inf; it must be finite"},
		{"kind: poisson, processors: [5, 2]", "workload.processors begins at 5, above its end 2"},
		{"kind: poisson, processors: [1, 3000000000]", "workload.processors is [1, 3e+09]; it must be two whole numbers"},
		{"kind: bsp, spread: [0, 1]", "workload.spread is 0; it must be above 0"},
		{"kind: bsp, mean_base_time: .inf", "workload.mean_base_time is .inf; it must be finite"},
		{"kind: list, jobs: [{run_time: 1, submit: -1}]", "workload.jobs[0].submit is -1, below its least value 0"},
		{"kind: list, jobs: [{run_time: .inf}]", "workload.jobs[0].run_time is .inf, above its greatest value 10000000000 s"},
		{"kind: list, jobs: [{run_time: 1, share: 40}]", "workload.jobs[0].share is 40, above its greatest value 1"},
		{"kind: list, jobs: [{run_time: 1, home: 2147483648}]", "workload.jobs[0].home is 2147483648, above its greatest value"},
		{"kind: list, jobs: [{run_time: 1, user: -2}]", "workload.jobs[0].user is -2, below its least value -1"},
		{"kind: classes, classes: [{run_time: [0, 1]}], arrivals: [{}]", "workload.classes[0].run_time is 0; it must be above 0"},
		{"kind: classes, classes: [{run_time: [1, 1]}], arrivals: [{rule: odd}]", `workload.arrivals[0].rule cannot be "odd"`},
		{"kind: classes, classes: [{run_time: [1, 1]}], arrivals: [{gap: .inf}]", "workload.arrivals[0].gap is .inf; it must be finite"},
		{"kind: swf, path: a.swf, size: both", `workload.size cannot be "both"`},
		{"kind: grid, logs: [{path: a.swf, processors: -1}]", "workload.logs[0].processors is -1, below its least value 0"},
	} {
		path := filepath.Join(t.TempDir(), "m.yaml")
		if err := os.WriteFile(path, []byte("name: bounds\nworkload: {"+c.workload+"}\npolicy: {kind: fcfs}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := input.Load(path, input.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("{%s}: error %v, want %s", c.workload, err, c.want)
		}
	}
}
