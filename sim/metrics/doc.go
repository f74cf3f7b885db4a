// Package metrics turns a run into numbers. A [Collector] watches a run and
// then gives one value for each metric of the [Catalog], whose entries are the
// metrics' definitions.
//
// Means are sums in the order in which jobs end, compensated (Neumaier), so
// that they repeat bit for bit and lose nothing over millions of jobs. Only
// quantiles need memory for each job; they are given up above [MaxQuantileJobs].
// The steady-state metrics judge a run of any length in bounded memory.
//
// What it does not do: it compares no runs and computes no intervals. That needs
// many instances and is the work of package analysis.
package metrics
