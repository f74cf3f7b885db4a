package cmd

import (
	"time"

	"schedsweep/harness"
)

// statusOf is what status --json prints.
func statusOf(st study, held harness.Holding, sides []harness.Side, runs []harness.RunRecord, now time.Time) object {
	datasets := listed(sides, func(s *harness.Side) object {
		return object{"name", s.Name, "instances", s.Instances, "lacking", len(s.Lacking), "uncounted", s.Uncounted}
	})
	shards := listed(runs, func(r *harness.RunRecord) object {
		var secondsLeft any
		if left, ok := r.TimeLeft(now); ok && r.Standing(now) == harness.Running {
			secondsLeft = left.Seconds()
		}
		return object{"shard", r.Shard, "shards", r.Shards, "host", r.Host, "done", r.Existing + r.Ran(), "planned", r.Planned, "failed", r.Bad(),
			"per_second", r.Rate(), "seconds_left", secondsLeft, "state", r.Standing(now)}
	})
	out := append(about(st), "planned", st.plan.Len(), "to_do", st.plan.Len()-held.Tally.Total(), "outcomes", held.Tally,
		"foreign", held.Foreign, "superseded", held.Superseded, "repeated", held.Repeated, "datasets", datasets, "shards", shards)
	if st.inquiry != nil {
		out = append(out, "questions", questionsOf(st))
	}
	return out
}
