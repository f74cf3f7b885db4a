// Package coallocation holds the policies for several clusters that differ in
// where a job may run: no-sharing, migration-only and co-allocation (W. M. Jones,
// L. W. Pang, D. Stanzione, W. B. Ligon, "Job communication characterization and
// its impact on meta-scheduling co-allocated jobs in a mini-grid", IPDPS
// workshops 2004, section 4).
//
// They decide how many processors of each cluster a job gets and leave it to
// the engine to give out the lowest-numbered free ones. They do not know what
// co-allocation costs: that is the progress model's business.
package coallocation
