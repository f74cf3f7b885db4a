package cmd

import (
	"schedsweep/analysis/fidelity"
)

// faithfulJSON is what fidelity --json prints.
type faithfulJSON struct {
	aboutJSON
	Confidence float64           `json:"confidence"`
	Runs       []faithfulRunJSON `json:"runs"`
	Files      []string          `json:"files"`
	Warnings   []string          `json:"warnings"`
}

type faithfulRunJSON struct {
	Point       map[string]any  `json:"point"`
	Jobs        int             `json:"jobs"`
	Unknown     int             `json:"without_recorded_wait"`
	Rejected    int             `json:"rejected"`
	Moved       bool            `json:"submissions_moved"`
	Weeks       int             `json:"weeks"`
	Recorded    *float64        `json:"recorded_s"`
	Wait        *float64        `json:"simulated_s"`
	Error       intervalJSON    `json:"error_s"`
	Absolute    intervalJSON    `json:"absolute_error_s"`
	Half        int             `json:"half_of_it_jobs"`
	Correlation intervalJSON    `json:"correlation"`
	Ranks       intervalJSON    `json:"rank_correlation"`
	MovingError *float64        `json:"moving_error"`
	Machine     fidelityMachine `json:"machine"`
	Classes     []fidelityClass `json:"classes"`
	Worst       []fidelityWorst `json:"largest_errors"`
}

type fidelityMachine struct {
	Processors int      `json:"processors"`
	Peak       int      `json:"most_in_use"`
	Beyond     float64  `json:"beyond_s"`
	Use        *float64 `json:"mean_use"`
	Emptied    int      `json:"emptied"`
	EmptyTime  float64  `json:"emptied_s"`
}

type fidelityClass struct {
	By       string       `json:"by"`
	Class    string       `json:"class"`
	Jobs     int          `json:"jobs"`
	Weeks    int          `json:"weeks"`
	Recorded *float64     `json:"recorded_s"`
	Wait     *float64     `json:"simulated_s"`
	Error    intervalJSON `json:"error_s"`
	Absolute intervalJSON `json:"absolute_error_s"`
	Share    *float64     `json:"share"`
	Signed   *float64     `json:"signed_share"`
	Without  *float64     `json:"moving_error_without"`
}

type fidelityWorst struct {
	Job      int64    `json:"job"`
	User     *int32   `json:"user"`
	Queue    string   `json:"queue"`
	Submit   float64  `json:"submit_s"`
	Procs    int32    `json:"processors"`
	Run      float64  `json:"run_time_s"`
	Walltime float64  `json:"walltime_s"`
	Recorded float64  `json:"recorded_s"`
	Wait     float64  `json:"simulated_s"`
	Share    *float64 `json:"share"`
	Cause    string   `json:"cause"`
}

func faithfulOf(st study, dir string, res *fidelity.Result, files []string) faithfulJSON {
	out := faithfulJSON{aboutJSON: about(st, dir), Confidence: res.Confidence, Files: files, Warnings: append([]string{}, res.Warnings()...)}
	out.Runs = listed(res.Reports, func(at **fidelity.Report) faithfulRunJSON {
		p := *at
		m := &p.Machine
		run := faithfulRunJSON{pointOf(res.Axes, p.Point), p.Jobs, p.Unknown, p.Rejected, p.Moved, p.Weeks, finite(p.Recorded), finite(p.Wait), intervalOf(p.Error), intervalOf(p.Absolute), p.Half, intervalOf(p.Correlation), intervalOf(p.Ranks), finite(p.MovingError),
			fidelityMachine{m.Procs, m.Peak, m.Beyond, finite(m.Use), m.Emptied, m.EmptyTime}, []fidelityClass{}, nil}
		for _, g := range p.Groups {
			run.Classes = append(run.Classes, listed(g.Classes, func(c *fidelity.Class) fidelityClass {
				return fidelityClass{g.By, c.Name, c.Jobs, c.Weeks, finite(c.Recorded), finite(c.Wait), intervalOf(c.Error), intervalOf(c.Absolute), finite(c.Share), finite(c.Signed), finite(c.Without)}
			})...)
		}
		run.Worst = listed(p.Worst, func(j *fidelity.Worst) fidelityWorst {
			w := fidelityWorst{Job: j.ID, Queue: j.Queue, Submit: j.Submit, Procs: j.Procs, Run: j.Run, Walltime: j.Walltime, Recorded: j.Recorded, Wait: j.Wait, Share: finite(j.Share), Cause: j.Cause}
			if j.User >= 0 {
				w.User = &j.User
			}
			return w
		})
		return run
	})
	return out
}
