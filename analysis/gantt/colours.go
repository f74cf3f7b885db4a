package gantt

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

// The meaning of a colour.
const ByJob, ByUser, BySize = "job", "user", "size"

const mostUsers = 6

// coloursOf tells the colour of a job, the same in all schedules, and what colours stand for; nil where each job has its own.
func coloursOf(all []*Job, by string) (of func(*Job) int, names []string, err error) {
	switch by {
	case "", ByJob:
		known := map[string]int{}
		return func(j *Job) int {
			if _, ok := known[j.ID]; !ok {
				known[j.ID] = len(known)
			}
			return known[j.ID]
		}, nil, nil
	case BySize:
		most := 0
		for _, j := range all {
			most = max(most, j.Procs)
		}
		// Powers of 8: seven colours are for two million processors.
		class := func(procs int) int { return (bits.Len(uint(max(procs, 1))) - 1) / 3 }
		for k := range class(most) + 1 {
			names = append(names, fmt.Sprintf("%d to %d processors", 1<<(3*k), 1<<(3*k+3)-1))
		}
		return func(j *Job) int { return class(j.Procs) }, names, nil
	case ByUser:
		work := map[string]float64{}
		var users []string
		for _, j := range all {
			if _, ok := work[j.User]; !ok {
				users = append(users, j.User)
			}
			work[j.User] += float64(j.Procs) * (j.Finish - j.Start)
		}
		slices.SortFunc(users, func(a, b string) int { return cmp.Or(cmp.Compare(work[b], work[a]), cmp.Compare(a, b)) })
		for _, u := range users[:min(mostUsers, len(users))] {
			if names = append(names, "user "+u); u == "" {
				names[len(names)-1] = "no user"
			}
		}
		if len(users) > mostUsers {
			names = append(names, fmt.Sprintf("%d other users", len(users)-mostUsers))
		}
		return func(j *Job) int { return min(slices.Index(users, j.User), mostUsers) }, names, nil
	}
	return nil, nil, fmt.Errorf("colours by %q: they can be by job, user or size", by)
}
