package cmd

import (
	"time"

	"schedsweep/harness"
)

// statusTold is what status --json prints.
type statusTold struct {
	aboutJSON
	Planned    int             `json:"planned"`
	ToDo       int             `json:"to_do"`
	Outcomes   harness.Tally   `json:"outcomes"`
	Foreign    int             `json:"foreign"`
	Superseded int             `json:"superseded"`
	Repeated   int             `json:"repeated"`
	Datasets   []datasetStatus `json:"datasets"`
	Shards     []shardStatus   `json:"shards"`
	Questions  []questionJSON  `json:"questions,omitempty"`
}

type datasetStatus struct {
	Name      string `json:"name"`
	Instances int    `json:"instances"`
	Lacking   int    `json:"lacking"`
	Uncounted int    `json:"uncounted"`
}

type shardStatus struct {
	Shard       int      `json:"shard"`
	Shards      int      `json:"shards"`
	Host        string   `json:"host"`
	Done        int      `json:"done"`
	Planned     int      `json:"planned"`
	Failed      int      `json:"failed"`
	PerSecond   float64  `json:"per_second"`
	SecondsLeft *float64 `json:"seconds_left"`
	State       string   `json:"state"`
}

func statusOf(st study, dir string, held harness.Holding, sides []harness.Side, runs []harness.RunRecord, now time.Time) statusTold {
	out := statusTold{aboutJSON: about(st, dir), Planned: st.plan.Len(), ToDo: st.plan.Len(), Outcomes: harness.Tally{}, Foreign: held.Foreign, Superseded: held.Superseded, Repeated: held.Repeated}
	for o, n := range held.Tally {
		if n > 0 {
			out.Outcomes[o] = n
			out.ToDo -= n
		}
	}
	out.Datasets = listed(sides, func(s *harness.Side) datasetStatus {
		return datasetStatus{s.Name, s.Instances, len(s.Lacking), s.Uncounted}
	})
	out.Questions = questionsOf(st)
	out.Shards = listed(runs, func(r *harness.RunRecord) shardStatus {
		s := shardStatus{r.Shard, r.Shards, r.Host, r.Existing + r.Ran(), r.Planned, r.Bad(), r.Rate(), nil, string(r.Standing(now))}
		if left, ok := r.TimeLeft(now); ok && r.Standing(now) == harness.Running {
			s.SecondsLeft = finite(left.Seconds())
		}
		return s
	})
	return out
}
