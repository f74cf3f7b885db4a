// Package engine knows batch engines by what they tell a process: which task of how
// many it is, how many processors and how much time it was given.
//
//	environment, job ad -> [Detect] -> [Found] -> shard, workers, deadline
//
// What the engines call things is a table (table.go); [Detect] is a pure function of
// what it is handed. Engines may be nested, such as srun in a Slurm array: a [Found]
// holds all of them, and the innermost that divides work says which shard this is.
package engine
