package manifest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/sweeptest"
)

// axisOf is an axis of a generated manifest: its path and values as YAML, in a
// flow style, and the same values written in another way or as labels.
type axisOf struct {
	path  string
	yaml  []string
	trees bool
}

var pinnable = []axisOf{
	{"workload.jobs", []string{"10", "20", "30", "{label: many, value: 400}"}, false},
	{"workload.alpha", []string{"{label: W1, value: 10.33}", "{label: W2, value: 9.83}", "5", "6.5"}, false},
	{"workload.communication_factor", []string{"1kB", "2000", "{label: heavy, value: 3kB}"}, false},
	{"policy", []string{"{label: EASY, value: {kind: easy}}", "{label: deep, value: {kind: easy, reservations: 5}}",
		"{label: FCFS, value: {kind: fcfs}}"}, true},
	{"platform.clusters", []string{"{label: o1, value: [{name: a}, {name: b}]}", "{label: o2, value: [{name: b}, {name: a}]}",
		"{label: o3, value: [{name: c}]}"}, true},
}

// sweepOf draws axes, and zip groups of two or a condition.
func sweepOf(t *rapid.T, indent string) (text string, varied []string) {
	var axes []axisOf
	for _, a := range pinnable {
		if n := rapid.IntRange(0, len(a.yaml)).Draw(t, a.path); n > 0 {
			axes = append(axes, axisOf{a.path, rapid.Permutation(a.yaml).Draw(t, "order")[:n], a.trees})
		}
	}
	if len(axes) == 0 {
		return "", nil
	}
	text = indent + "axes:\n"
	for _, a := range axes {
		text += fmt.Sprintf("%s  %s: [%s]\n", indent, a.path, strings.Join(a.yaml, ", "))
		varied = append(varied, a.path)
	}
	for i, a := range axes {
		for _, b := range axes[i+1:] {
			if len(a.yaml) == len(b.yaml) && rapid.Bool().Draw(t, "zip") {
				return text + fmt.Sprintf("%szip: [[%s, %s]]\n", indent, a.path, b.path), varied
			}
		}
	}
	for i, a := range axes { // one axis varied only where another has its first value
		b := axes[(i+1)%len(axes)]
		if !a.trees && len(axes) > 1 && rapid.Bool().Draw(t, "when") {
			value, of, labelled := strings.Cut(strings.TrimPrefix(b.yaml[0], "{label: "), ", value: ")
			if labelled && !b.trees {
				value = strings.TrimSuffix(of, "}")
			}
			return text + fmt.Sprintf("%swhen: {%s: {%s: [%s]}}\n", indent, a.path, b.path, value), varied
		}
	}
	return text, varied
}

// What --set pins is what the plan lists under that label or value: nothing
// else of the blocks that vary the axis, and all of it.
func TestPinningTakesWhatThePlanLists(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := "name: t\nworkload: {kind: lublin, jobs: 100}\npolicy: {kind: conservative}\nreplications: 2\n"
		everywhere := map[string]bool{}
		if blocks := rapid.IntRange(0, 3).Draw(rt, "blocks"); blocks == 0 {
			own, varied := sweepOf(rt, "")
			text += own
			for _, path := range varied {
				everywhere[path] = true
			}
		} else {
			text += "blocks:\n"
			for i := range blocks {
				own, varied := sweepOf(rt, "    ")
				tag := fmt.Sprintf("    axes:\n      workload.load_factor: [%d]\n", i+1) // no two blocks have a point with the same values
				text += "  - policy: {}\n" + tag + strings.TrimPrefix(own, "    axes:\n")
				for _, a := range pinnable {
					had := i == 0 || everywhere[a.path]
					everywhere[a.path] = had && slices.Contains(varied, a.path)
				}
			}
		}
		m := sweeptest.Load(t, text)
		for i, axis := range m.Axes {
			trees := axis.Labelled
			for k, v := range axis.Values {
				names := []string{v.String()}
				if axis.Labels != nil && axis.Labels[k] != "" {
					names = append(names, axis.Labels[k])
				}
				if v.Kind == params.Int {
					names = append(names, fmt.Sprintf("%de0", v.I))
				}
				want := map[sweep.ID]bool{}
				for _, in := range sweeptest.Instances(t, m) {
					if in.Values[i] == v {
						want[in.ID] = true
					}
				}
				for _, name := range names {
					pinned := sweeptest.Load(t, text, axis.Path+"="+name)
					at := slices.IndexFunc(pinned.Axes, func(a manifest.Axis) bool { return a.Path == axis.Path })
					got := 0
					for _, in := range sweeptest.Instances(t, pinned) {
						if in.Values[at] != v {
							rt.Fatalf("--set %s=%s gives %v\n%s", axis.Path, name, in.Values, text)
						}
						switch {
						case want[in.ID]:
							got++
						case trees || everywhere[axis.Path]:
							rt.Fatalf("--set %s=%s gives %v, which the plan has not\n%s", axis.Path, name, in.Values, text)
						}
					}
					if got != len(want) {
						rt.Fatalf("--set %s=%s gives %d of %d instances\n%s", axis.Path, name, got, len(want), text)
					}
					if again := sweeptest.Load(t, string(pinned.Resolved())); again.Hash() != pinned.Hash() {
						rt.Fatalf("the resolved manifest is another sweep:\n%s", pinned.Resolved())
					}
				}
			}
		}
	})
}

// A root's axes and zip groups that a block replaces in part are pinned as the
// block has them, and a value outside the axis overrides it as before.
func TestPinningSharedAxes(t *testing.T) {
	text := sweeptest.Base + "axes: {workload.jobs: [1, 2], workload.alpha: [3, 4]}\nzip: [[workload.jobs, workload.alpha]]\nblocks:\n  - " +
		"axes: {policy.kind: [easy]}\n  - {axes: {policy.kind: [fcfs], workload.alpha: [5, 6]}}\n  - axes: " +
		"{policy.kind: [conservative], workload.jobs: {from: 7, step: -5, count: 2}}\n"
	for set, want := range map[string]string{
		"workload.jobs=2":   "2 4 easy;2 6 fcfs;2 4 conservative",
		"workload.jobs=2.0": "2 4 easy;2 6 fcfs;2 4 conservative",
		"workload.jobs=7":   "7 3 conservative",
		"workload.alpha=5":  "1 5 fcfs",
		"workload.jobs=9":   "9 3 easy;9 4 easy;9 5 fcfs;9 6 fcfs;9 3 conservative;9 4 conservative",
	} {
		if got := strings.Join(sweeptest.Rows(t, sweeptest.Load(t, text, set)), ";"); got != want {
			t.Errorf("--set %s: rows %s, want %s", set, got, want)
		}
	}
}

// What --set changes elsewhere excuses no mistake, and the resolved manifest says what its
// file may: claims about values that --set took off an axis.
func TestOverridden(t *testing.T) {
	const text = "name: t\nworkload: {kind: swf, path: log.swf}\npolicy: {kind: easy}\naxes: {policy.kind: [easy, fcfs, " +
		"conservative]}\nmetrics: [makespan]\n" +
		"claims: [{id: a, mean: {metric: makespan, of: {policy.kind: %s}}}]\nanalysis: {margins: [{metric: %s, share: 0.1}]}\n"
	for _, c := range []struct {
		kind, metric, wrong string
		set                 []string
	}{
		{"fcft", "makespan", `"fcft" is no value of axis policy.kind`, []string{"workload.load_factor=2"}},
		{"fcft", "makespan", `"fcft" is no value of axis policy.kind`, []string{"name=u", "replications=3"}},
		{"fcfs", "mean_wait", "mean_wait is none of the metrics", []string{"workload.load_factor=2"}},
		{"conservative", "makespan", "", []string{"axes.policy.kind=[easy, fcfs]", "replications=3"}},
		{"conservative", "makespan", "", []string{"policy.kind=easy"}},
		{"fcfs", "makespan", "", []string{"metrics=[mean_wait]"}},
	} {
		opt := sweeptest.Options("")
		opt.Set = c.set
		m, err := sweep.Load("t.yaml", fmt.Appendf(nil, text, c.kind, c.metric), opt)
		switch {
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s, --set %v: error %v, want %s", c.kind, c.set, err, c.wrong)
		case c.wrong == "" && err != nil:
			t.Errorf("%s, --set %v: %v", c.kind, c.set, err)
		case c.wrong == "":
			again := sweeptest.Load(t, string(m.Resolved()))
			if string(again.Resolved()) != string(m.Resolved()) || again.Hash() != m.Hash() {
				t.Errorf("--set %v: resolving twice changes\n%s\ninto\n%s", c.set, m.Resolved(), again.Resolved())
			}
		}
	}
}

// A value in several places of a zipped axis is pinned in all of them.
func TestPinningValuesThatRepeat(t *testing.T) {
	text := sweeptest.Base + "axes:\n  workload.jobs: [1, 1, 2]\n  policy.kind: [easy, fcfs, easy]\n  policy.reservations: [5, 6, 7]\nzip: " +
		"[[workload.jobs, policy.kind, policy.reservations]]\nclaims: [{id: c, mean: {metric: makespan, of: {workload.jobs: 2, policy.kind: " +
		"fcfs}}}]\n"
	for set, want := range map[string]string{
		"workload.jobs=1":       "1 easy 5;1 fcfs null",
		"workload.jobs=2":       "2 easy 7",
		"policy.kind=easy":      "1 easy 5;2 easy 7",
		"policy.kind=fcfs":      "1 fcfs null",
		"policy.reservations=6": "1 fcfs null",
		"policy.reservations=9": "1 easy 9;1 fcfs null;2 easy 9",
	} {
		m := sweeptest.Load(t, text, set)
		if got := strings.Join(sweeptest.Rows(t, m), ";"); got != want {
			t.Errorf("%s: rows\n%s\nwant\n%s", set, got, want)
		}
		if diff := cmp.Diff(sweeptest.IDs(t, m), sweeptest.IDs(t, sweeptest.Load(t, string(m.Resolved())))); diff != "" {
			t.Errorf("%s: the resolved manifest is another sweep:\n%s", set, diff)
		}
	}
	// Points that differed only in an axis that --set pins are one point.
	for text, want := range map[string]string{
		"axes:\n  workload.jobs: [1, 1, 2]\n  policy.kind: [easy, fcfs, easy]\nzip: [[workload.jobs, " +
			"policy.kind]]\n": "1 conservative;2 conservative",
		"axes:\n  workload.jobs: [1, 1, 2]\n  policy.kind: [easy, fcfs, easy]\n  workload.alpha: [3, 3, 3]\nzip: [[workload.jobs, " +
			"policy.kind, workload.alpha]]\n": "1 conservative 3;2 conservative 3",
	} {
		if got := strings.Join(sweeptest.Rows(t, sweeptest.Load(t, sweeptest.Base+text, "policy.kind=conservative")), ";"); got != want {
			t.Errorf("another kind: rows\n%s\nwant\n%s", got, want)
		}
	}
	two := sweeptest.Base + "axes:\n  workload.jobs: [1, 2]\n  workload.alpha: [3, 4]\n  policy.kind: [easy, fcfs]\n  " +
		"platform.bandwidth: [5, 6]\nzip: [[workload.jobs, workload.alpha], [policy.kind, platform.bandwidth]]\n"
	if got := strings.Join(sweeptest.Rows(t, sweeptest.Load(t, two, "policy.kind=fcfs")), ";"); got != "1 3 fcfs 6;2 4 fcfs 6" {
		t.Errorf("the second of two zips: rows %s", got)
	}
	if n := sweeptest.Load(t, text).Axes[0].Count; n != 2 {
		t.Errorf("%d values, want 2", n)
	}
}

func TestPinningTheKindKeepsAxesOfOtherKinds(t *testing.T) {
	text := "name: t\nworkload: {kind: lublin}\npolicy: {placement: local}\naxes:\n  policy.kind: [easy, conservative]\n  " +
		"policy.placement: [basic, local]\nwhen:\n  policy.placement: {policy.kind: conservative}\nanalysis:\n  figures: [{id: f, x: " +
		"policy.placement, y: makespan}]\n"
	for set, want := range map[string]string{"policy.kind=easy": "easy null", "policy.kind=conservative": "conservative basic;conservative " +
		"local"} {
		m := sweeptest.Load(t, text, set)
		if got := strings.Join(sweeptest.Rows(t, m), ";"); got != want {
			t.Errorf("%s: rows\n%s\nwant\n%s", set, got, want)
		}
		again := sweeptest.Load(t, string(m.Resolved()))
		if diff := cmp.Diff(sweeptest.IDs(t, m), sweeptest.IDs(t, again)); diff != "" {
			t.Error(diff)
		}
	}
	blocks := "name: t\nworkload: {kind: lublin}\nblocks:\n  - {policy: {kind: conservative, placement: local}}\n  - {policy: {kind: fcfs}}\n"
	m := sweeptest.Load(t, blocks, "policy.kind=easy")
	if got := sweeptest.Rows(t, m); len(got) != 1 {
		t.Errorf("rows %v, want one", got)
	}
	sweeptest.Load(t, string(m.Resolved()))
}
