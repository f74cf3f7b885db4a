// Package external is the policy external: a scheduling module in another process
// and any language, to which messages in the shapes of Batsim's JSON protocol,
// version 4, are sent.
//
// # An instant is one message
//
// All that happens at one instant goes into one message, in the order in which it happened. With the event order
// "default" these are the ends, then the submissions, then the requested calls. With "pyss" each event has a message of
// its own. With "cbf2015" the ends have one, and the submissions another. The module answers once with all that it
// decides for that instant, and its decisions take effect at that instant, in their order, before the clock moves on.
// What a decision brings about at the same instant (a job killed, a call requested for now) comes in a further message
// with the same time. So two modules of the same rule give the same schedule, however they are written, and it does not
// hang on how events fell into messages.
//
// # Events sent
//
//   - SIMULATION_BEGINS before the first event, with platform and config
//   - JOB_SUBMITTED
//   - JOB_COMPLETED with the state COMPLETED_SUCCESSFULLY or COMPLETED_WALLTIME_REACHED
//   - JOB_KILLED for jobs that the module killed
//   - REQUESTED_CALL
//   - NOTIFY with no_more_static_job_to_submit when the workload has no more
//   - SIMULATION_ENDS
//
// Jobs are named w0!ID by their number in the workload, and w0!ID#SEQ when the
// number has occurred before in the run. A job that returns to the queue is completed, and
// then submitted under a new name: w0!ID#SEQ, or w0!ID#SEQ.N if its Nth return is to the same place.
// A job's run time is not revealed.
//
// # Decisions understood
//
//   - EXECUTE_JOB with the processors as an interval set ("0-3 7" or "0-3,7")
//   - REJECT_JOB
//   - KILL_JOB
//   - CALL_ME_LATER
//   - REGISTER_PROFILE and REGISTER_JOB where dynamic is on, with profiles of the types
//     delay, parallel and parallel_homogeneous
//   - NOTIFY with registration_finished or continue_registration
//   - NOTIFY with ready_for_another_simulation, a word of our own, in the answer to
//     SIMULATION_ENDS. The process is then kept for the worker's next instance.
//
// All else is refused, with the message that says it.
//
// A module may say that deciding takes time: a decision with a later timestamp is carried out then, and what happens
// before the answer's own time ("now") comes in one message at that time.
//
// # Limits
//
// An answer, with the time to read it, has the timeout of the policy. It has at most
// 64 MB. Decisions are carried out as they are read. The run fails after 10,000
// messages within a second of simulated time that no job of the workload caused,
// because such a module stops the clock.
//
// A module gets the environment variables PATH, HOME, USER, TMPDIR, TZ and SCHEDSWEEP_SOCKET. It also gets the
// variables of the locale, of shared libraries, and of the installations of Python, R, Java, Julia and Node. For
// others start it by env: [env, NAME=value, ...]. Processes that it starts end with it, also in sessions of their
// own. Two kinds stay: processes that have left both its environment and its folder, and, on systems other than
// Linux, processes in other sessions.
package external
