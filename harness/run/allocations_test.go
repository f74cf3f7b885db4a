package run

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"schedsweep/harness/harnesstest"
)

// TestJobsAllocateNothing compares a sweep with one of three times its replications: what the audit, the metrics and the policy allocate
// for a job they allocate again in each further replication.
func TestJobsAllocateNothing(t *testing.T) {
	const jobs, few, many = 2000, 3, 9
	sessions := "sessions: [{begin: 9h, longest: 4h}, {begin: 18h}]"
	plain := "{processors: 128}"
	capped := "{nodes: {all: {count: 128, power: {idle: 100 W, busy: 300 W}}}, partitions: {all: {nodes: [all], default: true}}, cap: 30 kW}"
	for _, c := range []struct{ policy, platform string }{
		{"kind: fcfs", plain}, {"kind: queue, order: sjf", plain}, {"kind: easy", plain}, {"kind: easy, order: wfp3", plain},
		{"kind: easy, placement: contiguous", plain}, {"kind: conservative", plain}, {"kind: conservative, " + sessions, plain},
		{"kind: easy", capped}, {"kind: easy, " + sessions, capped}, {"kind: conservative", capped},
	} {
		t.Run(c.policy, func(t *testing.T) {
			mallocs := func(replications int) uint64 {
				m, in := harnesstest.Loaded(t, fmt.Sprintf("name: allocations\nreplications: %d\nworkload: {kind: lublin, jobs: %d}\n"+
					"platform: %s\npolicy: {%s}\nmetrics: {show: [mean_wait_time], compute: named}\n", replications, jobs, c.platform, c.policy))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: t.TempDir(), Workers: 1})
				if runtime.ReadMemStats(&after); err != nil || sum.OK != replications {
					t.Fatalf("%+v, %v", sum, err)
				}
				return after.Mallocs - before.Mallocs
			}
			first := mallocs(few)
			if per := (float64(mallocs(many)) - float64(first)) / ((many - few) * jobs); per > .3 {
				t.Errorf("%s: %.3f allocations for a job, and almost none is the target", c.platform, per)
			} else {
				t.Logf("%.3f allocations for a job", per)
			}
		})
	}
}

// TestOneAuditForSeveralPolicies: a worker keeps the memory of its audit. A policy that backfills follows one that starts jobs in order.
func TestOneAuditForSeveralPolicies(t *testing.T) {
	m, in := harnesstest.Loaded(t, "name: several\nworkload: {kind: lublin, jobs: 60, machine_procs: 8}\n"+
		"axes: {policy.kind: [fcfs, easy, queue, conservative]}\n")
	if sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: t.TempDir(), Workers: 1}); err != nil || sum.OK != 4 {
		t.Fatalf("%+v, %v", sum, err)
	}
}
