package external

import (
	"context"
	"os"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// FuzzAnswers: a module answers anything, one message a line. The run ends with a schedule that the audit accepts, or with an error.
func FuzzAnswers(f *testing.F) {
	page, err := os.ReadFile(protocolPage)
	if err != nil {
		f.Fatal(err)
	}
	var session []string
	for line := range strings.Lines(string(page)) {
		if answer, is := strings.CutPrefix(line, "< "); is {
			session = append(session, answer)
		}
	}
	f.Add(strings.Join(session, ""), true)
	const run = `{"now":0,"events":[{"timestamp":0,"type":"EXECUTE_JOB","data":{"job_id":"w0!1","alloc":"0"}}]}`
	f.Add(run+"\n"+strings.ReplaceAll(run, `"0"`, `"1 0-1"`), false)
	f.Add(`{"now":1e300,"events":[{"timestamp":.5,"type":"CALL_ME_LATER","data":{"timestamp":1e301}}]}`, false)
	f.Add(`{"now":2,"events":[{"timestamp":1,"type":"REJECT_JOB","data":{"job_id":"w0!2"}},{"timestamp":2,"type":"KILL_JOB",`+
		`"data":{"job_ids":["w0!1"]}}]}`, false)
	f.Add(`{"now":0,"events":[{"timestamp":0,"type":"REGISTER_JOB","data":{"job_id":"d!1","job":{"subtime":0,"res":1,"walltime":3,"profile":"p"}}},`+
		`{"timestamp":0,"type":"REGISTER_PROFILE","data":{"workload_name":"d","profile_name":"p","profile":{"type":"delay","delay":2}}}]}`, true)
	order, err := sim.EventOrderByName("default")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, answers string, dynamic bool) {
		m := &scripted{answers: strings.Split(answers, "\n")}
		machine := simtest.Machine(t, 2)
		books := audit.New(machine)
		policy := &Policy{p: Params{Protocol: "lines", Timeout: 5, Dynamic: dynamic}, env: sim.NewEnv(nil, m)}
		_, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: machine, Order: order, Progress: progress.Isolated{},
			KillAtWalltime: true, Source: simtest.Source([]sim.JobSpec{job(1, 0, 10, 1), job(2, 0, 9, 2), job(3, 0, 50, 1), job(5, 6, 30, 2)}),
			Policy: policy, Observers: []sim.Observer{books}, MaxEvents: 1000})
		if err == nil {
			err = books.Verdict(true)
			if err != nil {
				t.Error(err)
			}
		} else if strings.Contains(err.Error(), "panic") {
			t.Error(err)
		}
	})
}
