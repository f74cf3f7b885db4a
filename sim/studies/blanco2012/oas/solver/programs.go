package solver

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', -1, 64) }

// cbc is COIN-OR's branch and cut, 2.10. Its sec counts CPU time unless timeMode
// elapsed precedes it; and when the time is up before any solution, it writes the
// relaxation's into the file, values and all.
var cbc = &Program{
	Name: "cbc", Command: "cbc",
	version: regexp.MustCompile(`(?m)^Version: (\S+)`),
	arguments: func(limit float64, nodes int64) []string {
		args := []string{modelFile, "timeMode", "elapsed", "ratio", "0", "allow", "0"}
		if limit > 0 {
			args = append(args, "sec", seconds(limit))
		}
		if nodes > 0 {
			args = append(args, "maxNodes", strconv.FormatInt(nodes, 10))
		}
		return append(args, "solve", "solu", solutionFile)
	},
	bound: regexp.MustCompile(`(?m)^Lower bound:\s+(\S+)`),
	nodes: regexp.MustCompile(`(?m)^Enumerated nodes:\s+(\d+)`),
	name:  1,
	read: func(a *Answer) (string, Status, []string) {
		first, rest, _ := strings.Cut(a.Solution, "\n")
		status := unknown
		switch {
		case strings.HasPrefix(first, "Optimal"):
			status = Optimal
		case strings.HasPrefix(first, "Infeasible"), strings.HasPrefix(first, "Integer infeasible"):
			status = Infeasible
		case strings.HasPrefix(first, "Stopped on") && strings.Contains(first, "no integer solution"):
			status = TimeLimit
		case strings.HasPrefix(first, "Stopped on"):
			status = Feasible
		}
		return first, status, strings.Split(rest, "\n")
	},
}

// glpk is GLPK's glpsol, 5.0. It knows no limit of nodes and counts whole seconds.
var glpk = &Program{
	Name: "glpk", Command: "glpsol",
	version: regexp.MustCompile(`GLPK LP/MIP Solver,? v?(\d\S*)`),
	arguments: func(limit float64, _ int64) []string {
		args := []string{"--lp", modelFile, "--mipgap", "0", "-o", solutionFile}
		if limit > 0 {
			args = append(args, "--tmlim", strconv.Itoa(max(1, int(limit))))
		}
		return args
	},
	bound: regexp.MustCompile(`(?:mip =|>>>>>)\s+\S+ >=\s+([0-9.e+-]+)`),
	name:  1,
	read: func(a *Answer) (string, Status, []string) {
		said := ""
		if m := glpkStatus.FindStringSubmatch(a.Solution); m != nil {
			said = m[1]
		}
		late := strings.Contains(a.Stdout, "TIME LIMIT EXCEEDED")
		status := unknown
		switch {
		case said == "INTEGER OPTIMAL":
			status = Optimal
		case said == "INTEGER NON-OPTIMAL":
			status = Feasible
		case said == "INTEGER EMPTY" || !late && strings.Contains(a.Stdout, "PROBLEM HAS NO"):
			status = Infeasible
		case late && said == "INTEGER UNDEFINED":
			status = TimeLimit
		}
		_, columns, _ := strings.Cut(a.Solution, "Column name")
		// The values of a long name stand in the next line.
		columns = glpkWrapped.ReplaceAllString(columns, " *")
		return said, status, strings.Split(strings.ReplaceAll(columns, "*", " "), "\n")
	},
}

var (
	glpkStatus  = regexp.MustCompile(`(?m)^Status:\s+(.*\S)`)
	glpkWrapped = regexp.MustCompile(`\n +\*`)
)

// highs is HiGHS, 1.7 and later.
var highs = &Program{
	Name: "highs", Command: "highs",
	version: regexp.MustCompile(`HiGHS (?:version )?(\d[^\s)]*)`),
	arguments: func(float64, int64) []string {
		return []string{"--options_file", optionsFile, "--solution_file", solutionFile, modelFile}
	},
	options: func(limit float64, nodes int64) string {
		var b strings.Builder
		b.WriteString("mip_rel_gap = 0\nmip_abs_gap = 0\nthreads = 1\n")
		if limit > 0 {
			b.WriteString("time_limit = " + seconds(limit) + "\n")
		}
		if nodes > 0 {
			fmt.Fprintf(&b, "mip_max_nodes = %d\n", nodes)
		}
		return b.String()
	},
	bound: regexp.MustCompile(`(?m)^  Dual bound\s+([0-9.e+-]+)`),
	nodes: regexp.MustCompile(`(?m)^  Nodes\s+(\d+)`),
	read: func(a *Answer) (string, Status, []string) {
		said, rest, _ := strings.Cut(strings.TrimPrefix(a.Solution, "Model status\n"), "\n")
		primal, _, _ := strings.Cut(rest, "# Rows")
		var rows []string
		if _, columns, ok := strings.Cut(primal, "# Columns"); ok && strings.Contains(primal, "\nFeasible\n") {
			rows = strings.Split(columns, "\n")
		}
		status := unknown
		switch strings.TrimSpace(said) {
		case "Optimal":
			status = Optimal
		case "Infeasible":
			status = Infeasible
		case "Time limit reached", "Solution limit reached", "Iteration limit reached", "Node limit reached":
			if status = TimeLimit; rows != nil {
				status = Feasible
			}
		}
		return said, status, rows
	},
}
