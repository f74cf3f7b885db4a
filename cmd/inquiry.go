package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis"
	"schedsweep/analysis/frame"
	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

// inquire begins with the questions of a study's manifest. It replaces the study's plan with the plan of all that they need, as far
// as the rows of a run folder tell.
func (st *study) inquire() error {
	if len(st.manifest.Questions) == 0 {
		return nil
	}
	type parts struct { // of an instance, on which its limit depends
		workload, policy, progress, platform [32]byte
		most                                 int
	}
	limits := map[parts]int{}
	limit := func(inst *sweep.Instance, most int) (int, error) {
		of := parts{inst.WorkloadKey(), inst.Sections[harness.SectionPolicy].Hash, inst.Sections[harness.SectionProgress].Hash,
			inst.Sections[harness.SectionPlatform].Hash, most}
		if n, known := limits[of]; known {
			return n, nil
		}
		n, err := input.Replicable(inst, st.inputs, most, func() (bool, error) { return run.Draws(inst, st.inputs) })
		limits[of] = n
		return n, err
	}
	var err error
	if st.inquiry, err = analysis.NewInquiry(st.manifest, limit); err != nil {
		return err
	}
	_, err = st.look()
	return err
}

// asFarAsRun puts in the place of a study's plan the one that the rows of its run folder call for, where it asks questions or
// declares looks.
func (st *study) asFarAsRun() error {
	err := st.inquire()
	if err == nil && len(st.manifest.Analysis.Looks) > 0 {
		st.whole = st.manifest
		_, err = st.settle()
	}
	return err
}

// runOf is a manifest with the plan that its run folder calls for.
func runOf(m *sweep.Manifest, in *input.Files, dir string) (*sweep.Manifest, error) {
	st := study{manifest: m, inputs: in, dir: dir}
	var err error
	if st.plan, err = m.Plan(); err == nil {
		err = st.asFarAsRun()
	}
	return st.manifest, err
}

// look goes on with the questions by the rows of a run folder; done tells that they want
// no more.
func (st *study) look() (done bool, err error) {
	rows, err := rows.Answers(st.dir, st.inquiry.Metrics)
	if err != nil {
		return false, err
	}
	if st.manifest, done, err = st.inquiry.Look(rows); err == nil {
		st.plan, err = st.manifest.Plan()
	}
	return done, err
}

func (st *study) run(ctx context.Context, env environment, c *cli.Context, cfg run.Config) (run.Summary, error) {
	budget, err := budgetOf(c.String("budget"))
	if err != nil {
		return run.Summary{}, err
	}
	if st.whole != nil && st.inquiry == nil {
		sum, err := run.Rounds(ctx, cfg, budget, func() (*sweep.Manifest, bool, error) {
			done, err := st.settle()
			return st.manifest.WithLogs(), done, err
		})
		return sum, drainedIfSpent(err)
	}
	if st.inquiry == nil {
		if budget != (run.Budget{}) {
			return run.Summary{}, misuse("--budget is for manifests that ask questions (find:): %s runs all that it lists", st.path)
		}
		return run.Sweep(ctx, cfg)
	}
	sum, err := run.Rounds(ctx, cfg, budget, func() (*sweep.Manifest, bool, error) {
		done, err := st.look()
		return st.manifest, done, err
	})
	if err != nil && !errors.Is(err, run.ErrBudget) {
		return sum, err
	}
	failed := st.note()
	none := errors.Is(err, run.ErrBudget) && (errors.Is(failed, rows.ErrNone) || errors.Is(failed, fs.ErrNotExist)) // none has run yet
	if failed != nil && !none {
		return sum, errors.Join(err, failed)
	}
	switch {
	case c.Bool("json"):
		_ = json.NewEncoder(env.stdout).Encode(map[string]any{"event": "questions", "questions": questionsOf(*st)}) // as other events
	default:
		p := printer{w: env.stdout}
		p.questions(env, st.inquiry) // its reader may be gone
	}
	return sum, drainedIfSpent(err)
}

func drainedIfSpent(err error) error {
	if errors.Is(err, run.ErrBudget) {
		return fmt.Errorf("%w: %w; give more, and run the same command to go on", errDrained, err)
	}
	return err
}

// note looks up what the means that the questions rest on say of themselves.
func (st *study) note() error {
	return withFrame(*st, func(spec analysis.Spec, f *frame.Frame, _ *rows.Rows) error {
		return errors.Join(st.inquiry.Note(f, spec.Design), f.Err())
	})
}

func budgetOf(given string) (b run.Budget, err error) {
	if given == "" {
		return b, nil
	}
	if n, err := strconv.Atoi(given); err == nil && n > 0 {
		return run.Budget{Instances: n}, nil
	}
	if s, err := text.Quantity(given, "s"); err == nil && s > 0 {
		return run.Budget{CoreTime: harness.Seconds(s)}, nil
	}
	return b, misuse("--budget %s: write a number of instances, such as 5000, or core time, such as 2h", given)
}

// questions prints the answers. On a terminal their long lines break between words; a program reads a line for each.
func (p *printer) questions(env environment, q *analysis.Inquiry) {
	for i := range q.Questions {
		answer := q.Questions[i].String()
		if terminal(env.stdout) {
			answer = folded(answer, env.screen().Width)
		}
		p.printf("%s\n", answer)
	}
}

func questionsOf(st study) []object {
	return text.Refs(st.inquiry.Questions, func(q *analysis.Inquired) object {
		best := text.Refs(q.Answer.Sides, func(s *int) string { return q.SideName(*s) })
		bracket := slices.DeleteFunc(slices.Clone(q.Bracket[:]), math.IsNaN)
		return object{"id", q.ID, "kind", q.Kind, "metric", q.Asked.Metric, "state", q.State, "told", q.String(), "answer", q.Interval, "best",
			best,
			"places", append([][2]float64{}, q.Places...), "bracket", bracket, "within", q.Within, "rounds", q.Rounds,
			"instances", q.Instances, "grid", q.Grid, "more", q.More, "r2", q.R2}
	})
}

// settle replaces a study's plan with the plan of the first look at which its comparisons are decided, as far as the rows of the
// run folder tell. If there is none, it takes the first look that has not run; done tells that no more is wanted.
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
		if err := withFrame(*st, func(spec analysis.Spec, f *frame.Frame, _ *rows.Rows) error {
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
