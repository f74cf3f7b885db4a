// Package plan is the scheduling plan of one site of SCOJO (A. C. Sodan, X. Huang,
// "SCOJO: share-based job coscheduling with integrated dynamic resource directory in
// support of grid scheduling", HPCS 2003, section 3.2): which job has which share of
// the site from when to when.
//
// A reservation is movable, fixed or a hold. A waiting job of the site alone is movable: it is planned anew when
// others end early or come. A job that runs, or that other sites count on, is fixed. A hold is the preliminary
// reservation of a job with requests still open at other sites, which covers all starts that were offered and expires
// by itself.
//
// The plan knows shares and times. Which job deserves which place, and what a share
// is worth beside others, is the policy's business.
package plan
