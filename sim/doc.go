// Package sim is the simulation engine of schedsweep: it plays a stream of
// parallel jobs through a scheduling policy on a platform and tells observers
// what happened.
//
// The pieces are few. A [Source] yields jobs in order of submission. A [Policy]
// decides which waiting job starts where and when; it acts through the [State].
// A [Progress] model says how fast running jobs advance, from "as the log says"
// to shared links, through the [Rates]. An [Observer] watches by a
// [View]. Only the engine writes a [Job]. One loop, [Engine.Run],
// serves every study: it owns the clock, the event heap and the processors.
//
// The package is pure. It reads no clock and no file, starts no goroutine, has
// no global random state and never lets the order of a map decide anything: a
// run is a function of its [Config] alone, bit for bit.
//
// What it does not do: it reads no logs (package workload), names no presets of
// machines (package platform), computes no statistics (package metrics) and
// writes nothing.
//
// What lies outside reaches a policy by its [Env], through who drives the engine.
//
// # Glossary
//
// Papers of the field use different words for the same thing; these are ours.
//
//   - job: a rigid parallel job. Its processors (size, width) are fixed.
//   - submit time: when the job enters the queue (arrival, release date).
//   - run time: how long it runs undisturbed (length, actual or base time).
//   - walltime: the user's estimate, an upper limit by which planners plan
//     (requested time).
//   - wait time: start - submit.
//   - response time: finish - submit (turnaround, flow time, sojourn time).
//   - slowdown: response time / run time; bounded slowdown divides by at least
//     a threshold and is never below 1.
//   - suspended: preempted; holds no processors, does nothing and keeps what it
//     has done, until it is resumed on the same processors.
//   - metric: a number of a run; what gives its value is a [Meter].
//   - makespan: last finish - first submission.
//   - utilisation: busy processor-seconds / (processors * measured time).
//   - backlog: the processor-seconds of jobs that a machine, which works them off
//     one after the other with all processors, has not done yet.
//   - availability profile: free processors as a function of time, by walltimes.
//   - rules: what a published simulator does where its kin differ, beside its
//     [EventOrder]; a policy's own parameter.
//   - priority: the order of a queue; its period is how long a key holds.
//   - eligible: of a job, allowed to start at a time at all, such as in a session.
//   - limit: what jobs of a user, account or the like may have at one time. A job that a
//     limit holds waits without a reservation; one held to the end is withheld.
//   - fair share: the order by what users have used of their shares; the fair tree
//     ranks users below accounts. Usage is processor-seconds, which may decay.
//   - placement: the rule that chooses a job's processors.
//   - plan: who holds processors from when to when, in which places are searched.
//   - reservation: a waiting job's planned start (and processors); a promise
//     where no job may delay it.
//   - shadow time: when the head of the queue can start at the latest, under
//     EASY backfilling; extra processors: the processors free beside it then.
//   - co-allocation: one job on several clusters at once.
//   - record: the data of a log on a job beyond those needed to run it. The recorded
//     start of a job is its submission plus the recorded wait.
//   - preceding job, think time: the job for whose end another one waited, and the time
//     from that end to the other's submission. A batch is jobs of a user that did not
//     wait for one another. With feedback, the ends of jobs decide when others are
//     submitted ([Responsive]).
//   - saturated: of a link, that its users need more than it carries.
//   - sample: the jobs of a log or list that a replication plays. In a manifest, sample:
//     is a set of points drawn over many knobs. In package analysis/stats it is a set of
//     numbers. Replications agree where all their metrics are the same; they then have no
//     interval.
//   - part: of a dataset a file, of a claim one of its tests. The part of a job says whether
//     it is measured ([Part]).
//   - time slot: the unit of time in which the policy oas plans.
//   - coscheduling: several jobs on one node at once.
//   - share: of a processor's time, what a job has while others have the rest; a
//     grant is a share with a promise, below which it does not fall for a time.
//   - site: a cluster as a machine that all of its jobs share.
//   - module: a program that decides in a policy's place, in messages.
//   - killed: ended with work left, at the walltime or by the policy.
//   - energy: the integral of power. The state of a processor (busy, idle or down) sets its power.
//   - processes per node (PPN): how many of a job's processes share a node.
package sim
