package protocol

import (
	"cmp"
	"slices"

	"schedsweep/sim/studies/sodan2003/scojo/plan"
)

// Application is what a site knows of a job that is in its plan or wants to be.
type Application struct {
	// Job is the number by which all sites know the job.
	Job int64
	// Owner is the user, Home the site at which the job was submitted.
	Owner int32
	Home  int
	// CrossSite says that the job runs on several sites at once.
	CrossSite bool
	// Share is what the request wants of each site, MaxShare what the job can use at most; 0
	// where it can use all.
	Share, MaxShare plan.Share
	// Estimate is the estimated run time under Share, in s.
	Estimate float64
	// Communication.
	Communication
	// Memory in B and IO in B/s are what the job needs on a site.
	Memory, IO float64
	// Public says that every site may see this; otherwise the owner may.
	Public bool
}

// Communication is how a job communicates.
type Communication struct {
	// Pattern is such as "all-to-all", "random" or "central"; "" unknown.
	Pattern string
	// Frequency is how often, in 1/s, Size how much at a time, in B.
	Frequency, Size float64
}

// Entry is an application in a directory.
type Entry struct {
	Application
	// Remote says that the job was submitted at another site.
	Remote bool
	// Preliminary says that the job has no more than a hold.
	Preliminary bool
}

// Directory is a site's dynamic directory: all jobs that are in its plan, waiting,
// running or preliminary. It lies in a slice by job: a site has as many entries as its
// plan, and finding one takes a binary search.
type Directory struct {
	site    int
	entries []Entry
}

func (d *Directory) find(job int64) (int, bool) {
	return slices.BinarySearchFunc(d.entries, job, func(e Entry, job int64) int { return cmp.Compare(e.Job, job) })
}

// Enter adds or replaces the job's entry.
func (d *Directory) Enter(a Application, preliminary bool) {
	e := Entry{Application: a, Remote: a.Home != d.site, Preliminary: preliminary}
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

// Of returns the job's entry.
func (d *Directory) Of(job int64) (Entry, bool) {
	if i, there := d.find(job); there {
		return d.entries[i], true
	}
	return Entry{}, false
}

// Entries are all entries by job, for the site's own scheduler; read only, and valid
// until the directory changes.
func (d *Directory) Entries() []Entry { return d.entries }

// Disclosed appends what a user may see: public entries and those of jobs of their own.
func (d *Directory) Disclosed(dst []Entry, user int32) []Entry {
	for _, e := range d.entries {
		if e.Public || e.Owner == user {
			dst = append(dst, e)
		}
	}
	return dst
}
