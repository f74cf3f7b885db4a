package input_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/input"
	"schedsweep/sweep"
)

// A parent may be named by a path from the folder of the child, or by a whole one.
func TestParentsByPath(t *testing.T) {
	folder := t.TempDir()
	parent := filepath.Join(folder, "parent.yaml")
	if err := os.WriteFile(parent, []byte("name: p\nworkload: {kind: lublin, jobs: 3}\npolicy: {kind: fcfs}\nplatform: {preset: "+
		"griffon-8x16}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(folder, "sub")
	if err := os.Mkdir(elsewhere, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../parent.yaml", filepath.ToSlash(parent)} {
		child := filepath.Join(elsewhere, "child.yaml")
		if err := os.WriteFile(child, []byte("extends: "+name+"\nname: c\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := input.Load(child, input.Options{}); err != nil {
			t.Errorf("extends: %s: %v", name, err)
		}
	}
}

// TestFieldsWithoutEffect: a field that acts only beside another is refused without it, in a section and in an axis that begins with
// the default. It is refused also if the other field is written with a value at which it has no effect. Only an axis may write such a
// value, as the case without effect, or be of other points only.
func TestFieldsWithoutEffect(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "a.swf"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{ // the section's kind, the fields, and the end of the message; "" where they are valid
		{"workload: {kind: lublin", "estimates.factor: 2, 5", "workload.estimates has the model as-is"},
		{"workload: {kind: lublin", "typeless.serial: 0.3", "workload.typeless has the constants of the mode typeless"},
		{"workload: {kind: lublin, mode: typeless", "typeless.serial: 0.3", ""},
		{"workload: {kind: lublin, log2: 7", "machine_procs: 64", "workload.machine_procs is 64, but log2 takes its place"},
		{"workload: {kind: lublin", "offered_load_of: selection", "workload.offered_load_of says which load offered_load scales"},
		{"workload: {kind: lublin, offered_load: 0", "offered_load_of: selection", "offered_load_of says which load offered_load scales"},
		{"workload: {kind: lublin, offered_load_of: selection", "offered_load: 0, 0.7", ""},
		{"workload: {kind: lublin, jobs: 3, offered_load_of: selection", "offered_load: 0.7], policy.kind: [fcfs, easy]}\nwhen:\n  " +
			"workload.offered_load: {policy.kind: [easy", ""},
		{"workload: {kind: poisson", "offered_load_of: log", "workload.offered_load_of says which load"},
		{"workload: {kind: lublin", "select.sample: window", "workload.select.sample says how select.jobs are picked"},
		{"workload: {kind: lublin", "select.run_up: 5", "workload.select.run_up is 5, and no window of jobs is taken; give select.jobs"},
		{"workload: {kind: lublin, select: {jobs: 5}", "select.run_out: 5", "taken; write sample: window, or drop it"},
		{"workload: {kind: lublin", "slowdowns.max_sl: 2", "workload.slowdowns.law is none"},
		{"workload: {kind: lublin", "messages.sigma: 0.5", "workload.messages.law is none"},
		{"workload: {kind: lublin", "cross_site.sites: {label: some, value: [2, 3]}", "cross_site.sites is given, and no job"},
		{"workload: {kind: lublin, cross_site: {portion: 0}", "cross_site.sites: {label: some, value: [2, 3]}", "sites is given, and no job"},
		{"workload: {kind: lublin, cross_site: {sites: [2, 3]}", "cross_site.portion: 0, 0.5", ""},
		{"workload: {kind: lublin", "estimates: {label: a, value: {model: as-is, factor: 3}}", "workload.estimates has the model as-is"},
		{"workload: {kind: lublin, select: {jobs: 5, sample: random}", "select.run_up: 5", "taken; write sample: window, or drop it"},
		{"workload: {kind: lublin, select: {jobs: 5, run_up: 5}", "select.sample: random, window", ""},
		{"workload: {kind: lublin, select: {jobs: 5, sample: first, skip: 9}", "select.run_up: 5", ""},
		{"workload: {kind: lublin, select: {jobs: 5, sample: first}", "select.run_out: 5", ""},
		{"workload: {kind: lublin, select: {skip: 9}", "select.run_up: 5", ""},
		{"workload: {kind: lublin, select: {skip: 9}", "select.run_out: 5", "workload.select.run_out is 5, and no window of jobs is taken"},
		{classes + "jobs: 3, sites: 2}], arrivals: [{over: 9}]", "shift: auto", "workload.classes[0].sites is 2, and no job runs"},
		{classes + "jobs: 3, sites: 2, cross_site: 4}], arrivals: [{over: 9}]", "shift: auto", "cross_site is 4, and the class has 3"},
		{classes + "jobs: 3}], arrivals: [{over: 9, gap: 2}]", "shift: auto", "workload.arrivals[0] names no rule"},
		{"workload: {kind: swf, path: a.swf, requests: [nodes]", "size_factor: 0.5", "workload.size_factor is 0.5 and changes processors"},
		{"engine: {requeue: {after: node_fail}", "requeue.walltime_factor: 2", "engine.requeue.walltime_factor is 2, and jobs that are killed"},
		{"engine: {requeue: {walltime_factor: 2}", "requeue.after: never, node_fail, kill", ""},
		{"workload: {kind: lublin, jobs: 3, machine_procs: 64", "log2: 0, 7", ""},
		{"platform: {processors: 8", "off.per: machine", "platform.off.per says where nodes are kept on, and none are"},
		{"policy: {kind: scojo", "aging_step: 2", "policy.aging_step is 2, and no priority rises"},
		{"policy: {kind: scojo, variant: pri", "idle: kept", "policy.idle changes nothing with variant pri"},
		{"policy: {kind: scojo, variant: prico", "idle: kept", ""},
		{"policy: {kind: scojo, variant: prico", "backfill.min_priority: 5", "policy.backfill.min_priority changes nothing with variant prico"},
		{"policy: {kind: scojo, variant: fcfs", "join.min_priority: 5", "policy.join.min_priority changes nothing with variant fcfs"},
		{"policy: {kind: scojo, variant: fcfs", "aging: 60, 90", "policy.aging changes nothing with variant fcfs"},
		{"policy: {kind: scojo, variant: pri", "aging: 60, 90", ""},
		{"policy: {kind: scojo, variant: fcfs", "classes.short: 200", "policy.classes.short changes nothing with variant fcfs"},
		{"policy: {kind: scojo, priorities: job", "classes.short: 200", "policy.classes.short changes nothing with priorities job"},
		{"policy: {kind: scojo, level: 3, positions: [.4, .3, .3]", "variant: fcfs, prico", ""},
		{"policy: {kind: lomarc", "pairs_low_load: true", "policy.pairs_low_load is for the variants cst and cstws"},
		{"policy: {kind: lomarc, variant: ssp", "min_gain: 0.2, 0.9", "policy.min_gain changes nothing with variant ssp"},
		{"policy: {kind: lomarc, variant: cst", "block_size: 2", "policy.block_size changes nothing with variant cst"},
		{"policy: {kind: lomarc, variant: nh", "block_size: 2", "policy.block_size changes nothing with variant nh"},
		{"policy: {kind: lomarc, variant: cstws", "full_nodes: any", "policy.full_nodes changes nothing with variant cstws"},
		{"policy: {kind: lomarc, variant: nh", "full_nodes: any", ""},
		{"policy: {kind: lomarc, block_size: 2", "variant: ssp, glts", ""},
		{"policy: {kind: lomarc, fairness: \"off\"", "slack: 1, 5", "policy.slack changes nothing with fairness off"},
		{"policy: {kind: lomarc, fairness: scaled", "slack: 1, 5", ""},
		{"policy: {kind: lomarc, non_type_backfilling: \"off\"", "non_type_yields: true", "policy.non_type_yields is true, and no job gets"},
		{"policy: {kind: timeslice, non_type_backfilling: \"off\"", "non_type_yields: true", "policy.non_type_yields is true, and no job"},
		{"policy: {kind: timeslice, non_type_yields: true", "non_type_backfilling: \"off\", short", ""},
		{"policy: {kind: oas", "best_of: 3", "policy.best_of is 3, and no plans are compared"},
		{"policy: {kind: oas, tie: min-sum-finish", "best_of: 3", "policy.best_of is 3, and no plans are compared"},
		{"policy: {kind: oas, best_of: 3", "tie: first, best-of", ""},
		{"policy: {kind: oas", "model: last-slot", "policy.model is last-slot, and the solver builtin uses no linear program"},
		{"policy: {kind: easy, order: {fair_share: {half_life: 1d}, half_life: 2d}", "rules: plain", "policy.order is by fair_share, and"},
		{"policy: {kind: easy, order: {weights: {size: 5}}", "order.max_age: 14d", "policy.order.max_age is given, and no weight uses it"},
		{"policy: {kind: conservative, order: {weights: {age: 5}}", "order.half_life: 14d", "policy.order.half_life is given, and no"},
		{"policy: {kind: easy, order: {weights: {age: 5}}", "order.amounts: true", "give order.weights.cpus, memory or gpus points, or drop"},
		{"policy: {kind: easy, order: {weights: {age: 5}, amounts: true}", "order.weights.memory: 0, 5", ""},
		{"policy: {kind: queue, order: {weights: {size: 5}, max_age: 14d}", "order.weights.age: 0, 5", ""},
		{"policy: {kind: queue, order: {weights: {size: 5}, max_age: 14d}", "order.weights: {label: s, value: {size: 5}}, " +
			"{label: a, value: {age: 5}}", ""},
		{"progress: {kind: shares", "spin: 1", "progress.slowdowns is levels, and delay, switch"},
		{"progress: {kind: shares", "c2: 1.1", ""},
	} {
		section, _, _ := strings.Cut(c[0], ":")
		field, value, _ := strings.Cut(c[1], ": ")
		text := c[0] + "}\naxes: {" + section + "." + field + ": [" + value + "]}\n"
		for of, base := range map[string]string{"workload": "workload: {kind: lublin, jobs: 3}\n", "policy": "policy: {kind: easy}\n"} {
			if of != section {
				text += base
			}
		}
		if err := os.WriteFile(path, []byte("name: m\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, _, err := input.Load(path, input.Options{})
		if c[2] == "" && err != nil || c[2] != "" && (err == nil || !strings.Contains(err.Error(), c[2])) {
			t.Errorf("%s, %s: %v, want %s", c[0], c[1], err, c[2])
		}
	}
}

// TestMetricsOfKinds: a metric of runs of some kinds is refused where no run is of such a kind. An axis over the kind may have lost it by
// --set, which leaves the axis with one value.
func TestMetricsOfKinds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.yaml")
	for _, c := range []struct {
		metric, kinds, set string
		ok                 bool
	}{
		{"module_jobs", "fcfs, easy", "", false}, {"delay_mean_medium", "lomarc, easy", "", true}, {"replay_late_jobs", "replay, easy", "", true},
		{"replay_late_jobs", "replay, easy", "policy.kind=easy", true}, {"replay_late_jobs", "easy, fcfs", "", false},
	} {
		for column, section := range map[int]string{
			11: "metrics: [" + c.metric + "]\n",
			25: "analysis: {trends: [{x: " + c.metric + ", y: makespan}]}\n",
		} {
			text := "name: m\nworkload: {kind: lublin, jobs: 3}\naxes: {policy.kind: [" + c.kinds + "]}\n" + section
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			var o input.Options
			if c.set != "" {
				o.Set = []string{c.set}
			}
			_, _, err := input.Load(path, o)
			want := fmt.Sprintf("m.yaml:4:%d: no run has %s, which is a metric of policy.kind: ", column, c.metric)
			if c.ok && err != nil || !c.ok && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s of %s, %s: %v", section, c.kinds, c.set, err)
			}
		}
	}
}

// TestNumbersBeyondSense: with these numbers a run would never end, or its order would be none.
func TestNumbersBeyondSense(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.yaml")
	const law = "easy}\nplatform: {nodes: {a: {count: 9}}, events: [{law: exponential, mean_between_failures: "
	const job = "easy}\nplatform: {processors: 1}\nworkload: {kind: list, jobs: [{run_time: 1}, {run_time: "
	for policy, want := range map[string]string{
		law + ".inf, repair: 1}]":   "platform.events[0].mean_between_failures is .inf, above its greatest value",
		law + "1, repair: 1e300}]":  "platform.events[0].repair is 1e300, above its greatest value",
		law + "1e-300, repair: 1}]": "platform.events[0].mean_between_failures must be at least 1 s, and repair above 0 s, for a law",
		"easy}\nplatform: {nodes: {a: {count: 9, power: {busy: 1, boot: {time: 1e300, power: 1}}}}": "boot.time is 1e300, above its",
		job + "1e300}]":                                               "workload.jobs[1].run_time is 1e300, above its greatest value",
		job + "1, submit: 1e300}]":                                    "workload.jobs[1].submit is 1e300, above its greatest value",
		job + "1, walltime: 1e300}]":                                  "workload.jobs[1].walltime is 1e300, above its greatest value",
		"easy, order: {weights: {age: .inf}}":                         "policy.order.weights.age is .inf; it must be finite",
		"easy, order: {weights: {age: 1}, calculated_every: 1e-300}":  "policy.order.calculated_every is 1e-300, below its least value 0.001 s",
		"conservative, order: {fair_share: {calculated_every: 1e-9}}": "fair_share.calculated_every is 1e-9, below its least value 0.001 s",
		"conservative, planning: {every: 1e-300}":                     "policy.planning.every is 1e-300 s; the shortest period is 0.001 s",
		"easy}\nworkload: {kind: bsp, jobs: 1000000000":               "workload.jobs is 1000000000, above its greatest value 1000000",
		"easy}\nworkload: {kind: classes, jobs: 1000000000":           "workload.jobs is 1000000000, above its greatest value 10000000",
		"timeslice, interval: .inf":                                   "policy.interval is .inf; it must be finite",
	} {
		text := "name: m\npolicy: {kind: " + policy + "}\n"
		if !strings.Contains(text, "workload") {
			text += "workload: {kind: lublin, jobs: 3}\n"
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := input.Load(path, input.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", policy, err)
		}
	}
}

const classes = "workload: {kind: classes, classes: [{run_time: [1, 2], "

// Shares may be in percent in fields, axes, selections and the analysis. Columns have no unit for it.
func TestSharesInPercent(t *testing.T) {
	manifest := func(low, high string) string {
		return "name: p\nworkload: {kind: lublin, jobs: 3, batch: {serial: " + low + "}}\npolicy: {kind: easy}\naxes:\n" +
			"  workload.offered_load: [" + low + ", " + high + "]\nmetrics: [utilisation]\nanalysis:\n  quantiles: [" + low + "]\n" +
			"  figures: [{id: f, kind: means, x: workload.offered_load, y: utilisation, " +
			"where: {workload.offered_load: {from: " + low + ", to: " + high + "}}}]\n" +
			"claims: [{id: c, mean: {metric: utilisation, of: {workload.offered_load: " + high + "}}, above: 0.1}]\n"
	}
	plain, _ := harnesstest.Loaded(t, manifest("0.3", "0.7"))
	percent, _ := harnesstest.Loaded(t, manifest("30%", "70 %"))
	a, b := harnesstest.PlanOf(t, plain), harnesstest.PlanOf(t, percent)
	var x, y sweep.Instance
	for i := range a.Len() {
		a.At(i, &x)
		b.At(i, &y)
		if x.ID != y.ID {
			t.Errorf("instance %d has another id with 30%% and 70 %% than with 0.3 and 0.7", i)
		}
	}
	if unit := percent.Axes[0].Unit; unit != "" {
		t.Errorf("the column of a share has the unit %q", unit)
	}
}
