// Package progress holds the models of how fast running jobs advance. Each
// registers itself in sim.ProgressModels from its own file.
//
// A model knows running jobs, their allocations and the platform; it knows
// neither the queue nor the policy.
package progress
