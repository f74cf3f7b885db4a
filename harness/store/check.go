package store

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
)

// Check reads every value of every Parquet file of the folder and returns what
// is wrong, by path: files that are cut, damaged or foreign, parts whose columns
// contradict the others', parts that hold rows twice, and what a killed merge
// left. Temporaries of running or killed writers are no problem. A dataset
// without problems scans without an error.
func Check(dir string) []*Problem {
	names, err := partFiles(dir)
	if err != nil {
		return []*Problem{{dir, Unreadable, err}}
	}
	var problems []*Problem
	var all []*part
	for _, name := range names {
		p, problem := checkPart(filepath.Join(dir, name))
		if problem != nil {
			problems = append(problems, problem)
			continue
		}
		all = append(all, p)
	}
	live, replaced, overlaps := withoutReplaced(all)
	problems = append(problems, overlaps...)
	for _, p := range replaced {
		problems = append(problems, &Problem{p.path, Leftover, errors.New("another part was merged from it")})
	}
	_, conflicts := unionSchema(live)
	problems = append(problems, conflicts...)
	slices.SortStableFunc(problems, func(a, b *Problem) int { return strings.Compare(a.Path, b.Path) })
	return problems
}

func checkPart(path string) (*part, *Problem) {
	p, problem := readFooter(path)
	if problem != nil {
		return nil, problem
	}
	if _, problems := readParts([]*part{p}, p.schema, AllRows(p.rows), p.rows); len(problems) > 0 {
		return nil, problems[0]
	}
	return p, nil
}
