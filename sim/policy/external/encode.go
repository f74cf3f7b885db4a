package external

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"schedsweep/sim"
)

// encoder writes events, and makes a message of the events since the last message. It
// keeps its memory, and writes the events of each job by hand.
type encoder struct {
	events  []byte // each with a comma in front
	message []byte
}

// take makes a message of the events so far. It is valid until the next one.
func (e *encoder) take(now float64) []byte {
	b := append(e.message[:0], `{"now":`...)
	b = appendNumber(b, now)
	b = append(b, `,"events":[`...)
	if len(e.events) > 0 {
		b = append(b, e.events[1:]...)
	}
	e.events = e.events[:0]
	e.message = append(b, "]}"...)
	return e.message
}

// event opens an event; close closes it.
func (e *encoder) event(now float64, kind string) {
	e.text(`,{"timestamp":`)
	e.events = appendNumber(e.events, now)
	e.text(`,"type":"`)
	e.text(kind)
	e.text(`","data":{`)
}

func (e *encoder) close()        { e.text("}}") }
func (e *encoder) text(s string) { e.events = append(e.events, s...) }

// quoted appends a name of ours or one that the module gave a job.
func (e *encoder) quoted(s string) {
	b, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("external: a string is no JSON: %v", err))
	}
	e.events = append(e.events, b...)
}

func (e *encoder) jobSubmitted(now float64, name string, j *sim.Job) {
	e.event(now, "JOB_SUBMITTED")
	e.text(`"job_id":`)
	e.quoted(name)
	e.text(`,"job":{"id":`)
	e.quoted(name)
	e.text(`,"subtime":`)
	e.events = appendNumber(e.events, j.Submit())
	e.text(`,"res":`)
	e.events = strconv.AppendInt(e.events, int64(j.Procs()), 10)
	if !math.IsInf(j.Walltime(), 1) {
		e.text(`,"walltime":`)
		e.events = appendNumber(e.events, j.Walltime())
	}
	e.text(`,"profile":"unknown","user":`)
	e.events = strconv.AppendInt(e.events, int64(j.User()), 10)
	e.text(`,"home":`)
	e.events = strconv.AppendInt(e.events, int64(j.Home()), 10)
	e.text(`,"place":`)
	e.events = strconv.AppendInt(e.events, j.Seq(), 10)
	e.text("}")
	e.close()
}

func (e *encoder) jobCompleted(now float64, name string, j *sim.Job) {
	e.event(now, "JOB_COMPLETED")
	e.text(`"job_id":`)
	e.quoted(name)
	if j.State() == sim.Killed {
		e.text(`,"job_state":"COMPLETED_WALLTIME_REACHED","return_code":1,"alloc":"`)
	} else {
		e.text(`,"job_state":"COMPLETED_SUCCESSFULLY","return_code":0,"alloc":"`)
	}
	e.events = sim.AppendSpans(e.events, j.Alloc().Procs)
	e.text(`"`)
	e.close()
}

func (e *encoder) jobKilled(now float64, name string) {
	e.event(now, "JOB_KILLED")
	e.text(`"job_ids":[`)
	e.quoted(name)
	e.text(`],"job_progress":{}`)
	e.close()
}

func (e *encoder) notify(now float64, what string) {
	e.event(now, "NOTIFY")
	e.text(`"type":`)
	e.quoted(what)
	e.close()
}

// resource is a processor in messages to the module.
type resource struct {
	ID         int            `json:"id"`
	Name       string         `json:"name"`
	State      string         `json:"state"`
	Properties map[string]any `json:"properties"`
	Zone       map[string]any `json:"zone_properties"`
}

// simulationBegins describes the machine. One compute resource is one processor.
func (e *encoder) simulationBegins(s *sim.State, seed uint64, dynamic bool) error {
	n := s.Platform().Procs()
	resources := make([]resource, 0, n)
	for c := range s.Platform().Clusters {
		cl := &s.Platform().Clusters[c]
		properties := map[string]any{"speed": cl.Speed, "cluster": cl.Name, "cores_per_node": cl.Cores}
		for i := range cl.Procs() {
			name := fmt.Sprintf("%s-%d", cl.Name, i)
			resources = append(resources, resource{len(resources), name, "idle", properties, map[string]any{"cluster": c}})
		}
	}
	data, err := json.Marshal(map[string]any{
		"nb_resources": n, "nb_compute_resources": n, "nb_storage_resources": 0,
		"compute_resources": resources, "storage_resources": []any{},
		"allow_compute_sharing": false, "allow_storage_sharing": false,
		"config": map[string]any{
			"redis-enabled": false, "redis-hostname": "", "redis-port": 0, "redis-prefix": "",
			"profiles-forwarded-on-submission": false, "profile-reuse-enabled": true,
			"dynamic-jobs-enabled": dynamic, "dynamic-jobs-acknowledged": false, "forward-unknown-events": true,
			"kill-at-walltime": s.KillsAtWalltime(), "random-seed": seed,
		},
		"workloads": map[string]any{"w0": "workload"}, "profiles": map[string]any{"w0": map[string]any{}},
	})
	if err != nil {
		return fmt.Errorf("describing the machine: %w", err)
	}
	e.event(s.Now(), "SIMULATION_BEGINS")
	e.events = append(e.events, data[1:len(data)-1]...)
	e.close()
	return nil
}

// appendNumber writes the shortest number that reads back as f.
func appendNumber(b []byte, f float64) []byte { return strconv.AppendFloat(b, f, 'g', -1, 64) }
