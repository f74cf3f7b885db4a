package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis"
	"schedsweep/analysis/claim"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/stats"
	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// mostStale is the number of tables and figures of another analysis that a note names.
const mostStale = 5

func analyzeCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "analyze",
		Usage:     "make the tables and figures of a run",
		ArgsUsage: "MANIFEST",
		Description: `Groups the rows by every axis but the replication. For each metric it computes
n, mean, standard deviation, median and quantiles, and paired differences and
ratios against the manifest's baseline. It fits trendlines, computes the effect
of each knob of a sample, and judges the claims (the verb claims also makes
the verdicts its exit code). It draws the manifest's figures as SVG, PNG and
PDF, with their data as CSV. Every statistic comes with the counts of planned,
ok and failed instances. You can call it during a run.

A comparison ends in a verdict: better, worse, equivalent (shown to be within
the margin that the manifest states, analysis.margins), identical (no pair
differs), inconclusive, or no data. Its p-values invert the interval of the
ratio, or where a value is negative of the difference, by Holm over the
comparisons of a metric in the table. Chance alone then makes none of them
better or worse more often than one interval is wrong. Where a pair is lost,
because an instance failed or has no row yet, there is no verdict. Where a
margin is stated and the table is inconclusive, it says how many replications
would decide in four of five cases, unless the log has no more.

Every interval is over replications: schedsweep list intervals says how it
is made and what it is worth with few of them.

` + example(`schedsweep analyze manifests/quickstart.yaml
schedsweep analyze manifests/quickstart.yaml --to results/quickstart --quiet`),
		Flags: manifestFlags(outFlag(),
			&cli.StringFlag{Name: "to", Usage: "write tables and figures to `FOLDER` (default: analysis in the run folder)"},
			&cli.BoolFlag{Name: "quiet", Usage: "print the paths only, not the tables"},
			jsonFlag("analyze", "all tables"),
		),
		Action: withStudy(env, openStudy, func(c *cli.Context, st study) error { return analyze(env, c, st) }),
	})
}

func analyze(env environment, c *cli.Context, st study) error {
	res, rows, err := analysed(env, st)
	if err != nil {
		return fmt.Errorf("analyze: %w", err)
	}
	if err := answered(rows, st); err != nil {
		return fmt.Errorf("analyze: %w", err)
	}
	to := cmp.Or(c.String("to"), filepath.Join(st.dir, "analysis"))
	paths, err := res.Write(to)
	if err != nil {
		return elsewhere(c, fmt.Errorf("analyze: %w", err))
	}
	p := printer{w: env.stdout}
	if !c.Bool("quiet") && !c.Bool("json") {
		p.tables(env, append(res.Overview(mattering(st.manifest, res.Design.Metrics)), claim.Tables(res.Design, res.Claims)...))
		if reading := res.Reading(); reading != "" {
			p.printf("%s\n\n", env.screen().Wrap(reading))
		}
	}
	if stale := analysis.Stale(to, paths); stale != nil {
		env.note(fmt.Sprintf("%s also has tables or figures of another analysis: %s; delete them if they are outdated", to,
			text.FirstOf(stale, mostStale, "file")))
	}
	for _, w := range res.Warnings {
		env.tell("warning: " + w.String())
	}
	for _, d := range res.Figures {
		for _, w := range d.Warnings {
			if w.Code != stats.Failed && w.Code != stats.Missing { // which the whole dataset's say
				env.tell("warning: figure " + d.Figure.ID + ": " + w.String())
			}
		}
	}
	if c.Bool("json") {
		return printJSON(env.stdout, analysedOf(st, res, paths))
	}
	if c.Bool("quiet") {
		for _, f := range paths {
			p.printf("%s\n", f)
		}
		return p.err
	}
	p.printf("%s\n", env.screen().Wrap("wrote to "+to+": "+madeOf(paths, res.Figures)))
	return p.err
}

// madeOf names the tables and figures that are among the files. Tables on the screen are others: a table for each metric.
func madeOf(paths []string, figures []*plot.Drawing) string {
	const most = 6 // figures to name
	var tables []string
	for _, f := range paths {
		if name, ok := strings.CutSuffix(filepath.Base(f), ".csv"); ok {
			tables = append(tables, name)
		}
	}
	tables = tables[:len(tables)-len(figures)] // figures come last
	made := "tables " + join(tables)
	if len(tables) == 1 {
		made = "table " + tables[0]
	}
	ids := text.Each(figures, func(d *plot.Drawing) string { return d.Figure.ID })
	switch n := len(figures); {
	case n > most:
		made += fmt.Sprintf("; %d figures", n)
	case n > 1:
		made += "; figures " + join(ids)
	case n == 1:
		made += "; figure " + ids[0]
	}
	return made
}

// elsewhere adds a remedy to the error of a reader who may not write to the run folder or to that of --to.
func elsewhere(c *cli.Context, err error) error {
	if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return err
	}
	if c.IsSet("to") {
		return misuse("%w: --to %s: choose a folder that can be written", err, c.String("to"))
	}
	return misuse("%w: you may read the run folder and not write to it: say with --to where the results go", err)
}

// mattering are the metrics to print: those of metrics:, else the ones in figures, trends and claims, else all.
func mattering(m *sweep.Manifest, all []string) []string {
	if len(m.Metrics) > 0 {
		return all
	}
	var named []string
	for _, f := range m.Analysis.Figures {
		named = append(named, f.X, f.Y)
	}
	for _, t := range m.Analysis.Trends {
		named = append(named, t.Y)
	}
	for _, c := range m.Claims {
		named = append(named, c.Statistic.Metric)
	}
	shown := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !slices.Contains(named, name) })
	if len(shown) == 0 {
		return all
	}
	return shown
}

// answered is an error where no instance has an answer: tables and figures of
// nothing would look like results.
func answered(f *frame.Frame, st study) error {
	outcome := f.Held("outcome")
	at := slices.Index(outcome.Levels, string(harness.OK))
	for row := range int32(f.Rows) {
		if at >= 0 && outcome.Code(row) == int32(at) {
			return nil
		}
	}
	first := ""
	if t, _, err := rows.Read(st.manifest, st.dir, "error"); err != nil {
		return err
	} else if why := t.Column("error"); why != nil && t.Rows > 0 {
		first = "; the first: " + why.Text(0)
	}
	return fmt.Errorf("%w: all %d of %s, so that there is nothing to analyse%s; fix the cause, then use run --retry", errFailedInstances,
		f.Rows, st.dir, first)
}

// withFrame calls do with the analysis that a study asks for and the rows of its run folder, which are closed behind it.
func withFrame(st study, do func(analysis.Spec, *frame.Frame, *rows.Rows) error) error {
	metrics := text.Each(input.MetricsOf(st.manifest), func(m params.Metric) string { return m.Name })
	spec, err := analysis.FromManifest(st.manifest, metrics)
	if err != nil {
		return err
	}
	return rows.With(st.manifest, st.dir, func(r *rows.Rows) error {
		f, err := frame.Tables(r.Table).Frame(r.Schema(), spec.Columns(st.manifest.Claims))
		if err != nil {
			return err
		}
		if len(st.manifest.Metrics) == 0 { // the ones of this run
			have := r.Schema()
			spec.Design.Metrics = slices.DeleteFunc(slices.Clone(metrics), func(name string) bool { return have.Index(name) < 0 })
		}
		f.Later(slices.DeleteFunc(r.Schema(), func(c store.Column) bool { return !slices.Contains(spec.Design.Metrics, c.Name) }), r.Read)
		if r.Logs != nil {
			spec.Design.Log, err = frame.Tables(r.Logs.Table).Frame(r.Logs.Schema(), append(spec.Columns(nil), spec.Design.Metrics...))
			if err != nil {
				return err
			}
			spec.Design.Log.Beside = r.Logs
		}
		return do(spec, f, r)
	})
}

func analysed(env environment, st study) (res *analysis.Result, f *frame.Frame, err error) {
	if err := ran(env, st); err != nil {
		return nil, nil, err
	}
	err = withFrame(st, func(spec analysis.Spec, all *frame.Frame, r *rows.Rows) error {
		f = all
		f.Beside = r
		res, err = analysisOf(st, spec, f, r)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return res, f, nil
}

// undefinedWhere finds in a metric's definition when a run has no value.
var undefinedWhere = regexp.MustCompile(`(?i)\b(empty|undefined) (.*?)(; |\. |$)`)

// withoutValue are the warnings about metrics that the manifest names and no run has. Of classes there are none where notes tell of them.
func withoutValue(m *sweep.Manifest, valueless []string, classesNoted bool) (ws []stats.Warning) {
	for _, of := range input.MetricsOf(m) {
		if !slices.Contains(m.Metrics, of.Name) || !slices.Contains(valueless, of.Name) ||
			classesNoted && strings.Contains(of.Name, manifest.ByClass("", "")) {
			continue
		}
		why := "no run defines it"
		if found := undefinedWhere.FindStringSubmatch(of.Doc); found != nil {
			why = "it is empty " + found[2]
		}
		ws = append(ws, stats.Warnf(stats.Degenerate, "%s has no value in any run: %s", of.Name, why))
	}
	return ws
}

// analysisOf is the analysis that a study asks for, of rows that can be read.
func analysisOf(st study, spec analysis.Spec, f *frame.Frame, r *rows.Rows) (*analysis.Result, error) {
	res, err := unjudged(st, spec, f, r)
	if err != nil {
		return nil, err
	}
	res.Claims, err = tested(st, f, res.Design)
	return res, errors.Join(err, f.Err())
}

// unjudged is the analysis without the claims.
func unjudged(st study, spec analysis.Spec, f *frame.Frame, r *rows.Rows) (res *analysis.Result, err error) {
	if a := st.manifest.Analysis; len(a.Controls) > 0 {
		spec.Controls = &analysis.Controls{Names: a.Controls}
		if spec.Controls.Values, spec.Controls.Beyond, err = input.Controls(st.plan, r.Numbers(nil), st.inputs, a.Controls,
			a.ControlDraws); err != nil {
			return nil, err
		}
	}
	if res, err = analysis.Analyse(f, spec); err != nil {
		return nil, err
	}
	if r.Logs != nil && r.Logs.Lacking() > 0 {
		res.Warnings = append(res.Warnings, stats.Warnf(stats.Missing, "the log itself has no row yet at %d of %d points: run simulates it",
			r.Logs.Lacking(), r.Logs.Planned()))
	}
	p, err := folder.Read(st.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, note := range p.Assumed {
		res.Warnings = append(res.Warnings, stats.Warnf(stats.Assumed, "%s", note))
	}
	notes, err := r.ClassNotes()
	if err != nil {
		return nil, err
	}
	for _, note := range notes {
		res.Warnings = append(res.Warnings, stats.Warnf(stats.Missing, "%s", note))
	}
	res.Warnings = append(res.Warnings, withoutValue(st.manifest, res.Valueless, len(notes) > 0)...)
	if st.inquiry != nil {
		if err := st.inquiry.Note(f, spec.Design); err != nil {
			return nil, err
		}
		res.Ask(st.inquiry)
	}
	return res, nil
}
