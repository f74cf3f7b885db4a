package frame

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"schedsweep/analysis/stats"
)

// Identical is the reason why there is no interval.
const Identical = "all replications are identical: nothing in the workload is random"

// Sample is the selection of the jobs of a log or list in one replication.
type Sample struct {
	// Of jobs there were, Jobs were taken. NaN where a model draws the jobs.
	Of, Jobs float64
	// First is the position of the first one taken where they are a contiguous
	// run, NaN where single jobs are drawn at random.
	First float64
	// Digest is equal for replications that played the same jobs in the same way;
	// NaN where it is not known, and where a policy drew random numbers.
	Digest float64
}

// Sharing describes the common jobs of replications.
type Sharing struct {
	// Replications is the number of replications, Distinct the number of replications with
	// different jobs, or the same jobs in different ways.
	Replications, Distinct int
	// Overlap is the share of their jobs that two replications have in common, in the mean over all pairs, from 0 to 1. It is NaN for
	// fewer than two, and where models draw the jobs.
	Overlap float64
	// Most is the largest number of replications of this length that share no job of the log. It is 0 where that is
	// no bound, as models have no end and policies that draw differ on the same jobs.
	Most int
	// Users is the number of users of the log, from which the replications draw theirs; 0 where none are.
	Users int
}

// manyUsers is from how many users on intervals over drawn ones are taken for what they say: as good as those over as many
// independent values, of heavy tails.
const manyUsers = 100

// SharingOf measures samples, one for each replication. Of single jobs drawn at
// random it gives the expectation: two sets of n among N share n*n/N jobs.
// O(n log n). It sorts them.
func SharingOf(samples []Sample) Sharing {
	s := sharingOf(samples)
	// Where the same jobs are played in several ways there is no end of them.
	if math.IsNaN(s.Overlap) || s.Overlap > allShared && s.Distinct > 1 {
		return s
	}
	most := math.Inf(1)
	for _, x := range samples {
		if math.IsNaN(x.Digest) {
			return s
		}
		most = min(most, x.Of/x.Jobs)
	}
	s.Most = max(1, int(most))
	return s
}

func sharingOf(samples []Sample) Sharing {
	s := Sharing{Replications: len(samples), Overlap: math.NaN()}
	digests := map[float64]bool{}
	for _, x := range samples {
		if math.IsNaN(x.Digest) {
			s.Distinct++ // as far as known
			continue
		}
		digests[x.Digest] = true
	}
	s.Distinct += len(digests)
	if len(samples) < 2 || slices.ContainsFunc(samples, func(x Sample) bool { return math.IsNaN(x.Of) || !(x.Jobs > 0) }) {
		return s
	}
	pairs := float64(len(samples)) * float64(len(samples)-1) / 2
	if slices.ContainsFunc(samples, func(x Sample) bool { return math.IsNaN(x.First) }) {
		// Drawn by any two rules, independent of one another: each job of one is in
		// the other with the probability of the other's share.
		total, squares := 0.0, 0.0
		for _, x := range samples {
			total += x.Jobs / x.Of
			squares += (x.Jobs / x.Of) * (x.Jobs / x.Of)
		}
		// The mean of f*g over pairs, as a share of the jobs of one.
		s.Overlap = min(1, (total*total-squares)/2/pairs/(total/float64(len(samples))))
		return s
	}
	s.Overlap = windowsShared(samples) / pairs
	return s
}

// windowsShared sums over all pairs of contiguous runs the share of their jobs
// that they have in common. Runs of one length are compared in order of their
// beginnings, so that only overlapping ones are compared.
func windowsShared(samples []Sample) float64 {
	sorted := samples
	slices.SortFunc(sorted, func(a, b Sample) int { return cmp.Compare(a.First, b.First) })
	longest := slices.MaxFunc(sorted, func(a, b Sample) int { return int(a.Jobs - b.Jobs) }).Jobs
	if slices.ContainsFunc(sorted, func(x Sample) bool { return x.Jobs != longest }) {
		sum := 0.0
		for i, a := range sorted {
			for _, b := range sorted[i+1:] {
				common := max(0, min(a.First+a.Jobs, b.First+b.Jobs)-b.First)
				sum += 2 * common / (a.Jobs + b.Jobs)
			}
		}
		return sum
	}
	sum, met, firsts := 0.0, 0, 0.0 // met runs before this one reach into it
	for i, b := range sorted {
		for met > 0 && sorted[i-met].First+longest <= b.First {
			firsts -= sorted[i-met].First
			met--
		}
		sum += float64(met) + (firsts-float64(met)*b.First)/longest
		firsts += b.First
		met++
	}
	return sum
}

// The columns of the instances dataset by which replications are compared.
const (
	ColumnSampleOf    = "sample_of"
	ColumnSampleFirst = "sample_first"
	ColumnJobsDigest  = "jobs_digest"
	ColumnJobs        = "jobs"
	ColumnMeasured    = "measured_jobs" // of the jobs; no such column where all are
	ColumnRejected    = "rejected"
	ColumnKilled      = "killed"
	ColumnStreams     = "policy_streams"
	ColumnUsers       = "log_users"
)

// muchShared is the share of jobs from which on replications are not taken for independent without a word.
const muchShared = 0.05

// allShared is the share from which on replications play the same jobs.
const allShared = 0.9995

// Sharers measures sharing where some replications of a frame took their jobs from a log; nil where none did.
type Sharers struct {
	frame              *Frame
	ok                 []bool
	replication, point []int32        // of each row, points in the order of the axes' values
	workloads          func() []int32 // of each row a code of its values of axes of the workload; only comparisons need it
}

// NewSharers returns nil where no replication took its jobs from a log. The frame's replications are r.
func NewSharers(f *Frame, d *Design, r *Replications) *Sharers {
	known := func(name string) bool {
		c := f.Held(name)
		return c != nil && !c.IsText() && slices.ContainsFunc(Every(f), func(row int32) bool { return stats.Finite(c.Number(row)) })
	}
	if !known(ColumnSampleOf) && !known(ColumnUsers) {
		return nil
	}
	return &Sharers{f, r.OK, r.of, GroupBy(f, d.Axes, nil).Of, sync.OnceValue(func() []int32 {
		workloads, _ := CodesBy(f, ofWorkload(d.Axes))
		return workloads
	})}
}

// Of measures the replications among some rows, such as those of one point; the zero value where nothing is known of them.
// Rows of one replication count once, and rows without an answer not at all. In a dataset that was written without the
// columns all replications count as distinct, and so do replications whose policy drew random numbers at some row.
func (s *Sharers) Of(rows []int32) Sharing {
	if s == nil {
		return Sharing{}
	}
	// The first of a replication must not depend on the order of the rows, and be of the same point in all.
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(s.point[a], s.point[b]) })
	number := func(name string, row int32) float64 {
		if c := s.frame.Held(name); c != nil && !c.IsText() {
			return c.Number(row)
		}
		return math.NaN()
	}
	seen := map[int32]int{} // its place among the samples
	samples := make([]Sample, 0, len(rows))
	users := 0
	for _, row := range rows {
		if s.ok != nil && !s.ok[row] {
			continue
		}
		r := s.replication[row]
		i, known := seen[r]
		if !known {
			i, seen[r] = len(samples), len(samples)
			jobs := number(ColumnMeasured, row)
			if math.IsNaN(jobs) {
				jobs = number(ColumnJobs, row)
			}
			samples = append(samples, Sample{Of: number(ColumnSampleOf, row), Jobs: jobs, First: number(ColumnSampleFirst, row),
				Digest: number(ColumnJobsDigest, row)})
		}
		if n := number(ColumnUsers, row); n > 0 && (users == 0 || int(n) < users) {
			users = int(n)
		}
		if number(ColumnStreams, row) > 0 {
			samples[i].Digest = math.NaN()
		}
	}
	sharing := SharingOf(samples)
	sharing.Users = users
	return sharing
}

// Dependent reports whether replications share jobs enough to make their intervals too narrow.
func (s Sharing) Dependent() bool {
	return s.Distinct > 1 && s.Overlap >= muchShared && s.Overlap <= allShared
}

// Same reports that all replications are one.
func (s Sharing) Same() bool { return s.Replications > 1 && s.Distinct == 1 }

func (s Sharing) Remarks() []stats.Warning {
	var ws []stats.Warning
	if s.Users > 0 && s.Users < manyUsers {
		ws = append(ws, stats.Warnf(stats.Sharing, "users are drawn from the %d of the log: the interval is about these and no others, and with "+
			"fewer than %d it is too narrow", s.Users, manyUsers))
	}
	if s.Distinct > 1 && s.Distinct < s.Replications {
		ws = append(ws, stats.Warnf(stats.Sharing, "only %d of %d replications differ: the others repeat their jobs, and the interval is too "+
			"narrow", s.Distinct, s.Replications))
	}
	switch {
	case s.Distinct > 1 && s.Overlap > allShared:
		ws = append(ws, stats.Warnf(stats.Sharing, "the %d replications play the same jobs and differ in their random draws: the interval "+
			"is about that, and about no other jobs", s.Replications))
	case s.Dependent():
		ws = append(ws, stats.Warnf(stats.Sharing, "the %d replications share %.0f %% of their jobs in the mean: they are not independent, "+
			"and the interval is too narrow", s.Replications, 100*s.Overlap))
	}
	return ws
}
