// Package jobfile writes the file with which a batch engine runs a sweep: its
// shards as an array of jobs, each with a limit of time, drained before it is
// over and put into the queue again, and after them a job that merges the rows
// and analyses them. A file names what it runs completely: nothing of it depends
// on what the engine tells a job but the job's index.
//
// The files are templates (folder templates), one an engine; what engines share
// is in shared.tmpl.
package jobfile
