package cmd

import (
	"schedsweep/analysis"
	"schedsweep/analysis/frame"
	"schedsweep/harness/rows"
)

// settle puts in the place of a study's plan the one of the first look at which its comparisons are decided as far as the
// rows of the run folder tell, or of the first look that has not run; done tells that no more is wanted.
func (st *study) settle() (done bool, err error) {
	looks := st.whole.Analysis.LooksAt()
	if fewest, most := st.plan.Replications(); fewest < most {
		return false, misuse("analysis.looks: blocks or the sample have replications of their own, and looks are at as many of every point")
	}
	for i, n := range looks {
		st.manifest = st.whole.First(n)
		if st.plan, err = st.manifest.Plan(); err != nil {
			return false, err
		}
		held, err := rows.Holds(st.plan, st.dir)
		if err != nil || held.Tally.Total() < st.plan.Len() {
			return false, err
		}
		if i == len(looks)-1 {
			break
		}
		undecided := 0
		if err := withFrame(*st, nil, func(spec analysis.Spec, f *frame.Frame, _ *rows.Rows) error {
			spec.Trends, spec.Figures = nil, nil
			res, err := analysis.Analyse(f, spec)
			if err == nil {
				undecided = res.Undecided
			}
			return err
		}); err != nil || undecided == 0 {
			return err == nil, err
		}
	}
	return true, nil
}
