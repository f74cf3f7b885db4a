package siteconf

import (
	"fmt"
	"strconv"
	"strings"
)

// maxBrackets is the largest number of brackets in a name.
const maxBrackets = 4

// hosts are the names of a list such as n[001-010,020],g1.
func (c *conf) hosts(p pair, list string) (all []string) {
	depth, from := 0, 0
	for i := 0; i <= len(list); i++ {
		switch {
		case i < len(list) && list[i] == '[':
			depth++
		case i < len(list) && list[i] == ']':
			depth--
		case i == len(list) || list[i] == ',' && depth == 0:
			term := strings.TrimSpace(list[from:i])
			if from = i + 1; term == "" {
				continue
			}
			names, err := c.expand(term, 0)
			if err != nil {
				c.fault(p, "write names such as n[001-010],g1", "cannot be read: %v", err)
				return nil
			}
			all = append(all, names...)
		}
	}
	return all
}

// expand are the names that a term with brackets means.
func (c *conf) expand(term string, depth int) (all []string, err error) {
	head, rest, found := strings.Cut(term, "[")
	if !found {
		if c.names++; c.names > maxNames {
			return nil, fmt.Errorf("the lists name more than %d nodes in all", maxNames)
		}
		if strings.Contains(term, "]") || len(term) > longest {
			return nil, fmt.Errorf("%.40q closes a bracket that it does not open, or has more than %d characters", term, longest)
		}
		return []string{term}, nil
	}
	ranges, rest, found := strings.Cut(rest, "]")
	if !found || depth == maxBrackets || len(head) > longest {
		return nil, fmt.Errorf("%.40q must close each bracket, and have at most %d", term, maxBrackets)
	}
	tails, err := c.expand(rest, depth+1)
	if err != nil {
		return nil, err
	}
	for _, part := range strings.Split(ranges, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		low, err1 := strconv.ParseUint(from, 10, 31)
		high, err2 := strconv.ParseUint(to, 10, 31)
		if err1 != nil || err2 != nil || high < low || len(from) > 10 {
			return nil, fmt.Errorf("%.40q is no range of numbers", part)
		}
		if n := (high - low + 1) * uint64(len(tails)); n > maxNames || c.names+int(n) > maxNames {
			return nil, fmt.Errorf("the lists name more than %d nodes in all", maxNames)
		}
		for n := low; n <= high; n++ {
			for _, tail := range tails {
				c.names++
				all = append(all, fmt.Sprintf("%s%0*d%s", head, len(from), n, tail))
			}
		}
	}
	return all, nil
}
