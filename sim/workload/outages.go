package workload

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"
	"time"

	"schedsweep/sim"
)

// Idle is a time in which no node of a class was used, though jobs of the class waited.
type Idle struct {
	// From and Until are in seconds of the workload's time.
	From, Until float64
	// Class is the node class.
	Class string
	// Waited is for how many seconds of it some job waited.
	Waited float64
}

// An outage takes at least half an hour, and jobs wait for ten minutes of it: a class that is idle for want of jobs is in service.
const (
	shortestOutage = 1800 // s
	leastWaiting   = 600  // s
)

// Outages are the times of at least 30 min in which no node of a class was used while jobs of the class waited for at
// least 10 min. Use is by the recorded starts. They come in order of their begin. class names the class of a job.
func Outages(src sim.Source, records sim.Records, class func(*sim.JobSpec) (string, error)) ([]Idle, error) {
	if records == nil || !records.Waits() {
		return nil, fmt.Errorf("the workload has no recorded starts: it is no log, or its log has no wait times above 0 (field 3 of SWF, the " +
			"start in a table)")
	}
	type span struct{ from, until float64 }
	waits, runs := map[string][]span{}, map[string][]span{}
	if _, err := Each(src, func(_ int, j *sim.JobSpec) error {
		wait := records.Wait(j.Record)
		if wait < 0 || j.RunTime <= 0 {
			return nil
		}
		c, err := class(j)
		if err != nil {
			return err
		}
		start := j.Submit + wait
		waits[c], runs[c] = append(waits[c], span{j.Submit, start}), append(runs[c], span{start, start + j.RunTime})
		return nil
	}); err != nil {
		return nil, err
	}
	// joined are the spans as disjoint ones, ascending.
	joined := func(all []span) (out []span) {
		slices.SortFunc(all, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.until, b.until)) })
		for _, s := range all {
			if last := len(out) - 1; last >= 0 && s.from <= out[last].until {
				out[last].until = max(out[last].until, s.until)
			} else {
				out = append(out, s)
			}
		}
		return out
	}
	var out []Idle
	for c := range runs {
		used, waiting := joined(runs[c]), joined(waits[c])
		for i := range used[1:] {
			idle := Idle{From: used[i].until, Until: used[i+1].from, Class: c}
			first := sort.Search(len(waiting), func(k int) bool { return waiting[k].until > idle.From })
			for _, w := range waiting[first:] {
				idle.Waited += max(0, min(w.until, idle.Until)-max(w.from, idle.From))
				if w.from >= idle.Until {
					break
				}
			}
			if idle.Until-idle.From >= shortestOutage && idle.Waited >= leastWaiting {
				out = append(out, idle)
			}
		}
	}
	slices.SortFunc(out, func(a, b Idle) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Class, b.Class)) })
	return out, nil
}

// WriteOutages writes outages as CSV that the platform's events read: nodes that go down unannounced, or are drained (what
// to do). Times are dates where the log has a clock, else seconds. start is time 0, in the log's zone where that is known; dates have its
// offset then, for a local time may come twice.
func WriteOutages(w io.Writer, all []Idle, start time.Time, zoned bool, do string) error {
	layout := "2006-01-02T15:04:05.999999"
	if zoned {
		layout += "Z07:00"
	}
	at := func(s float64) string {
		if start.IsZero() {
			return strconv.FormatFloat(s, 'f', -1, 64)
		}
		return start.Add(time.Duration(math.Round(s*1e6)) * time.Microsecond).Format(layout)
	}
	out := csv.NewWriter(w)
	rows := [][]string{{"from", "to", "nodes", "do", "known"}}
	for _, o := range all {
		rows = append(rows, []string{at(o.From), at(o.Until), o.Class, do, "not"})
	}
	return out.WriteAll(rows)
}
