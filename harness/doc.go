// Package harness runs a sweep: it finds and parses the input files, turns each
// instance of a plan into a simulation, spreads the simulations over a pool of
// workers, and writes their rows into a run folder, from which an interrupted
// run goes on.
//
//	manifest -> sweep.Plan -> pool of workers -> rows -> store (Parquet)
//
// An instance is a pure function of its parameters; the harness adds to it what
// the world adds: a clock, a time limit, a file system, panics. One instance
// that fails is a row that says so and hurts no other. Nothing here grows with
// the number of instances but what the rows tell of each: some tens of bytes while
// a run begins, and a few, for its order and its outcome, while it goes on.
//
// What it does not do: it computes no statistics over instances (package
// analysis) and prints nothing (the command hands it a [Reporter]).
package harness
