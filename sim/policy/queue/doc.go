// Package queue holds the simplest policies: a queue in some order whose head blocks all behind it, first fit, and the
// replay of a log's own starts. Policies that plan are in package backfill; these use its kit too.
package queue
