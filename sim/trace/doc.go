// Package trace writes what happens in a run, an event a line: as JSON for
// programs, or as text for people.
//
// The first line tells of the instance and the last of its outcome; a trace
// without the last was cut off. The others are events in the order in which they
// happen. As JSON each is an object with t (s) and event. An event about a job has job, its number in the workload,
// which need not be unique. It also has seq, its number from 0 in order of submission, which is unique. Then follow,
// in this order:
//
//	event    fields
//	submit   processors, walltime (s), run_time (s, undisturbed), home (cluster), user; where the job has
//	         them, application, share, reserved_start (s), priority, sites
//	start    wait (s), counts (processors on each cluster), allocated (interval set such as "0-3 7")
//	         of a job that shares its processors also share
//	share    share: its part of its processors' time from now on
//	preempt  counts, allocated: processors that it gives back
//	resume   counts, allocated: processors that it holds again
//	requeue  counts, allocated: processors that it gives back; its attempt was killed, and it waits again
//	renumber was: its seq before; it goes behind the others, with this seq from now on
//	kill     none: the policy, an event of the platform or a lower cap ends it; its end or requeue follows
//	end      state (finished, or killed), start (s), counts, allocated
//	reject   none: the policy refused it
//	down     counts, allocated: processors that go out of service; of nodes that are switched also
//	         state (off, boot or shutdown): their state from now on
//	up       counts, allocated: processors that are in service again, or leave this state
//	power    watts: the machine's power from the end of this instant on, where nodes have power
//	wake     none: a wake-up that the policy has requested, and no job
//	message  name, from, to (clusters, null for none), fields (an object): the policy's report
//
// Numbers are written so that they read back bit for bit; NaN and infinities are
// null. Version, in the first line, is raised when a field changes its name or
// meaning; more events and fields may come without.
package trace
