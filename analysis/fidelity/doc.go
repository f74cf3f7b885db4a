// Package fidelity compares simulated waits with the waits that a log recorded.
//
// The error of a job is its simulated wait less its recorded one. The error of some jobs is the mean over them. Their
// absolute error is the mean of the absolute values. The package compares the jobs that ran and have a recorded wait.
//
// The moving mean of a day is the mean wait of the jobs submitted on it and on the 13 days before it. Days have 24 h and
// count from time 0 of the workload. The first window ends with the 14th day, counted from the day of the first job. The
// moving error is the relative L1 distance of the two moving means: the sum over days of |simulated - recorded| over the sum
// of the recorded ones, windows without jobs left out. It is the metric moving_wait_error.
//
// Intervals are over weeks: a jackknife that leaves one week of submissions out at a time (weeks from Monday 00:00 of the log's
// clock, where it has one). One log has no replications; what the intervals say is how much hangs on single weeks. Weeks that
// are alike one after the other know less than their number: with the correlation r > 0 of what neighbours bring, n weeks count
// as n (1-r)/(1+r). Fewer than 5 weeks have no interval. Moving errors have none: their windows overlap.
//
// The causes sort jobs by the reason for their recorded waits in the recorded schedule; the first that applies counts:
//
//	started at once   recorded wait 0
//	one cycle         up to 60 s, for which a scheduler need not have looked
//	emptied           while it waited, no job ran for more than 60 s: the machine was drained, or down
//	after own job     a job of the same user ended within the 30 s before it started: it may have waited for that one
//	held              processors enough for it were free all the time, and no job submitted before it waited when it came:
//	                  first come first served would have started it, so a limit, a hold or a reservation kept it
//	passed            processors enough were free all the time, and others waited before it: a priority, a limit or a
//	                  reservation kept it, or an estimate too long to backfill it
//	fitted at times   processors enough were free for a part of its wait
//	full              there never were
//
// The recorded schedule has all jobs from their recorded starts for their run times in the workload. It also has jobs that are not
// compared: those of the run-up and the run-out, and jobs that the simulation rejects. The machine has the processors that it has in the
// simulation. What the log does not show (jobs cleaned away, nodes that were down, kinds of nodes) counts as free. So held and passed are
// the causes that are left when all others are excluded. A job whose wait none of this explains may still wait for those whose waits it
// does: shares are by the job that waited, and no sum of effects.
//
// A choice is a recorded start of one user's compared job while a job of another user waits that was submitted before this start, also
// after the starting job. It contradicts an order by use if the starting user has used more. Use counts from 0 at the first submission, or
// from one fitted lead for each pair of users. Use at an instant includes running jobs up to then and no job that starts at it. The ten
// users with the most processor-seconds are compared. Backfilling and limits also make choices that contradict the order, so numbers
// compare measures and prove none.
package fidelity
