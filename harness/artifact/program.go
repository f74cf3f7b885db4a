package artifact

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"strings"

	"al.essio.dev/pkg/shellescape"
)

// Program is how the program that packs was built.
type Program struct {
	Version string // release and commit
	Commit  string // "" where it is not known
	Changed bool   // the tree had changes that the commit has not
	Go      string // such as go1.26.0
	Build   string // the command that builds it
	File    string // where the program itself lies in the artifact; "" where it does not
}

// ProgramOf reads it from what Go has noted in the program.
func ProgramOf(info *debug.BuildInfo, version string) Program {
	p := Program{Version: version, Go: info.GoVersion}
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
	p.Build = strings.Join(append(append(env, "go", "build"), append(flags, "-o", "schedsweep", cmp.Or(info.Path, "./cmd/schedsweep"))...), " ")
	return p
}

// Doubt says why the program cannot be built again as it is, "" if it can.
func (p *Program) Doubt() string {
	switch {
	case p.Commit == "":
		return "the program does not know the commit that it was built from, so that nobody can build it again"
	case p.Changed:
		return fmt.Sprintf("the program was built from commit %s with changes that the commit has not, so that nobody can build it again", p.Commit)
	}
	return ""
}
