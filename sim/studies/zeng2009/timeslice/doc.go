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
package timeslice
