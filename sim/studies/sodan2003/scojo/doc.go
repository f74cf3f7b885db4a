// Package scojo is the policy of A. C. Sodan and X. Huang, "SCOJO: share-based job coscheduling with integrated dynamic
// resource directory in support of grid scheduling" (HPCS 2003). A site is one machine whose processors are shared in
// time by all jobs that run on it, up to a multiprogramming level; jobs do not share space. Waiting
// jobs are in order of priority.
//
// What the paper leaves open is a parameter; these are the readings and why:
//
//   - A job reserves a share for as long as its estimate takes with it. This is reckoned with the slowdown beside as
//     many jobs of its kind as the level allows, or beside the jobs that run when it reserves, if that is larger. A job
//     whose start is agreed on one site reserves when it comes. The jobs that run then can end before its start, and
//     under fcfs and pri it runs beside none: its reservation is too long there, and a second agreed start can leave
//     the site idle before it.
//   - The policy guarantees this reservation (audit
//     A11), and "without delaying others" is about it: a job beside others lets them have their reservations. A job
//     that has used its reservation up is past it, at any time. Its share goes to the next job. The job itself goes
//     on in the kept share, or in the time left.
//   - The kept share is for these, in equal parts, and for an urgent job (priority 15)
//     where all else is taken and no job is in it; it promises nothing. Where nothing is
//     kept, a job past its reservation keeps its place until it ends, and has to give
//     share back only to starts that were agreed.
//   - Clean cut (figure 2): when one of two jobs ends, the other has the whole site,
//     and the next starts when that ends as well, unless it joins or is backfilled.
//   - Joining needs a higher priority than that of the running job, and for a short
//     job (join.min_priority): the paper weights CoSl_max by the run time. In its
//     case 1 a medium job that joins keeps every very short one out.
//   - Backfilling requires that the job ends before the running ones have had what
//     they reserved, so that a job that waits for them starts no later than promised.
//   - A cross-site job's start is agreed when it comes: where the plan has it in its
//     turn, or as soon after that as all promises leave it its share. From then on it never moves. A job that would
//     have to run beside it and may not, waits.
//   - Plans are made by playing these very rules on by the estimates. They are
//     needed only when a start is to be agreed: the start of a job now is the first step of it.
//
// # Several sites
//
// Each cluster of a platform is a site with rules, a plan and a directory of its own. A job runs at its home, unless it
// asks for several sites, for a start or for more processors than its home has: then the sites agree by messages
// (package protocol). A site with a request plays its rules on and enters the outcome into its plan (package plan), and
// finds free slots there. The plan has no place for waiting jobs whose turn comes after that of the job in question. They wait
// for it, or backfill. While the site holds some slots and waits for the news which of them are taken, it starts and
// promotes no job. It treats a confirmed start like any start that was agreed beforehand. Where share is free such a job
// runs beside any other (section 3.2). On its sites it has equal shares, the least of what these have for it, and its
// promise is always one of time: its progress hangs on all of them.
package scojo
