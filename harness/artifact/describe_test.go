package artifact

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
)

// described returns a study that gives few details about itself.
func described(t *testing.T) Contents {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(path, []byte("name: s\ntitle: A | <B>\nworkload: {kind: lublin, jobs: 10}\npolicy: {kind: fcfs}\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	m, _, err := input.Load(path, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	program := ProgramOf(&debug.BuildInfo{GoVersion: "go1.26.1", Path: "schedsweep/cmd/schedsweep",
		Settings: []debug.BuildSetting{{Key: "-trimpath", Value: "true"}, {Key: "-ldflags", Value: "-s -w"}, {Key: "GOARCH", Value: "amd64"},
			{Key: "vcs.revision", Value: "0123abcd"}, {Key: "vcs.modified", Value: "true"}}}, "9.9.9", "source.tar with SHA-256 77")
	return Contents{Manifest: m, Planned: 3, Answered: 2, Logs: 1, Program: program,
		Provenance: folder.Provenance{Manifest: "s", Program: "9.9.8", Created: time.Date(2026, 11, 2, 3, 4, 5, 0, time.UTC)},
		Datasets: []Rows{{Dataset: rows.Dataset{Name: "instances", Doc: "rows",
			Columns: store.Schema{{Name: "id", Type: store.String, Doc: "key"}, {Name: "wait", Type: store.Float64, Unit: "s", Doc: "mean"}}},
			Rows: 2}},
		Claims: []Claim{{ID: "c", Statement: "a | <b>", Verdict: "holds", Small: "inconclusive", SmallReason: "why", Others: []string{"other"},
			Notes: []string{"3 of 9 jobs were rejected"}},
			{ID: "d", Verdict: "holds", Small: "does not hold"}},
		Inputs: []Input{{Path: "log.swf", SHA256: "ab12"}}, Authors: []string{"Lovelace, Ada", "The group"}}
}

func TestReadmeSaysWhatIsKnown(t *testing.T) {
	c := described(t)
	var b bytes.Buffer
	if err := c.readme(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# A | &lt;B>\n", "git checkout 0123abcd\nGOARCH=amd64 go build -trimpath '-ldflags=-s -w' -o schedsweep schedsweep/cmd/schedsweep\n",
		"Its source: source.tar with SHA-256 77. In a checkout",
		"built from commit 0123abcd with changes that the commit has not", "- schedsweep 9.9.8\n",
		"| c | a \\| &lt;b> (about the runs other too, which have artifacts of their own) |  | holds | too small to tell |",
		"| holds | comes out otherwise: does not hold |",
		"\n\nNotes on the verdicts in all rows:\n\n- c: 3 of 9 jobs were rejected\n\n## What it needs",
		"| the whole study, 3 simulations and 1 of the log itself |", "`3 of 3 rows with an answer",
		"  - `c`: too small to tell (why)", "Of 2: holds: 2.", "inconclusive: 1, does not hold: 1",
		"| `log.swf` | `ab12` | get it from its publisher and put it into FOLDER |", "--data FOLDER", "None is stated: ask the authors.",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the README has no %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "<no value>") || strings.Contains(b.String(), "figures") ||
		strings.Contains(b.String(), "run again by the program that packed") {
		t.Errorf("the README says what is not known:\n%s", b.String())
	}
}

// Also a folder that does not know its runs has been made by a program, of inputs.
func TestCrateTellsOfARun(t *testing.T) {
	c, folder := described(t), staged(t)
	c.Inputs = append(c.Inputs, Input{Path: "./a log%.swf", Packed: true})
	if err := os.WriteFile(filepath.Join(folder, "a log%.swf"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := c.crate(&b, folder, []string{"a log%.swf", ManifestFile, RowsFile("instances")}); err != nil {
		t.Fatal(err)
	}
	var crate struct {
		Graph []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal(b.Bytes(), &crate); err != nil {
		t.Fatal(err)
	}
	entities := map[string]map[string]any{}
	for _, e := range crate.Graph {
		entities[e["@id"].(string)] = e
	}
	id := func(of any) string { return of.(map[string]any)["@id"].(string) }
	run := entities[id(entities["./"]["mentions"])]
	program := entities[id(run["instrument"])]
	if run["@type"] != "CreateAction" || run["endTime"] != "2026-11-02T03:04:05+00:00" || id(run["result"]) != "instances/rows.parquet" ||
		program["softwareVersion"] != "9.9.8" {
		t.Errorf("run %v by %v", run, program)
	}
	objects := run["object"].([]any)
	if log := entities[id(objects[1])]; id(objects[0]) != ManifestFile || log["identifier"] != "sha256:ab12" {
		t.Errorf("objects %v", objects)
	}
	if log := entities[id(objects[2])]; log["@type"] != "File" || log["name"] != "a log%.swf" || log["@id"] != "a%20log%25.swf" {
		t.Errorf("the packed input is %v, by %v", log, objects[2])
	}
	if a := entities["#author-1"]; a["familyName"] != "Lovelace" || entities["#author-2"]["@type"] != "Organization" {
		t.Errorf("authors %v", a)
	}
	for _, part := range entities["./"]["hasPart"].([]any) {
		if e := entities[id(part)]; e == nil || e["@type"] != "File" {
			t.Errorf("%v is no file of the crate", part)
		} else if _, err := os.Stat(filepath.Join(folder, e["name"].(string))); err != nil {
			t.Error(err)
		}
	}
}

// Input files may not take the names of what the artifact has itself.
func TestInputsInTheWay(t *testing.T) {
	const log = "1 0 -1 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n"
	for path, want := range map[string]string{"README.md": "two files would be called README.md",
		"instances/a.swf": "lies in a folder of the name that one of rows has", "/away.swf": "outside of every artifact", "logs/a.swf": "",
		".a.swf": ""} {
		dir, stage := t.TempDir(), t.TempDir()
		if strings.HasPrefix(path, "/") {
			path = filepath.Join(dir, path)
		} else if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o755); err != nil {
			t.Fatal(err)
		}
		at := path
		if !filepath.IsAbs(at) {
			at = filepath.Join(dir, path)
		}
		manifest := filepath.Join(dir, "m.yaml")
		if err := errors.Join(os.WriteFile(at, []byte(log), 0o644),
			os.WriteFile(manifest, []byte("name: s\nworkload: {kind: swf, path: "+path+"}\nplatform: {processors: 4}\npolicy: {kind: fcfs}\n"),
				0o644)); err != nil {
			t.Fatal(err)
		}
		m, inputs, err := input.Load(manifest, input.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := Contents{Manifest: m, Small: Small{Text: []byte("small")}}
		if c.Inputs, err = AddInputs(stage, inputs, true); err == nil {
			_, _, err = Pack(filepath.Join(dir, "s.tar"), stage, c)
		}
		if want == "" && err != nil || want != "" && (!errors.Is(err, harness.ErrInput) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", path, err)
		}
		if want != "" {
			continue
		}
		folder, err := Open(filepath.Join(dir, "s.tar"), filepath.Join(dir, "into"))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(folder, path)); err != nil || string(text) != log {
			t.Errorf("the artifact's log is %q, %v", text, err)
		}
	}
}
