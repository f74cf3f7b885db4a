package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis"
	"schedsweep/harness"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

func claimsCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "claims",
		Usage:     "test what a study published on the rows of a run",
		ArgsUsage: "MANIFEST",
		Description: `Computes the statistic of every claim of the manifest with its confidence
interval over replications, and compares it with what was published: a claim
holds where the interval lies inside what is expected, does not hold where it
lies outside, and cannot be told otherwise. The table is also written as
claims.txt, claims.csv and claims.md. Exits with 5 where a claim does not hold.

A claim in a manifest:

    claims:
      - id: easy-waits-less
        source: Fig. 2
        statement: EASY backfilling shortens the mean wait by a half or more
        improvement: {metric: mean_wait_time, of: {policy.kind: easy}, to: {policy.kind: fcfs}}
        at_least: 50
        across: [workload.offered_load]

` + example(`schedsweep claims manifests/dutot2015-homogeneous.yaml
schedsweep claims sweep.yaml --to results/sweep --quiet`) + "\n\n" + exitCodesHelp,
		Flags: manifestFlags(outFlag(),
			&cli.StringFlag{Name: "to", Usage: "write the tables to `FOLDER` (default: analysis in the run folder)"},
			&cli.BoolFlag{Name: "quiet", Usage: "print the count and the paths only, not the tables"},
		),
		Action: func(c *cli.Context) error {
			st, err := openStudy(env, c)
			if err != nil {
				return err
			}
			return claims(env, c, st)
		},
	})
}

func claims(env environment, c *cli.Context, st study) error {
	if len(st.manifest.Claims) == 0 {
		return misuse("%s states no claims; see schedsweep claims --help for one", st.path)
	}
	dir := runFolder(c, st.manifest)
	rows, err := readRun(st.manifest, dir)
	if err != nil {
		return err
	}
	spec, err := analysis.FromManifest(st.manifest, nil)
	if err != nil {
		return err
	}
	results, err := tested(st, dir, rows, spec.Design)
	if err != nil {
		return err
	}
	tables := analysis.ClaimTables(spec.Design, results)
	p := printer{w: env.stdout}
	if !c.Bool("quiet") {
		for _, t := range tables {
			if p.err == nil {
				p.err = t.WriteText(env.stdout)
			}
			p.printf("\n")
		}
	}
	p.printf("%s\n", verdicts(results))
	to := c.String("to")
	if to == "" {
		to = filepath.Join(dir, "analysis")
	}
	paths, err := analysis.WriteTables(to, tables)
	for _, f := range paths {
		p.printf("%s\n", f)
	}
	if err != nil {
		return fmt.Errorf("claims: %w", err)
	}
	return errors.Join(p.err, failing(results))
}

// verdicts counts them.
func verdicts(results []analysis.ClaimResult) string {
	count := map[analysis.Verdict]int{}
	for _, r := range results {
		count[r.Verdict]++
	}
	var parts []string
	for _, v := range []analysis.Verdict{analysis.Holds, analysis.DoesNotHold, analysis.CannotTell, analysis.Reported} {
		if n := count[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d", v, n))
		}
	}
	return fmt.Sprintf("%d claims; %s", len(results), strings.Join(parts, ", "))
}

// failing names the claims that do not hold.
func failing(results []analysis.ClaimResult) error {
	var ids []string
	for _, r := range results {
		if r.Verdict == analysis.DoesNotHold {
			ids = append(ids, r.Claim.ID)
		}
	}
	if ids == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", errClaim, strings.Join(ids, ", "))
}

// runRows is what a run folder holds.
type runRows struct {
	provenance harness.Provenance
	table      *store.Table
	frame      *analysis.Frame
}

// readRun reads the rows of a manifest's own run.
func readRun(m *sweep.Manifest, dir string) (runRows, error) {
	p, err := harness.ReadProvenance(dir)
	if err != nil {
		return runRows{}, misuse("%w; run the manifest first, or point to its folder with --out", err)
	}
	return readRows(m, p, dir)
}

func readRows(m *sweep.Manifest, p harness.Provenance, dir string) (runRows, error) {
	table, err := harness.Rows(m, dir)
	if err != nil {
		return runRows{}, err
	}
	frame, err := analysis.FromTable(table)
	if err != nil {
		return runRows{}, fmt.Errorf("rows of %s: %w", dir, err)
	}
	return runRows{p, table, frame}, nil
}

// tested evaluates the manifest's claims. Runs of other manifests that they
// name are found beside the run's own folder.
func tested(st study, dir string, rows runRows, design analysis.Design) ([]analysis.ClaimResult, error) {
	if len(st.manifest.Claims) == 0 {
		return nil, nil
	}
	points, err := analysis.PlannedPoints(st.manifest)
	if err != nil {
		return nil, err
	}
	own := &analysis.Run{Frame: rows.frame, Design: design, Planned: points, Remedy: "go on with: " + runCommandLine(st.path, dir, st.manifest.Name)}
	others := map[string]*analysis.Run{}
	for i := range st.manifest.Claims {
		for _, name := range st.manifest.Claims[i].Runs() {
			if others[name] == nil {
				if others[name], err = otherRun(name, filepath.Join(filepath.Dir(dir), name), filepath.Join(filepath.Dir(st.path), name+".yaml")); err != nil {
					return nil, err
				}
			}
		}
	}
	return analysis.EvaluateClaims(st.manifest.Claims, own, others), nil
}

// otherRun reads the run of another manifest; one that there is not has no
// frame.
func otherRun(name, dir, manifest string) (*analysis.Run, error) {
	r := &analysis.Run{Name: name, Remedy: "make them with: " + runCommandLine(manifest, dir, name)}
	p, err := harness.ReadProvenance(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, nil
	case err != nil:
		return nil, err
	case p.Manifest != name:
		return nil, fmt.Errorf("%w: %s holds %q", harness.ErrOtherManifest, dir, p.Manifest)
	}
	m, _, err := harness.Load(harness.ManifestPath(dir), harness.LoadOptions{})
	if err != nil {
		return nil, fmt.Errorf("the run %s: %w", dir, err)
	}
	rows, err := readRows(m, p, dir)
	if err != nil {
		return nil, err
	}
	r.Frame, r.Instances = rows.frame, p.Instances
	r.Design = analysis.Design{Replication: analysis.ReplicationColumn, Outcome: analysis.OutcomeColumn}
	names := rows.frame.Names()
	if end := slices.Index(names, analysis.ReplicationColumn); end > 0 {
		r.Design.Axes = names[1:end] // after the id
	}
	return r, nil
}

// runCommandLine is the command that fills a run folder.
func runCommandLine(manifest, dir, name string) string {
	line := "schedsweep run " + manifest
	if dir != defaultFolder(name) {
		line += " --out " + dir
	}
	return line
}
