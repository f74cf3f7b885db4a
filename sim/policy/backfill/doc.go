// Package backfill is a kit for policies with a wait queue, and the two policies made of it: EASY and conservative
// backfilling. Its parts are:
//
//   - [Queue]: the waiting jobs in the order of a priority;
//   - [Priority]: that order, a registered kind ([Priorities]);
//   - [Eligible]: when a job may start at all, such as in sessions of the day or week;
//   - [Shift]: until when a job is kept out of the queue, so that its energy emits or costs less;
//   - placement: on which processors, a rule of package placement;
//   - [Plan]: who holds processors from when to when, in which places are searched.
//
// Every priority combines with every placement and with sessions.
package backfill
