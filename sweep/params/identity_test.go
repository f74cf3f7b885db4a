package params_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sweep"
	"schedsweep/sweep/params"
	"schedsweep/sweep/sweeptest"
)

// goldenID is the id of the instance in TestCanonicalEncodingIsFixed, computed
// apart from this program from the encoding as documented (Python, hashlib).
const goldenID = "36c147bd193d169308b3d0964a7401da"

func TestWaysToWriteOneInstanceHaveOneID(t *testing.T) {
	want := sweeptest.One(t, "name: a\nseed: 5\nworkload: {kind: swf, path: log.swf, communication_factor: 3e6, select: {run_time: [1h, "+
		".inf]}}\npolicy: {kind: easy}\n").ID
	for _, text := range []string{
		"name: b\ntitle: other\nseed: 5\nworkload: {kind: swf, path: copy-of-log.swf, communication_factor: 3000000, select: {run_time: " +
			"[3600, .inf]}}\npolicy: {kind: easy}\nmetrics: [makespan]\n",
		"name: a\nseed: 0x5\npolicy: {reservations: 1, kind: easy}\nworkload: {select: {jobs: 0, run_time: [60m, +.inf], max_processors: 0}, " +
			"kind: swf, submit: log, path: log.swf, load_factor: 1.0, communication_factor: 3MB, comment: hello}\nprogress: {kind: " +
			"isolated}\nplatform: {bandwidth: 1Gbps, weights: []}\nengine: {events: 1_000_000, timeout: 5}\n",
		"name: a\nseed: 5\nworkload: {kind: swf, path: log.swf, select: {run_time: [1h, .inf]}}\npolicy: {kind: easy}\naxes: " +
			"{workload.communication_factor: [3000kB]}\n",
		"name: a\nseed: 5\nworkload: {kind: swf, path: log.swf, communication_factor: 3_000_000.0, select: {run_time: [1h, .inf]}}\naxes:\n  " +
			"policy: [{label: whatever, value: {kind: easy}}]\n",
		"name: a\nseed: 5\nworkload: {kind: swf, path: log.swf, communication_factor: 30.0e+5, select: {run_time: [1h, .inf]}}\npolicy: " +
			"{kind: easy, placement: local}\nblocks: [{name: x}]\naxes: {policy.kind: [easy]}\n",
	} {
		if strings.Contains(text, "placement") {
			text = strings.Replace(text, "[easy]", "[easy, conservative]", 1) + "exclude: [{policy.kind: conservative}]\n"
		}
		if got := sweeptest.One(t, text).ID; got != want {
			t.Errorf("id %s, want %s, of\n%s", got, want, text)
		}
	}
}

func TestWhatCanChangeAnAnswerChangesTheID(t *testing.T) {
	text := "name: a\nworkload: {kind: swf, path: log.swf}\npolicy: {kind: easy}\n"
	seen := map[sweep.ID]string{sweeptest.One(t, text).ID: "nothing"}
	for _, set := range []string{"seed=1", "workload.path=other.swf", "workload.submit=zero", "workload.select.jobs=1", "policy.kind=fcfs",
		"policy.reservations=2",
		"platform.bandwidth=1", "platform.preset=x", "platform.weights=[0]", "platform.weights=[0, 0]", "progress.kind=penalty",
		"engine.events=5",
		"platform.clusters=[{name: a}]", "platform.clusters=[{name: a, nodes: 1}]", "workload.select.run_time=[0, .inf]"} {
		id := sweeptest.One(t, text, set).ID
		if other, clash := seen[id]; clash {
			t.Errorf("%s and %s have one id", set, other)
		}
		seen[id] = set
	}
	opt := sweeptest.Options("")
	opt.Registry.Version++
	m, err := sweep.Load("a.yaml", []byte(text), opt)
	if err != nil {
		t.Fatal(err)
	}
	if other, clash := seen[sweeptest.IDs(t, m)[0]]; clash {
		t.Errorf("another version of the simulator has the id of %s", other)
	}
	two := sweeptest.IDs(t, sweeptest.Load(t, text, "replications=2"))
	if two[0] == two[1] || seen[two[0]] != "nothing" {
		t.Error("replication 0 must have the id of the only one, replication 1 another")
	}
}

// The encoding is a contract with every dataset written: a change here must
// raise canonicalVersion.
func TestCanonicalEncodingIsFixed(t *testing.T) {
	in := sweeptest.One(t, "name: a\nseed: 5\nworkload: {kind: swf, path: copy-of-log.swf, communication_factor: 3MB}\npolicy: {kind: "+
		"fcfs}\nplatform: {clusters: [{name: \"a b\"}], bandwidth: 1e-9}\n")
	want := `section workload kind "swf" version 0 encoding 2
communication_factor f 3e+06
path file "hash-of-log.swf"
`
	if diff := cmp.Diff(want, string(in.Sections[0].Canonical)); diff != "" {
		t.Error(diff)
	}
	want = `section platform kind "" version 0 encoding 2
bandwidth f 1e-09
clusters n 1
clusters[0].name s "a b"
`
	if diff := cmp.Diff(want, string(in.Sections[1].Canonical)); diff != "" {
		t.Error(diff)
	}
	if got := in.ID.String(); got != goldenID {
		t.Errorf("id %s, want %s", got, goldenID)
	}
	if p := in.Sections[0].Params.(*sweeptest.SWF); p.Path != "copy-of-log.swf" || p.CommunicationFactor != 3e6 || p.LoadFactor != 1 ||
		!math.IsInf(p.Select.RunTime[1], 1) {
		t.Errorf("parameters %+v", p)
	}
}

func TestDefaultsWrittenOutChangeNoID(t *testing.T) {
	plain := "name: a\nworkload: {kind: lublin}\npolicy: {kind: conservative}\n"
	want := sweeptest.One(t, plain).ID
	defaults := []string{"workload.jobs=1000", "workload.alpha=10.23", "workload.integer_time=false", "policy.placement=basic",
		"policy.depth=0", "engine.events=1e6",
		"engine.timeout=1", "platform.bandwidth=125MBps", "workload.load_factor=1", "replications=1", "seed=0", "title=x"}
	rapid.Check(t, func(rt *rapid.T) {
		set := rapid.SliceOfDistinct(rapid.SampledFrom(defaults), rapid.ID[string]).Draw(rt, "set")
		if got := sweeptest.One(t, plain, set...).ID; got != want {
			rt.Fatalf("id %s with %v, want %s", got, set, want)
		}
	})
}

func TestNumbersAreOneValueHoweverWritten(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := rapid.Float64Range(1e-3, 9.9).Draw(rt, "value")
		n := rapid.Int64Range(1, 1e9).Draw(rt, "number")
		text := "name: a\nworkload: {kind: lublin, load_factor: %s, jobs: %s}\npolicy: {kind: fcfs}\n"
		want := sweeptest.One(t, fmt.Sprintf(text, fmt.Sprint(v), fmt.Sprint(n))).ID
		for _, form := range []string{"%.17g", "%.20e", "+%.25f"} {
			for _, whole := range []string{"%d", "0x%x", "+%d", "%d.0", "%de0"} {
				if got := sweeptest.One(t, fmt.Sprintf(text, fmt.Sprintf(form, v), fmt.Sprintf(whole, n))).ID; got != want {
					rt.Fatalf("forms %s and %s have another id", form, whole)
				}
			}
		}
	})
}

// A field that a kind gains leaves the ids of those who do not use it; the version of a kind is in the ids of its own
// instances only.
func TestNewFieldsAndVersionsOfKinds(t *testing.T) {
	type more struct {
		sweeptest.EASY
		Patience float64   `sweep:"patience" doc:"a new field"`
		Weights  []float64 `sweep:"weights" doc:"a new list"`
	}
	id := func(change func(*params.Kind), set ...string) sweep.ID {
		opt := sweeptest.Options("")
		opt.Set = set
		for i := range opt.Registry.Sections[3].Kinds {
			if k := &opt.Registry.Sections[3].Kinds[i]; k.Name == "easy" {
				change(k)
			}
		}
		m, err := sweep.Load("a.yaml", []byte("name: a\nworkload: {kind: lublin}\npolicy: {kind: easy}\n"), opt)
		if err != nil {
			t.Fatal(err)
		}
		return sweeptest.IDs(t, m)[0]
	}
	same := func(*params.Kind) {}
	grown := func(k *params.Kind) { k.Params = more{EASY: sweeptest.EASY{Reservations: 1}, Patience: 7} }
	newer := func(k *params.Kind) { k.Version++ }
	if id(same) != id(grown) {
		t.Error("a new field at its default changes the id")
	}
	if id(grown) == id(grown, "policy.patience=8") || id(grown) == id(grown, "policy.weights=[0]") {
		t.Error("a new field in use does not change the id")
	}
	if id(same) == id(newer) {
		t.Error("a new version of a kind does not change the id")
	}
	if id(same, "policy.kind=fcfs") != id(newer, "policy.kind=fcfs") {
		t.Error("a new version of a kind changes the id of another")
	}
	if id(same, "policy=[{from: 0, kind: easy}]") == id(newer, "policy=[{from: 0, kind: easy}]") {
		t.Error("a new version of a kind does not change the id of a switch to it")
	}
}
