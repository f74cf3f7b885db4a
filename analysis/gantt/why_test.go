package gantt

import (
	"math"
	"strings"
	"testing"
)

func tracedBy(t *testing.T, lines string) *Schedule {
	t.Helper()
	s, err := ReadTrace("t", strings.NewReader(`{"event":"instance","trace":2}`+"\n"+lines))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fourProcessors has a job behind another, one that overtakes and a refused one. Job 4 waits from 3 s to 25 s. Up to 10 s all processors
// are busy. Then three are free until 20 s. By the walltime of job 3, job 2 could start at 32 s.
const fourProcessors = `{"t":0,"event":"submit","job":1,"seq":0,"processors":3,"walltime":10,"user":-1}
{"t":0,"event":"start","job":1,"seq":0,"allocated":"0-2"}
{"t":1,"event":"submit","job":2,"seq":1,"processors":4,"walltime":10,"user":5}
{"t":2,"event":"submit","job":3,"seq":2,"processors":1,"walltime":30,"user":-1}
{"t":2,"event":"start","job":3,"seq":2,"allocated":"3"}
{"t":3,"event":"submit","job":4,"seq":3,"processors":1,"walltime":30,"user":-1}
{"t":4,"event":"submit","job":5,"seq":4,"processors":9,"walltime":3,"user":-1}
{"t":4,"event":"reject","job":5,"seq":4}
{"t":10,"event":"end","job":1,"seq":0,"state":"finished","allocated":"0-2"}
{"t":20,"event":"end","job":3,"seq":2,"state":"killed","allocated":"3"}
{"t":20,"event":"start","job":2,"seq":1,"allocated":"0-3"}
{"t":25,"event":"end","job":2,"seq":1,"state":"finished","allocated":"0-3"}
{"t":25,"event":"start","job":4,"seq":3,"allocated":"0"}
{"t":28,"event":"end","job":4,"seq":3,"state":"finished","allocated":"0"}
`

// TestWhy: the card tells apart busy processors, outages, a limit, a reservation, the order of the queue, and nodes that do not suit. The
// times follow from the traces by hand. It names no cause that the trace does not show.
func TestWhy(t *testing.T) {
	const longer = `"job":4,"seq":3,"processors":1,"walltime":`
	out := `{"t":0,"event":"down","allocated":"0-2"}
{"t":1,"event":"submit","job":1,"seq":0,"processors":2,"walltime":9}
{"t":7,"event":"up","allocated":"0-1"}
{"t":7,"event":"start","job":1,"seq":0,"allocated":"0-1"}
`
	limited := `{"t":0,"event":"submit","job":1,"seq":0,"processors":1,"walltime":9,"user":7}
{"t":0,"event":"start","job":1,"seq":0,"allocated":"1"}
{"t":1,"event":"submit","job":2,"seq":1,"processors":2,"walltime":9,"user":7}
{"t":6,"event":"end","job":1,"seq":0,"state":"finished"}
{"t":6,"event":"start","job":2,"seq":1,"allocated":"0-1"}
`
	limit := func(most int, of string) []Limit { return []Limit{{"policy.limits[0]", true, most, of}} }
	easy := Machine{Procs: 4, Policy: "easy", InOrder: true}
	with := func(change func(*Machine)) *Machine { m := easy; change(&m); return &m }
	for name, c := range map[string]struct {
		trace string
		at    int
		m     *Machine
		want  string
	}{
		"at once": {fourProcessors, 0, &easy, "It started when it was submitted."},
		"refused": {fourProcessors, 4, &easy, "The policy refused it."},
		"busy": {fourProcessors, 1, &easy, "At its submission 0 jobs waited before it. Of 4 processors, 3 were busy and 0 were out of service. " +
			"For 19 s too few processors were free for the 4 that it needs: it waited for jobs to end. It started when job 3 ended. " +
			"Jobs that were submitted later and started before it: 1."},
		"size of the machine": {fourProcessors, 1, &Machine{}, "Of the 4 processors that the schedule uses at most, 3 were busy"},
		"larger machine":      {fourProcessors, 1, &Machine{Procs: 9}, "For 19 s enough processors were free, and neither"},
		"reservation": {fourProcessors, 3, &easy, "For 12 s too few processors were free for the 1 that it needs: it waited for jobs to end. " +
			"For 10 s enough processors were free, and neither an outage nor a limit explains the wait. At 10 s it waited behind the " +
			"reservation of job 2: by their walltimes, running jobs leave that job its 4 processors at 32 s, and this job would have used " +
			"some of them until 40 s."},
		"no delay": {strings.Replace(fourProcessors, longer+"30", longer+"22", 1), 3, &easy,
			"At 10 s 3 processors were free. The trace does not tell why the policy easy did not start it then."},
		"requeued": { // job 3 started again at 5 s, so job 2 could start at 35 s, and the trace has no such time
			strings.Replace(fourProcessors, `{"t":10,`, `{"t":5,"event":"requeue","job":3,"seq":2,"allocated":"3"}
{"t":5,"event":"start","job":3,"seq":2,"allocated":"3"}
{"t":10,`, 1), 3, &easy, "At 10 s 3 processors were free. The trace does not tell why the policy easy did not start it then."},
		"room beside the reservation": { // job 3 leaves 3 of 6 processors at 32 s, and job 2 needs 4
			strings.NewReplacer(`"seq":2,"processors":1`, `"seq":2,"processors":3`, `"allocated":"3"`, `"allocated":"3-5"`).Replace(fourProcessors), 3,
			with(func(m *Machine) { m.Procs = 6 }), "At 10 s 3 processors were free. The trace does not tell why the policy easy"},
		"no walltime": {strings.Replace(fourProcessors, longer+"30", longer+"null", 1), 3, &easy, "some of them without a bound."},
		"order": {fourProcessors, 3, with(func(m *Machine) { m.Policy = "fcfs" }), "At 10 s job 2 waited before it, and the policy fcfs starts " +
			"jobs in order of their submission."},
		"other order": {fourProcessors, 3, with(func(m *Machine) { m.InOrder, m.Unseen = false, []string{"policy.order"} }),
			"The trace does not tell why the policy easy did not start it then. The manifest has fields that may be the cause: policy.order."},
		"outage": {out, 0, &Machine{Procs: 3}, "0 were busy and 3 were out of service. For 6 s enough processors would have been free, " +
			"but for those"},
		"by jobs": {limited, 1, &Machine{Procs: 4, Limits: limit(1, "job")}, "For 5 s enough processors were free, and a limit " +
			"(policy.limits[0]: user 7 may run 1 job at one time) held it. It"},
		"by cores": {limited, 1, &Machine{Procs: 4, Limits: limit(2, "processor")}, "user 7 may use 2 processors at one time) held it. It"},
		"of all": {limited, 1, &Machine{Procs: 4, Limits: []Limit{{Field: "policy.limits[1]", Most: 1, Of: "job"}}},
			"policy.limits[1]: all users may run 1 job"},
		"loose": {limited, 1, &Machine{Procs: 4, Limits: limit(2, "job"), Policy: "x"}, "The trace does not tell why the policy x"},
		"no neighbours": {limited, 1, &Machine{Procs: 3, Contiguous: true}, "At 1 s 2 processors were free, but no more than 1 of them were " +
			"neighbours: the free nodes did not suit it."},
		"no node": {limited, 1, &Machine{Procs: 4, Classes: []Pool{{"thin", 2}, {"fat", 2}}}, "At 1 s 3 processors were free, but only " +
			"1 of them in thin, where it started: no suitable node was free for it there."},
	} {
		if got := strings.Join(tracedBy(t, c.trace).Why(c.at, c.m), " "); !strings.Contains(got, c.want) {
			t.Errorf("%s:\n%s\nlacks\n%s", name, got, c.want)
		}
	}
	s := tracedBy(t, out+`{"t":7,"event":"end","job":1,"seq":0,"state":"finished"}`)
	if why := strings.Join(s.Why(0, &easy), " "); strings.Contains(why, "ended") {
		t.Errorf("a job without run time started when it ended itself: %s", why)
	}
	s = tracedBy(t, fourProcessors)
	if j := s.Submitted[2]; j.Wait() != 0 || j.State != "killed" || j.Walltime != 30 || j.Allocated != "3" {
		t.Errorf("%+v", j)
	}
	if s = tracedBy(t, `{"t":0,"event":"submit","job":1,"seq":0,"processors":1,"walltime":null}`); !math.IsInf(s.Submitted[0].Walltime, 1) {
		t.Errorf("a job without a bound has the walltime %g", s.Submitted[0].Walltime)
	}
}
