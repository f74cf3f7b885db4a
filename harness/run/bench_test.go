package run

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/sim/simtest"
)

// BenchmarkPool measures the cost of an instance beside its simulation: planning, the pool, the
// checks, its row written and on disk. Each instance has one job of no length. Target: under 50 us
// an instance.
func BenchmarkPool(b *testing.B) {
	m, in := harnesstest.Loaded(b, fmt.Sprintf("name: empty\nreplications: %d\nworkload: {kind: list, jobs: [{run_time: 0, walltime: "+
		"1}]}\nplatform: {processors: 1}\npolicy: {kind: fcfs}\n", b.N))
	b.ReportAllocs()
	b.ResetTimer()
	sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: b.TempDir()})
	if err != nil || sum.OK != b.N {
		b.Fatalf("%+v, %v", sum, err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "instances/s")
}

// BenchmarkSweep is a sweep of short simulations, for the whole of it: 90
// instances of 60 jobs.
func BenchmarkSweep(b *testing.B) {
	m, in := harnesstest.Loaded(b, harnesstest.Small)
	b.ReportAllocs()
	for b.Loop() {
		if sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: b.TempDir()}); err != nil || sum.OK != 90 {
			b.Fatalf("%+v, %v", sum, err)
		}
	}
	b.ReportMetric(90*float64(b.N)/b.Elapsed().Seconds(), "instances/s")
}

// BenchmarkBusy measures the share of time in which workers do not wait for each other: for the sink, shared workloads and the
// reporter. It uses the waiting times for locks that the runtime counts. Processor time would say nothing on a machine that
// others use too. Rows are made safe every second, ten times as often as in a run. Target: 98 %, with and without the other
// datasets. With them all workers wait for the disk, which decides.
func BenchmarkBusy(b *testing.B) {
	for name, text := range map[string]string{"instances": harnesstest.Small, "datasets": harnesstest.Both} {
		text = strings.Replace(text, "jobs: 60", "jobs: 10000", 1)
		b.Run(name, func(b *testing.B) {
			waits := []metrics.Sample{{Name: "/sync/mutex/wait/total:seconds"}}
			metrics.Read(waits)
			before := waits[0].Value.Float64()
			const workers = 2
			for b.Loop() {
				mustRunAll(b, text, Config{Dir: b.TempDir(), Workers: workers, Flush: time.Second})
			}
			metrics.Read(waits)
			b.ReportMetric(100*(1-(waits[0].Value.Float64()-before)/(workers*b.Elapsed().Seconds())), "%busy")
		})
	}
}

// BenchmarkDatasets is a sweep with a row for each of its jobs and series: 90 instances
// of 10,000 jobs. Target: no more than 60 % of the time for the rows, and an instance more costs
// no memory (see BenchmarkMillion for instances).
func BenchmarkDatasets(b *testing.B) {
	for name, text := range map[string]string{"instances": harnesstest.Small, "datasets": harnesstest.Both} {
		text = strings.Replace(text, "jobs: 60", "jobs: 10000", 1)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mustRunAll(b, text, Config{Dir: b.TempDir()})
			}
			b.ReportMetric(90*10_000*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}

// BenchmarkClasses is a sweep with four classes of jobs: 90 instances of 2,000 jobs. Target: no more than a quarter of the
// time for them, and a manifest without classes pays nothing.
func BenchmarkClasses(b *testing.B) {
	text := strings.Replace(harnesstest.Small, "jobs: 60", "jobs: 2000", 1)
	for name, text := range map[string]string{"none": text, "four": text + "classes: {narrow: processors <= 4, wide: processors > 4, " +
		"short: run_time < 1h and processors < 64, user: user == 3 or queue == debug}\n"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mustRunAll(b, text, Config{Dir: b.TempDir()})
			}
			b.ReportMetric(90*2_000*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}

// BenchmarkCurie runs the whole log of Curie under EASY, from the file to the values: unzip, parse, draw, simulate, audit.
// Target: 350 ms of a quiet core. For comparison, 50 lines of C++ (g++ -O2) on the same machine take 105 ms with strtol and
// 180 ms with streams. They read four plain numbers per job, do EASY and nothing else.
func BenchmarkCurie(b *testing.B) {
	m, _ := harnesstest.Loaded(b, fmt.Sprintf("name: curie\nworkload: {kind: swf, path: %q}\nplatform: {processors: 93312}\npolicy: {kind: "+
		"easy}\n", filepath.Join(simtest.Data(b), "CEA-Curie-2011-2.1-cln.swf.gz")))
	plan, err := m.Plan()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s, err := Simulate(b.Context(), plan, input.NewFiles(), 0, Kept{})
		if err != nil || s.Outcome != harness.OK || s.Result.Finished != 295_540 {
			b.Fatalf("%+v, %v", s, err)
		}
	}
}

// BenchmarkExport writes 200,000 rows of four shards in the order of the plan.
// Target: 50,000 rows/s on one core. What it needs at once is a batch of rows:
// B/op counts all that comes and goes.
func BenchmarkExport(b *testing.B) {
	const many = 200_000
	m, in := harnesstest.Loaded(b, fmt.Sprintf("name: empty\nreplications: %d\nworkload: {kind: list, jobs: [{run_time: 0, walltime: "+
		"1}]}\nplatform: {processors: 1}\npolicy: {kind: fcfs}\n", many))
	dir := b.TempDir()
	for shard := range 4 {
		if _, err := Sweep(b.Context(), Config{Manifest: m, Inputs: in, Dir: dir, Shard: shard, Shards: 4}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rows.Export(m, dir, filepath.Join(b.TempDir(), "rows.parquet"), true); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(many*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkLongAxis measures the validation of an axis of 100,000 values. Target: 1 s.
func BenchmarkLongAxis(b *testing.B) {
	for _, axis := range []string{"workload.load_factor: {from: 1, to: 2, count: 100000}",
		"workload.jobs: {from: 1000, step: 1, count: 100000}", "platform.processors: {from: 128, step: 1, count: 100000}"} {
		b.Run(axis[:strings.Index(axis, ":")], func(b *testing.B) {
			for b.Loop() {
				m, in := harnesstest.Loaded(b, "name: long\nworkload: {kind: lublin, jobs: 1000}\npolicy: {kind: easy}\naxes: {"+axis+"}\n")
				plan, err := m.Plan()
				if err != nil {
					b.Fatal(err)
				}
				if _, err := Check(plan, in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
