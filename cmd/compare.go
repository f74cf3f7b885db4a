package cmd

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis"
	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	figure "schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

func compareCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "compare",
		Usage:     "compare two runs of a sweep, and refuse regressions",
		ArgsUsage: "A B",
		Description: `Compares the run folder B with the run folder A, paired by point and
replication: of each metric a table of means with verdicts, as analyze has them
of policies. It exits with 5 where B is shown to be worse, by more than the
margin if there is one. It also does so where an instance of A's plan has no
answer in A or in B: a gate without data does not pass. The nominal probability
of a false alarm is 5% for all metrics and points together (1 minus the
confidence). With --strict it passes only if the rows exclude a loss of more
than the margin.

The manifests must agree in all that makes rows. A difference that is meant is
named: --across policy.kind. Instances are paired by the values of their axes
and not by their ids, and only if they play the same jobs. So rows of another
version of the program can be compared. Other runs, such as those of two seeds,
are compared with --independent. Metrics, margins (analysis.margins) and
confidence are those of B's manifest.

` + example(`schedsweep compare results/runs/before results/runs/after
schedsweep compare before after --metric mean_wait_time --margin 2%`) + "\n\n" + exitCodesHelp,
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "metric", Usage: "compare this `METRIC` (default: those of the manifest)"},
			&cli.StringFlag{Name: "margin", Usage: "count means within a `SHARE` such as 2% as equal (default: analysis.margins)"},
			&cli.StringFlag{Name: "to", Usage: "write tables and figures to `FOLDER`"},
			&cli.StringSliceFlag{Name: "data", Usage: "look for the logs of the manifests in `FOLDER` too"},
			&cli.StringSliceFlag{Name: "across", Usage: "the manifests may differ in `FIELD`, such as policy.kind, or in a section"},
			&cli.BoolFlag{Name: "independent", Usage: "the runs play different jobs: compare the means of unrelated replications"},
			&cli.BoolFlag{Name: "allow-failures", Usage: "compare although instances have no answer"},
			&cli.BoolFlag{Name: "strict", Usage: "exit with 5 unless the rows exclude a loss of more than the margin"},
			jsonFlag("compare", "the comparisons"),
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 2 {
				return misuse("compare takes two arguments, the run folders A and B, and got %s; see schedsweep compare --help", given(c))
			}
			return compareRuns(env, c, c.Args().Get(0), c.Args().Get(1))
		},
	})
}

// runColumn is the axis along which two runs are compared.
const runColumn = "run"

// compareOptions are those of compare, however they are given.
type compareOptions interface {
	String(name string) string
	StringSlice(name string) []string
	Bool(name string) bool
}

// comparedRuns holds the results of compare.
type comparedRuns struct {
	a, b    oneRun
	differ  []params.Difference
	metrics []string // that are compared
	result  *analysis.Result
	missing string // of instances without an answer; "" for none
}

func comparedOfFolders(env environment, c *cli.Context, o compareOptions, dirA, dirB string) (*comparedRuns, error) {
	if one, err := os.Stat(dirA); err == nil {
		if other, err := os.Stat(dirB); err == nil && os.SameFile(one, other) {
			return nil, misuse("compare: %s and %s are one folder", dirA, dirB)
		}
	}
	r := &comparedRuns{}
	a, b := &r.a, &r.b
	for i, dir := range []string{dirA, dirB} {
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			return nil, misuse("compare: %s is a file; give the run folder of its sweep, such as results/runs/NAME", dir)
		}
		one, err := openOneRun(env, c, dir)
		if err != nil {
			return nil, err
		}
		*[]*oneRun{a, b}[i] = one
	}
	if a.name == b.name {
		a.name, b.name = a.dir, b.dir
	}
	return r, a.with(env, c, func(inA rows.Stored) error {
		return b.with(env, c, func(inB rows.Stored) error { return r.compare(o, inA, inB) })
	})
}

func compareRuns(env environment, c *cli.Context, dirA, dirB string) error {
	frugal(env)
	all, err := comparedOfFolders(env, c, c, dirA, dirB)
	if err != nil {
		return err
	}
	a, b, differ, res := &all.a, &all.b, all.differ, all.result
	var paths []string
	if to := c.String("to"); to != "" {
		if paths, err = res.Write(to); err != nil {
			return elsewhere(c, fmt.Errorf("compare: %w", err))
		}
	}
	p := printer{w: env.stdout}
	if c.Bool("json") {
		p.err = printJSON(env.stdout, comparedOf(a, b, differ, res))
	} else {
		heads, tables, reading, same := all.shown()
		p.printf("%s\n\n", strings.Join(heads, "\n"))
		p.tables(env, tables)
		if reading != "" {
			p.printf("%s\n\n", env.screen().Wrap(reading))
		}
		if same != "" {
			p.printf("%s\n\n", env.screen().Wrap("identical in all comparisons, or without data: "+same))
		}
	}
	for _, w := range res.Warnings {
		env.tell("warning: " + w.String())
	}
	if !c.Bool("json") {
		if to := c.String("to"); to != "" {
			p.printf("%s in %s\n", text.Counted(len(paths), "file"), to)
		}
		p.printf("%s\n", counted("comparison", []compare.Verdict{compare.Better, compare.Worse, compare.Higher, compare.Lower, compare.Equivalent,
			compare.Identical, compare.CannotTell, compare.NoData}, res.Verdicts))
	}
	return errors.Join(p.err, all.verdict(c))
}

// shown returns the parts of a comparison for people: lines about the runs, tables of the metrics that differ, how to read
// them, and the other metrics.
func (r *comparedRuns) shown() (heads []string, tables []*table.Table, reading, same string) {
	heads = []string{r.a.said(), r.b.said()}
	for _, d := range r.differ {
		heads = append(heads, d.Field+": "+d.A+" and "+d.B)
	}
	differing, others := split(r.metrics, r.result)
	if len(differing) > 0 {
		reading = r.result.Reading()
	}
	return heads, r.result.Overview(differing), reading, join(others)
}

// verdict is nil where the comparison passes.
func (r *comparedRuns) verdict(o compareOptions) error {
	err := regressions(o, r.result)
	if r.missing != "" && !o.Bool("allow-failures") {
		err = errors.Join(err, fmt.Errorf("%w cannot be ruled out: %s; --allow-failures compares the rest", errRegression, r.missing))
	}
	return err
}

func split(metrics []string, res *analysis.Result) (differing, same []string) {
	for _, m := range metrics {
		told := slices.ContainsFunc(res.Comparisons[0], func(c compare.Comparison) bool {
			return c.Metric == m && c.Verdict != compare.Identical && c.Verdict != compare.NoData
		})
		if told {
			differing = append(differing, m)
		} else {
			same = append(same, m)
		}
	}
	return differing, same
}

// compare compares the rows of the two runs, which it reads meanwhile.
func (r *comparedRuns) compare(o compareOptions, inA, inB rows.Stored) error {
	a, b := &r.a, &r.b
	var err error
	if r.differ, err = sameStudy(o, a, b); err != nil {
		return err
	}
	if err := errors.Join(a.read(inA, b.manifest), b.read(inB, b.manifest)); err != nil {
		return err
	}
	spec, f, err := contrastOf(o, a, b)
	r.metrics = spec.Only
	a.rows.Forget()
	b.rows.Forget()
	if err == nil && !o.Bool("independent") {
		err = pairable(f, a, b)
	}
	if err != nil {
		return err
	}
	if r.result, err = analysis.Analyse(f, spec); err == nil {
		err = f.Err()
	}
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	if r.missing = missing(f, &r.result.Design, a, b); r.missing != "" && o.Bool("allow-failures") {
		r.result.Warnings = append(r.result.Warnings, stats.Warnf(stats.Missing, "%s: these are not compared", r.missing))
	}
	return nil
}

// read makes the frame of the run's rows. The compared values stay in the files.
func (r *oneRun) read(in rows.Stored, m *sweep.Manifest) error {
	spec, err := analysis.FromManifest(m, nil)
	if err != nil {
		return err
	}
	spec.Trends, spec.Figures = nil, nil
	columns := slices.Concat(spec.Columns(nil), r.axes)
	for i := range m.Classes {
		columns = append(columns, manifest.ByClass(rows.ClassColumn, m.Classes[i].Name))
	}
	if r.rows, err = frame.Tables(in.Table).Frame(in.Schema(), columns); err == nil {
		r.rows.Later(in.Schema(), in.Read)
		own := spec.Design.Filled()
		ok := own.Answered(r.rows)
		r.answered = slices.DeleteFunc(frame.Every(r.rows), func(row int32) bool { return ok != nil && !ok[row] })
	}
	return err
}

func contrastOf(c compareOptions, a, b *oneRun) (spec analysis.Spec, f *frame.Frame, err error) {
	metrics, all, err := comparedMetrics(c, a, b)
	if err != nil {
		return spec, nil, err
	}
	if spec, err = analysis.FromManifest(b.manifest, metrics); err != nil {
		return spec, nil, err
	}
	d := &spec.Design
	spec.Only = metrics
	d.Metrics, d.Precision, d.Looks = all, nil, nil // whether replications are identical is a matter of all
	d.PlannedPerPoint, d.PlannedTotal, d.PlannedOf, d.Points = frame.Amount{}, frame.Amount{}, planned(a, b), nil
	d.Axes = append([]string{runColumn}, b.axes...)
	d.Order[runColumn] = []string{a.name, b.name}
	if text := c.String("margin"); text != "" {
		share, err := parsePercent(text)
		if err != nil || share >= 100 {
			return spec, nil, misuse("--margin %s: give a share above 0%% and below 100%%, such as 2%%", text)
		}
		d.Margins = map[string]stats.Margin{}
		for _, m := range metrics {
			d.Margins[m] = stats.Margin{Share: share / 100}
		}
	}
	spec.Contrasts = []compare.Contrast{{Axes: []string{runColumn}, Baseline: []frame.Value{frame.Text(a.name)}, Gate: true,
		DropLost: c.Bool("allow-failures"), Independent: c.Bool("independent")}}
	spec.Trends, spec.Figures = nil, nil
	if len(b.axes) > 0 && c.String("to") != "" {
		for _, m := range metrics {
			fig := figure.Figure{ID: "compare-" + m, X: b.axes[0], Y: m, XScale: figure.ScaleAuto, YScale: figure.ScaleAuto,
				Params: &plot.MeansParams{Line: "mean", Paired: "difference"}}
			if len(b.axes) > 1 {
				fig.Series = b.axes[1]
			}
			spec.Figures = append(spec.Figures, fig)
		}
	}
	f, err = frame.Stack(runColumn, []string{a.name, b.name}, a.rows, b.rows)
	if err != nil {
		return spec, nil, misuse("compare: %w", err)
	}
	return spec, f, nil
}

// comparedMetrics are the metrics of --metric, else those of B's manifest, else all numbers
// that both runs have and that are better when lower or higher. all are the ones without --metric, too.
func comparedMetrics(c compareOptions, a, b *oneRun) (out, all []string, err error) {
	asked := c.StringSlice("metric")
	if len(asked) == 0 {
		asked = b.manifest.Metrics
	}
	other := otherClasses(a, b)
	for _, k := range input.MetricsOf(b.manifest) {
		if slices.ContainsFunc(other, func(c string) bool { return strings.HasSuffix(k.Name, manifest.ByClass("", c)) }) {
			continue
		}
		has := a.rows.Head(k.Name) != nil && b.rows.Head(k.Name) != nil && !b.rows.Head(k.Name).IsText()
		of := func(names []string) bool { return slices.Contains(names, k.Name) || len(names) == 0 && k.Better != "" }
		if has && of(asked) {
			out = append(out, k.Name)
		}
		if has && (of(asked) || of(b.manifest.Metrics)) {
			all = append(all, k.Name)
		}
	}
	for _, m := range asked {
		for _, c := range other {
			if strings.HasSuffix(m, manifest.ByClass("", c)) {
				return nil, nil, misuse("compare: --metric %s: the runs do not have the same class %s (column %s says which jobs are in it): declare "+
					"it alike in both manifests and run them with --complete", m, c, manifest.ByClass(rows.ClassColumn, c))
			}
		}
		if !slices.Contains(out, m) {
			if len(c.StringSlice("metric")) == 0 {
				return nil, nil, misuse("compare: not both runs have the metric %s of the manifest of %s: run the other with --complete, or choose "+
					"with --metric", m, b.dir)
			}
			return nil, nil, misuse("compare: --metric %s: not both runs have such a metric; see schedsweep list metrics", m)
		}
	}
	if len(out) == 0 {
		return nil, nil, misuse("compare: the runs have no metric in common with a better direction; name one with --metric")
	}
	return out, all, nil
}

// otherClasses are the classes of jobs of B that are not the same in all rows of both runs. Rows without an answer have no class.
func otherClasses(a, b *oneRun) (other []string) {
	for i := range b.manifest.Classes {
		c := &b.manifest.Classes[i]
		for _, r := range []*oneRun{a, b} {
			is := r.rows.Column(manifest.ByClass(rows.ClassColumn, c.Name))
			if is == nil || slices.ContainsFunc(r.answered, func(row int32) bool { return !is.At(int(row)).Is(frame.Text(c.Is())) }) {
				other = append(other, c.Name)
				break
			}
		}
	}
	return other
}

func regressions(c compareOptions, res *analysis.Result) error {
	told, all := 0, 0
	for v, n := range res.Verdicts {
		all += n
		if v != compare.NoData {
			told += n
		}
	}
	switch {
	case res.Regressed > 0:
		return fmt.Errorf("%w: %d of %d comparisons:%s", errRegression, res.Regressed, all, firstOf(res.Regressions, res.Regressed))
	case told == 0:
		return fmt.Errorf("%w cannot be ruled out: no metric has values of the same instances in both runs: there is nothing to compare",
			errRegression)
	case c.Bool("strict") && res.NotShown > 0:
		return fmt.Errorf("%w cannot be ruled out: %d of %d comparisons are not shown to be no worse than by the margin (--margin, or "+
			"analysis.margins):%s", errRegression, res.NotShown, all, firstOf(res.Doubtful, res.NotShown))
	}
	return nil
}

// firstOf is a line for each of the first comparisons of some.
func firstOf(first []compare.Comparison, of int) string {
	lines := text.Refs(first, func(c *compare.Comparison) string { return "\n    " + c.String() })
	if more := of - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("\n    and %d more", more))
	}
	return strings.Join(lines, "")
}

var errRegression = errors.New("a regression")

func comparedOf(a, b *oneRun, differ []params.Difference, res *analysis.Result) object {
	whole := true
	of := func(r *oneRun) object {
		whole = whole && len(r.answered) >= r.plan.Len()
		return object{"folder", r.dir, "manifest", r.manifest.Name, "program", r.provenance.Program, "semantic_version",
			r.provenance.SemanticVersion, "rows", r.rows.Rows, "planned", r.plan.Len(), "answered", len(r.answered)}
	}
	comparisons := text.Refs(res.Comparisons[0], func(c *compare.Comparison) object {
		return append(judgedOf(c), "p_worse", c.PWorse, "p_worse_holm", c.PWorseHolm, "mean_a", c.BaseMean, "mean_b", c.OtherMean)
	})
	differences := text.Refs(differ, func(d *params.Difference) object { return object{"field", d.Field, "a", d.A, "b", d.B} })
	return object{"version", jsonVersion, "a", of(a), "b", of(b), "differences", differences, "confidence", res.Design.Confidence,
		"verdicts", res.Verdicts, "regressions", res.Regressed, "complete", whole, "listed", res.Complete(), "comparisons", comparisons,
		"warnings", res.Warnings}
}
