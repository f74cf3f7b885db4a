package metrics

import (
	"math"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
)

// giveUp rejects jobs that were requeued, and jobs that wait then.
type giveUp struct {
	queue.FCFS
	aside *sim.Job
}

func (p *giveUp) Submitted(s *sim.State, j *sim.Job) {
	switch {
	case j.Requeues() > 0:
		s.Reject(j)
		s.Reject(p.aside)
	case j.ID() == 3:
		p.aside = j
	default:
		p.FCFS.Submitted(s, j)
	}
}

// TestRejectedAfterAnAttempt: a job that is rejected after an attempt took processors and energy, and lost its work. The measured time
// ends at the last measured finish, at 20 s. One of two processors fails at 30 s.
//
//	job 1: runs 0..20
//	job 2: runs 0..30, is requeued and rejected
//	job 3: waits 0..30, and is rejected; so the queue has one job in the measured time
func TestRejectedAfterAnAttempt(t *testing.T) {
	machine := nodes(t, sim.Cluster{Nodes: 2, Cores: 1, Power: power.Node{Idle: 10, Busy: 20}})
	machine.Tariffs[power.Carbon] = power.NewSteps([]float64{0}, []float64{2}, math.Inf(1))
	s := Setting{Platform: machine, Threshold: 10, Bounds: sim.Bounds{HighLoad: 1}}
	classes := NewClasses([]Class{{Any: [][]Test{{{Field: &JobFields[0], Op: "<", Number: 2}}}}}, nil)
	classes.Reset(s, sim.Names{})
	got := valuesOf(t, s, sim.Config{Policy: &giveUp{}, Progress: progress.Isolated{}, Observers: []sim.Observer{classes},
		Outages: []sim.Outage{{Procs: []sim.Span{{Lo: 1, Hi: 1}}, From: 30, Until: 40}}, Requeue: sim.Requeue{After: "node_fail", AtMost: 1},
	}, []sim.JobSpec{{ID: 1, RunTime: 20, Walltime: 20, Procs: 1}, {ID: 2, RunTime: 50, Walltime: 50, Procs: 1},
		{ID: 3, RunTime: 50, Walltime: 50, Procs: 1}})
	for i, v := range classes.Values(nil) {
		got[ClassCatalog(nil)[i+1].Name+"__class"] = v
	}
	for name, want := range map[string]float64{
		"measured_time": 20, "utilisation": 1, "core_utilisation": 1, "busy_time": 20, "high_load_share": 1,
		"lost_work": 30, "lost_work_share": 30. / 50, "requeues": 1, "job_energy": 20 * 50, "job_carbon": 2 * 20 * 50, "mean_queue_length": 1,
		"energy_per_core_hour": 2 * 20 * 20 / ((40 - 20) / 3600.), "mean_wait_time": 0,
		"lost_work__class": 30, "requeues__class": 1, "job_energy__class": 20 * 50, "rejected__class": 2,
	} {
		if v := got[name]; !(math.Abs(v-want) <= 1e-9*want) {
			t.Errorf("%s is %v, want %v", name, v, want)
		}
	}
}

// TestLostAttemptsAreNoQueue: a job that runs is not in the queue, also where it runs again later.
//
//	job 1: runs 0..10, is killed at its walltime and runs again 10..30
//	job 2: waits 5..30, runs 30..40
func TestLostAttemptsAreNoQueue(t *testing.T) {
	s := Setting{Platform: nodes(t, sim.Cluster{Nodes: 1, Cores: 1}), Threshold: 10, Bounds: sim.Bounds{HighLoad: 1}}
	got := valuesOf(t, s, sim.Config{Policy: &queue.FCFS{}, Progress: progress.Isolated{},
		KillAtWalltime: true, Requeue: sim.Requeue{After: "kill", AtMost: 1, WalltimeFactor: 2}},
		[]sim.JobSpec{{ID: 1, RunTime: 20, Walltime: 10, Procs: 1}, {ID: 2, Submit: 5, RunTime: 10, Walltime: 10, Procs: 1}})
	for name, want := range map[string]float64{"measured_time": 40, "mean_wait_time": (10 + 25) / 2., "mean_queue_length": 25. / 40} {
		if v := got[name]; v != want {
			t.Errorf("%s is %v, want %v", name, v, want)
		}
	}
}

// TestRequeuedJobsKeepTheirClass: a job with an estimate of 10 s stays short, also where it was killed and ran again for up to 20 s.
func TestRequeuedJobsKeepTheirClass(t *testing.T) {
	s := Setting{Platform: nodes(t, sim.Cluster{Nodes: 1, Cores: 1}), Threshold: 10, Bounds: sim.Bounds{Short: 10, Long: 30, Least: 1}}
	got := valuesOf(t, s, sim.Config{Policy: &queue.FCFS{}, Progress: progress.Isolated{},
		KillAtWalltime: true, Requeue: sim.Requeue{After: "kill", AtMost: 1, WalltimeFactor: 2}},
		[]sim.JobSpec{{ID: 1, RunTime: 20, Walltime: 10, Procs: 1}, {ID: 2, Submit: 40, RunTime: 8, Walltime: 20, Procs: 1}})
	for name, want := range map[string]float64{"relative_response_short": 30. / 20, "relative_response_medium": 1} {
		if v := got[name]; v != want {
			t.Errorf("%s is %v, want %v", name, v, want)
		}
	}
}
