package protocol

import (
	"cmp"
	"slices"

	"schedsweep/sim/studies/sodan2003/scojo/plan"
)

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

// Entry is an application in a directory.
type Entry struct {
	Application
	// Preliminary reports that the job has no more than a hold.
	Preliminary bool
}

// Directory is a site's dynamic directory: all jobs that are in its plan, waiting,
// running or preliminary. It lies in a slice by job: a site has as many entries as its
// plan, and finding one takes a binary search.
type Directory struct{ entries []Entry }

func (d *Directory) find(job int64) (int, bool) {
	return slices.BinarySearchFunc(d.entries, job, func(e Entry, job int64) int { return cmp.Compare(e.Job, job) })
}

// Enter adds or replaces the job's entry.
func (d *Directory) Enter(a Application, preliminary bool) {
	e := Entry{Application: a, Preliminary: preliminary}
	if i, there := d.find(a.Job); there {
		d.entries[i] = e
	} else {
		d.entries = slices.Insert(d.entries, i, e)
	}
}

// Drop removes the job's entry, if it is there.
func (d *Directory) Drop(job int64) {
	if i, there := d.find(job); there {
		d.entries = slices.Delete(d.entries, i, i+1)
	}
}

func (d *Directory) Of(job int64) (Entry, bool) {
	if i, there := d.find(job); there {
		return d.entries[i], true
	}
	return Entry{}, false
}
