package folder

import (
	"fmt"
	"time"

	"schedsweep/harness"
)

// Counts are the instances of a run by outcome.
type Counts struct {
	Planned     int `json:"planned"`      // instances of this shard
	Existing    int `json:"existing"`     // had their rows already
	OK          int `json:"ok"`           // ran to their end now
	Failed      int `json:"failed"`       // failed now
	Timeout     int `json:"timeout"`      // exceeded their time limit now
	EventBudget int `json:"event_budget"` // exceeded their event budget now
}

// Ran is the number of instances that this run added.
func (c Counts) Ran() int { return c.OK + c.Bad() }

// Bad is the number of instances that ran now and have no answer.
func (c Counts) Bad() int { return c.Failed + c.Timeout + c.EventBudget }

// Count adds an instance with the outcome.
func (c *Counts) Count(o harness.Outcome) {
	switch o {
	case harness.OK:
		c.OK++
	case harness.Timeout:
		c.Timeout++
	case harness.EventBudget:
		c.EventBudget++
	default:
		c.Failed++
	}
}

// DefaultFlush is the interval at which rows are made safe on disk: the most that a crash can cost.
const DefaultFlush = 10 * time.Second

// ShardName names a shard of n, from 0.
func ShardName(shard, shards int) string { return fmt.Sprintf("%d-of-%d", shard, shards) }
