// Package metrics turns a run into numbers. A file adds some: their definitions
// and the [Observer] that computes them, by [Add]. A [Collector] is all of these
// observers as one; its values are those of the [Catalog].
//
// Means are sums in the order in which jobs end, compensated (Neumaier), so
// that they repeat bit for bit and lose nothing over millions of jobs. Only
// quantiles need memory for each job; they are given up above [MaxQuantileJobs].
// The steady-state metrics judge a run of any length in bounded memory.
//
// What it does not do: it compares no runs and computes no intervals. That needs
// many instances and is the work of package analysis. Nor does it know what only
// one policy or progress model can tell, such as the number of groups formed:
// their kinds have metrics of their own.
package metrics
