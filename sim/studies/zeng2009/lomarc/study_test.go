package lomarc_test

import (
	"math"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/metrics"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/lomarc"
	"schedsweep/sim/studies/zeng2009/slicetest"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// valuesOf returns the values of metrics by their names.
func valuesOf(t *testing.T, defined []sim.Metric, m sim.Meter) map[string]float64 {
	t.Helper()
	values, out := m.Values(nil), map[string]float64{}
	if len(values) != len(defined) {
		t.Fatalf("%d values for %d metrics", len(values), len(defined))
	}
	for i, d := range defined {
		out[d.Name] = values[i]
	}
	return out
}

// TestStudy plays four workloads W1 of the study under the audit. The full algorithm must gain about as much on space
// sharing as published, and form about as many groups, within the variation of four workloads. Published gains in
// relative response times: medium 34.9 %, long 53.2 %, all 35.5 %. Published gain in core utilisation under high
// load: 26.8 %. Published groups: 1,500 memberships, 2.5 jobs a group, with 41.7 % of the medium and long jobs.
func TestStudy(t *testing.T) {
	const n = 4
	type sums struct{ medium, long, all, cores, members, groups, share, delay float64 }
	var got [2]sums
	var e sim.Engine
	var c metrics.Collector
	p := slicetest.Machine(t, 128, 4)
	for seed := range uint64(n) {
		jobs := slicetest.Published(t, 10.33, 10000, seed+1)
		for i, variant := range []string{"ssp", "glts"} {
			params := lomarc.Defaults
			params.Variant = variant
			policy := lomarc.New(params)
			c.Reset(metrics.Setting{Platform: p, Threshold: metrics.DefaultThreshold, Bounds: policy.Bounds()})
			slicetest.Play(t, &e, p, policy, jobs, true, &c)
			common, own := valuesOf(t, metrics.Catalog(), &c), valuesOf(t, lomarc.Metrics, policy)
			s := &got[i]
			s.medium += common["relative_response_medium"]
			s.long += common["relative_response_long"]
			s.all += common["relative_response"]
			s.cores += common["core_utilisation_high"]
			s.members += own["group_memberships"] / n
			s.groups += own["groups"] / n
			s.share += own["grouped_share"] / n
			s.delay += own["delay_mean_long"] / n
		}
	}
	ssp, glts := &got[0], &got[1]
	for _, c := range []struct {
		name              string
		got, want, within float64
	}{
		{"gain of medium jobs in %", 100 * (1 - glts.medium/ssp.medium), 34.9, 12},
		{"gain of long jobs in %", 100 * (1 - glts.long/ssp.long), 53.2, 12},
		{"gain of all jobs in %", 100 * (1 - glts.all/ssp.all), 35.5, 12},
		{"core utilisation gained in %", 100 * (glts.cores/ssp.cores - 1), 26.8, 8},
		{"memberships", glts.members, 1500, 300},
		{"group size", glts.members / glts.groups, 2.5, .2},
		{"share ever in a group", glts.share, .417, .06},
		{"delay factor of long jobs", glts.delay, 1, .25},
	} {
		t.Logf("%s: %.3f", c.name, c.got)
		if !(math.Abs(c.got-c.want) <= c.within) {
			t.Errorf("%s: %.3f, want %.3f within %g", c.name, c.got, c.want, c.within)
		}
	}
}

// TestSpaceSharingIsTimeslice: the variant ssp is the policy timeslice.
func TestSpaceSharingIsTimeslice(t *testing.T) {
	jobs := slicetest.Published(t, 9.83, 2000, 3)
	params := lomarc.Defaults
	params.Variant = "ssp"
	a, b := record(), record()
	var e sim.Engine
	slicetest.Play(t, &e, slicetest.Machine(t, 128, 4), lomarc.New(params), jobs, false, simtest.Watch(a))
	slicetest.Play(t, &e, slicetest.Machine(t, 128, 4), timeslice.New(timeslice.DefaultSlicing), jobs, false, simtest.Watch(b))
	for id, at := range a.finish {
		if b.finish[id] != at || b.start[id] != a.start[id] {
			t.Fatalf("job %d runs from %v to %v s under ssp, from %v to %v s under timeslice", id, a.start[id], at, b.start[id], b.finish[id])
		}
	}
	if len(a.finish) != len(jobs) || len(b.finish) != len(jobs) {
		t.Errorf("%d and %d of %d jobs ended", len(a.finish), len(b.finish), len(jobs))
	}
}
