package cmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"schedsweep/harness"
	"schedsweep/sweep"
)

const (
	shownFailures = 20  // told one by one
	shownCauses   = 20  // told at the end, the most frequent first
	keptCauses    = 500 // told apart: a bound on memory
)

// cause is why instances failed: one outcome, and messages that differ in numbers
// only.
type cause struct {
	Outcome string `json:"outcome"`
	Error   string `json:"error"` // of the first
	Count   int    `json:"count"`
	Varies  bool   `json:"varies,omitempty"` // the others have other numbers

	first sweep.ID // of the instances; zero where that is not one cause
}

func (c cause) String() string {
	text := c.Outcome + ": " + c.Error
	if c.Varies {
		text += " (and the like, with other numbers)"
	}
	return text
}

type causes struct {
	n    int
	seen map[string]*cause
}

// add counts a failure and returns how many there are.
func (c *causes) add(f harness.Failure) int {
	if c.seen == nil {
		c.seen = map[string]*cause{}
	}
	c.n++
	text, _, _ := strings.Cut(f.Err, "\n")
	key := f.Cause()
	known := c.seen[key]
	if known == nil && len(c.seen) >= keptCauses {
		key, text = "", "other causes"
		known = c.seen[key]
	}
	if known == nil {
		known = &cause{Outcome: string(f.Outcome), Error: text, first: f.ID}
		c.seen[key] = known
	}
	known.Count++
	known.Varies = known.Varies || known.Error != text
	return c.n
}

// list returns the most frequent causes, and the rest as one.
func (c *causes) list() []cause {
	var all []cause
	for _, known := range c.seen {
		all = append(all, *known)
	}
	slices.SortFunc(all, func(a, b cause) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Outcome, b.Outcome), cmp.Compare(a.Error, b.Error))
	})
	if len(all) <= shownCauses {
		return all
	}
	rest := cause{Outcome: string(harness.Failed), Error: fmt.Sprintf("%d other causes", len(all)-shownCauses)}
	for _, k := range all[shownCauses:] {
		rest.Count += k.Count
	}
	return append(all[:shownCauses], rest)
}
