// Package lomarc is G-LOMARC-TS, lookahead group matchmaking for time and space
// sharing on nodes of several cores: X. Zeng and A. Sodan, "Job scheduling with
// lookahead group matchmaking for time/space sharing on multi-core parallel
// machines", JSSPP 2009.
//
// Inside the slices of package timeslice, the first waiting job of a class starts by the option that gains most
// nodes. The gain is over running each job on nodes of its own. The options are a group with other waiting jobs or
// with running ones, whose processes then share nodes, or alone with all cores of its nodes. A group is a primary job
// and matched jobs that lie side by side on its nodes. It is formed only when no job outside of it is delayed beyond
// what its owner was promised.
//
// The package chooses; that slices come and go is none of its business.
//
// What the paper leaves open, and is no parameter:
//
//   - A pass tries the first waiting job until it cannot start, and then each later job in order of submission. After a
//     start it goes back by as many places as other jobs have started with it, also where these were behind it. So it can
//     try jobs again before later ones. It begins anew until no later job starts.
//   - A pass tries nothing where only time has passed since the last one: no job is due, as many nodes are idle, and the
//     class has had no submission, start, end or beginning of a slice.
//   - Low load, groups and case 5 count the nodes that are idle for the class. Jobs of other classes yield only to a job
//     that starts as planned.
//   - Serial jobs at the head of the queue share a node, as many as it has cores, if the first of them is due.
//   - The delay of a running job is its expected response time / its estimated one.
//   - A running job is not matched if it has outlasted its walltime, or has more processes on a node than half of the cores.
//   - A window begins at a candidate and takes all later ones of the block that still fit, also behind one that does not.
//     The window with the highest gain is taken after each has lost the jobs that do not contribute (step 5).
//   - A window that needs more idle nodes than there are is passed over. Jobs of later blocks join the best window before
//     any job is removed from it.
//   - Of equal gains the case with the smaller number counts, case 5 last, and in a case the earlier group. With first_match
//     running, case 1 comes behind case 3. Gains and delays that differ by rounding are not equal.
//   - Case 5 is not checked for fairness. The first waiting job needs idle nodes only, a later one also needs that it
//     gets in the way of no reservation. The limit within-max-sl is on SL_sno*SL_scr, also for a job of two processes.
//   - Preempted jobs take idle nodes of other slices in the order of their starts. A group with running jobs counts as
//     started when it was formed. When its primary ends, the survivors count as started then, but for the first submitted.
//   - Pairs (variants cst and cstws) have two processes a node where equation 8 says two or four.
package lomarc
