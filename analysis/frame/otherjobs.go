package frame

import (
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// NeverStarted describes the jobs that [ColumnRejected] counts.
const NeverStarted = "rejected, withheld or over-cap"

// fates are the columns that count jobs of an instance which did not do all their work, and what this means for a mean.
var fates = [...]struct{ column, said string }{
	{ColumnRejected, "were " + NeverStarted + ", and are not in it"},
	{ColumnKilled, "were killed, and count with the time that they ran"},
}

// JobCounts are the columns that count jobs. Rows have them for each class too.
var JobCounts = []string{ColumnJobs, "finished", ColumnKilled, ColumnRejected}

// unfinished returns the warnings about jobs of some rows that were rejected or killed: jobs of the class where rows count those of
// the metric's class, else all jobs of the runs. A number of jobs has no such warning.
func (d Drifts) unfinished(metric string, rows []int32) (ws []stats.Warning) {
	name, class, ofClass := strings.Cut(metric, "__")
	if slices.Contains(JobCounts, name) {
		return nil
	}
	of, whose, beside := "", "", ""
	if ofClass && d.frame.Head(ColumnJobs+"__"+class) != nil {
		of, whose = "__"+class, " of the class"
	} else {
		if ofClass {
			whose = " of all classes"
		}
		if measured, all := d.sums(ColumnMeasured, ColumnJobs, rows); measured < all {
			beside = " (counted with the jobs that are not measured)"
		}
	}
	for _, fate := range fates {
		if some, all := d.sums(fate.column+of, ColumnJobs+of, rows); some > 0 {
			ws = append(ws, stats.Warnf(stats.Unfinished, "%.0f of %.0f jobs%s %s%s", some, all, whose, fate.said, beside))
		}
	}
	return ws
}

// sums adds up two columns over the rows that have both; 0 where the frame lacks one.
func (d Drifts) sums(a, b string, rows []int32) (ofA, ofB float64) {
	first, second := d.frame.Held(a), d.frame.Held(b)
	if first == nil || second == nil || first.IsText() || second.IsText() {
		return 0, 0
	}
	for _, row := range rows {
		if x, y := first.Number(row), second.Number(row); stats.Finite(x) && stats.Finite(y) {
			ofA, ofB = ofA+x, ofB+y
		}
	}
	return ofA, ofB
}

// OtherJobs returns the warning about two sides of a comparison that have other jobs of a log where all values of their workloads are
// the same: the difference is then that of the jobs too.
func (s *Sharers) OtherJobs(a, b []int32) []stats.Warning {
	if s == nil || s.frame.Held(ColumnJobsDigest) == nil {
		return nil
	}
	here, there := s.digests(a), s.digests(b)
	other, of := map[int32]bool{}, map[int32]bool{}
	for at, digests := range here {
		if theirs, both := there[at]; both {
			of[at.replication] = true
			if digests != theirs {
				other[at.replication] = true
			}
		}
	}
	if len(other) == 0 {
		return nil
	}
	return []stats.Warning{stats.Warnf(stats.OtherJobs, "the sides have different jobs in %d of %s (column jobs_digest): if their machines "+
		"differ in size, give workload.machine_procs", len(other), text.Counted(len(of), "replication"))}
}

type workloadOf struct{ replication, workload int32 }

// digests are the least and the largest digest of the jobs of each replication of each workload among some rows.
func (s *Sharers) digests(rows []int32) map[workloadOf][2]float64 {
	digest, workloads := s.frame.Held(ColumnJobsDigest), s.workloads()
	of := map[workloadOf][2]float64{}
	for _, row := range rows {
		at, x := workloadOf{s.replication[row], workloads[row]}, digest.Number(row)
		if s.ok != nil && !s.ok[row] || !stats.Finite(x) {
			continue
		}
		if known, seen := of[at]; seen {
			of[at] = [2]float64{math.Min(known[0], x), math.Max(known[1], x)}
		} else {
			of[at] = [2]float64{x, x}
		}
	}
	return of
}

// ofWorkload are the axes of the workload.
func ofWorkload(axes []string) []string {
	return text.Those(axes, func(axis string) bool {
		section, _, _ := strings.Cut(axis, ".")
		return section == "workload"
	})
}
