// Package profile is the availability profile that planning policies share: how
// many processors, or nodes, are free at each moment from now on, by the walltimes
// of the jobs that run and the reservations of the jobs that wait.
//
// It counts and does not know which ones they are; policies for which identity
// matters keep sets of their own.
package profile
