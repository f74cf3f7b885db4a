// Package workload says where the jobs of a simulation come from. Job logs are in the Standard Workload Format or in
// tables of any columns; several are merged with a home cluster each. The Lublin-Feitelson model, Poisson streams for
// several clusters, and classes of jobs that come regularly or in bursts draw jobs. A manifest may also list jobs.
// Each source is a kind of the catalog [Kinds], registered by an init function of its own file.
//
// # Transforms
//
// Every kind takes the same [Transforms] after it, in this fixed order:
//
//  1. Rules (logs only): size, walltime, overrun, zero run times; package swf,
//     after package logtable where the log is a table.
//     Then replicate: another log of the same users ([Replicate]). Jobs that wait
//     for others ([Dependencies]) are the ones that steps 1 and 2 leave.
//  2. select: jobs within the bounds of submit time, run time and processors, on
//     the values that step 1 gives and no factor has touched. Then skip, then the sample. Then the jobs around a
//     window that are simulated and not measured, and those of warm_up and cool_down ([sim.Part]).
//  3. run_time_factor multiplies run time and walltime alike; size_factor the
//     processors (rounded half away from zero, at least 1), and refuses jobs that
//     request nodes. Then the transforms of studies apply ([StudyTransforms]), first the
//     ones that shape jobs.
//  4. estimates: the walltime by a model of user estimates.
//  5. walltime_factor multiplies the walltime; then walltime_minimum_factor
//     raises it to at least run time * factor.
//  6. computation_factor and communication_factor: work and traffic from the run
//     time that step 3 gives.
//  7. submit times: shift to 0, offered_load, load_factor, jitter, zero; a start
//     that is reserved is shifted and divided with them.
//  8. round_robin_homes: the home cluster by position.
//
// # Random numbers
//
// Draws come from streams named by what they decide: "arrivals", "sizes",
// "runtimes", "select" ("windows" where they are disjoint), "jitter", "estimates",
// "users", "order", "applications". Transforms of studies have streams of their own. Models with several types,
// classes or clusters add the type's name or the number as a further part. No factor changes how much is drawn, so a
// sweep over factors re-uses the same jobs, and differences between its points are not noise.
//
// # Cost
//
// A [Workload] over a log keeps indices only: a pass costs time linear in the jobs selected. A workload with jobs that
// wait for others is played from a list of its jobs. Generators stream in memory that does not grow with the number of
// jobs. A part that needs a look at all jobs beforehand says so in its documentation (a random sample of a generator,
// offered_load, Tsafrir estimates).
//
// The package opens no file: logs reach it parsed, through [Input].
package workload
