package sim_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"schedsweep/sim"
)

// TestViews: what observers, policies and progress models can do is exactly this.
// A policy that set a rate or the work of a job would not compile.
func TestViews(t *testing.T) {
	read := "Admits Area Busy Cap Capacity Charged Committed Energy EnergyOn ExpectedEnd Finished Free FreeOn KillsAtWalltime More Now " +
		"Numbered Order Platform Power PowerOn Queued Record RecordedWait Records Requests " +
		"Running Suspended Unpowered UnpoweredOn Waiting"
	for _, c := range []struct {
		view reflect.Type
		acts string
	}{
		{reflect.TypeFor[*sim.View](), ""},
		{reflect.TypeFor[*sim.State](), "Boot CanPreempt Choices ChunkOf Dark Fail ForgetWakeUps FreeFor HasEvents HasHome " +
			"HasPartialEvents Kill Lends Listening " +
			"Outages Preempt Progress Register Reject RejectOverCap Report Reserves Resume SetShare " +
			"Start StartCounts StartIn StartOn StartShared Stay Switches TrackProcs WakeAt Width Withhold"},
		{reflect.TypeFor[*sim.Rates](), "EndNow Fail SetRate SetWork TrackProcs UpdateAt"},
	} {
		want := strings.Fields(read + " " + c.acts)
		slices.Sort(want)
		var got []string
		for m := range c.view.Methods() {
			got = append(got, m.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s can %v, want %v", c.view, got, want)
		}
		for _, other := range []reflect.Type{reflect.TypeFor[*sim.View](), reflect.TypeFor[*sim.State](), reflect.TypeFor[*sim.Rates]()} {
			if other != c.view && c.view.ConvertibleTo(other) {
				t.Errorf("%s can be converted to %s", c.view, other)
			}
		}
		closed(t, c.view.Elem())
	}
}

// TestJobsAreReadOnly: nothing that a job shows leads to what it is made of, but
// for the slices of its allocation, which the audit watches (A9).
func TestJobsAreReadOnly(t *testing.T) {
	job := reflect.TypeFor[*sim.Job]()
	closed(t, job.Elem())
	for m := range job.Methods() {
		for out := range m.Type.Outs() {
			if !out.Comparable() && out != reflect.TypeFor[sim.Allocation]() || out.Kind() == reflect.Pointer {
				t.Errorf("Job.%s gives away a %s", m.Name, out)
			}
		}
		if ins := m.Type.NumIn(); ins != 1 && m.Name != "WorkLeft" {
			t.Errorf("Job.%s takes %d arguments: a job is only read", m.Name, ins-1)
		}
	}
}

// closed checks that the type has no field that others can write.
func closed(t *testing.T, of reflect.Type) {
	t.Helper()
	for f := range of.Fields() {
		if f.IsExported() {
			t.Errorf("%s.%s can be written", of, f.Name)
		}
	}
}
