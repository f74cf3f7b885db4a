// Package swf reads and writes job logs in the Standard Workload Format of the
// Parallel Workloads Archive: header lines that begin with a semicolon, then one
// line of 18 numbers for each job (D. G. Feitelson, D. Tsafrir, D. Krakov,
// "Experience with using the Parallel Workloads Archive", JPDC 74, 2014).
//
// Work goes in two steps. [Parse] turns the bytes into a [Log], which holds the
// log as it stands, field by field, and changes nothing. [Log.Prepare] turns a
// log into jobs that can be simulated: the [Rules] say which field gives the
// size and the walltime and what becomes of jobs that cannot have run as
// written, and a [Report] counts every one of these with the lines where they
// stand. A log is parsed once and shared: it does not change, and what Prepare
// derives from it is kept for the next caller.
//
// The package opens no files, knows nothing of simulations and can be used
// alone. It does not clean logs of flurries or other unusual activity; for that
// the archive publishes cleaned versions.
package swf
