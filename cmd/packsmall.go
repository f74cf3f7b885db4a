package cmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"schedsweep/analysis/claim"
	"schedsweep/harness"
	"schedsweep/harness/artifact"
)

type smallStudy struct {
	artifact.Small
	claims  []artifact.Claim
	checked int // instances that were run again and repeated their rows
}

// checkedAtMost is how many instances of the whole study are run again where the small
// one has none of them.
const checkedAtMost = 10

// smaller finds the smallest study whose claims come out as those of the whole, among
// those that take no longer than the limit on one core, or the one that comes nearest;
// and runs it.
func smaller(ctx context.Context, env environment, st study, whole cost, limit time.Duration, claims []claim.Result) (best smallStudy, err error) {
	temp, err := os.MkdirTemp("", "schedsweep-small-")
	if err != nil {
		return best, err
	}
	defer os.RemoveAll(temp)
	var chosen study
	unlike := len(claims) + 1
	for _, r := range artifact.Replications(st.manifest.Replications) {
		small, s, err := sized(st, r, whole, limit)
		if err != nil {
			return best, err
		}
		rows := st.dir
		if !s.Same {
			rows = filepath.Join(temp, fmt.Sprint(r))
			sum, err := harness.Run(ctx, harness.Config{Manifest: small.manifest, Inputs: small.inputs, Dir: rows, Origin: origin(env.args)})
			if err != nil {
				return best, err
			}
			if sum.Bad()+sum.Unanswered > 0 && chosen.manifest != nil {
				continue
			}
		}
		// Runs of other manifests do not lie beside who unpacks the artifact either.
		small.dir = filepath.Join(temp, "small")
		results, err := claimsOfRun(small, rows)
		if err != nil {
			return best, err
		}
		if s.claims = besides(claims, results, temp+string(filepath.Separator)); unlikeIn(s.claims) < unlike {
			best, chosen, unlike = s, small, unlikeIn(s.claims)
		}
		if unlike == 0 {
			break
		}
	}
	// The rows of instances that are the study's too are there: these are run again.
	v := harness.Verification{Manifest: chosen.manifest, Inputs: chosen.inputs, Dir: st.dir}
	n := best.Instances
	if !best.Same {
		v.Manifest, v.Inputs, n = st.manifest, st.inputs, checkedAtMost
	}
	if n = min(n, int(float64(whole.answered)*limit.Seconds()/max(whole.time.Seconds(), 1e-9))); n == 0 {
		return best, nil // one takes longer than the limit
	}
	v.Sample = func(int) int { return n }
	done, err := harness.Verify(ctx, v)
	if err == nil && done.Failed > 0 {
		err = fmt.Errorf("%w: %d of %d instances that were run again: an artifact of such rows would not be worth its name; %s tells more", errDiffers, done.Failed, done.Planned, st.command("verify", "--sample", "100%"))
	}
	best.checked = done.OK
	return best, err
}

// sized is the study with so many replications, and with fewer jobs where its
// instances would take too long.
func sized(st study, replications int, whole cost, limit time.Duration) (small study, s smallStudy, err error) {
	s.Set = []string{fmt.Sprintf("replications=%d", replications)}
	if small, err = st.with(s.Set); err != nil {
		return small, s, err
	}
	share := float64(small.plan.Len()) / float64(st.plan.Len())
	s.Same, s.Instances, s.CoreTime = true, small.plan.Len(), time.Duration(share*float64(whole.time))
	if jobs := artifact.JobsWithin(limit, s.CoreTime, whole.jobs); jobs > 0 {
		for _, path := range []string{"workload.jobs", "workload.select.jobs"} {
			if st.varies(path) {
				continue
			}
			set := append(slices.Clone(s.Set), fmt.Sprintf("%s=%d", path, jobs))
			if fewer, err := st.with(set); err == nil && fewer.plan.Len() == small.plan.Len() {
				small, s.Set, s.Same = fewer, set, false
				s.CoreTime = time.Duration(float64(s.CoreTime) * float64(jobs) / float64(whole.jobs))
				break
			}
		}
	}
	s.Text = append(fmt.Appendf(nil, "# %s, smaller, for a look: %s. schedsweep pack made it of manifest.yaml.\n", st.manifest.Name, join(s.Set)), small.manifest.Resolved()...)
	return small, s, nil
}

func (st study) with(set []string) (study, error) {
	set = append(append(slices.Clone(st.set), "name="+st.manifest.Name+"-small"), set...)
	m, inputs, err := harness.Load(st.path, harness.LoadOptions{Data: st.inputs.Folders(), Set: set, Commands: st.commands})
	if err != nil {
		return study{}, err
	}
	plan, err := m.Plan()
	return study{path: st.path, data: st.data, set: set, commands: st.commands, manifest: m, inputs: inputs, plan: plan}, err
}

func (st study) varies(path string) bool {
	for _, a := range st.manifest.Axes {
		if path == a.Path || strings.HasPrefix(path, a.Path+".") {
			return true
		}
	}
	return false
}

// claimsOfRun tests a study's claims on the rows of a folder as if they were those of
// another.
func claimsOfRun(st study, dir string) ([]claim.Result, error) {
	if len(st.manifest.Claims) == 0 {
		return nil, nil
	}
	rows, err := readRows(st.manifest, dir, st.manifest.Claims)
	if err != nil {
		return nil, err
	}
	return tested(st, rows.frame, rows.design)
}

// besides puts what the whole study says of its claims beside what the small one says,
// which knows nothing of the folder that it ran in.
func besides(whole, small []claim.Result, folder string) (all []artifact.Claim) {
	for i := range whole {
		w, s := &whole[i], &small[i]
		all = append(all, artifact.Claim{ID: w.Claim.ID, Source: w.Claim.Source, Statement: w.Claim.Statement,
			Verdict: string(w.Verdict), Small: string(s.Verdict), SmallReason: strings.ReplaceAll(s.Parts[s.Shown].Reason, folder, ""), Others: w.Claim.Runs()})
	}
	return all
}

func unlikeIn(claims []artifact.Claim) int {
	return len((&artifact.Contents{Claims: claims}).Unlike())
}
