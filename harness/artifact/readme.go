package artifact

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
	"time"
)

//go:embed readme.tmpl
var readmeText string

// readmeTemplate is in the order in which committees ask: what it is, what it needs,
// how long it takes, the steps, what they should give.
var readmeTemplate = template.Must(template.New("README").Funcs(template.FuncMap{"time": roughly, "cell": cell, "join": strings.Join}).Parse(readmeText))

// cell is a text as a cell of a table in Markdown.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

func roughly(d time.Duration) string {
	switch {
	case d < time.Second:
		return "less than a second"
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.0f h", d.Hours())
}

type machine struct {
	CPU, System string
	Processors  int
}

func (c *Contents) Machines() (all []machine) {
	for _, r := range c.ran() {
		if m := (machine{r.CPU, r.System, r.Processors}); r.System != "" && !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}

func (c *Contents) Writers() (all []string) {
	for _, r := range c.ran() {
		if !slices.Contains(all, r.Origin.Program) {
			all = append(all, r.Origin.Program)
		}
	}
	return all
}

// Other says that a program has made rows that is not the one that packs.
func (c *Contents) Other() bool {
	return slices.ContainsFunc(c.Writers(), func(w string) bool { return w != c.Program.Version })
}

func (c *Contents) About() (runs []string) {
	for _, claim := range c.Claims {
		for _, name := range claim.Others {
			if !slices.Contains(runs, name) {
				runs = append(runs, name)
			}
		}
	}
	return runs
}

// Data is the option that finds inputs which are not in the artifact.
func (c *Contents) Data() string {
	if slices.ContainsFunc(c.Inputs, func(in Input) bool { return !in.Packed }) {
		return " --data FOLDER"
	}
	return ""
}

func (c *Contents) Allow() string {
	if c.Commands {
		return " --allow-commands"
	}
	return ""
}

// Count counts the claims by verdict, in their order.
func (c *Contents) Count(small bool) string {
	var verdicts []string
	count := map[string]int{}
	for _, claim := range c.Claims {
		v := claim.Verdict
		if small {
			v = claim.Small
		}
		if count[v]++; count[v] == 1 {
			verdicts = append(verdicts, v)
		}
	}
	var parts []string
	for _, v := range verdicts {
		parts = append(parts, fmt.Sprintf("%s: %d", v, count[v]))
	}
	return strings.Join(parts, ", ")
}

// Unlike are the claims of which the small size does not say what the whole study says.
func (c *Contents) Unlike() (all []Claim) {
	for _, claim := range c.Claims {
		if claim.Small != claim.Verdict {
			all = append(all, claim)
		}
	}
	return all
}

func (c *Contents) readme(w io.Writer) error {
	return readmeTemplate.Execute(w, struct {
		*Contents
		Title string
		Rows  []Rows
	}{c, c.title(), c.Datasets})
}
