package gantt

// Submission is a job of a trace, whether or not it ran. Times are in s. A time that the trace lacks is NaN.
type Submission struct {
	Job, Seq                        int64 // its number in the workload, and in order of submission from 0
	Submit, Start, Finish, Walltime float64
	Procs                           int
	User                            int64  // -1 where it is not known
	State                           string // how it ended; "" where the trace ends before
	Allocated                       string // the processors of its first start
	Preempted                       int    // how often it was
}

// Wait is how long the job waited; NaN where it did not start.
func (j *Submission) Wait() float64 { return j.Start - j.Submit }

// Event is a line of a trace: its time in s, and where it ends in the file in bytes.
type Event struct {
	At  float64
	End int64
}
