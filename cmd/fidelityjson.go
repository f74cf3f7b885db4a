package cmd

import "schedsweep/analysis/fidelity"

// faithfulOf is what fidelity --json prints.
func faithfulOf(st study, res *fidelity.Result, files []string) object {
	runs := listed(res.Reports, func(p **fidelity.Report) object { return faithfulRunOf(res.Axes, *p) })
	return append(about(st), "confidence", res.Confidence, "runs", runs, "files", files, "warnings", append([]string{}, res.Warnings()...))
}

func faithfulRunOf(axes []string, p *fidelity.Report) object {
	classes := []object{}
	for _, g := range p.Groups {
		classes = append(classes, listed(g.Classes, func(c *fidelity.Class) object {
			return object{"by", g.By, "class", c.Name, "jobs", c.Jobs, "weeks", c.Weeks, "recorded_s", c.Recorded, "simulated_s", c.Wait,
				"error_s", c.Error, "absolute_error_s", c.Absolute, "share", c.Share, "signed_share", c.Signed, "moving_error_without", c.Without}
		})...)
	}
	m := &p.Machine
	return object{"point", pointOf(axes, p.Point), "jobs", p.Jobs, "without_recorded_wait", p.Unknown, "rejected", p.Rejected, "submissions_moved", p.Moved, "weeks", p.Weeks,
		"recorded_s", p.Recorded, "simulated_s", p.Wait, "error_s", p.Error, "absolute_error_s", p.Absolute, "half_of_it_jobs", p.Half,
		"correlation", p.Correlation, "rank_correlation", p.Ranks, "moving_error", p.MovingError,
		"machine", object{"processors", m.Procs, "most_in_use", m.Peak, "beyond_s", m.Beyond, "mean_use", m.Use, "emptied", m.Emptied, "emptied_s", m.EmptyTime},
		"classes", classes, "largest_errors", listed(p.Worst, worstOf)}
}

func worstOf(j *fidelity.Worst) object {
	user := any(j.User)
	if j.User < 0 {
		user = nil
	}
	return object{"job", j.ID, "user", user, "queue", j.Queue, "submit_s", j.Submit, "processors", j.Procs, "run_time_s", j.Run, "walltime_s", j.Walltime,
		"recorded_s", j.Recorded, "simulated_s", j.Wait, "share", j.Share, "cause", j.Cause}
}
