package coallocation_test

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/jones2004/communication"
)

// outcome is the end of a job.
type outcome struct {
	start, finish float64
	alloc         string
}

// outcomes is an observer that writes them down by job number.
type outcomes map[int64]outcome

func (outcomes) Submitted(*sim.View, *sim.Job) {}
func (outcomes) Started(*sim.View, *sim.Job)   {}
func (o outcomes) Ended(_ *sim.View, j *sim.Job) {
	o[j.ID()] = outcome{j.Start(), j.Finish(), strings.Trim(fmt.Sprint(j.Alloc().Counts), "[]")}
}

var (
	bisectionName = regexp.MustCompile(`^co-allocation\.(global|percluster)\.bsbw(\d+(?:\.\d+)?)$`)
	fixedName     = regexp.MustCompile(`^fixed-penalty-(\d+(?:\.\d+)?)$`)
	plainName     = regexp.MustCompile(`^(no-sharing|migration-only)(?:\.(global|percluster))?$`)
)

// variant is the policy and the progress model that a file's name tells.
func variant(t *testing.T, name string) (sim.Policy, sim.Progress) {
	t.Helper()
	queue := func(s string) string { return map[string]string{"percluster": "per-cluster"}[s] }
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if m := bisectionName.FindStringSubmatch(name); m != nil {
		return policy(t, "co-allocation", queue(m[1]), ""),
			communication.NewBandwidth(communication.BandwidthParams{ComputationFraction: .7, BisectionBandwidth: number(m[2]) * mbps})
	}
	if m := fixedName.FindStringSubmatch(name); m != nil {
		return policy(t, "co-allocation", "", ""),
			communication.NewFixedPenalty(communication.FixedPenaltyParams{Penalty: "given", Factor: number(m[1])})
	}
	if m := plainName.FindStringSubmatch(name); m != nil {
		return policy(t, m[1], queue(m[2]), ""), progress.Isolated{}
	}
	t.Fatalf("nothing is known of the variant %q", name)
	return nil, nil
}

// TestOracleMinigrid compares the schedules with those of a plain reference
// program: allocations exactly, times within 1e-6 s.
func TestOracleMinigrid(t *testing.T) {
	logs := simtest.Oracles(t, "minigrid", "*.swf")
	files, total := 0, 0
	for _, path := range logs {
		list, clusters := readSWF(t, path)
		stem := strings.TrimSuffix(path, ".swf")
		answers, err := filepath.Glob(stem + ".*.csv")
		if err != nil || len(answers) == 0 {
			t.Fatalf("%s has no answers %s.*.csv (%v)", path, stem, err)
		}
		for _, answer := range answers {
			name := strings.TrimSuffix(strings.TrimPrefix(answer, stem+"."), ".csv")
			t.Run(filepath.Base(stem)+"/"+name, func(t *testing.T) {
				p, m := variant(t, name)
				got := outcomes{}
				run(t, sim.Config{Platform: grid(t, clusters), Policy: p, Progress: m, Source: simtest.Source(list),
					Observers: []sim.Observer{simtest.Watch(got)}})
				n := compare(t, answer, got)
				t.Logf("compared %d jobs", n)
				files++
				total += n
			})
		}
	}
	t.Logf("compared %d jobs in %d files of %d logs", total, files, len(logs))
}

// compare returns the number of jobs compared.
func compare(t *testing.T, path string, got outcomes) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for _, row := range rows[1:] {
		id, err := strconv.ParseInt(row[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		start, err1 := strconv.ParseFloat(row[1], 64)
		finish, err2 := strconv.ParseFloat(row[2], 64)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		o, ok := got[id]
		if !ok || !(math.Abs(o.start-start) <= 1e-6) || !(math.Abs(o.finish-finish) <= 1e-6) || o.alloc != row[3] {
			if wrong++; wrong <= 5 {
				t.Errorf("job %d: got %+v, want start %v, finish %v, allocation %q", id, o, start, finish, row[3])
			}
		}
	}
	if wrong > 0 || len(got) != len(rows)-1 {
		t.Errorf("%d of %d jobs differ; %d jobs ended", wrong, len(rows)-1, len(got))
	}
	return len(rows) - 1
}

// readSWF reads a log of whole seconds whose field 16 is the home cluster,
// counted from 1, and returns the number of clusters with it. A walltime below
// the run time does not occur.
func readSWF(t *testing.T, path string) ([]sim.JobSpec, int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []sim.JobSpec
	procs := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if n, ok := strings.CutPrefix(lines.Text(), "; MaxProcs: "); ok {
			if procs, err = strconv.Atoi(n); err != nil {
				t.Fatal(err)
			}
		}
		if strings.HasPrefix(lines.Text(), ";") {
			continue
		}
		var v []float64
		for _, s := range strings.Fields(lines.Text()) {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, x)
		}
		list = append(list, sim.JobSpec{ID: int64(v[0]), Submit: v[1], RunTime: v[3], Walltime: v[8], Procs: int32(v[7]), Home: int32(v[15]) - 1,
			User: -1})
	}
	return list, procs / 100
}
