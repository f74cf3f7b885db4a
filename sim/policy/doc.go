// Package policy is the parent of the scheduling policies, one package a family:
//
//   - queue: one queue, many orders, with and without backfilling
//   - profile: the availability profile that planning policies share
//   - contract: the suite that every policy passes
//
// A policy registers itself in sim.Policies from an init function in its own
// file.
package policy
