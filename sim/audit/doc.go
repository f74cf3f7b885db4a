// Package audit checks a run independently of the policy that made it. It is an
// observer that keeps its own books from the events of a run, and compares.
//
// The invariants, by number:
//
//	A1  Nothing happens before its time: no job starts before its submission or
//	    ends before its start.
//	A2  No processor is used twice: the numbered processors of running jobs are
//	    disjoint, also from those out of service, and on no cluster are more in use than
//	    there are.
//	A3  Every job gets its request: as many processors as its size, and the
//	    numbers agree with the counts on clusters.
//	A4  Every job is accounted for: submitted = finished + killed + rejected, each
//	    submitted once and ended once.
//	A5  Work is conserved: the integral of a finished job's rate is its work; a
//	    killed job has done less. A job's area is the integral of its holds.
//	A6  The clock never goes back.
//	A7  Walltimes hold: where the run kills at the walltime no job runs longer, and
//	    none is killed earlier but by the policy, at that very instant. Suspensions use
//	    nothing of it up.
//	A8  A suspended job holds nothing and does not advance or end; it resumes on the
//	    very processors that it held.
//	A9  Nobody rewrites a job or the machine: at its end a job is what it was at its
//	    submission, held what it is said to have held, and the clusters are as before.
//	A10 No processor is used more than wholly: at every instant the shares of the
//	    jobs that share it sum to 1 at most.
//	A11 Promised shares hold (for policies that are [Promising]): while a promise
//	    lasts, a job's share, or its rate where the promise is an effective one, does
//	    not fall below it, and another promise is no less than what is left of it.
//	A12 No node class holds more processors than it has in service at that time, and no node
//	    more processors, memory or GPUs than it has. No more licences are taken than there are.
//	    A job has what it requested, on nodes with its features.
//	A13 A job runs on nodes of its partition, of one class where the partition does not let it
//	    span classes, and on whole nodes where its partition allocates them.
//	A14 Nothing runs on a processor that is down, and nothing starts on one that is
//	    drained or reserved for others.
//	A15 Limits hold at every instant (for policies that are [sim.SitePolicy]): jobs and processors that run, and jobs in the
//	    system, for each value of the field that a limit is about.
//	A16 Every start ends: starts = ends + requeues. What attempts lost is counted.
//	A17 Nothing of the capacity is lost: on each cluster the processors in use, idle
//	    and out of service (down, drained, reserved) are all that it has, at every instant.
//	A18 Jobs of a partition start in order of priority (for policies that are [Ranked]), without limits, delays, events and backfilling. The
//	    audit keeps its own account of who is next.
//	A20 Nothing runs on a node that is off, boots or shuts down.
//	A21 Nodes change their states only as configured: from on to shutdown after the idle time and while as many others stay on as must, then
//	    to off, to boot, and on again; boot and shutdown take their times.
//	A19 No start, boot or shutdown brings the power above the cap in force. Where jobs are killed for the cap, the power is never above it
//	    at the end of an instant at which jobs run.
//	A22 Energy is conserved: that of each cluster in each state, and that of each job, is the integral of its power; busy
//	    energy is the sum over jobs. Its price and carbon are the integrals of their power times the tariff.
//	A23 No job starts before it is eligible (for policies that are [sim.SitePolicy]): the audit computes the lowest mean tariff itself.
//
// What it does not do: it knows no policy and says nothing about whether a
// schedule is good or keeps a policy's promises; that is the contract suite's.
package audit
