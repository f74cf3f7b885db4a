// Package protocol is how the sites of SCOJO agree on jobs that run on several of them
// (A. C. Sodan, X. Huang, "SCOJO: share-based job coscheduling with integrated dynamic
// resource directory in support of grid scheduling", HPCS 2003, sections 3.3 and 3.4):
// the two-level reservation protocol as simulated messages, and each site's dynamic
// directory.
//
// The site at which a job was submitted asks for it, one of its jobs after the other:
//
//   - RoughLoadQuery goes to all candidates, which answer with their earliest slot;
//     nothing is reserved. The sites with the earliest ones are chosen. Among equal ones the home comes first,
//     and then the sites after it. A site that holds slots for another job offers gaps between these.
//     Where the job fits into no gap, such a site counts last. A site that has not answered in time is not chosen. The step can be
//     left out.
//   - FineSchedulingRequest goes to the chosen sites one after the other, in the order
//     of their numbers: two jobs that want the same sites never wait for each other. It
//     tells which starts the sites before can give. The site answers with the starts among them that it can give too.
//     The last of these has no end, because there is always room at the end of the queue. The site holds its share
//     for them until a message says which or the hold expires.
//   - ConfirmSchedule goes to all chosen sites with the earliest start that is common
//     to them and leaves time for the answers. A site whose hold has expired refuses.
//   - TerminateQuery goes to all sites with a request for slots when something failed,
//     and has no answer. Where it does not arrive, holds expire.
//
// A site serves one FineSchedulingRequest at a time; requests that come meanwhile wait.
//
// The job starts at the agreed time if all its sites have confirmed it and stand by it, and otherwise nowhere; the
// requester launches all its parts at once. A site at which a reservation is not launched at its start gives it up. So
// nothing is left behind, though messages get lost: each hold has its timeout, each contract its start, and each answer
// that is waited for its deadline. An attempt that failed is repeated some times, without the sites that failed it as
// long as there are enough others; then the job is given up. Meanwhile the requester asks for its next jobs, and the repeated
// attempt takes its turn behind them. A site knows that a job is given up when TerminateQuery arrives.
//
// A site's requests to itself take no time, count as no messages and meet no faults.
package protocol
