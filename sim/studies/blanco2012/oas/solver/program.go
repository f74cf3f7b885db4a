package solver

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Program is a solver of integer linear programs that is run on an LP file. The
// package starts none: [Program.Call] says what to run, and [Program.Read] what
// came of it.
type Program struct {
	// Name is the name in manifests, Command the program to run.
	Name, Command string

	arguments func(seconds float64, nodes int64) []string
	options   func(seconds float64, nodes int64) string // content of optionsFile
	// read finds what the program says, which status that is, and the rows of the values; nil: none.
	read func(a *Answer) (said string, status Status, rows []string)
	// Patterns of what it prints: its version, and the last of several bounds and numbers of nodes; nil: never.
	version, bound, nodes *regexp.Regexp
	name                  int // place of a variable's name in a row; its value is next
}

// unknown is the status of what no program says.
const unknown Status = ""

// The files of a call.
const (
	modelFile    = "model.lp"
	solutionFile = "solution.txt"
	optionsFile  = "options.txt"
)

// Programs are the solvers that are known.
var Programs = []*Program{cbc, glpk, highs}

// ProgramByName returns the program of that name, nil for none.
func ProgramByName(name string) *Program {
	for _, p := range Programs {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Call is a program to run in a folder of its own.
type Call struct {
	Program string
	Args    []string
	// Files are to be in its folder, Result is a file that it leaves there.
	Files  map[string][]byte
	Result string
}

// Answer is the result of a call.
type Answer struct {
	Stdout   string
	Solution string // content of [Call.Result]
	Missing  bool   // there is no such file
	Exit     int
}

// Call returns the call that solves a problem in at most this number of seconds of wall time and, but for glpk,
// nodes; 0 is no limit. The horizon is a number of slots that suffices.
func (s *Program) Call(p *Problem, form Form, horizon int, seconds float64, nodes int64) Call {
	c := Call{Program: s.Command, Args: s.arguments(seconds, nodes), Files: map[string][]byte{modelFile: p.LP(form, horizon)},
		Result: solutionFile}
	if s.options != nil {
		c.Files[optionsFile] = []byte(s.options(seconds, nodes))
	}
	return c
}

// Read makes sense of an answer, and the solver's version of what it printed. What
// makes none is an error: an exit that failed, an unknown status, a plan that
// breaks the rules of the problem, fewer slots than its own bound.
func (s *Program) Read(p *Problem, horizon int, a Answer) (Result, string, error) {
	r := Result{Nodes: -1}
	version := "unknown"
	if m := s.version.FindStringSubmatch(a.Stdout); m != nil {
		version = m[1]
	}
	fail := func(err error) (Result, string, error) {
		return r, version, fmt.Errorf("solver %s (version %s): %w%s", s.Name, version, err, tail(a.Stdout))
	}
	if a.Exit != 0 {
		return fail(fmt.Errorf("it failed with exit code %d", a.Exit))
	}
	if a.Missing {
		return fail(errors.New("it left no solution file"))
	}
	said, status, rows := s.read(&a)
	if status == unknown {
		return fail(fmt.Errorf("it says %q, which is unknown", said))
	}
	r.Status = status
	if bound, ok := number(s.bound, a.Stdout); ok && !math.IsInf(bound, -1) {
		r.Bound = max(0, int(math.Ceil(bound-1e-6)))
	}
	if nodes, ok := number(s.nodes, a.Stdout); ok {
		r.Nodes = int64(nodes)
	}
	if status == Infeasible || status == TimeLimit {
		return r, version, nil
	}
	if rows == nil {
		return fail(fmt.Errorf("it says %q and gives no values", status))
	}
	var err error
	if r.Plan, err = p.planOf(values(rows, s.name), horizon); err != nil {
		return fail(fmt.Errorf("its solution is none: %w", err))
	}
	slots := r.Plan.Slots()
	if r.Bound > slots {
		return fail(fmt.Errorf("it says that less than %d slots are impossible and gives a plan of %d", r.Bound, slots))
	}
	if r.Status == Optimal {
		r.Bound = slots
	}
	return r, version, nil
}

// tail is the end of what a program printed, for messages.
func tail(printed string) string {
	printed = strings.TrimSpace(printed)
	if printed == "" {
		return "; it printed nothing"
	}
	lines := strings.Split(printed, "\n")
	return "; the last that it printed: " + strings.Join(lines[max(0, len(lines)-3):], " | ")
}

// number returns the last match of a pattern's group in a text as a number.
func number(pattern *regexp.Regexp, in string) (float64, bool) {
	if pattern == nil {
		return 0, false
	}
	all := pattern.FindAllStringSubmatch(in, -1)
	if len(all) == 0 {
		return 0, false
	}
	x, err := strconv.ParseFloat(all[len(all)-1][1], 64)
	return x, err == nil
}

// values reads rows with the name in one place and the value in the next; rows of other kinds are skipped.
func values(rows []string, name int) map[string]float64 {
	vs := map[string]float64{}
	for _, row := range rows {
		f := strings.Fields(row)
		if len(f) <= name+1 {
			continue
		}
		if x, err := strconv.ParseFloat(f[name+1], 64); err == nil {
			vs[f[name]] = x
		}
	}
	return vs
}
