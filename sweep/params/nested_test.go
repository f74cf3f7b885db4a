package params_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sweep"
	"schedsweep/sweep/params"
	"schedsweep/sweep/sweeptest"
)

const stagesHead = "name: x\nseed: 7\nworkload: {kind: lublin, jobs: 5}\n"

func stagesID(t *testing.T, policy string) string {
	t.Helper()
	all := sweeptest.IDs(t, sweeptest.Load(t, stagesHead+policy))
	if len(all) != 1 {
		t.Fatalf("%d instances of\n%s", len(all), policy)
	}
	return all[0].String()
}

// The canonical encoding of a nested section is part of the ids that rows are
// found by, so neither may ever change.
func TestStagesIdentity(t *testing.T) {
	short := "policy: [{from: 0, kind: fcfs}, {from: 30d, kind: easy}]\n"
	in := sweeptest.Instances(t, sweeptest.Load(t, stagesHead+short))[0]
	want := `section policy kind "switch" version 0 encoding 2
stages n 2
stages[0].kind s "fcfs"
stages[1].from f 2.592e+06
stages[1].kind s "easy"
`
	if diff := cmp.Diff(want, string(in.Sections[3].Canonical)); diff != "" {
		t.Error(diff)
	}
	if got, want := in.ID.String(), "a2a4914a676a0d723564e5e1f89c4971"; got != want {
		t.Errorf("id %s, want %s", got, want)
	}
	for what, same := range map[string]string{
		"the kind written":      "policy: {kind: switch, stages: [{from: 0, kind: fcfs}, {from: 30d, kind: easy}]}\n",
		"a default written":     "policy: [{from: 0, kind: fcfs}, {from: 30d, kind: easy, reservations: 1}]\n",
		"another unit":          "policy: [{from: 0s, kind: fcfs}, {from: 2592e3, kind: easy}]\n",
		"another order of keys": "policy: [{kind: fcfs, from: 0}, {kind: easy, from: 720h}]\n",
		"an axis":               "axes: {policy: [{label: a, value: [{from: 0, kind: fcfs}, {from: 30d, kind: easy}]}]}\n",
		"a block":               "policy: {kind: easy}\nblocks: [{policy: [{from: 0, kind: fcfs}, {from: 30d, kind: easy}]}]\n",
	} {
		if got := stagesID(t, same); got != in.ID.String() {
			t.Errorf("%s: id %s, want %s", what, got, in.ID)
		}
	}
	for what, other := range map[string]string{
		"a time":     "policy: [{from: 0, kind: fcfs}, {from: 31d, kind: easy}]\n",
		"a field":    "policy: [{from: 0, kind: fcfs}, {from: 30d, kind: easy, reservations: 2}]\n",
		"a kind":     "policy: [{from: 0, kind: fcfs}, {from: 30d, kind: fcfs}]\n",
		"the order":  "policy: [{from: 0, kind: easy}, {from: 30d, kind: fcfs}]\n",
		"one less":   "policy: [{from: 0, kind: fcfs}]\n",
		"the policy": "policy: {kind: fcfs}\n",
	} {
		if stagesID(t, other) == in.ID.String() {
			t.Errorf("%s differs and the id does not", what)
		}
	}
}

func TestStagesAreDecoded(t *testing.T) {
	m := sweeptest.Load(t, stagesHead+"policy: [{from: 0, kind: conservative, aging: 2h}, {from: 1h30m, kind: easy, reservations: 4}]\n")
	in := sweeptest.Instances(t, m)[0]
	want := &sweeptest.Switch{Stages: []sweeptest.Stage{
		{From: 0, Policy: sweeptest.Choice{Kind: "conservative", Params: &sweeptest.Conservative{Placement: "basic", Aging: 7200}}},
		{From: 5400, Policy: sweeptest.Choice{Kind: "easy", Params: &sweeptest.EASY{Reservations: 4}}},
	}}
	if diff := cmp.Diff(want, in.Sections[3].Params); diff != "" {
		t.Error(diff)
	}
}

// The column of an axis over the stages shows labels, and the base in full.
func TestStagesColumn(t *testing.T) {
	m := sweeptest.Load(t, stagesHead+`policy: [{from: 0, kind: fcfs}, {from: 90s, kind: easy}]
blocks:
  - {}
  - axes: {policy.stages: [{label: calm, value: [{from: 0, kind: fcfs}]}]}
`)
	var got []string
	for _, in := range sweeptest.Instances(t, m) {
		got = append(got, in.Values[0].String())
	}
	if diff := cmp.Diff([]string{"[{from: 0, kind: fcfs}, {from: 90, kind: easy, reservations: 1}]", "calm"}, got); diff != "" {
		t.Error(diff)
	}
}

// Overrides replace a list of stages by a kind and the other way round.
func TestStagesSet(t *testing.T) {
	stages, easy := "policy: [{from: 0, kind: fcfs}, {from: 1d, kind: easy}]\n", "policy: {kind: easy, reservations: 2}\n"
	for _, c := range []struct{ base, set, same string }{
		{stages, "policy.kind=easy", "policy: {kind: easy}\n"},
		{stages, "policy={kind: easy, reservations: 2}", easy},
		{easy, "policy=[{from: 0, kind: fcfs}, {from: 1d, kind: easy}]", stages},
		{stages, "policy.stages=[{from: 0, kind: easy}]", "policy: [{from: 0, kind: easy}]\n"},
		{"axes: {policy: [{label: a, value: {kind: fcfs}}, {label: b, value: [{from: 0, kind: fcfs}, {from: 1d, kind: easy}]}]}\n", "policy=b",
			stages},
		{"axes: {policy: [{label: a, value: {kind: fcfs}}]}\n",
			"axes.policy=[{label: b, value: [{from: 0, kind: fcfs}, {from: 1d, kind: easy}]}]", stages},
	} {
		m := sweeptest.Load(t, stagesHead+c.base, c.set)
		if got := sweeptest.IDs(t, m); len(got) != 1 || got[0].String() != stagesID(t, c.same) {
			t.Errorf("--set %s of %sgives ids %v, want that of %s", c.set, c.base, got, c.same)
		}
		if again := sweeptest.Load(t, string(m.Resolved())); again.Hash() != m.Hash() ||
			!slices.Equal(sweeptest.IDs(t, again), sweeptest.IDs(t, m)) {
			t.Errorf("--set %s: the resolved manifest differs:\n%s", c.set, m.Resolved())
		}
	}
}

// An input file inside a stage enters by its content, and what cannot change an
// answer not at all.
func TestStagesWithFiles(t *testing.T) {
	type planned struct {
		Plan string `sweep:"plan" required:"true" file:"input" doc:"a plan"`
		Note string `sweep:"note" identity:"no" doc:"for people"`
	}
	opt := sweeptest.Options("")
	policy := &opt.Registry.Sections[3]
	policy.Kinds = append(policy.Kinds, params.Kind{Name: "planned", Params: planned{}})
	id := func(stage string) (string, error) {
		m, err := sweep.Load("x.yaml", []byte(stagesHead+"policy: [{from: 0, kind: planned, "+stage+"}]\n"), opt)
		if err != nil {
			return "", err
		}
		return sweeptest.IDs(t, m)[0].String(), nil
	}
	first, err := id("plan: a.txt")
	if err != nil {
		t.Fatal(err)
	}
	for stage, same := range map[string]bool{"plan: copy-of-a.txt": true, "plan: a.txt, note: hello": true, "plan: b.txt": false} {
		if got, err := id(stage); err != nil || (got == first) != same {
			t.Errorf("%s: id %s (%v) beside %s, want equal %t", stage, got, err, first, same)
		}
	}
	if _, err := id("note: none"); err == nil || !strings.Contains(err.Error(), "policy.stages[0].plan is missing: a plan") {
		t.Errorf("error %v", err)
	}
	if _, err := id("plan: missing.txt"); err == nil || !strings.Contains(err.Error(), "x.yaml:4:41: policy.stages[0].plan: missing.txt is "+
		"not in") {
		t.Errorf("error %v", err)
	}
}

func TestStagesAreListed(t *testing.T) {
	got, err := params.Parameters(sweeptest.Switch{})
	if err != nil {
		t.Fatal(err)
	}
	want := []params.Parameter{
		{Path: "stages", Type: "list", Default: "required", Doc: "policies in order of time"},
		{Path: "stages[].from", Type: "number", Unit: "s", Default: "required", Doc: "start of the stage"},
		{Path: "stages[].kind", Type: "text", Default: "required", Doc: "a kind of policy; its fields stand beside it"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Registries whose sections cannot stand inside one another are refused.
func TestRegistriesWithBadChoices(t *testing.T) {
	type wrongType struct {
		List []struct {
			Policy string `section:"policy"`
		} `sweep:"list"`
	}
	type noSection struct {
		List []struct {
			Policy sweeptest.Choice `section:"polity"`
		} `sweep:"list"`
	}
	type noKinds struct {
		List []struct {
			Policy sweeptest.Choice `section:"platform"`
		} `sweep:"list"`
	}
	type two struct {
		List []struct {
			A sweeptest.Choice `section:"policy"`
			B sweeptest.Choice `section:"policy"`
		} `sweep:"list"`
	}
	type taken struct {
		List []struct {
			R      int              `sweep:"reservations"`
			Policy sweeptest.Choice `section:"policy"`
		} `sweep:"list"`
	}
	type bare struct {
		Policy sweeptest.Choice `section:"policy"`
	}
	type inStruct struct {
		One struct {
			Policy sweeptest.Choice `section:"policy"`
		} `sweep:"one"`
	}
	for want, bad := range map[string]any{
		"struct{ Kind string; Params any }":                            wrongType{},
		`there is no section "polity"`:                                 noSection{},
		`there is no section "platform" with kinds`:                    noKinds{},
		"a second section":                                             two{},
		`policy kind "easy" both have a field reservations`:            taken{},
		`kind "bad": a section can be only inside`:                     bare{},
		"inStruct.One: a section can be only inside the elements of a": inStruct{},
	} {
		reg := sweeptest.Registry()
		reg.Sections[3].Kinds = append(reg.Sections[3].Kinds, params.Kind{Name: "bad", Params: bad})
		if _, err := params.NewCatalog(reg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: error %v, want %q", bad, err, want)
		}
	}
	for _, kind := range []string{"nowhere", "easy", "fcfs"} {
		reg := sweeptest.Registry()
		reg.Sections[3].List = kind
		if _, err := params.NewCatalog(reg); err == nil || !strings.Contains(err.Error(), `a list cannot stand for the kind "`+kind+`"`) {
			t.Errorf("a list for kind %s: error %v", kind, err)
		}
	}
}
