// Package queue holds the policies that keep one queue of waiting jobs: first
// come first served, and backfilling over it.
//
// They know processors as numbers on one machine and leave it to the engine to
// give out the lowest-numbered free ones; policies that choose processors
// themselves live in other packages.
package queue
