package fidelity

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"schedsweep/sweep/text"
)

const (
	ByCause     = "cause"
	BySize      = "size"
	ByRunTime   = "run time"
	ByWalltime  = "walltime"
	ByUse       = "walltime used"
	ByHour      = "hour"
	ByStart     = "start hour" // recorded
	ByWeekday   = "weekday"
	ByQueue     = "queue"
	ByPartition = "partition"
	ByUser      = "user"
)

// mostNames is the number of users, queues or partitions with rows of their own: the ones with the largest shares of the absolute errors.
const mostNames = 10

// ends are classes by their upper ends, which are in them.
type ends []struct {
	end  float64
	name string
}

// times are of run times and walltimes in s, uses of the share of the walltime that a job ran.
var (
	times = ends{{60, "up to 1 min"}, {600, "1-10 min"}, {3600, "10-60 min"}, {4 * 3600, "1-4 h"}, {15 * 3600, "4-15 h"},
		{60 * 3600, "15-60 h"}, {math.Inf(1), "over 60 h"}}
	uses = ends{{0.1, "up to 10%"}, {0.5, "10-50%"}, {0.9, "50-90%"}, {1, "90-100%"}, {math.Inf(1), "beyond"}}
)

func (e ends) of(x float64) int {
	i := 0
	for x > e[i].end {
		i++
	}
	return i
}

func (e ends) name(k int) string { return e[k].name }

var weekdays = []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}

func (c *comparison) groups(clock bool) []Group {
	all := []Group{
		c.group(ByCause, func(i int) int { return int(c.cause[i]) }, func(k int) string { return causeNames[k] }),
		c.group(BySize, func(i int) int { return int(math.Ceil(math.Log2(float64(c.Jobs[i].Procs)))) }, sizeName),
		c.group(ByRunTime, func(i int) int { return times.of(c.Jobs[i].Run) }, times.name),
		c.group(ByWalltime, func(i int) int { return times.of(c.Jobs[i].Walltime) }, times.name),
		c.group(ByUse, func(i int) int { return uses.of(c.Jobs[i].Run / c.Jobs[i].Walltime) }, uses.name),
	}
	if clock {
		all = append(all,
			c.group(ByHour, func(i int) int { return int(within(c.Jobs[i].Clock, day) / 3600) }, hourName),
			c.group(ByStart, func(i int) int { return int(within(c.Jobs[i].Clock+c.Jobs[i].Recorded, day) / 3600) }, hourName),
			c.group(ByWeekday, func(i int) int { return int(within(c.Jobs[i].Clock-4*day, week) / day) }, func(k int) string { return weekdays[k] }))
	}
	for k := range all[0].Classes {
		name := all[0].Classes[k].Name
		_, all[0].Classes[k].Without = moving(c.Jobs, func(i int) bool { return causeNames[c.cause[i]] != name })
	}
	of := func(n int32, name string) string {
		if n < 0 {
			return "not known"
		}
		return name
	}
	all = append(all,
		c.named(ByQueue, func(i int) string { return of(c.Jobs[i].Queue, c.name(c.Jobs[i].Queue)) }),
		c.named(ByPartition, func(i int) string { return of(c.Jobs[i].Partition, c.name(c.Jobs[i].Partition)) }),
		c.named(ByUser, func(i int) string { return of(c.Jobs[i].User, strconv.Itoa(int(c.Jobs[i].User))) }))
	return slices.DeleteFunc(all, func(g Group) bool { return len(g.Classes) < 2 && g.By != ByCause }) // that tells nothing
}

// within is x less whole rounds.
func within(x, round float64) float64 { return x - round*math.Floor(x/round) }

func hourName(k int) string { return fmt.Sprintf("%02d", k) }

func sizeName(k int) string {
	high := 1 << k
	if low := high/2 + 1; low < high {
		return fmt.Sprintf("%d-%d", low, high)
	}
	return strconv.Itoa(high)
}

func (c *comparison) group(by string, of func(i int) int, name func(k int) string) Group {
	classes := make([]int, len(c.Jobs))
	for i := range classes {
		classes[i] = of(i)
	}
	seen := slices.Compact(slices.Sorted(slices.Values(classes)))
	return Group{by, text.Each(seen, func(k int) Class { return c.class(name(k), func(i int) bool { return classes[i] == k }) })}
}

// named sorts jobs by a name; those beyond the most are one class.
func (c *comparison) named(by string, of func(i int) string) Group {
	off := map[string]float64{}
	names := make([]string, len(c.Jobs))
	for i := range names {
		names[i] = of(i)
		off[names[i]] += math.Abs(c.Jobs[i].err())
	}
	order := slices.SortedFunc(maps.Keys(off), func(a, b string) int { return cmp.Or(cmp.Compare(off[b], off[a]), cmp.Compare(a, b)) })
	at := map[string]int{}
	for k, name := range order {
		at[name] = min(k, mostNames)
	}
	return c.group(by, func(i int) int { return at[names[i]] }, func(k int) string {
		if k == mostNames && len(order) > mostNames+1 {
			return fmt.Sprintf("the other %d", len(order)-mostNames)
		}
		return order[k]
	})
}
