package cmd

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis/table"
	"schedsweep/harness"
	"schedsweep/harness/run"
	"schedsweep/sweep"
)

func explainCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "explain",
		Usage:     "show the fields of an id, and the nearest instance",
		ArgsUsage: "MANIFEST ID",
		Description: `Prints the fields that make the id, and the place of its row. If the instance
has no row, it prints the nearest instance that has, field by field, and so
shows why a row is not used again. Earlier manifests of the folder count, too.
Of a row that the manifest does not have it prints the manifest's nearest
instance. ID is the instance's id, what only its id begins with, or its number
in the plan.

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
				id = st.at(index).ID.String()
			}
			e, err := run.Explain(st.manifest, st.dir, id, st.data)
			if errors.Is(err, run.ErrUnknownID) {
				return misuse("%w; in %s: %w", unknown, st.dir, err)
			}
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return printJSON(env.stdout, e)
			}
			return printExplained(env, e, st.dir)
		},
	})
}

func printExplained(env environment, e run.Explained, dir string) error {
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
	hashed := &table.Table{ID: "hashed", Title: "Hashed fields; other fields are at their defaults or cannot change an answer",
		Columns: []table.Column{{Name: "field", Key: true}, {Name: "value", Wrap: true}}}
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
		d := &table.Table{ID: "nearest", Title: what + ": " + n.ID[:shownDigits] + ", " + n.Name + from + ", differs in " +
			strconv.Itoa(len(n.Differs)),
			Columns: []table.Column{{Name: "field", Key: true}, {Name: "this", Wrap: true}, {Name: "nearest", Wrap: true}}}
		for _, f := range n.Differs {
			d.Rows = append(d.Rows, table.Row{Cells: []table.Cell{table.Text(f.Field), table.Text(f.A), table.Text(f.B)}})
		}
		tables = append(tables, d)
	}
	p.tables(env, tables)
	for _, note := range e.Notes {
		env.note(note)
	}
	return p.err
}

// shownDigits is the number of digits of an id that identify an instance for a person.
const shownDigits = 12

const nearIDs = 5

// findInstance reads a number in the plan, an id, or what only one id begins with.
func findInstance(st study, text string) (int, error) {
	number, err := strconv.Atoi(text)
	isNumber := err == nil && strconv.Itoa(number) == text
	if isNumber && (len(text) < 6 || number < 0) {
		if number < 0 || number >= st.plan.Len() {
			return 0, misuse("instance %s: the plan has instances 0 to %d", text, st.plan.Len()-1)
		}
		return number, nil
	}
	if text == "" || strings.Trim(strings.ToLower(text), "0123456789abcdef") != "" || len(text) > 2*len(sweep.ID{}) {
		return 0, misuse("instance %q: give its number in the plan, its id (%d hexadecimal digits), or the first digits of it; %s lists them",
			text, 2*len(sweep.ID{}), st.command("plan", "--list"))
	}
	at := st.plan.Find(text, nearIDs+1)
	isNumber = isNumber && number < st.plan.Len()
	switch {
	case isNumber && len(at) == 0:
		return number, nil
	case isNumber:
		return 0, misuse("instance %s: this is the number of one and the beginning of another's id: write the whole id:%s", text,
			instances(st, append([]int{number}, at...)))
	case len(at) == 0:
		return 0, misuse("instance %s: no instance of the manifest has an id that begins so: plan --list lists them, and explain knows rows "+
			"that are no longer in the manifest", text)
	case len(at) > 1:
		return 0, misuse("instance %s: several ids begin so; write more digits:%s", text, instances(st, at))
	}
	return at[0], nil
}

func instances(st study, at []int) string {
	var text strings.Builder
	for i, n := range at {
		if i == nearIDs {
			return text.String() + "\n    ..."
		}
		inst := st.at(n)
		fmt.Fprintf(&text, "\n    %s  %s", inst.ID, harness.Name(st.plan, &inst))
	}
	return text.String()
}
