package external

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/policy/contract"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

func policyOf(m *module, p Params) *Policy {
	return &Policy{p: p, env: sim.NewEnv(nil, m)}
}

func TestContract(t *testing.T) {
	contract.Test(t, "external", &DefaultParams, func(params any, _ sim.Env) (sim.Policy, error) {
		return policyOf(&module{t: t}, *params.(*Params)), nil
	})
}

func job(id int64, submit, run float64, procs int32) sim.JobSpec {
	return sim.JobSpec{ID: id, Submit: submit, RunTime: run, Walltime: max(run, 1), Procs: procs, User: -1}
}

// play runs the jobs on a machine of 4 processors.
func play(t *testing.T, m *module, p Params, order string, jobs ...sim.JobSpec) (simtest.Outcomes, *Policy, error) {
	t.Helper()
	return playSource(t, m, p, order, simtest.Source(jobs))
}

func playSource(t *testing.T, m *module, p Params, order string, jobs sim.Source) (simtest.Outcomes, *Policy, error) {
	t.Helper()
	m.t = t
	o, err := sim.EventOrderByName(order)
	if err != nil {
		t.Fatal(err)
	}
	machine, policy, outcomes := simtest.Machine(t, 4), policyOf(m, p), simtest.Outcomes{}
	books := audit.New(machine)
	var e sim.Engine
	_, err = e.Run(context.Background(), sim.Config{Platform: machine, Source: jobs, Policy: policy, Progress: progress.Isolated{},
		Order: o, KillAtWalltime: true, Observers: []sim.Observer{&outcomes, books}, MaxEvents: 100_000})
	if err == nil {
		if err := books.Verdict(true); err != nil {
			t.Error(err)
		}
	}
	return outcomes, policy, err
}

// All events of an instant are one message, ends before submissions. An event order with other passes divides it.
func TestAnInstantIsOneMessage(t *testing.T) {
	jobs := []sim.JobSpec{job(1, 0, 10, 3), job(2, 0, 10, 1), job(3, 10, 5, 4), job(3, 10, 5, 4)}
	for order, want := range map[string]string{
		"default": "0: JOB_SUBMITTED JOB_SUBMITTED; 10: JOB_COMPLETED JOB_COMPLETED JOB_SUBMITTED JOB_SUBMITTED NOTIFY; 15: JOB_COMPLETED; " +
			"20: JOB_COMPLETED; 20: SIMULATION_ENDS",
		"cbf2015": "0: JOB_SUBMITTED JOB_SUBMITTED; 10: JOB_COMPLETED JOB_COMPLETED; 10: JOB_SUBMITTED JOB_SUBMITTED NOTIFY; 15: " +
			"JOB_COMPLETED; 20: JOB_COMPLETED; 20: SIMULATION_ENDS",
		"pyss": "0: JOB_SUBMITTED; 0: JOB_SUBMITTED; 10: JOB_SUBMITTED; 10: JOB_SUBMITTED NOTIFY; 10: JOB_COMPLETED; 10: JOB_COMPLETED; 15: " +
			"JOB_COMPLETED; 20: JOB_COMPLETED; 20: SIMULATION_ENDS",
	} {
		m := &module{}
		if _, p, err := play(t, m, DefaultParams, order, jobs...); err != nil || p.messages != int64(len(m.heard)) {
			t.Errorf("%s: %v after %d messages of %d", order, err, len(m.heard), p.messages)
		}
		if got := received(t, m); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", order, got, want)
		}
		if !m.ended || !m.kept {
			t.Errorf("%s: ended %v, kept %v", order, m.ended, m.kept)
		}
	}
}

// If jobs wait for others, the message that no more jobs come follows the last end.
func TestJobsThatWait(t *testing.T) {
	m := &module{}
	if _, _, err := playSource(t, m, DefaultParams, "default",
		&simtest.Chain{List: simtest.List{job(1, 1, 5, 2), job(2, 0, 5, 2)}, Think: 3}); err != nil {
		t.Fatal(err)
	}
	want := "1: JOB_SUBMITTED; 6: JOB_COMPLETED; 9: JOB_SUBMITTED; 14: JOB_COMPLETED NOTIFY; 14: SIMULATION_ENDS"
	if got := received(t, m); got != want {
		t.Errorf("\ngot  %s\nwant %s", got, want)
	}
}

// received lists the times and the kinds of the events that m received.
func received(t *testing.T, m *module) string {
	t.Helper()
	var all []string
	for _, h := range m.heard {
		now, rest, _ := strings.Cut(strings.TrimPrefix(h, `{"now":`), ",")
		var kinds []string
		for _, part := range strings.Split(rest, `"type":"`)[1:] {
			if kind, _, _ := strings.Cut(part, `"`); strings.ToUpper(kind) == kind {
				kinds = append(kinds, kind)
			}
		}
		all = append(all, now+": "+strings.Join(kinds, " "))
	}
	return strings.Join(all, "; ")
}

// The messages themselves, as Batsim writes them. A number that occurs twice gets
// another name the second time.
func TestMessages(t *testing.T) {
	m := &module{}
	if _, _, err := play(t, m, DefaultParams, "default", job(7, 0, 10.5, 3), job(7, 1, 2, 1)); err != nil {
		t.Fatal(err)
	}
	want := `{"now":0,"events":[{"timestamp":0,"type":"JOB_SUBMITTED","data":{"job_id":"w0!7","job":{"id":"w0!7","subtime":0,"res":3,"walltime":10.5,"profile":"unknown","user":-1,"home":0,"place":0}}}]}
{"now":1,"events":[{"timestamp":1,"type":"JOB_SUBMITTED","data":{"job_id":"w0!7#1","job":{"id":"w0!7#1","subtime":1,"res":1,"walltime":2,"profile":"unknown","user":-1,"home":0,"place":1}}},{"timestamp":1,"type":"NOTIFY","data":{"type":"no_more_static_job_to_submit"}}]}
{"now":3,"events":[{"timestamp":3,"type":"JOB_COMPLETED","data":{"job_id":"w0!7#1","job_state":"COMPLETED_SUCCESSFULLY","return_code":0,"alloc":"0"}}]}
{"now":10.5,"events":[{"timestamp":10.5,"type":"JOB_COMPLETED","data":{"job_id":"w0!7","job_state":"COMPLETED_SUCCESSFULLY","return_code":0,"alloc":"1-3"}}]}
{"now":10.5,"events":[{"timestamp":10.5,"type":"SIMULATION_ENDS","data":{}}]}`
	if got := strings.Join(m.heard, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A job that returns to the queue has a new name each time, and its place among the submissions.
func TestRequeued(t *testing.T) {
	for last, want := range map[bool]string{false: "w0!7 0, w0!8 1, w0!7#0 0, w0!7#0.2 0, ", true: "w0!7 0, w0!8 1, w0!7#2 2, w0!7#3 3, "} {
		m := &module{t: t}
		long := job(7, 0, 10, 2)
		long.Walltime = 3
		order, err := sim.EventOrderByName("default")
		if err != nil {
			t.Fatal(err)
		}
		var e sim.Engine
		if _, err := e.Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 4), Order: order, KillAtWalltime: true,
			Source: simtest.Source([]sim.JobSpec{long, job(8, 1, 2, 1)}), Policy: policyOf(m, DefaultParams), Progress: progress.Isolated{},
			Requeue: sim.Requeue{After: "kill", AtMost: 2, WalltimeFactor: 2, Last: last}, MaxEvents: 1000}); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, submitted := range regexp.MustCompile(`"job":\{"id":"(.*?)".*?"place":(\d+)`).FindAllStringSubmatch(strings.Join(m.heard, ""), -1) {
			got += submitted[1] + " " + submitted[2] + ", "
		}
		if got != want {
			t.Errorf("behind the others %v: got %s, want %s", last, got, want)
		}
	}
}

// A module that kills, rejects, calls itself and takes its time.
func TestDecisions(t *testing.T) {
	m := &module{answer: func(m *module, now float64, events []event) (out []event) {
		switch kind := events[0].Type; {
		case kind == "JOB_SUBMITTED" && now == 0: // job 1 at once, and job 2 a second later
			return []event{execute(0, "w0!1", "0-1"), execute(1, "w0!2", "2"), at(0, "REJECT_JOB", `{"job_id":"w0!3"}`),
				at(0, "CALL_ME_LATER", `{"timestamp":4}`)}
		case kind == "REQUESTED_CALL":
			return []event{at(now, "KILL_JOB", `{"job_ids":["w0!1"]}`)}
		}
		return nil
	}}
	got, _, err := play(t, m, DefaultParams, "default", job(1, 0, 10, 2), job(2, 0, 10, 1), job(3, 0, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	if got[0].State != "killed" || got[0].Finish != 4 || got[1].Start != 1 || got[1].Finish != 11 || got[2].State != "rejected" {
		t.Errorf("got %+v", got)
	}
	want := "0: JOB_SUBMITTED JOB_SUBMITTED JOB_SUBMITTED NOTIFY; 4: REQUESTED_CALL; 4: JOB_KILLED; 11: JOB_COMPLETED; 11: SIMULATION_ENDS"
	if got := received(t, m); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A delayed decision waits for its time late in a log, too. A time that equals now to its six digits means now.
func TestDelayedDecisionLateInALog(t *testing.T) {
	const late = 50_000_001
	for text, want := range map[string]float64{"50000021": 50_000_021, "50000002.0": 50_000_002, "50000001.5": 50_000_001.5, "5e+07": late,
		"5.00000e+07": late, "50000001": late, "50000100": 50_000_100, "5.00001e+07": 50_000_100} {
		m := &module{answer: func(_ *module, now float64, events []event) []event {
			if events[0].Type != "JOB_SUBMITTED" {
				return nil
			}
			e := execute(now, "w0!1", "0")
			e.Timestamp = new(moment)
			if err := e.Timestamp.UnmarshalJSON([]byte(text)); err != nil {
				t.Error(err)
			}
			return []event{e}
		}}
		got, _, err := play(t, m, DefaultParams, "default", job(1, late, 10, 1))
		if err != nil || got[0].Start != want {
			t.Errorf("a decision for %s starts the job at %.1f; want %.1f; error %v", text, got[0].Start, want, err)
		}
	}
}

// While the module decides it receives nothing. Then it receives all events in one message, with their times.
func TestModuleThatTakesTime(t *testing.T) {
	m := &module{answer: func(_ *module, now float64, _ []event) []event { return nil }, slow: 5}
	_, _, err := play(t, m, DefaultParams, "default", job(1, 0, 1, 1), job(2, 3, 1, 1), job(3, 6, 1, 1))
	if err == nil || !strings.Contains(err.Error(), "3 waiting") {
		t.Errorf("error %v", err)
	}
	if got, want := received(t, m), "0: JOB_SUBMITTED; 5: JOB_SUBMITTED; 6: JOB_SUBMITTED NOTIFY; 6: SIMULATION_ENDS"; got != want ||
		!strings.Contains(m.heard[1], `"timestamp":3`) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Jobs of the module's own, after the workload's have gone.
func TestDynamicJobs(t *testing.T) {
	params := DefaultParams
	params.Dynamic = true
	m := &module{answer: func(m *module, now float64, events []event) (out []event) {
		for _, e := range events {
			switch {
			case e.Type == "SIMULATION_BEGINS":
				return []event{at(now, "REGISTER_PROFILE", `{"workload_name":"dyn","profile_name":"p","profile":{"type":"delay","delay":3}}`),
					at(now, "CALL_ME_LATER", `{"timestamp":20}`)}
			case e.Type == "JOB_SUBMITTED":
				return []event{execute(now, "w0!1", "0")}
			case e.Type == "REQUESTED_CALL":
				return []event{at(now, "REGISTER_JOB", `{"job_id":"dyn!a","job":{"id":"dyn!a","res":2,"profile":"p","walltime":9}}`),
					execute(now, "dyn!a", "1-2"),
					at(now, "NOTIFY", `{"type":"registration_finished"}`)}
			}
		}
		return nil
	}}
	got, p, err := play(t, m, params, "default", job(1, 0, 10, 1))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[1].Start != 20 || got[1].Finish != 23 || p.registered != 1 {
		t.Errorf("got %+v, %d registered", got, p.registered)
	}
}

// A module that lets the clock creep, by asking for calls a nanosecond apart for ever, fails its run; one that asks for many
// calls seconds apart does not.
func TestTheClockMustPass(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	for _, c := range []struct {
		step float64
		most int // calls
		want string
	}{
		{1e-9, 1 << 30, "more than 10000 messages within 1 s that no job of the workload caused: the module stops the clock"},
		{1e-5, 1 << 30, "the module stops the clock"},
		{2, 30_000, ""},
	} {
		asked := 0
		m := &module{answer: func(_ *module, now float64, events []event) (out []event) {
			for _, e := range events {
				if e.Type == "JOB_SUBMITTED" {
					out = append(out, execute(now, "w0!1", "0"))
				}
			}
			if asked++; asked < c.most {
				out = append(out, at(now, "CALL_ME_LATER", fmt.Sprintf(`{"timestamp":%.12f}`, now+c.step)))
			}
			return out
		}}
		_, _, err := play(t, m, DefaultParams, "default", job(1, 0, 100_000, 1))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("steps of %g s: error %v, want %q", c.step, err, c.want)
		}
	}
}

// A module whose own jobs take a nanosecond each, one after another, stops the clock likewise. Ten thousand of a second each do not.
func TestOwnJobsMustTakeTime(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	params := DefaultParams
	params.Dynamic = true
	for delay, want := range map[string]string{"1e-9": "the module stops the clock", "0": "the module stops the clock", "1": ""} {
		n := 0
		m := &module{answer: func(_ *module, now float64, events []event) (out []event) {
			for _, e := range events {
				switch {
				case e.Type == "JOB_SUBMITTED":
					out = append(out, execute(now, "w0!1", "0"))
				case e.Type == "SIMULATION_BEGINS" || e.Type == "JOB_COMPLETED" && n < 12_000:
					n++
					id := fmt.Sprintf("dyn!%d", n)
					out = append(out, at(now, "REGISTER_JOB", fmt.Sprintf(`{"job_id":%q,"job":{"res":1,"profile":"p"},"profile":{"type":"delay",`+
						`"delay":%s}}`, id, delay)), execute(now, id, "1"))
				case n == 12_000:
					out = append(out, at(now, "NOTIFY", `{"type":"registration_finished"}`))
				}
			}
			return out
		}}
		_, _, err := play(t, m, params, "default", job(1, 0, 20_000, 1))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("jobs of %s s: error %v, want %q", delay, err, want)
		}
	}
}

// Ten thousand and more jobs of one instant, each in a message of its own, are no fault of the module.
func TestManyJobsAtOneInstant(t *testing.T) {
	jobs := make([]sim.JobSpec, 10_001)
	for i := range jobs {
		jobs[i] = job(int64(i+1), 0, 1, 4)
	}
	if _, p, err := play(t, &module{}, DefaultParams, "pyss", jobs...); err != nil || p.messages < int64(len(jobs)) {
		t.Errorf("error %v after %d messages", err, p.messages)
	}
}

// The policy carries out decisions as it reads them. The first refused decision ends the run before the rest is read, and so does
// the timeout.
func TestALongAnswerIsReadAsItComes(t *testing.T) {
	many := strings.Repeat(`,{}`, 1_000_000)
	call := `{"timestamp":0,"type":"CALL_ME_LATER","data":{"timestamp":5}}`
	for _, c := range []struct {
		name, raw string
		ticks     float64
		most      uint64 // bytes
		want      string
	}{
		{"empty", `{"now":0,"events":[{}` + many + `]}`, 0, 1 << 20, "a timestamp of at least 0 is needed"},
		{"truncated", `{"now":0,"events":[` + call + many, 0, 1 << 20, "a timestamp of at least 0 is needed"},
		{"slow", `{"now":0,"events":[` + call + strings.Repeat(","+call, 100) + `]}`, .1, 1 << 20,
			"bytes is not read within 5 s (policy.timeout)"},
		{"in time", `{"now":0,"events":[` + call + `]}`, .1, 1 << 20, "a message of 5 s"},
		{"trailing", `{"now":0,"events":[]} x`, 0, 1 << 20, "which is no message"},
		{"no list", `{"now":0,"events":{}}`, 0, 1 << 20, "which is no message: { is found where [ is needed"},
		{"the order of fields", `{"other":[1,{"a":2}],"events":[],"NOW":0}`, 0, 1 << 20, "1 waiting"},
	} {
		m := &module{raw: c.raw, ticks: c.ticks}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := play(t, m, DefaultParams, "default", job(1, 0, 10, 1))
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > c.most+3*uint64(len(c.raw))/2 {
			t.Errorf("%s: %d bytes for an answer of %d", c.name, used, len(c.raw))
		}
	}
}

// What a module may not say ends the run with the words that did it.
func TestWhatIsRefused(t *testing.T) {
	said := func(kind, data string) string {
		return `{"now":0,"events":[{"timestamp":0,"type":"` + kind + `","data":` + data + `}]}`
	}
	for raw, want := range map[string]string{
		"nonsense":               `the module answers nonsense, which is no message`,
		"{}":                     `which is no message: {"now": 0, "events": []} is the least`,
		"\x1b[2J":                `the module answers "\x1b[2J", which is no message`,
		`{"now":-1,"events":[]}`: `the module answers at -1 s, with {"now":-1,"events":[]}, a message of 0 s`,
		`{"now":0,"events":[{"timestamp":-1,"type":"NOTIFY","data":{}}]}`: "a timestamp of at least 0 is needed",
		said("DANCE", "{}"): `"type":"DANCE","data":{}}: events of this type are not understood`,
		said("SET_RESOURCE_STATE", `{"resources":"0","state":"1"}`): "processors have no power states here",
		said("EXECUTE_JOB", `{"job_id":"w0!9","alloc":"0"}`):        `"job_id":"w0!9","alloc":"0"}}: there is no job "w0!9"`,
		said("EXECUTE_JOB", `{"job_id":"w0!1"}`):                    `"alloc", the processors as an interval set, is missing`,
		said("EXECUTE_JOB", `{"job_id":"w0!1","alloc":"x"}`):        `alloc: "x" is no number or range`,
		said("EXECUTE_JOB", `{"job_id":"w0!1","alloc":"3-4"}`):      "the machine has no processor 4; they are 0 to 3",
		said("EXECUTE_JOB", `{"job_id":"w0!1","alloc":"3"}`):        "1 processor for a job of 2",
		said("KILL_JOB", `{"job_ids":["w0!1"]}`):                    `job "w0!1" is waiting: REJECT_JOB refuses it`,
		said("CALL_ME_LATER", `{"timestamp":-3}`):                   "a timestamp of at least 0 is needed in its data",
		said("REGISTER_JOB", `{"job_id":"d!1","job":{}}`):           "policy.dynamic is false",
		`{"now":0,"events":[{"timestamp":0,"type":"EXECUTE_JOB","data":{"job_id":"w0!1","alloc":"0-1"}},{"timestamp":0,"type":"EXECUTE_JOB","data":{"job_id":"w0!2","alloc":"1"}}]}`:   `alloc: processor 1 is held by job "w0!1"`,
		`{"now":0,"events":[{"timestamp":0,"type":"EXECUTE_JOB","data":{"job_id":"w0!1","alloc":"0-1"}},{"timestamp":0,"type":"EXECUTE_JOB","data":{"job_id":"w0!1","alloc":"2-3"}}]}`: `job "w0!1" is running since 0 s`,
		said("CALL_ME_LATER", `{"timestamp":0}`): "more than 10000 messages within 1 s that no job of the workload caused: the module stops the clock",
	} {
		m := &module{raw: raw}
		_, p, err := play(t, m, DefaultParams, "default", job(1, 0, 10, 2), job(2, 0, 10, 1))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "policy external") {
			t.Errorf("%s: error %v, want %s", raw, err, want)
		}
		if !m.ended || m.kept || p.talk != nil {
			t.Errorf("%s: ended %v, kept %v", raw, m.ended, m.kept)
		}
	}
}
