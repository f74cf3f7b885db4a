package cmd

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis/table"
	"schedsweep/harness"
	"schedsweep/sweep"
)

func explainCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "explain",
		Usage:     "show what an id is made of, and what comes nearest",
		ArgsUsage: "MANIFEST ID",
		Description: `Prints what was hashed for the id, and where its row is. Where the instance
has no row it prints the nearest one that has, of this manifest or of those
with which the folder was run before, field by field: why a row is not used
again. Of a row that the manifest does not have it prints the manifest's
nearest instance. ID is the instance's id, what only its id begins with, or
its number in the plan.

` + example(`schedsweep explain manifests/quickstart.yaml 17
schedsweep explain manifests/quickstart.yaml 17 --set workload.jobs=500`),
		Flags: manifestFlags(outFlag(), &cli.BoolFlag{Name: "json", Usage: "print it as JSON"}),
		Action: func(c *cli.Context) error {
			st, id, err := openInstance(env, c)
			if err != nil {
				return err
			}
			index, unknown := findInstance(st, id)
			if unknown == nil {
				var inst sweep.Instance
				st.plan.At(index, &inst)
				id = inst.ID.String()
			}
			e, err := harness.Explain(st.manifest, st.dir, id, st.data)
			if errors.Is(err, harness.ErrUnknownID) {
				return misuse("%w; in %s: %w", unknown, st.dir, err)
			}
			if err != nil {
				return err
			}
			if c.Bool("json") {
				enc := json.NewEncoder(env.stdout)
				enc.SetIndent("", "  ")
				return enc.Encode(e)
			}
			return printExplained(env, e, st.dir)
		},
	})
}

func printExplained(env environment, e harness.Explained, dir string) error {
	p := printer{w: env.stdout}
	if e.Name != "" {
		p.printf("%s\n", e.Name)
	}
	p.printf("id %s\n", e.ID)
	if e.From != "" {
		p.printf("not of this manifest: known by %s\n", e.From)
	}
	if e.Row != nil {
		p.printf("row: %s, in %s, written by %s\n\n", e.Row.Outcome, e.Row.Part, e.Row.Program)
	} else {
		p.printf("no row in %s\n\n", dir)
	}
	hashed := &table.Table{ID: "hashed", Title: "What is hashed; other fields are at their defaults or cannot change an answer", Columns: []table.Column{{Name: "field", Key: true}, {Name: "value", Wrap: true}}}
	for _, f := range e.Fields {
		hashed.Rows = append(hashed.Rows, table.Row{Cells: []table.Cell{table.Text(f.Field), table.Text(f.Value)}})
	}
	tables := []*table.Table{hashed}
	if n := e.Nearest; n != nil {
		what := "The nearest that has a row"
		if e.From != "" {
			what = "The nearest of this manifest"
		}
		from := ""
		if n.From != "" {
			from = " (of " + n.From + ")"
		}
		d := &table.Table{ID: "nearest", Title: what + ": " + n.ID[:shownDigits] + ", " + n.Name + from + ", differs in " + strconv.Itoa(len(n.Differs)),
			Columns: []table.Column{{Name: "field", Key: true}, {Name: "this", Wrap: true}, {Name: "nearest", Wrap: true}}}
		for _, f := range n.Differs {
			d.Rows = append(d.Rows, table.Row{Cells: []table.Cell{table.Text(f.Field), table.Text(f.This), table.Text(f.Nearest)}})
		}
		tables = append(tables, d)
	}
	p.tables(env, tables)
	for _, note := range e.Notes {
		env.note(note)
	}
	return p.err
}
