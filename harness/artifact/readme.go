package artifact

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"al.essio.dev/pkg/shellescape"

	"schedsweep/sweep/text"
)

//go:embed readme.tmpl
var readmeText string

// readmeTemplate is in the order in which committees ask: what it is, what it needs,
// how long it takes, the steps, what they should give.
var readmeTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("README").Funcs(template.FuncMap{"time": roughly, "cell": cell, "literal": literal,
		"join": strings.Join, "counted": text.Counted}).Parse(readmeText))
})

func cell(text string) string {
	return strings.ReplaceAll(literal(strings.Join(strings.Fields(text), " ")), "|", `\|`)
}

// literal keeps Markdown from taking a part of a text for HTML.
func literal(text string) string { return strings.ReplaceAll(text, "<", "&lt;") }

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

// Other reports that a program has made rows that is not the one that packs.
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

// Unanswered is the number of planned instances without an answer.
func (c *Contents) Unanswered() int { return c.Planned - c.Answered }

// Repeatable is the number of rows with an answer, Sampled the number of them that the README's verify runs again.
func (c *Contents) Repeatable() int { return c.Answered + c.Logs }

func (c *Contents) Sampled() int { return min(10, c.Repeatable()) }

// Noted reports whether a claim has a note.
func (c *Contents) Noted() bool {
	return slices.ContainsFunc(c.Claims, func(claim Claim) bool { return len(claim.Notes) > 0 })
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

// Unlike are the claims whose verdicts differ between the small size and the whole study.
func (c *Contents) Unlike() (all []Claim) {
	for _, claim := range c.Claims {
		if claim.Small != claim.Verdict {
			all = append(all, claim)
		}
	}
	return all
}

func (c *Contents) readme(w io.Writer) error { return readmeTemplate().Execute(w, c) }

// Program describes the build of the program that packs.
type Program struct {
	Version string // release and commit
	Commit  string // "" where it is not known
	Changed bool   // the tree had changes that the commit has not
	Go      string // such as go1.26.0
	Build   string // the command that builds it
	Source  string // the checksum of the source that it was built from; "" where it knows none
	File    string // where the program itself lies in the artifact; "" where it does not
}

// ProgramOf reads it from Go's build information in the program.
func ProgramOf(info *debug.BuildInfo, version, source string) Program {
	p := Program{Version: version, Source: source, Go: info.GoVersion}
	var env, flags []string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			p.Commit = s.Value
		case "vcs.modified":
			p.Changed = s.Value == "true"
		case "CGO_ENABLED", "GOOS", "GOARCH", "GOAMD64", "GOARM64":
			env = append(env, s.Key+"="+s.Value)
		case "-tags", "-ldflags", "-gcflags":
			flags = append(flags, shellescape.Quote(s.Key+"="+s.Value))
		case "-trimpath":
			flags = append(flags, s.Key)
		}
	}
	p.Build = strings.Join(append(append(env, "go", "build"), append(flags, "-o", "schedsweep", cmp.Or(info.Path, "./cmd/schedsweep"))...),
		" ")
	return p
}

// Doubt returns the reason why the program cannot be built again as it is, "" if it can.
func (p *Program) Doubt() string {
	switch {
	case p.Commit == "":
		return "the program does not know the commit that it was built from, so that it cannot be built again"
	case p.Changed:
		return fmt.Sprintf("the program was built from commit %s with changes that the commit has not, so that it cannot be built again",
			p.Commit)
	}
	return ""
}
