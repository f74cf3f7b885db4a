package main

import (
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"schedsweep/harness"
	"schedsweep/sweep"
)

func listCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "list",
		Usage:     "list what a manifest can say: kinds, fields, axes, claims, metrics, columns",
		ArgsUsage: "[SECTION [KIND] | TOPIC | metrics | presets | columns]",
		Description: `Without an argument it lists every kind; with a section, or a section and a
kind, their fields with types, defaults and meanings; with a topic, how that part
of a manifest is written, with examples. The topics are
` + join(topics()) + `.

` + example(`schedsweep list
schedsweep list policy conservative
schedsweep list manifest
schedsweep list claims
schedsweep list metrics`),
		Action: func(c *cli.Context) error {
			tw := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
			if err := list(tw, c.Args().Slice()); err != nil {
				return err
			}
			return tw.Flush()
		},
	})
}

func list(w io.Writer, args []string) error {
	p := &printer{w: w}
	reg := harness.Registry()
	switch {
	case len(args) == 0:
		listKinds(p, reg)
	case len(args) == 1 && args[0] == "metrics":
		for _, m := range reg.Metrics {
			p.printf("%s\t%s\t%s\n", m.Name, orDash(m.Unit), m.Doc)
		}
	case len(args) == 1 && args[0] == "presets":
		for _, pr := range harness.PlatformPresets() {
			p.printf("%s\t%s\n", pr.Name, pr.Doc)
		}
	case len(args) == 1 && args[0] == "columns":
		p.printf("%s", harness.DescribeColumns())
	default:
		for _, t := range sweep.Topics() {
			if t.Name == args[0] {
				if len(args) > 1 {
					return misuse("list %s takes no further argument", t.Name)
				}
				p.printf("%s\n\n", t.Text)
				printFields(p, t.Fields)
				return p.err
			}
		}
		return listFields(p, reg, args)
	}
	return p.err
}

// topics are the parts of a manifest beside the sections.
func topics() []string {
	var names []string
	for _, t := range sweep.Topics() {
		names = append(names, t.Name)
	}
	return names
}

func listKinds(p *printer, reg *sweep.Registry) {
	for _, s := range reg.Sections {
		p.printf("%s\t\t%s\n", s.Name, s.Doc)
		for _, k := range s.Kinds {
			if k.Name == "" {
				continue
			}
			name := k.Name
			if name == s.Default {
				name += " (default)"
			}
			p.printf("\t%s\t%s\n", name, k.Doc)
		}
	}
	p.printf("manifest\t\thow a manifest is written: schedsweep list manifest; also %s\n", join(topics()[1:]))
	p.printf("metrics\t\tnumbers of a run: schedsweep list metrics\n")
	p.printf("presets\t\tplatforms of published studies: schedsweep list presets\n")
	p.printf("columns\t\tcolumns of the datasets: schedsweep list columns\n")
}

func listFields(p *printer, reg *sweep.Registry, args []string) error {
	var names []string
	for _, s := range reg.Sections {
		names = append(names, s.Name)
		if s.Name != args[0] {
			continue
		}
		var kinds []string
		found := false
		for _, k := range s.Kinds {
			kinds = append(kinds, k.Name)
			if len(args) > 2 || len(args) == 2 && k.Name != args[1] {
				continue
			}
			found = true
			if err := printKind(p, s, k); err != nil {
				return err
			}
		}
		if !found {
			return misuse("%s has no kind %q; its kinds are %s", s.Name, args[1], join(kinds))
		}
		return p.err
	}
	return misuse("nothing is called %q; there are %s, metrics, presets, columns, and the topics %s", args[0], join(names), join(topics()))
}

func printKind(p *printer, s sweep.Section, k sweep.Kind) error {
	fields, err := sweep.Parameters(k.Params)
	if err != nil {
		return err
	}
	if k.Name != "" {
		p.printf("%s %s: %s\n", s.Name, k.Name, k.Doc)
	} else {
		p.printf("%s: %s\n", s.Name, s.Doc)
	}
	printFields(p, fields)
	p.printf("\n")
	return p.err
}

func printFields(p *printer, fields []sweep.Parameter) {
	for _, f := range fields {
		typ := f.Type
		if f.Unit != "" {
			typ += " (" + f.Unit + ")"
		}
		p.printf("  %s\t%s\t%s\t%s\n", f.Path, typ, f.Default, f.Doc)
	}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
