// Package timeslice is Scojo-PECT, coarse-grain preemptive time slicing of a
// cluster by classes of jobs, after B. Esbaugh and A. Sodan, "Coarse-grain time
// slicing with resource-share control in parallel-job scheduling" (HPCC 2007),
// as X. Zeng and A. Sodan (JSSPP 2009) use it.
//
// Jobs are short, medium or long by their walltime. Each class has the whole
// machine for itself, as a virtual machine, during its slice of every interval. At the slice's end all running jobs
// are preempted. They resume on their nodes later. A class plans in a time of its own that passes only during its
// slices. Nodes that a slice leaves idle go to jobs of other classes until its end.
//
// [Scheduler] is the mechanism. Its field Match decides how jobs start inside their class's own slice. It is
// exchangeable, and package lomarc builds on it. A node belongs to one [Unit] at a time: jobs that are preempted and
// resumed together.
//
// At the start of a slice nothing runs until the overhead is over. The scheduler resumes and starts jobs then.
//
// What the paper leaves open, and is no parameter:
//
//   - Slices begin and end by the clock, also while the machine is empty. A job that comes to an empty machine after the
//     overhead of the slice at hand pays none.
//   - Whether an interval has a short slice is decided at its start, after the submissions of that instant. The later
//     ones change nothing.
//   - The plan of a class counts nodes. A job takes the idle nodes with the lowest numbers.
//   - A job that is due while jobs of other classes run on its nodes waits, and its class plans anew at the next event.
//   - Idle nodes of a slice go to preempted jobs in the order of their starts, and to waiting jobs in the order of
//     submission. Medium jobs come before long ones.
//   - A class's plan learns what a job gained in slices of others when the job ends, at the slice's end, or when a
//     job of the class is submitted.
//   - With backfilling easy, a slice's plan for jobs of other classes has the started jobs and the first that is
//     blocked. Waiting jobs of a class go into slices of others by a conservative plan, which also gives the estimates.
//   - Each class counts its compressions from the start of the run, with or without waiting jobs. In slices of
//     other classes, passes compress its plan only while jobs of it wait.
package timeslice
