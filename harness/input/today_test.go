package input

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedsweep/harness/store/golden"
	"schedsweep/sim"
	"schedsweep/sim/platform"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/logtable"
)

// TestToday reads every available file in today's formats. Formats whose real files are not public have a file by hand, from
// their published schemas (testdata/today). A golden file each holds what became of the jobs.
func TestToday(t *testing.T) {
	sources := map[string]string{"testdata/today": "testdata/today"}
	if found, err := filepath.Glob(filepath.Join(simtest.Data(t), "today", "*")); err == nil && len(found) > 0 {
		sources[filepath.Join(simtest.Data(t), "today")] = "testdata/today-real"
	} else {
		t.Errorf("no files of today's formats under %s", simtest.Data(t))
	}
	for folder, golden := range sources {
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			name := f.Name()
			if ext := filepath.Ext(name); ext == ".md" || ext == ".golden" ||
				slices.Contains([]string{".users", ".groups", ".queues", ".machines"}, ext) {
				continue
			}
			t.Run(name, func(t *testing.T) { today(t, folder, golden, name) })
		}
	}
}

// mapOf is the shipped map of a file by its name; a file of a name that is not known
// is read by the map that is guessed for it.
func mapOf(t *testing.T, inputs *Files, name string) workload.TableFile {
	file := workload.TableFile{Path: name}
	for _, m := range logtable.Shipped() {
		if strings.HasPrefix(name, m) {
			file.Map = m
		}
	}
	m, columns, sample, from, err := guessMap(inputs, name)
	if err != nil {
		t.Fatal(err)
	}
	if file.Map == "" {
		file.Map = filepath.Join(t.TempDir(), "map.yaml")
		var b strings.Builder
		if err := m.Write(&b, nil, columns, sample); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file.Map, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if from != file.Map {
		t.Errorf("for %s the map %q is guessed, not %s", name, from, file.Map)
	}
	if m, err := inputs.columnMap(file.Map); err != nil {
		t.Fatal(err)
	} else if m.Zone == "" {
		file.Zone = "America/New_York"
	}
	return file
}

func today(t *testing.T, folder, kept, name string) {
	inputs := NewFiles(folder)
	var kind = "swf"
	var params any
	if strings.HasSuffix(name, ".swf") || strings.HasSuffix(name, ".swf.gz") {
		k, _ := workload.Kinds.Get(kind)
		p := k.Params.(workload.LogParams)
		p.Path = name
		params = &p
	} else {
		kind = "table"
		k, _ := workload.Kinds.Get(kind)
		p := k.Params.(workload.TableParams)
		p.TableFile = mapOf(t, inputs, name)
		params = &p
	}
	k, _ := workload.Kinds.Get(kind)
	w, err := k.New(params, workload.Input{Log: inputs.Log, Table: inputs.Table})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	info := w.Info()
	if err := info.Hygiene.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	names := info.Records.Names()
	fmt.Fprintf(&b, "start %s, machine of %d processors, waits known: %v\n", info.Start.Format("2006-01-02 15:04:05"), info.Procs,
		info.Records.Waits())
	fmt.Fprintf(&b, "%d users, %d groups, %d accounts, %d queues, %d partitions, %d properties have names\n",
		len(names.Users), len(names.Groups), len(names.Accounts), len(names.Queues), len(names.Partitions), len(names.Properties))
	src := w.Source()
	for i := 0; i < 3; i++ {
		var j sim.JobSpec
		ok, err := src.Next(&j)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		fmt.Fprintf(&b, "job %d: submit %g, run time %g, walltime %g, processors %d, user %d; record %+v\n", j.ID, j.Submit, j.RunTime,
			j.Walltime, j.Procs, j.User, info.Records.Record(j.Record))
	}
	if !info.Records.Waits() {
		golden.Check(t, filepath.Join(kept, name+".golden"), b.String())
		return
	}
	// The null test: on a machine that is large enough every job starts as recorded.
	machine, err := platform.Build(platform.Params{Processors: 1 << 24}, 0)
	if err != nil {
		t.Fatal(err)
	}
	policy, seen := &queue.Replay{}, &simtest.Outcomes{}
	if _, err := new(sim.Engine).Run(t.Context(),
		sim.Config{Platform: machine, Source: w.Source(), Records: info.Records, Policy: policy, Progress: progress.Isolated{},
			Observers: []sim.Observer{seen}}); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "replay: %d jobs, %g of them late\n", len(*seen), policy.Values(nil)[0])
	golden.Check(t, filepath.Join(kept, name+".golden"), b.String())
}
