// Package lomarc is G-LOMARC-TS, lookahead group matchmaking for time and space
// sharing on nodes of several cores: X. Zeng and A. Sodan, "Job scheduling with
// lookahead group matchmaking for time/space sharing on multi-core parallel
// machines", JSSPP 2009.
//
// Inside the slices of package timeslice, the first waiting job of a class starts by the option that gains most
// nodes. The gain is over running each job on nodes of its own. The options are a group with other waiting jobs or
// with running ones, whose processes then share nodes, or alone with all cores of its nodes. A group is a primary job
// and matched jobs that lie side by side on its nodes. It is formed only when no job outside of it is delayed beyond
// what its owner was promised.
//
// The package chooses; that slices come and go is none of its business.
package lomarc
