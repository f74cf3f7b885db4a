package sweep_test

import (
	"strings"
	"testing"

	"schedsweep/sweep"
	"schedsweep/sweep/sweeptest"
)

// A figure that asks for what it cannot get is reported before anything runs, and nowhere else.
func TestFiguresThatCannotBeDrawn(t *testing.T) {
	for figure, want := range map[string]string{
		"kind: ecdf, x: jobs.wait_time, series: class": "rows of jobs do not say the user of a job, by " +
			"which the class mine goes",
		"kind: timeline, x: series.time, y: series.busy, series: class": "a timeline is of the machine, and of no class of jobs",
		"x: class, y: makespan": `there is no metric "makespan"`,
		"x: policy.kind, y: mean_wait, series: class, paired: ratio":                     "classes are of the same instances",
		"x: mean_wait, y: mean_wait__narrow, series: policy.kind, rows: class":           `there is no metric "mean_wait__narrow"`,
		"x: class, y: mean_wait, where: {class: narow}":                                  `"narow" is no value of axis class`,
		"x: workload.load_factor, y: makespan, series: policy.kind, panels: policy.kind": "series and panels are both policy.kind",
		"x: policy.kind, y: makespan, trend: true": "policy.kind holds texts, which have neither a " +
			"scale nor a trend",
		"x: policy.kind, y: makespan, x_scale: log":                                   "policy.kind holds texts",
		"x: policy.kind, y: makespan, x_scale: linear":                                "policy.kind holds texts, which have neither a scale",
		"x: mean_wait, y: makespan, line: mode":                                       `line cannot be "mode"`,
		"x: mean_wait, y: makespan, x_limits: [2, 1]":                                 "x_limits is no range",
		"x: mean_wait, y: makespan, y_limits: [0, 1], y_scale: log":                   "y_limits starts at 0",
		"x: mean_wait, y: makespan, paired: ratio":                                    "paired comparisons have no mean_wait of their own",
		"x: policy.kind, y: makespan, paired: ratio, points: true":                    "leave points out",
		"x: policy.kind, y: makespan, paired: difference, y_scale: log":               "differences may be negative",
		"x: workload.load_factor, y: makespan, paired: ratio, band: true":             "leave band out",
		"x: mean_wait, kind: critical-difference, series: policy.kind, y_label: wait": "a figure of the kind critical-difference has no y_label",
		"x: mean_wait, kind: parallel, series: policy.kind, y_label: wait":            "leave y_label out",
		"x: policy.kind, y: makespan, x_limits: [0, 1]":                               "leave x_limits out",
		"x: workload.load_factor, y: makespan, x_scale: classes, x_limits: [0, 1]":    "have places, and no scale",
		"kind: bars, x: workload.load_factor, y: makespan, x_limits: [0, 1]":          "a figure of the kind bars has no x_limits",
		"x: policy.kind, y: makespan, paired: quotient":                               `paired cannot be "quotient"`,
		"x: mean_wait, y: makespan, kind: box":                                        "mean_wait has no places for a box",
		"x: mean_wait, y: makespan, fit: quadratic":                                   "fit is the kind of a trend, and there is no trend",
		"x: mean_wait, y: makespan, trend: true, fit: cubic":                          `fit cannot be "cubic"`,
		"x: mean_wait, y: makespan, kind: profile, series: policy.kind":               "leave y out; x is the metric",
		"x: mean_wait, kind: critical-difference":                                     "give series",
		"x: mean_wait, kind: critical-difference, series: policy.kind, x_scale: log":  "a figure of the kind critical-difference has no x_scale",
		"x: mean_wait, kind: profile, series: policy.kind, published: [{value: 1}]":   "leave published out",
		"x: workload.load_factor, kind: profile, series: policy.kind": "a profile is of metrics, and workload.load_factor is " +
			"an axis",
		"x: mean_wait, kind: pareto, series: policy.kind":                 "analysis.figures.y is missing",
		"x: mean_wait, y: mean_wait, kind: pareto, series: policy.kind":   "x and y are both mean_wait",
		"x: mean_wait, y: utilisation, kind: pareto, series: policy.kind": "neither lower nor higher values of utilisation are better",
	} {
		_, err := sweep.Load("t.yaml", []byte(sweeptest.Base+"axes: {policy.kind: [easy, fcfs], workload.load_factor: [0.5, 1]}\nclasses: "+
			"{narrow: processors <= 4, wide: processors > 4, mine: user == 7}\ndatasets: [jobs, series]\nanalysis:\n  baseline: {policy.kind: "+
			"easy}\n  figures: [{id: f, "+figure+"}]\n"), sweeptest.Options(""))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("{%s}: error %v, want %s", figure, err, want)
		}
	}
	_, err := sweep.Load("t.yaml", []byte(sweeptest.Base+"axes: {policy.kind: [easy, fcfs]}\nanalysis: {figures: [{id: f, x: policy.kind, "+
		"y: makespan, paired: ratio}]}\n"), sweeptest.Options(""))
	if err == nil || !strings.Contains(err.Error(), "the figure compares with a baseline, and there is none") {
		t.Errorf("error %v", err)
	}
}

// TestFiguresOfDatasetsThatCannotBeDrawn: figures of jobs and of the machine over time refuse fields that they cannot have.
func TestFiguresOfDatasetsThatCannotBeDrawn(t *testing.T) {
	load := func(figure, rest string) error {
		_, err := sweep.Load("t.yaml", []byte(sweeptest.Base+"axes: {policy.kind: [easy, fcfs]}\nanalysis: {figures: [{id: f, "+figure+"}]}\n"+
			rest), sweeptest.Options(""))
		return err
	}
	for figure, want := range map[string]string{
		"kind: ecdf, x: jobs.wait_tim": `there is no quantity "jobs.wait_tim" (did you mean "jobs.wait_time"?)`,
		"kind: ecdf, x: jobs.energy": "(valid: jobs.wait_time, " +
			"jobs.processors)",
		"kind: ecdf, x: jobs.wait_time, y: makespan": "leave y out; x is the quantity",
		"kind: ccdf, x: jobs.wait_time, trend: true": "a figure of the kind ccdf has " +
			"no trend",
		"kind: ecdf, x: series.busy": "a figure of the kind ecdf has " +
			"no quantities of series",
		"kind: box, x: policy.kind, y: jobs.wait_time": "a figure of the kind box has " +
			"no quantities of jobs",
		"x: policy.kind, y: jobs.wait_time": "a figure of the kind means has " +
			"no quantities of jobs",
		"kind: heat, x: jobs.processors, y: makespan": "a heat map is of quantities of " +
			"jobs",
		"kind: heat, x: jobs.processors, y: jobs.wait_time, colour: makespan": "a heat map is of quantities of " +
			"jobs",
		"kind: heat, x: jobs.processors, y: jobs.wait_time, series: policy.kind": "a figure of the kind heat has " +
			"no series",
		"kind: heat, x: jobs.processors, y: jobs.wait_time, x_classes: [1, 1]": "these ends make no classes",
		"kind: heat, x: jobs.processors, y: jobs.wait_time, fewest: 2":         "fewest is of cells with a mean",
		"kind: heat, x: jobs.processors, y: jobs.wait_time, fewest: 0":         "fewest",
		"kind: timeline, x: policy.kind, y: series.busy": "a timeline is of a quantity of " +
			"the machine over time",
		"kind: timeline, x: series.time, y: series.link_load":   "a timeline is of the machine, and series.link_load has rows of each link",
		"kind: timeline, x: series.time, y: series.class_power": "has rows of each node_class (draw the rows of one node_class",
		"kind: timeline, x: series.time, y: jobs.wait_time": "a timeline is of a quantity of " +
			"the machine over time",
		"kind: bars, x: mean_wait, y: makespan":                                                              "bars are of a metric",
		"kind: bars, x: jobs.processors, y: makespan":                                                        "bars are of a metric",
		"kind: bars, x: policy.kind, y: makespan, y_scale: log":                                              "bars begin at 0",
		"kind: bars, x: jobs.processors, y: jobs.wait_time, x_scale: log":                                    "bars are side by side",
		"kind: bars, x: policy.kind, y: makespan, x_classes: [1, 2]":                                         "leave x_classes out",
		"kind: ecdf, x: jobs.wait_time, colour: jobs.processors":                                             "leave colour out",
		"kind: ecdf, x: jobs.wait_time, replication: 1":                                                      "leave replication out",
		"kind: bars, x: policy.kind":                                                                         "bars are of a metric",
		"kind: heat, x: jobs.processors, y: jobs.wait_time, published: [{value: 1}], colour: jobs.wait_time": "leave published out",
	} {
		if err := load(figure, "datasets: [jobs, series]\n"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("{%s}: error %v, want %s", figure, err, want)
		}
	}
	for _, figure := range []string{
		"kind: ecdf, x: jobs.wait_time, series: policy.kind, band: true", "kind: heat, x: jobs.processors, y: jobs.wait_time, normalised: true",
		"kind: bars, x: policy.kind, y: jobs.wait_time", "kind: bars, x: policy.kind, y: makespan",
		"kind: timeline, x: series.time, y: series.busy, replication: 0",
	} {
		if err := load(figure, "datasets: [jobs, series]\n"); err != nil {
			t.Errorf("{%s}: %v", figure, err)
		}
	}
	if err := load("kind: ecdf, x: jobs.wait_time", "datasets: [series]\n"); err == nil ||
		!strings.Contains(err.Error(), "the figure is of jobs, which no run of the manifest writes (add datasets: [jobs])") {
		t.Errorf("without the dataset: %v", err)
	}
}
