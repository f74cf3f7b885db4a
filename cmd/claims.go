package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis"
	"schedsweep/analysis/claim"
	"schedsweep/analysis/frame"
	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/sweep"
	asked "schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

func claimsCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "claims",
		Usage:     "test published claims on the rows of a run",
		ArgsUsage: "MANIFEST",
		Description: `Computes the statistic of every claim of the manifest with its confidence
interval over replications, and compares it with the published value. A claim
holds where the interval lies inside the expected region, does not hold where
it lies outside, and is inconclusive otherwise. The table is also written as
claims.txt, claims.csv and claims.md, in whose CSV inconclusive is "cannot tell".
Exits with 5 where a claim does not hold, or where none has data, with --strict
also where one is inconclusive. schedsweep list claims shows how a manifest
states claims.

Intervals are over replications, by the same rules as in the tables of analyze:
schedsweep list intervals says which, and what they are worth with few of them.

Where an instance failed or has no finite metric there is no verdict, since the
others may differ from it; incomplete: drop in the claim leaves its replication
out. Rows of another manifest's run, run: NAME, are read from the folder NAME
beside the run folder, and held against NAME.yaml beside the manifest.

` + example(`schedsweep claims manifests/dutot2015-homogeneous.yaml --data ../shared/traces
schedsweep claims manifests/zeng2009.yaml --to results/zeng2009/main --quiet`) + "\n\n" + exitCodesHelp,
		Flags: manifestFlags(outFlag(),
			&cli.StringFlag{Name: "to", Usage: "write the tables to `FOLDER` (default: analysis in the run folder)"},
			&cli.BoolFlag{Name: "strict", Usage: "an inconclusive claim is a failure too: exit with 5"},
			&cli.BoolFlag{Name: "quiet", Usage: "print the count and the paths only, not the tables"},
			jsonFlag("claims", "the claims"),
		),
		Action: withStudy(env, openStudy, func(c *cli.Context, st study) error { return claims(env, c, st) }),
	})
}

func claims(env environment, c *cli.Context, st study) error {
	if len(st.manifest.Claims) == 0 {
		return misuse("%s states no claims; see schedsweep list claims", st.path)
	}
	if err := ran(env, st); err != nil {
		return err
	}
	var results []claim.Result
	var all *frame.Frame
	var design frame.Design
	err := withFrame(st, func(spec analysis.Spec, f *frame.Frame, _ *rows.Rows) (err error) {
		all, design = f, spec.Design
		results, err = tested(st, f, design)
		return errors.Join(err, f.Err())
	})
	if err != nil {
		return err
	}
	// Claims may be about other runs only.
	if !slices.ContainsFunc(results, func(r claim.Result) bool { return r.Verdict != claim.CannotTell }) {
		if err := answered(all, st); err != nil {
			return fmt.Errorf("claims: %w", err)
		}
	}
	tables := claim.Tables(design, results)
	to := cmp.Or(c.String("to"), filepath.Join(st.dir, "analysis"))
	paths, err := analysis.WriteTables(to, tables)
	if err != nil {
		return elsewhere(c, fmt.Errorf("claims: %w", err))
	}
	p := printer{w: env.stdout}
	json := c.Bool("json")
	if !c.Bool("quiet") && !json {
		p.tables(env, tables)
	}
	switch count := claim.Tally(results); {
	case json:
		p.err = printJSON(env.stdout, append(about(st), "confidence", design.Confidence, "verdicts", count, "claims", claimsOf(results)))
	case c.Bool("quiet"):
		for _, f := range paths {
			p.printf("%s\n", f)
		}
		p.printf("%s\n", counted("claim", claim.Verdicts, count))
	default:
		p.printf("%s in %s\n", text.Counted(len(tables), "table"), to)
		p.printf("%s\n", counted("claim", claim.Verdicts, count))
	}
	return errors.Join(p.err, failing(results, c.Bool("strict")))
}

// counted returns a text with the number of things of each of some verdicts.
func counted[V ~string](what string, verdicts []V, count map[V]int) string {
	var parts []string
	all := 0
	for _, v := range verdicts {
		if n := count[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d", v, n))
			all += n
		}
	}
	return text.Counted(all, what) + "; " + join(parts)
}

// failing names the claims that do not hold and, when strict, the inconclusive ones. Claims without any data do not
// pass.
func failing(results []claim.Result, strict bool) error {
	var not, unknown []string
	told := false
	for _, r := range results {
		told = told || slices.ContainsFunc(r.Parts, func(p claim.Part) bool { return p.Replications > 0 })
		switch {
		case r.Verdict == claim.DoesNotHold:
			not = append(not, r.Claim.ID)
		case strict && r.Verdict == claim.CannotTell:
			unknown = append(unknown, r.Claim.ID)
		}
	}
	switch {
	case !told:
		return harness.Mark(fmt.Errorf("no claim has a verdict, for none has data; the first, %s: %s", results[0].Claim.ID,
			results[0].Parts[0].Reason), errClaim)
	case not != nil && unknown != nil:
		return fmt.Errorf("%w: %s; inconclusive: %s", errClaim, join(not), join(unknown))
	case not != nil:
		return fmt.Errorf("%w: %s", errClaim, join(not))
	case unknown != nil:
		return harness.Mark(fmt.Errorf("a claim is inconclusive: %s", join(unknown)), errClaim)
	}
	return nil
}

func claimsOf(results []claim.Result) []object {
	return text.Refs(results, func(r *claim.Result) object {
		c := &r.Claim
		return slices.Concat(object{"id", c.ID, "kind", c.Kind, "source", c.Source, "statement", c.Statement, "published", c.Published,
			"note", c.Note, "statistic", c.Statistic.Kind, "metric", c.Statistic.Metric, "verdict", r.Verdict, "shown", r.Shown},
			countsOf(r.Counts), object{"parts", text.Refs(r.Parts, claimPartOf)})
	})
}

func claimPartOf(p *claim.Part) object {
	r := p.Expect
	return append(object{"label", p.Label, "unit", p.Unit, "interval", p.Interval, "rule", p.Rule, "replications", p.Replications,
		"expected", object{"text", r.String(), "low", r.Low, "high", r.High, "low_open", r.LowOpen, "high_open", r.HighOpen},
		"verdict", p.Verdict, "reason", p.Reason, "remarks", append([]string{}, p.Remarks...)}, countsOf(p.Counts)...)
}

// readRows reads what claims need; foreign counts the rows of instances that the manifest does not have, which are left out.
func readRows(m *sweep.Manifest, dir string, claims []asked.Claim) (f *frame.Frame, d frame.Design, foreign int, err error) {
	spec, err := analysis.FromManifest(m, nil)
	if err != nil {
		return nil, d, 0, err
	}
	err = rows.With(m, dir, func(r *rows.Rows) error {
		foreign = r.Foreign()
		f, err = frame.Tables(r.Table).Frame(r.Schema(), append(spec.Columns(claims), spec.Design.Metrics...))
		return err
	})
	return f, spec.Design, foreign, err
}

// tested evaluates the manifest's claims. Runs of other manifests that they
// name are found beside the run's own folder.
func tested(st study, rows *frame.Frame, design frame.Design) ([]claim.Result, error) {
	if len(st.manifest.Claims) == 0 {
		return nil, nil
	}
	points, err := frame.PlannedPoints(st.manifest)
	if err != nil {
		return nil, err
	}
	if len(st.manifest.Metrics) > 0 {
		design.Metrics = st.manifest.Metrics // those of the tables may be more
	}
	own := &frame.Run{Frame: rows, Design: design, Planned: points,
		Remedy: "go on with: " + st.command("run", outFlags(st.dir, st.manifest.Name)...)}
	others := map[string]*frame.Run{}
	for i := range st.manifest.Claims {
		for _, name := range st.manifest.Claims[i].Runs() {
			if others[name] == nil {
				if others[name], err = otherRun(st, name, filepath.Join(filepath.Dir(st.dir), name)); err != nil {
					return nil, err
				}
			}
		}
	}
	return claim.Evaluate(st.manifest.Claims, own, others), nil
}

// otherRun reads the run of another manifest, NAME.yaml beside the study's. A run
// that is missing, or was made with other values, has no frame.
func otherRun(st study, name, dir string) (*frame.Run, error) {
	path := filepath.Join(filepath.Dir(st.path), name+".yaml")
	other := study{path: path, data: st.data}
	remedy := "make them with: " + other.command("run", outFlags(dir, name)...)
	r := &frame.Run{Name: name, Remedy: remedy}
	p, err := folder.Read(dir)
	if p.Rebuilt != "" {
		r.Remarks = append(r.Remarks, p.Rebuilt)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, nil
	case err != nil:
		return nil, err
	case p.Manifest != name:
		return nil, fmt.Errorf("%w: %s holds %q", folder.ErrOther, dir, p.Manifest)
	}
	_, err = os.Stat(path)
	known := err == nil
	if !known {
		path = folder.ManifestPath(dir)
		r.Remarks = append(r.Remarks, fmt.Sprintf("the run %s is taken as it lies: there is no %s.yaml beside the manifest to hold it against",
			name, name))
	}
	m, in, err := input.Load(path, input.Options{Data: append(st.inputs.Folders(), p.Folders...)})
	if err == nil {
		m, err = runOf(m, in, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("the run %s: %w", dir, err)
	}
	if m.Name != name {
		return nil, misuse("%s is the manifest of %q; a claim names the run %q", path, m.Name, name)
	}
	for i := range m.Classes {
		for k := range st.manifest.Classes {
			if is, here := &m.Classes[i], &st.manifest.Classes[k]; is.Name == here.Name && is.Is() != here.Is() {
				r.Remarks = append(r.Remarks, fmt.Sprintf("of the run %s the class %s is of other jobs: %s, and here %s", name, is.Name, is.Is(),
					here.Is()))
			}
		}
	}
	// What the claims read of this run they name, or its own manifest does.
	f, design, foreign, err := readRows(m, dir, st.manifest.Claims)
	switch {
	case errors.Is(err, rows.ErrNone):
		return r, nil
	case known && errors.Is(err, folder.ErrOther):
		r.Remedy = fmt.Sprintf("%s was run with other values than those of %s; move it away and %s", dir, path, remedy)
		return r, nil
	case err != nil:
		return nil, err
	}
	if r.Planned, err = frame.PlannedPoints(m); err != nil {
		return nil, err
	}
	r.Frame, r.Design = f, design
	if foreign > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("the run %s holds %d %s left out", name, foreign, text.Either(foreign,
			"row that is no instance of "+path+"; it was", "rows that are no instances of "+path+"; they were")))
	}
	return r, nil
}

// outFlags name a run folder where it is not the manifest's own.
func outFlags(dir, name string) []string {
	if dir == defaultFolder(name) {
		return nil
	}
	return []string{"--out", dir}
}
