// Package policy is the parent of the scheduling policies, one package a family:
//
//   - queue: one queue, many orders, without and with backfilling (scan, EASY,
//     conservative)
//   - placement: conservative backfilling that chooses processors: contiguity,
//     locality
//   - coallocation: several clusters, jobs migrate or are spread over them
//   - timeslice: classes of jobs that share the machine by slices of time
//   - lomarc: the same with groups of matched jobs that share nodes
//   - oas: sets of jobs placed on several clusters by a solver, and by heuristics
//   - external: a scheduling module in another process
//   - switching: one policy after another, at simulated times
//   - profile: the availability profile that planning policies share
//   - contract: the suite that every policy passes
//
// A policy registers itself in sim.Policies from an init function in its own
// file.
package policy
