package frame

import (
	"math"
	"strings"

	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// fates are the columns that count jobs of an instance which did not do all their work, and what this means for a mean.
var fates = [...]struct{ column, said string }{
	{ColumnRejected, "were rejected, and are not in it"},
	{ColumnKilled, "were killed, and count with the time that they ran"},
}

// unfinished returns the warnings about jobs of some rows that were rejected or killed.
func (d Drifts) unfinished(rows []int32) (ws []stats.Warning) {
	jobs := d.frame.Held(ColumnJobs)
	for _, fate := range fates {
		column := d.frame.Held(fate.column)
		if jobs == nil || column == nil || jobs.IsText() || column.IsText() {
			continue
		}
		some, all := 0., 0.
		for _, row := range rows {
			if n, of := column.Number(row), jobs.Number(row); stats.Finite(n) && stats.Finite(of) {
				some, all = some+n, all+of
			}
		}
		if some > 0 {
			ws = append(ws, stats.Warnf(stats.Unfinished, "%.0f of %.0f jobs %s", some, all, fate.said))
		}
	}
	return ws
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
func ofWorkload(axes []string) (names []string) {
	for _, axis := range axes {
		if section, _, _ := strings.Cut(axis, "."); section == "workload" {
			names = append(names, axis)
		}
	}
	return names
}
