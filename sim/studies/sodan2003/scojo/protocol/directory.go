package protocol

import "schedsweep/sim/studies/sodan2003/scojo/plan"

// Application is a site's entry of a job that is in its plan or wants to be.
type Application struct {
	// Job is the number by which all sites know the job.
	Job int64
	// Home is the site at which the job was submitted.
	Home int
	// Share is the share that the request wants of each site.
	Share plan.Share
	// Estimate is the estimated run time under Share, in s.
	Estimate float64
}

// Directory is a site's dynamic directory: all jobs that are in its plan, waiting, running or preliminary, by their numbers.
type Directory map[int64]Application
