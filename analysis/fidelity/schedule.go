package fidelity

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// schedule is the recorded one: how many processors are in use from each time on.
type schedule struct {
	at   []float64 // ascending; the first is before all
	busy []int32   // from at[i] to at[i+1]
	// least and most are trees over busy: node i has the children 2i and 2i+1, leaves begin at len(busy).
	least, most []int32
	empty       []span // ascending: longer than a cycle, in which nothing runs

	from, to float64 // of the compared jobs: the first start and the last end

	submits, starts, prompt []float64           // ascending: of all jobs, and submissions of jobs that started at once
	ends                    map[int32][]float64 // by user, ascending
}

// span is a time from one instant to another, in s.
type span struct{ from, to float64 }

func newSchedule(jobs []Job) *schedule {
	type change struct {
		at    float64
		procs int32
	}
	s := &schedule{at: []float64{math.Inf(-1)}, busy: []int32{0}, ends: map[int32][]float64{}, from: math.Inf(1), to: math.Inf(-1)}
	changes := make([]change, 0, 2*len(jobs))
	for i := range jobs {
		j := &jobs[i]
		start := j.start()
		s.submits, s.starts = append(s.submits, j.Submit), append(s.starts, start)
		if j.Recorded == 0 {
			s.prompt = append(s.prompt, j.Submit)
		}
		s.ends[j.User] = append(s.ends[j.User], start+j.Run)
		if j.Run > 0 && !j.Beside {
			s.from, s.to = min(s.from, start), max(s.to, start+j.Run)
		}
		if j.Run > 0 {
			changes = append(changes, change{start, j.Procs}, change{start + j.Run, -j.Procs})
		}
	}
	slices.Sort(s.submits)
	slices.Sort(s.starts)
	slices.Sort(s.prompt)
	for _, ends := range s.ends {
		slices.Sort(ends)
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	for _, c := range changes {
		last := len(s.at) - 1
		if c.at > s.at[last] {
			s.at, s.busy = append(s.at, c.at), append(s.busy, s.busy[last])
			last++
		}
		s.busy[last] += c.procs
	}
	for i, to := range append(s.at[1:len(s.at):len(s.at)], math.Inf(1)) {
		if e := (span{s.at[i], to}); s.busy[i] == 0 && e.to-e.from > cycleLength {
			s.empty = append(s.empty, e)
		}
	}
	n := len(s.busy)
	s.least, s.most = slices.Concat(make([]int32, n), s.busy), slices.Concat(make([]int32, n), s.busy)
	for i := n - 1; i > 0; i-- {
		s.least[i], s.most[i] = min(s.least[2*i], s.least[2*i+1]), max(s.most[2*i], s.most[2*i+1])
	}
	return s
}

// within is the fewest and the most processors in use in [from, to). O(log jobs).
func (s *schedule) within(from, to float64) (least, most int32) {
	n := len(s.busy)
	low := sort.Search(n, func(i int) bool { return s.at[i] > from }) - 1
	high := max(low+1, sort.SearchFloat64s(s.at, to))
	least, most = s.busy[low], s.busy[low]
	for i, k := low+n, high+n; i < k; i, k = i/2, k/2 {
		if i&1 == 1 {
			least, most = min(least, s.least[i]), max(most, s.most[i])
			i++
		}
		if k&1 == 1 {
			k--
			least, most = min(least, s.least[k]), max(most, s.most[k])
		}
	}
	return least, most
}

// emptied reports whether nothing runs for longer than a cycle in [from, to). O(log jobs).
func (s *schedule) emptied(from, to float64) bool {
	i := sort.Search(len(s.empty), func(i int) bool { return s.empty[i].to-from > cycleLength })
	return i < len(s.empty) && min(to, s.empty[i].to)-max(from, s.empty[i].from) > cycleLength
}

// ahead returns the number of jobs that were submitted before a time and wait at it.
func (s *schedule) ahead(t float64) int {
	upTo := func(of []float64) int { return sort.Search(len(of), func(i int) bool { return of[i] > t }) }
	now := upTo(s.prompt) - sort.SearchFloat64s(s.prompt, t) // submitted and started at t
	return sort.SearchFloat64s(s.submits, t) - (upTo(s.starts) - now)
}

// waitsIn is for how long, of a time [from, to) in which nothing starts, some job waits.
func (s *schedule) waitsIn(from, to float64) float64 {
	arrived, started := sort.SearchFloat64s(s.submits, to), sort.SearchFloat64s(s.starts, to)
	if arrived == started {
		return 0
	}
	return to - max(from, s.submits[started])
}

// Machine holds properties of the machine that the recorded schedule shows between the first start and the last end of the compared jobs.
type Machine struct {
	Procs  int     // that it has
	Peak   int     // most in use
	Beyond float64 // s in which more are in use than it has
	// Emptied counts the times when nothing ran for more than 60 s while some job waited, and EmptyTime sums them in s.
	Emptied   int
	EmptyTime float64
	Use       float64
}

func (s *schedule) machine(procs int) Machine {
	m := Machine{Procs: procs}
	area := 0.0
	for i := 1; i+1 < len(s.at); i++ {
		from, to := max(s.at[i], s.from), min(s.at[i+1], s.to)
		busy, length := int(s.busy[i]), to-from
		if length <= 0 {
			continue
		}
		m.Peak = max(m.Peak, busy)
		area += float64(busy) * length
		switch {
		case busy > procs:
			m.Beyond += length
		case busy == 0:
			if waits := s.waitsIn(from, to); waits > cycleLength {
				m.Emptied++
				m.EmptyTime += waits
			}
		}
	}
	if s.to > s.from {
		m.Use = area / float64(procs) / (s.to - s.from)
	}
	return m
}

// The causes, in the order in which they are looked for; see the package.
const (
	prompt = iota
	cycle
	emptied
	afterOwn
	held
	passed
	partly
	full
)

var causeNames = []string{"started at once", "one cycle", "emptied", "after own job", "held", "passed", "fitted at times", "full"}

// cycleLength is for how long a scheduler need not look, in s.
const cycleLength = 60

// cause returns the cause of a job's wait that the recorded schedule shows.
func (s *schedule) cause(j *Job, procs int) int {
	switch {
	case j.Recorded == 0:
		return prompt
	case j.Recorded <= cycleLength:
		return cycle
	}
	least, most := s.within(j.Submit, j.Submit+j.Recorded)
	switch free := procs - int(j.Procs); {
	case s.emptied(j.Submit, j.Submit+j.Recorded):
		return emptied
	case s.afterOwn(j, 0):
		return afterOwn
	case int(most) <= free && s.ahead(j.Submit) == 0:
		return held
	case int(most) <= free:
		return passed
	case int(least) <= free:
		return partly
	}
	return full
}
