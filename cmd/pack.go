package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis"
	"schedsweep/analysis/claim"
	"schedsweep/analysis/frame"
	"schedsweep/harness"
	"schedsweep/harness/artifact"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/text"
)

func packCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "pack",
		Usage:     "make an artifact of a run: one archive for committees and readers",
		ArgsUsage: "MANIFEST",
		Description: `Packs what a study rests on into one archive: the manifest, the rows, tables,
figures and claims, checksums of the logs (with --inputs the logs), and how to
build this very program (with --program the program). A README follows the order
of an artifact description. For machines there are an RO-Crate (1.1, Process Run
Crate), Croissant and CITATION.cff. The same rows make the same archive, byte
for byte.

The archive has a small manifest, too. It has fewer replications and, where
these would take longer than --small-time on one core, fewer jobs. It is just
large enough for the claims to come out as in the whole study, and pack names
the claims that do not. Its simulations, or some of the study's, are run again, and
nothing is packed where they do not repeat their rows.

run and verify take the archive as it is; for the other verbs it is unpacked.

` + example(`schedsweep pack manifests/quickstart.yaml --to quickstart.tar.gz
schedsweep pack sweep.yaml --to sweep.tar --author "Lovelace, Ada" --license CC-BY-4.0
schedsweep verify quickstart.tar.gz
schedsweep run quickstart.tar.gz --small`) + "\n\n" + exitCodesHelp,
		Flags: manifestFlags(outFlag(), commandsFlag(),
			&cli.StringFlag{Name: "to", Usage: "`FILE`.tar.gz, .tgz or .tar"},
			&cli.BoolFlag{Name: "inputs", Usage: "pack the files that the manifest names too, such as logs"},
			&cli.BoolFlag{Name: "program", Usage: "pack this program too"},
			&cli.StringSliceFlag{Name: "author", Usage: "`AUTHOR` of the study, as \"Family, Given\" or the name of a group; once for each"},
			&cli.StringFlag{Name: "license", Usage: "the artifact's licence, by its `SPDX` identifier, such as CC-BY-4.0"},
			&cli.DurationFlag{Name: "small-time", Value: 30 * time.Second, Usage: "most time of the small study on one core: `DURATION`"},
		),
		Action: func(c *cli.Context) error {
			to, err := needed(c, "to")
			if err != nil {
				return err
			}
			if !artifact.Is(to) {
				return misuse("pack --to %s: the ending of the name chooses the format; use .tar.gz, .tgz or .tar", to)
			}
			if info, err := os.Stat(to); err == nil && info.IsDir() {
				return misuse("pack --to %s: this is a folder; give a file in it", to)
			}
			if l := c.String("license"); l != "" && !regexp.MustCompile(`^[A-Za-z0-9.+-]+$`).MatchString(l) {
				return misuse("pack --license %s: give an SPDX identifier (spdx.org/licenses), such as CC-BY-4.0", l)
			}
			if c.Duration("small-time") <= 0 {
				return misuse("pack --small-time %s: give a time above 0, such as 30s", c.Duration("small-time"))
			}
			st, err := openRun(env, c)
			if err != nil {
				return err
			}
			ctx, stop := abortable(env)
			defer stop()
			stage, remove, err := store.TempFolder()
			if err != nil {
				return err
			}
			defer remove()
			if err := pack(ctx, env, c, st, stage, to); ctx.Err() != nil {
				return fmt.Errorf("%w: %w", errDrained, context.Cause(ctx))
			} else if err != nil {
				return fmt.Errorf("pack: %w", st.ofOtherFiles(err))
			}
			return nil
		},
	})
}

func pack(ctx context.Context, env environment, c *cli.Context, st study, stage, to string) error {
	if err := run.Allowed(st.plan, st.inputs); err != nil {
		return err
	}
	state := func() [32]byte { return store.PartsState(filepath.Join(st.dir, folder.Instances)) }
	before := state()
	res, rows, err := analysed(env, st)
	if err != nil {
		return err
	}
	if err := answered(rows, st); err != nil {
		return err
	}
	if _, err := res.Write(filepath.Join(stage, artifact.AnalysisDir)); err != nil {
		return err
	}
	a := artifact.Contents{Manifest: st.manifest, Planned: st.plan.Len(), Program: artifact.ProgramOf(built(), version(), sourceOf(built())),
		Commands: st.commands, Figures: len(res.Figures) > 0,
		Authors: c.StringSlice("author"), License: c.String("license")}
	took, err := spent(st)
	if err != nil {
		return err
	}
	a.Answered, a.Logs, a.CoreTime = took.answered, took.logs, took.time+took.logTime
	small, err := smaller(ctx, env, st, took, c.Duration("small-time"), res.Claims)
	if err != nil {
		return err
	}
	a.Small, a.Claims, a.Checked = small.Small, small.claims, small.checked
	if a.Datasets, err = artifact.AddRows(stage, st.manifest, st.dir); err != nil {
		return err
	}
	if a.Inputs, err = artifact.AddInputs(stage, st.inputs, c.Bool("inputs")); err != nil {
		return err
	}
	if err := packReport(env, st, filepath.Join(stage, artifact.ReportFile), a.Data() != ""); err != nil {
		return err
	}
	if state() != before { // the tables would be of fewer rows than the archive holds
		return harness.Mark(fmt.Errorf("the rows of %s changed while they were packed: wait for the run or merge in it, and pack again", st.dir),
			store.ErrBusy)
	}
	if a.Provenance, err = provenanceOf(env, st.dir); err != nil {
		return err
	}
	a.Provenance.Manifest, a.Provenance.ManifestHash, a.Provenance.Instances, a.Provenance.Inputs = st.manifest.Name, st.manifest.Hash(),
		st.plan.Len(), st.inputs.Hashes()
	a.Provenance.Folders = nil // of this machine
	if c.Bool("program") {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		a.Program.File = artifact.ProgramFile("schedsweep")
		if err := artifact.AddFile(filepath.Join(stage, a.Program.File), self); err != nil {
			return err
		}
		texts, err := licenses()
		if err != nil {
			return err
		}
		if err := store.ReplaceFile(filepath.Join(stage, artifact.ProgramFile("LICENSES.txt")), store.Content(texts)); err != nil {
			return err
		}
	}
	files, sum, err := artifact.Pack(to, stage, a)
	if err != nil {
		return err
	}
	return packed(env, st, to, len(files), sum, &a)
}

func packed(env environment, st study, to string, files int, sum string, a *artifact.Contents) error {
	if a.Answered < a.Planned {
		env.note(fmt.Sprintf("%d of %d instances have no answer: the artifact is of a study that is not complete (%s)", a.Planned-a.Answered,
			a.Planned, st.command("run")))
	}
	if doubt := a.Program.Doubt(); doubt != "" && a.Program.File == "" {
		env.note(doubt + "; --program packs it")
	}
	for _, c := range a.Unlike() {
		env.note(fmt.Sprintf("claim %s: %s in all rows; at the small size: %s", c.ID, c.Verdict, c.AtSmallSize()))
	}
	p := printer{w: env.stdout}
	if info, err := os.Stat(to); err == nil {
		p.printf("%s: %s, %d bytes, SHA-256 %s\n", to, text.Counted(files, "file"), info.Size(), sum)
	}
	p.printf("small: %d of %d instances (%s)", a.Small.Instances, a.Planned, cmp.Or(join(a.Small.Set), "all"))
	if a.Claims != nil {
		p.printf("; %d of %d claims come out as in all rows", len(a.Claims)-len(a.Unlike()), len(a.Claims))
	}
	p.printf("\n%s run again: the same rows, bit for bit\n", text.Counted(a.Checked, "instance"))
	return p.err
}

// packReport writes the report, whose commands are for the folder that the artifact
// unpacks to; elsewhere says that it does not hold its inputs.
func packReport(env environment, st study, to string, elsewhere bool) error {
	page, err := reportOf(env, st)
	if err != nil {
		return err
	}
	st.path, st.data, st.set = artifact.ManifestFile, nil, nil
	if elsewhere {
		st.data = []string{"FOLDER"}
	}
	page.Analyze, page.Replay = st.command("analyze", "--out", "."), st.command("replay", "--out", ".")
	return store.ReplaceFile(to, page.Write)
}

type cost struct {
	answered int
	time     time.Duration // on one core
	jobs     int           // of the largest instance
	logs     int           // answers of logs themselves, which are beside all these
	logTime  time.Duration
}

func spent(st study) (c cost, err error) {
	t, _, err := rows.Read(st.manifest.WithLogs(), st.dir, "wall_time", "jobs", "outcome", "replication")
	if err != nil {
		return c, err
	}
	var seconds, ofLogs float64
	for i := range t.Rows {
		wall, _ := t.Column("wall_time").Float(i)
		jobs, _ := t.Column("jobs").Float(i)
		ok := t.Column("outcome").Text(i) == string(harness.OK)
		if replication, _ := t.Column("replication").Float(i); replication == sweep.LogItself {
			ofLogs += wall
			if ok {
				c.logs++
			}
			continue
		}
		seconds, c.jobs = seconds+wall, max(c.jobs, int(jobs))
		if ok {
			c.answered++
		}
	}
	c.time, c.logTime = time.Duration(math.Ceil(seconds*float64(time.Second))), time.Duration(math.Ceil(ofLogs*float64(time.Second)))
	return c, nil
}

type smallStudy struct {
	artifact.Small
	claims  []artifact.Claim
	checked int // instances that were run again and repeated their rows
}

// checkedAtMost is the number of instances of the whole study that are run again where the small study shares no
// instance with it.
const checkedAtMost = 10

// smaller finds and runs the smallest study whose claims come out as those of the whole, or the one that comes nearest. It looks
// at studies that take no longer than the limit on one core.
func smaller(ctx context.Context, env environment, st study, whole cost, limit time.Duration, claims []claim.Result) (best smallStudy,
	err error) {
	temp, remove, err := store.TempFolder()
	if err != nil {
		return best, err
	}
	defer remove()
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
			sum, err := run.Sweep(ctx, run.Config{Manifest: small.manifest, Inputs: small.inputs, Dir: rows, Origin: origin(env.args)})
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
	v := run.Verification{Manifest: chosen.manifest, Inputs: chosen.inputs, Dir: st.dir}
	n := best.Instances
	if !best.Same {
		v.Manifest, v.Inputs, n = st.manifest, st.inputs, checkedAtMost
	}
	if n = min(n, int(float64(whole.answered)*limit.Seconds()/max(whole.time.Seconds(), 1e-9))); n == 0 {
		return best, nil // one takes longer than the limit
	}
	v.Sample = func(int) int { return n }
	done, err := run.Verify(ctx, v)
	if err == nil && done.Failed > 0 {
		err = fmt.Errorf("%w: %d of %d instances that were run again: such rows are not packed; %s lists the differences",
			errDiffers, done.Failed, done.Planned, st.command("verify", "--sample", "100%"))
	}
	best.checked = done.OK
	return best, err
}

// sized is the study with that number of replications, and with fewer jobs where its
// instances would take too long. Questions choose their replications.
func sized(st study, replications int, whole cost, limit time.Duration) (small study, s smallStudy, err error) {
	if st.inquiry == nil {
		s.Set = []string{fmt.Sprintf("replications=%d", replications)}
	}
	if len(st.manifest.Analysis.Looks) > 0 {
		s.Set = append(s.Set, "analysis.looks=[]")
	}
	if st.manifest.Logs() != nil { // a whole log is not small
		s.Set = append(s.Set, "analysis.log_itself=false")
	}
	if small, err = st.with(s.Set); err != nil {
		return small, s, err
	}
	s.Same, s.Instances = true, st.plan.Len()
	if st.inquiry == nil {
		s.Instances = small.plan.Len()
	}
	share := float64(s.Instances) / float64(st.plan.Len())
	s.CoreTime = time.Duration(share * float64(whole.time))
	if jobs := artifact.JobsWithin(limit, s.CoreTime, whole.jobs); jobs > 0 {
		for _, path := range []string{"workload.jobs", "workload.select.jobs"} {
			if slices.ContainsFunc(st.manifest.Axes, func(a manifest.Axis) bool { return path == a.Path || strings.HasPrefix(path, a.Path+".") }) {
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
	s.Text = append(fmt.Appendf(nil, "# %s, smaller, for a look: %s. schedsweep pack made it of manifest.yaml.\n", st.manifest.Name,
		cmp.Or(join(s.Set), "all of it")), small.manifest.Resolved()...)
	return small, s, nil
}

func (st study) with(set []string) (study, error) {
	set = append(append(slices.Clone(st.set), "name="+st.manifest.Name+"-small"), set...)
	m, inputs, err := input.Load(st.path, input.Options{Data: st.inputs.Folders(), Set: set, Commands: st.commands})
	if err != nil {
		return study{}, err
	}
	plan, err := m.Plan()
	return study{path: st.path, data: st.data, set: set, commands: st.commands, manifest: m, inputs: inputs, plan: plan}, err
}

// claimsOfRun tests a study's claims on the rows of a folder as if they were those of
// another.
func claimsOfRun(st study, dir string) (results []claim.Result, err error) {
	if len(st.manifest.Claims) == 0 {
		return nil, nil
	}
	at := st
	at.dir = dir
	err = withFrame(at, func(spec analysis.Spec, f *frame.Frame, _ *rows.Rows) (err error) {
		results, err = tested(st, f, spec.Design)
		return errors.Join(err, f.Err())
	})
	return results, err
}

// besides puts what the whole study says of its claims beside what the small one says,
// which knows nothing of the folder that it ran in.
func besides(whole, small []claim.Result, folder string) (all []artifact.Claim) {
	for i := range whole {
		w, s := &whole[i], &small[i]
		all = append(all, artifact.Claim{ID: w.Claim.ID, Source: w.Claim.Source, Statement: w.Claim.Statement,
			Verdict: w.Verdict.String(), Small: s.Verdict.String(), SmallReason: strings.ReplaceAll(s.ShownPart().Reason, folder, ""),
			Notes:  w.ShownPart().Notes(),
			Others: w.Claim.Runs()})
	}
	return all
}

func unlikeIn(claims []artifact.Claim) int {
	return len((&artifact.Contents{Claims: claims}).Unlike())
}
