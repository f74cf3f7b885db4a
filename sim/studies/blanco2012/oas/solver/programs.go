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
	read: func(a *Answer) (verdict, error) {
		first, rest, _ := strings.Cut(a.Solution, "\n")
		var v verdict
		v.boundAndNodes(cbcBound, cbcNodes, a.Stdout)
		switch {
		case strings.HasPrefix(first, "Optimal"):
			v.status = Optimal
		case strings.HasPrefix(first, "Infeasible"), strings.HasPrefix(first, "Integer infeasible"):
			v.status = Infeasible
			return v, nil
		case strings.HasPrefix(first, "Stopped on") && strings.Contains(first, "no integer solution"):
			v.status = TimeLimit
			return v, nil
		case strings.HasPrefix(first, "Stopped on"):
			v.status = Feasible
		default:
			return v, fmt.Errorf("it says %q, which is unknown", first)
		}
		v.values = values(strings.Split(rest, "\n"), 1, 2)
		return v, nil
	},
}

var (
	cbcBound = regexp.MustCompile(`(?m)^Lower bound:\s+(\S+)`)
	cbcNodes = regexp.MustCompile(`(?m)^Enumerated nodes:\s+(\d+)`)
)

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
	read: func(a *Answer) (verdict, error) {
		var v verdict
		v.boundAndNodes(glpkBound, nil, a.Stdout)
		status := ""
		if m := glpkStatus.FindStringSubmatch(a.Solution); m != nil {
			status = m[1]
		}
		late := strings.Contains(a.Stdout, "TIME LIMIT EXCEEDED")
		switch {
		case status == "INTEGER OPTIMAL":
			v.status = Optimal
		case status == "INTEGER NON-OPTIMAL":
			v.status = Feasible
		case status == "INTEGER EMPTY" || !late && strings.Contains(a.Stdout, "PROBLEM HAS NO"):
			v.status = Infeasible
			return v, nil
		case late && status == "INTEGER UNDEFINED":
			v.status = TimeLimit
			return v, nil
		default:
			return v, fmt.Errorf("it says %q, which is unknown", status)
		}
		_, columns, _ := strings.Cut(a.Solution, "Column name")
		// The values of a long name stand in the next line.
		columns = glpkWrapped.ReplaceAllString(columns, " *")
		v.values = values(strings.Split(strings.ReplaceAll(columns, "*", " "), "\n"), 1, 2)
		return v, nil
	},
}

var (
	glpkBound   = regexp.MustCompile(`(?:mip =|>>>>>)\s+\S+ >=\s+([0-9.e+-]+)`)
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
	read: func(a *Answer) (verdict, error) {
		var v verdict
		v.boundAndNodes(highsBound, highsNodes, a.Stdout)
		status, rest, _ := strings.Cut(strings.TrimPrefix(a.Solution, "Model status\n"), "\n")
		switch strings.TrimSpace(status) {
		case "Optimal":
			v.status = Optimal
		case "Infeasible":
			v.status = Infeasible
			return v, nil
		case "Time limit reached", "Solution limit reached", "Iteration limit reached", "Node limit reached":
			v.status = TimeLimit
		default:
			return v, fmt.Errorf("it says %q, which is unknown", status)
		}
		primal, _, _ := strings.Cut(rest, "# Rows")
		if _, columns, ok := strings.Cut(primal, "# Columns"); ok && strings.Contains(primal, "\nFeasible\n") {
			v.values = values(strings.Split(columns, "\n"), 0, 1)
			if v.status == TimeLimit {
				v.status = Feasible
			}
		}
		return v, nil
	},
}

var (
	highsBound = regexp.MustCompile(`(?m)^  Dual bound\s+([0-9.e+-]+)`)
	highsNodes = regexp.MustCompile(`(?m)^  Nodes\s+(\d+)`)
)
