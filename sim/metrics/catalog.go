package metrics

// Metric is the definition of one number of a run.
type Metric struct {
	// Name is the column's name in the instances dataset.
	Name string
	// Unit is "s", "" for pure numbers, and so on.
	Unit string
	// Doc is the definition. "Jobs" are those that ran: finished or killed.
	Doc string

	value func(*Collector) float64
}

// Catalog returns all metrics in the order in which [Collector.Values] gives
// them. A value that a run does not define is NaN.
func Catalog() []Metric { return catalog }

// unstablePower is what the test behind unstable was measured to tell; see
// [steady.grows].
const unstablePower = "On short runs it errs both ways: of runs with 3,000 (12,000) jobs of the model of Lublin and Feitelson, first come first served and saturated from a load of about .65, it finds 56 % (80 %) at load .8 and 66 % (97 %) at .9, and calls 5 % (1 %) unstable at load .4"

var catalog = []Metric{
	{"makespan", "s", "last finish - first submission",
		func(c *Collector) float64 { return c.makespan() }},
	{"utilisation", "", "processor-seconds held by jobs / (processors * makespan)",
		func(c *Collector) float64 { return c.held.value() / (float64(c.procs) * c.makespan()) }},
	{"offered_load", "", "sum of processors * run time / (processors of the machine * (last - first submission)), over submitted jobs",
		func(c *Collector) float64 {
			return c.offered.value() / (float64(c.procs) * (c.lastSubmit - c.firstSubmit))
		}},
	{"mean_wait_time", "s", "mean of start - submission",
		func(c *Collector) float64 { return c.wait.mean() }},
	{"median_wait_time", "s", "median of start - submission",
		func(c *Collector) float64 { return c.wait.quantile(.5) }},
	{"p95_wait_time", "s", "95th percentile of start - submission",
		func(c *Collector) float64 { return c.wait.quantile(.95) }},
	{"max_wait_time", "s", "largest start - submission",
		func(c *Collector) float64 { return c.wait.max() }},
	{"mean_response_time", "s", "mean of finish - submission",
		func(c *Collector) float64 { return c.response.mean() }},
	{"median_response_time", "s", "median of finish - submission",
		func(c *Collector) float64 { return c.response.quantile(.5) }},
	{"p95_response_time", "s", "95th percentile of finish - submission",
		func(c *Collector) float64 { return c.response.quantile(.95) }},
	{"mean_slowdown", "", "mean of response time / run time, over jobs with run time above 0; the run time is the workload's, for a killed job the time it ran",
		func(c *Collector) float64 { return c.slowdown.mean() }},
	{"mean_bounded_slowdown", "", "mean of max(1, response time / max(run time, threshold)); the threshold is engine.slowdown_threshold (Feitelson 1997: 10 s)",
		func(c *Collector) float64 { return c.bounded.mean() }},
	{"median_bounded_slowdown", "", "median of the bounded slowdown",
		func(c *Collector) float64 { return c.bounded.quantile(.5) }},
	{"p95_bounded_slowdown", "", "95th percentile of the bounded slowdown",
		func(c *Collector) float64 { return c.bounded.quantile(.95) }},
	{"max_bounded_slowdown", "", "largest bounded slowdown",
		func(c *Collector) float64 { return c.bounded.max() }},
	{"mean_queue_length", "", "time average of the number of waiting jobs over the makespan",
		func(c *Collector) float64 { return c.wait.sum.value() / c.makespan() }},
	{"waited_share", "", "share of jobs that did not start at their submission",
		func(c *Collector) float64 { return float64(c.waited) / float64(c.wait.n) }},
	{"mean_run_time", "s", "mean of the time for which a job held its processors",
		func(c *Collector) float64 { return c.ran.value() / float64(c.wait.n) }},
	{"steady_response_time", "s", "mean response time in the steady state: jobs in order of submission, without the warm-up cut by MSER-5, as the mean of 20 batches; undefined for fewer than 1000 jobs and for unstable runs",
		func(c *Collector) float64 { return c.state.mean }},
	{"steady_response_half_width", "s", "half the width of its 95 % confidence interval: batch means with Student's t, widened where batches are correlated",
		func(c *Collector) float64 { return c.state.half }},
	{"steady_warmup_jobs", "", "number of jobs cut as warm-up",
		func(c *Collector) float64 { return c.state.warmup }},
	{"unstable", "", "1 where the queue grew all along, so that there is no steady state: from the first to the last of 12 parts of the submissions by more than 1.09 standard errors of a random walk with its swings, and by a fifth at least from the second quarter to the fourth; else 0; undefined for fewer than 1000 jobs. " +
		unstablePower,
		func(c *Collector) float64 { return c.state.unstable }},
}
