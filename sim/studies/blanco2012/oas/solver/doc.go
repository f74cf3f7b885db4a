// Package solver solves the ordering and allocation problem of H. Blanco, F.
// Guirado, J. L. Lérida, V. M. Albornoz, "MIP model scheduling for
// multi-clusters", Euro-Par 2012 workshops: it gives rigid jobs their clusters, counts of tasks on each, and first
// slots. The last slot used is the earliest possible, and no link between clusters is ever saturated. It knows no
// engine, reads no clock and starts no program; equal questions get equal answers.
//
// # The model
//
// A job has modes: a number of tasks on each cluster, which decide its time (its
// slowest cluster), the slots it occupies and what it takes of each link
// (equations 1-4, 8, 18). Nodes are not named: jobs hold theirs for one interval,
// and intervals that never need more than a cluster has can always be given fixed
// ones. Constraints 19 and 20 of the paper together would force times to be whole
// numbers of slots; a job occupies the time rounded up ([Slots]).
//
// # The builtin solver
//
// [Exact] decides whether a number of slots suffices, from a lower bound upwards,
// by a depth-first search over the instants at which jobs end. At an instant it
// starts jobs in a fixed order, each in any mode that fits, and then lets time
// pass. What keeps the search small, the strongest first:
//
//   - The bound. Each job has a worth, and each of its modes a rate at which the worth is earned. No set of jobs that
//     fits on the machine at once earns more than a fixed sum a slot. The worth of all jobs over that sum is a lower
//     bound. Every slot that earns less wastes the difference. So a number of slots comes with a budget of waste, and
//     the search leaves a branch that exceeds it. The best worths are the dual solution of the linear program over
//     all sets of jobs that fit at once. In it jobs may be interrupted and change their mode (A. Mingozzi et al.,
//     Management Science 44, 1998, for jobs of one mode). It is solved once, by generating columns. Rates and worth
//     are whole numbers, made valid by a last exact search, so that no rounding is part of a proof. Beside jobs that
//     run already, no job ends earlier than if it were the only one.
//   - Left shift. Some plan of the least number of slots has the least sum of
//     finish times. In it no job could start a slot earlier. So a job starts only at 0 or where it needs nodes or
//     bandwidth of jobs that have just ended. The plan has no gap without starts and ends in which a later job could
//     have run from begin to end.
//   - Memory. A state holds the jobs left, and the nodes and bandwidth in use, with the time until each end. One from
//     which some slots did not suffice is not entered again with as many or fewer, in this decision or a later one.
//     Both other rules depend on a state and what follows alone, so that it does not matter by which way it was
//     reached.
//   - Symmetry. Jobs start in one order within an instant; of identical jobs the
//     first starts first. Links that no choice of modes can saturate are left out.
//
// A second step chooses among the plans of the least number of slots: the first
// that was found, the least sum of finish times ([Exact.LeastSum]), or any that
// the caller prefers ([Exact.Each]).
//
// When a limit comes first, the plan is that of [Greedy] and the bound the number
// of slots that was being decided.
package solver
