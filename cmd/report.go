package cmd

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis"
	"schedsweep/analysis/claim"
	"schedsweep/analysis/frame"
	page "schedsweep/analysis/report"
	"schedsweep/analysis/table"
	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

func reportCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "report",
		Usage:     "write the results of a run as one page",
		ArgsUsage: "MANIFEST",
		Description: `Writes a self-contained HTML page for browsers, phones and paper; it needs no
network. The page has claims with their verdicts, comparisons, figures, and
tables that sort and filter. It also shows which instances are there and which
are missing, warnings, the manifest, and where the rows come from. Hover over a
point of a figure, or use the arrow keys, to see its instances and the command
that re-runs one.

The page shows what analyze, claims and status compute. The same rows and the
same command give the same bytes.

` + example(`schedsweep report manifests/quickstart.yaml
schedsweep report manifests/quickstart.yaml --to quickstart.html`),
		Flags: manifestFlags(outFlag(),
			&cli.StringFlag{Name: "to", Usage: "write the page to `FILE.html` (default: analysis/report.html in the run folder)"},
		),
		Action: withStudy(env, openStudy, func(c *cli.Context, st study) error {
			to := cmp.Or(c.String("to"), filepath.Join(st.dir, "analysis", "report.html"))
			if filepath.Ext(to) != ".html" && filepath.Ext(to) != ".htm" {
				return misuse("--to %s: the report is a page for browsers: give a name that ends in .html", to)
			}
			p, err := reportOf(env, st)
			if err == nil {
				err = store.ReplaceFile(to, p.Write)
			}
			if err != nil {
				return elsewhere(c, fmt.Errorf("report: %w", err))
			}
			return env.printf("%s\n", to)
		}),
	})
}

func reportOf(env environment, st study) (p *page.Page, err error) {
	if err := ran(env, st); err != nil {
		return nil, err
	}
	return p, withFrame(st, func(spec analysis.Spec, f *frame.Frame, r *rows.Rows) error {
		f.Beside, f.IDs = r, r.ID
		p, err = reportWith(env, st, spec, f, r, &judged{})
		return err
	})
}

// judged is the part of a report that is the same for all choices of metrics.
type judged struct {
	sync.Mutex
	made   bool
	claims []claim.Result
	held   rows.Holding
}

// make judges once, beside other readers of the frame.
func (of *judged) make(st study, design frame.Design, f *frame.Frame, r *rows.Rows) (err error) {
	of.Lock()
	defer of.Unlock()
	if of.made {
		return nil
	}
	if design, err = design.Resolved(f); err == nil {
		of.claims, err = tested(st, f, design)
	}
	if err = cmp.Or(err, f.Err()); err != nil {
		return err
	}
	of.held, err = r.Holds()
	of.made = err == nil
	return err
}

// reportWith returns the report of rows that can be read. It fills the verdicts in of, or uses them if of holds them already.
func reportWith(env environment, st study, spec analysis.Spec, f *frame.Frame, r *rows.Rows, of *judged) (*page.Page, error) {
	failures, err := failuresIn(f, r)
	if err != nil {
		return nil, err
	}
	res, err := unjudged(st, spec, f, r)
	if err != nil {
		return nil, err
	}
	if err := of.make(st, res.Design, f, r); err != nil {
		return nil, err
	}
	if res.Claims, err = of.claims, f.Err(); err != nil {
		return nil, err
	}
	if err := answered(f, st); err != nil {
		return nil, err
	}
	m := st.manifest
	out := outFlags(st.dir, m.Name)
	p := &page.Page{
		Name: m.Name, Title: m.Title, Result: res, Metrics: mattering(m, res.Design.Metrics), Manifest: string(m.Resolved()), Program: version(),
		Analyze: st.command("analyze", out...), Replay: st.command("replay", out...),
	}
	sides, err := rows.Sides(m, st.dir)
	if err != nil {
		return nil, err
	}
	planned, err := frame.PlannedPoints(m)
	if err != nil {
		return nil, err
	}
	p.Coverage = page.Coverage{Planned: st.plan.Len(), Rows: of.held.Tally.Total(), OK: of.held.Tally[harness.OK],
		Notes: leftOut(of.held, sides)}
	for _, o := range harness.Outcomes {
		if n := of.held.Tally[o]; n > 0 {
			p.Coverage.Outcomes = append(p.Coverage.Outcomes, page.Outcome{Name: string(o), N: n})
		}
	}
	p.Coverage.Look(f, planned.Labelled(res.Design.Labels), &res.Design)
	p.Coverage.Failures = failures
	if p.Provenance, err = origins(env, st.dir); err != nil {
		return nil, err
	}
	left, err := leftOutJobs(f, r)
	if err == nil && left != "" {
		p.Provenance[0].List = append(p.Provenance[0].List, page.Fact{Name: "jobs left out", Value: left})
	}
	return p, err
}

// leftOutJobs counts the jobs of logs that hygiene rules leave out: the fewest and the most of a row. It returns "" for none.
func leftOutJobs(f *frame.Frame, r *rows.Rows) (string, error) {
	fewest, most := math.Inf(1), 0.
	for some := range slices.Chunk(frame.Every(f), 1<<16) {
		t, err := r.Read([]string{"dropped"}, some)
		if err != nil {
			return "", err
		}
		for k := range some {
			if n, ok := t.Columns[0].Float(k); ok {
				fewest, most = min(fewest, n), max(most, n)
			}
		}
	}
	if most == 0 {
		return "", nil
	}
	return table.Span(int(fewest), int(most)) + " of the log (schedsweep workload describe says why)", nil
}

func failuresIn(f *frame.Frame, r *rows.Rows) ([]page.Failure, error) {
	outcome := f.Column(frame.OutcomeColumn)
	failed := slices.DeleteFunc(frame.Every(f), func(i int32) bool { return outcome.At(int(i)).Text == string(harness.OK) })
	t, err := r.Read([]string{"error"}, failed)
	if err != nil {
		return nil, err
	}
	var c causes
	for k, i := range failed {
		why := run.Failure{Outcome: harness.Outcome(outcome.At(int(i)).Text), Err: t.Columns[0].Text(k)}
		if _, err := hex.Decode(why.ID[:], []byte(r.ID(i))); err == nil {
			c.add(why)
		}
	}
	return c.shown(), nil
}

// shown lists the causes for a page, each with the id of its first instance.
func (c *causes) shown() []page.Failure {
	var all []page.Failure
	for _, k := range c.list() {
		f := page.Failure{N: k.Count, Text: k.String()}
		if k.first != (sweep.ID{}) {
			f.ID = k.first.String()[:shownDigits]
		}
		all = append(all, f)
	}
	return all
}

// origins say where the rows of a run folder come from: no time and no host, which
// say nothing of the rows.
func origins(env environment, dir string) ([]page.Facts, error) {
	v, err := provenanceOf(env, dir)
	if err != nil {
		return nil, err
	}
	rows := page.Facts{Heading: "Rows", List: []page.Fact{
		{Name: "program", Value: v.Program}, {Name: "semantic version", Value: strconv.Itoa(v.SemanticVersion)},
		{Name: "seed", Value: strconv.FormatUint(v.Seed, 10)}, {Name: "manifest", Value: v.ManifestHash}, {Name: "Go", Value: v.Go},
		{Name: "arithmetic", Value: v.Arithmetic},
	}}
	if v.Rebuilt != "" {
		rows.List = append(rows.List, page.Fact{Name: "note", Value: v.Rebuilt})
	}
	all := []page.Facts{rows}
	if len(v.Inputs) > 0 {
		inputs := page.Facts{Heading: "Input files (SHA-256)"}
		for _, name := range slices.Sorted(maps.Keys(v.Inputs)) {
			inputs.List = append(inputs.List, page.Fact{Name: name, Value: v.Inputs[name]})
		}
		all = append(all, inputs)
	}
	records, err := folder.Runs(dir)
	if err != nil {
		return nil, err
	}
	var machines []string
	for _, r := range records {
		if machine := fmt.Sprintf("%s, %s, %s, %s; %s", r.System, r.CPU, text.Counted(r.Processors, "processor"), r.Arithmetic,
			r.Program); !slices.Contains(machines, machine) {
			machines = append(machines, machine)
		}
	}
	if len(machines) > 0 {
		ran := page.Facts{Heading: "Machines"}
		slices.Sort(machines)
		for i, machine := range machines {
			ran.List = append(ran.List, page.Fact{Name: strconv.Itoa(i + 1), Value: machine})
		}
		all = append(all, ran)
	}
	return all, nil
}
