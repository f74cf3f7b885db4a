package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sweep"
	"schedsweep/sweep/sweeptest"
)

// files is a folder in memory.
type files map[string]string

func (f files) read(name string) ([]byte, error) {
	if text, ok := f[name]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("%s: no such file", name)
}

func TestExtends(t *testing.T) {
	folder := files{
		"shared/base.yaml": "extends: deep/root.yaml\nname: base\nreplications: 2\npolicy: {kind: conservative, placement: local, depth: 3}\n",
		"shared/deep/root.yaml": "name: root\nseed: 4\nworkload: {kind: lublin, jobs: 7, alpha: 2}\npolicy: {aging: 1h}\n" +
			"axes:\n  workload.load_factor: {from: 1, step: 1, count: 2}\n  workload.alpha: [1, 2]\nmetrics: [makespan, mean_wait]\n",
	}
	child := "name: child\nextends: shared/base.yaml\nworkload: {alpha: null}\npolicy: {depth: 5}\naxes:\n  workload.load_factor: {from: " +
		"1, to: 3, count: 3}\n  workload.alpha: null\nmetrics: [makespan]\n"
	opt := sweep.Options{Registry: sweeptest.Registry(), ReadFile: folder.read}
	m, err := sweep.Load("study.yaml", []byte(child), opt)
	if err != nil {
		t.Fatal(err)
	}
	want := "name: t\nseed: 4\nreplications: 2\nworkload: {kind: lublin, jobs: 7}\npolicy: {kind: conservative, placement: local, depth: " +
		"5, aging: 3600}\naxes: {workload.load_factor: [1, 2, 3]}\n"
	if diff := cmp.Diff(sweeptest.IDs(t, sweeptest.Load(t, want)), sweeptest.IDs(t, m)); diff != "" {
		t.Errorf("not the instances of\n%s\nbut\n%s", want, m.Resolved())
	}
	if m.Name != "child" || m.Seed != 4 || m.Replications != 2 || len(m.Metrics) != 1 {
		t.Errorf("name %s, seed %d, replications %d, metrics %v", m.Name, m.Seed, m.Replications, m.Metrics)
	}
	if strings.Contains(string(m.Resolved()), "extends") {
		t.Errorf("resolved manifest still extends:\n%s", m.Resolved())
	}
}

func TestChildOfAnotherKindLeavesFieldsOfTheParentsKind(t *testing.T) {
	folder := files{"p.yaml": "name: p\nworkload: {kind: lublin}\npolicy: {kind: conservative, placement: local}\n"}
	opt := sweep.Options{Registry: sweeptest.Registry(), ReadFile: folder.read}
	m, err := sweep.Load("c.yaml", []byte("name: c\nextends: p.yaml\npolicy: {kind: easy}\n"), opt)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sweeptest.IDs(t, m)[0], sweeptest.One(t, "name: t\nworkload: {kind: lublin}\npolicy: {kind: easy}\n").ID; got != want {
		t.Errorf("id %s, want %s", got, want)
	}
	sweeptest.Load(t, string(m.Resolved()))
}

func TestTooManyParents(t *testing.T) {
	opt := sweep.Options{Registry: sweeptest.Registry(), ReadFile: func(name string) ([]byte, error) {
		return []byte("extends: x" + name), nil
	}}
	_, err := sweep.Load("c.yaml", []byte("extends: a\n"), opt)
	if err == nil || !strings.Contains(err.Error(), "more than 16 parents in a row") {
		t.Errorf("error %v", err)
	}
}

// TestPositionsInParents: the position in a parent begins with the folder under which the manifest was given, so that it is a path from
// the same place.
func TestPositionsInParents(t *testing.T) {
	opt := sweep.Options{Registry: sweeptest.Registry(), ReadFile: func(string) ([]byte, error) { return []byte("nmae: p\n"), nil }}
	for _, c := range [][3]string{{"c.yaml", "of/p.yaml", "of/p.yaml"}, {"in/c.yaml", "../p.yaml", "p.yaml"},
		{"/in/c.yaml", "p.yaml", "/in/p.yaml"}, {`in\c.yaml`, "p.yaml", "in/p.yaml"}, {"in/c.yaml", "/p.yaml", "/p.yaml"}} {
		_, err := sweep.Load(c[0], []byte("extends: "+c[1]+"\n"), opt)
		if err == nil || !strings.Contains("\n"+err.Error(), "\n"+c[2]+":1:1: ") {
			t.Errorf("%s in %s: %v", c[1], c[0], err)
		}
	}
}
