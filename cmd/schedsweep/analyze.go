package main

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis"
	"schedsweep/harness"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

func analyzeCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "analyze",
		Usage:     "make the tables and figures of a run",
		ArgsUsage: "MANIFEST",
		Description: `Groups the rows by every axis but the replication and computes for each metric n,
mean, standard deviation, median, quantiles and a Student confidence interval;
paired differences and ratios against the manifest's baseline; trendlines; and
the manifest's figures, as SVG, PNG and PDF with their data as CSV. Counts of
planned, ok and failed instances stand beside every statistic. It may be asked
while a run goes on.

` + example(`schedsweep analyze manifests/quickstart.yaml
schedsweep analyze manifests/quickstart.yaml --to results/quickstart --quiet`),
		Flags: manifestFlags(outFlag(),
			&cli.StringFlag{Name: "to", Usage: "write tables and figures to `FOLDER` (default: analysis in the run folder)"},
			&cli.BoolFlag{Name: "quiet", Usage: "print the paths only, not the tables"},
		),
		Action: func(c *cli.Context) error {
			st, err := openStudy(env, c)
			if err != nil {
				return err
			}
			return analyze(env, c, st.manifest)
		},
	})
}

func analyze(env environment, c *cli.Context, m *sweep.Manifest) error {
	dir := runFolder(c, m)
	res, err := analysed(m, dir)
	if err != nil {
		return err
	}
	p := printer{w: env.stdout}
	if !c.Bool("quiet") {
		for _, t := range res.Tables() {
			if p.err == nil {
				p.err = t.WriteText(env.stdout)
			}
			p.printf("\n")
		}
	}
	for _, w := range res.Warnings {
		fmt.Fprintf(env.stderr, "warning: %s\n", w)
	}
	to := c.String("to")
	if to == "" {
		to = filepath.Join(dir, "analysis")
	}
	paths, err := res.Write(to)
	for _, f := range paths {
		p.printf("%s\n", f)
	}
	if err != nil {
		return fmt.Errorf("analyze: %w", err)
	}
	return p.err
}

// analysed reads the rows of a run and computes what the manifest asks for.
func analysed(m *sweep.Manifest, dir string) (*analysis.Result, error) {
	if _, err := harness.ReadProvenance(dir); err != nil {
		return nil, misuse("analyze: %w; run the manifest first, or point to its folder with --out", err)
	}
	rows, err := store.Scan(filepath.Join(dir, harness.InstancesDir), store.ScanOptions{Key: "id"})
	if err != nil {
		return nil, fmt.Errorf("analyze: %w", err)
	}
	frame, err := analysis.FromTable(rows)
	if err != nil {
		return nil, fmt.Errorf("analyze %s: %w", dir, err)
	}
	var metrics []string
	for _, k := range harness.Registry().Metrics {
		if rows.Column(k.Name) != nil {
			metrics = append(metrics, k.Name)
		}
	}
	spec, err := analysis.FromManifest(m, metrics)
	if err != nil {
		return nil, err
	}
	return analysis.Analyse(frame, spec)
}
