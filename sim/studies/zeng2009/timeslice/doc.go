// Package timeslice is Scojo-PECT, coarse-grain preemptive time slicing of a
// cluster by classes of jobs, after B. Esbaugh and A. Sodan, "Coarse-grain time
// slicing with resource-share control in parallel-job scheduling" (HPCC 2007),
// as X. Zeng and A. Sodan (JSSPP 2009) use it.
//
// Jobs are short, medium or long by their walltime. Each class has the whole
// machine for itself, as a virtual machine, during its slice of every interval;
// at the slice's end all that runs is preempted, and resumes on its nodes later.
// A class plans in a time of its own that passes only during its slices. Nodes
// that a slice leaves idle go to jobs of other classes until its end.
//
// [Scheduler] is the mechanism; who starts how inside a class's own slice is
// exchangeable by its field Match, which is how package lomarc builds on it. A
// node belongs to one unit of jobs at a time: a [Unit] is what is preempted and
// resumed together.
//
// At the start of a slice nothing runs until the overhead is over: what is
// resumed or started, is so then.
package timeslice
