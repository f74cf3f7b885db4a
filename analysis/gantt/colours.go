package gantt

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/sweep/text"
)

// The meaning of a colour.
const ByJob, ByUser, BySize = "job", "user", "size"

const mostUsers = 6

// coloursOf returns the colour of a job, the same in all schedules, and the meaning of colours; no names where each job has its own.
func coloursOf(schedules []*Schedule, by string) (of func(*Job) int, names []string) {
	switch by {
	case BySize:
		most := 0
		for _, s := range schedules {
			for i := range s.Jobs {
				most = max(most, s.Jobs[i].Procs)
			}
		}
		// Powers of 8: seven colours are for two million processors.
		class := func(procs int) int { return (bits.Len(uint(max(procs, 1))) - 1) / 3 }
		for k := range class(most) + 1 {
			names = append(names, fmt.Sprintf("%d to %d processors", 1<<(3*k), 1<<(3*k+3)-1))
		}
		return func(j *Job) int { return class(j.Procs) }, names
	case ByUser:
		work := map[string]float64{}
		for _, s := range schedules {
			for i := range s.Jobs {
				j := &s.Jobs[i]
				work[j.User] += float64(j.Procs) * (j.Finish - j.Start)
			}
		}
		users := slices.SortedFunc(maps.Keys(work), func(a, b string) int { return cmp.Or(cmp.Compare(work[b], work[a]), cmp.Compare(a, b)) })
		first := users[:min(mostUsers, len(users))]
		for _, u := range first {
			if names = append(names, "user "+u); u == "" {
				names[len(names)-1] = "no user"
			}
		}
		if len(users) > mostUsers {
			names = append(names, text.Counted(len(users)-mostUsers, "other user"))
		}
		return func(j *Job) int {
			if at := slices.Index(first, j.User); at >= 0 {
				return at
			}
			return mostUsers
		}, names
	default:
		known := map[string]int{}
		return func(j *Job) int {
			if _, ok := known[j.ID]; !ok {
				known[j.ID] = len(known) % figure.Black // no job looks like a gap
			}
			return known[j.ID]
		}, nil
	}
}
