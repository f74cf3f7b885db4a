// Package multifactor is the arithmetic of Slurm's priority plugin of that name (release 22.05): the factors of a job's priority,
// usage that decays, and the ranks of the fair tree. It knows no clock and no queue. Tests hold it against what a real slurmctld
// recorded.
package multifactor
