package manifest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sweep"
	"schedsweep/sweep/sweeptest"
)

func TestSet(t *testing.T) {
	text := sweeptest.Base + "axes:\n  workload.jobs: [1, 2]\n  workload.alpha: [3, 4]\n  policy:\n    - {label: e, value: {kind: easy}}\n " +
		"   - {label: f, value: {kind: fcfs}}\nzip: [[workload.jobs, workload.alpha]]\nanalysis: {baseline: {policy: e}}\nexclude: [{policy: " +
		"e, workload.alpha: 4}]\n"
	tests := []struct{ set, want string }{
		{"workload.jobs=9", "9 3 e;9 3 f;9 4 f"},
		{"policy=f", "1 3 f;2 4 f"},
		{"axes.workload.alpha=[5, 6]", ""},
		{"replications=2", "1 3 e;1 3 e;1 3 f;1 3 f;2 4 f;2 4 f"},
		{"workload.load_factor=2", "1 3 e;1 3 f;2 4 f"},
	}
	for _, tt := range tests {
		t.Run(tt.set, func(t *testing.T) {
			opt := sweeptest.Options("")
			opt.Set = []string{tt.set}
			m, err := sweep.Load("t.yaml", []byte(text), opt)
			if tt.want == "" {
				if err == nil || !strings.Contains(err.Error(), `"4" is no value of axis workload.alpha`) {
					t.Fatalf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(sweeptest.Rows(t, m), ";"); got != tt.want {
				t.Errorf("rows\n%s\nwant\n%s", got, tt.want)
			}
			again := sweeptest.Load(t, string(m.Resolved()))
			if diff := cmp.Diff(sweeptest.IDs(t, m), sweeptest.IDs(t, again)); diff != "" || again.Hash() != m.Hash() {
				t.Errorf("the resolved manifest is another sweep:\n%s\n%s", m.Resolved(), diff)
			}
		})
	}
}

// A field of an element is the field of the list written out.
func TestElementsOfLists(t *testing.T) {
	text := sweeptest.Base + "platform: {clusters: [{name: a}, {name: b, nodes: 4}]}\n"
	want := sweeptest.One(t, strings.Replace(text, "nodes: 4", "nodes: 8", 1))
	for what, got := range map[string]sweep.Instance{
		"an axis": sweeptest.One(t, text+"axes: {'platform.clusters[1].nodes': [8]}\n"),
		"--set":   sweeptest.One(t, text, "platform.clusters[1].nodes=8"),
		"a pin":   sweeptest.One(t, text+"axes: {'platform.clusters[1].nodes': [4, 8]}\n", "platform.clusters[1].nodes=8"),
	} {
		if got.ID != want.ID {
			t.Errorf("%s gives another id:\n%s\n%s", what, got.Sections[1].Canonical, want.Sections[1].Canonical)
		}
	}
}

// An element that is not there is not set in silence.
func TestSetOfAMissingElement(t *testing.T) {
	for _, set := range []string{"platform.clusters[1].nodes=8", "policy[0].kind=easy", "claims[2].value=1", "workload.jobs[0]=1"} {
		opt := sweeptest.Options("")
		opt.Set = []string{set}
		_, err := sweep.Load("t.yaml", []byte(sweeptest.Base+"platform: {clusters: [{name: a}]}\nclaims: [{id: c, mean: {metric: makespan}}]\n"),
			opt)
		if err == nil || !strings.Contains(err.Error(), "there is no element "+set[:strings.Index(set, "]")+1]) {
			t.Errorf("--set %s: error %v", set, err)
		}
	}
	m := sweeptest.Load(t, sweeptest.Base+"claims: [{id: c, source: a, mean: {metric: makespan}}]\n", "claims[0].source=b",
		"axes.workload.jobs=[1, 2]")
	if m.Claims[0].Source != "b" {
		t.Errorf("source %s, want b", m.Claims[0].Source)
	}
}

// What holds an axis is not set beside it, however the way from one to the other is written.
func TestSetOfWhatHoldsAnAxis(t *testing.T) {
	text := sweeptest.Base + "platform: {clusters: [{name: a}]}\naxes: {'platform.clusters[0].nodes': [4, 8]}\n"
	for _, set := range []string{"platform.clusters=[{name: b, nodes: 7}]", "platform.clusters[0]={name: b, nodes: 7}"} {
		opt := sweeptest.Options("")
		opt.Set = []string{set}
		_, err := sweep.Load("t.yaml", []byte(text), opt)
		if err == nil || !strings.Contains(err.Error(), "platform.clusters[0].nodes is an axis, so that") {
			t.Errorf("--set %s: error %v", set, err)
		}
	}
}

func TestSetOfKindIgnoresFieldsOfTheOther(t *testing.T) {
	text := "name: t\nworkload: {kind: lublin}\npolicy: {kind: conservative, placement: local}\n"
	m := sweeptest.Load(t, text, "policy.kind=easy")
	plain := sweeptest.Load(t, "name: t\nworkload: {kind: lublin}\npolicy: {kind: easy}\n")
	if sweeptest.IDs(t, m)[0] != sweeptest.IDs(t, plain)[0] {
		t.Error("an ignored field is hashed")
	}
	if strings.Contains(string(m.Resolved()), "placement") {
		t.Errorf("an ignored field stays in the resolved manifest:\n%s", m.Resolved())
	}
	sweeptest.Load(t, string(m.Resolved()))
}
