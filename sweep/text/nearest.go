package text

import "strings"

// Names returns what things are called, or how they are written, to find a name among them or to list them.
func Names[T any](of []T, name func(T) string) []string {
	var out []string
	for _, x := range of {
		out = append(out, name(x))
	}
	return out
}

// Nearest returns the candidate closest to the word in the Damerau-Levenshtein
// sense (optimal string alignment: insertions, deletions, substitutions and
// swaps of neighbours), or "" when none is close enough to be meant.
func Nearest(word string, candidates []string) string {
	limit := len(word)/3 + 1
	best, bestCost := "", 0
	for _, c := range candidates {
		cost := Distance(strings.ToLower(word), strings.ToLower(c), limit)
		if cost > limit || cost >= max(len(word), len(c)) {
			continue
		}
		// Case decides between names that are equally near: gbps is Gbps, not GBps.
		cost = len(word)*2*cost + Distance(word, c, len(word))
		if best == "" || cost < bestCost {
			best, bestCost = c, cost
		}
	}
	return best
}

// DidYouMean returns the hint that names the nearest candidate, or lists the
// candidates when none is near and they are few.
func DidYouMean(word string, candidates []string) string {
	if n := Nearest(word, candidates); n != "" {
		return `did you mean "` + n + `"?`
	}
	if in := containing(word, candidates); in != "" {
		return "did you mean " + in + "?"
	}
	if len(candidates) == 0 || len(candidates) > 40 {
		return ""
	}
	return "valid: " + strings.Join(candidates, ", ")
}

// containing lists candidates that hold the word, where they are few.
func containing(word string, candidates []string) string {
	var found []string
	for _, c := range candidates {
		if len(word) > 2 && strings.Contains(c, word) {
			found = append(found, c)
		}
	}
	if len(found) > maxContaining {
		return ""
	}
	return strings.Join(found, ", ")
}

// maxContaining is how many candidates a hint names at most for a part of them.
const maxContaining = 20

// MeantOneOf names the nearest candidate and lists all of them.
func MeantOneOf(word string, candidates []string) string {
	list := "valid: " + strings.Join(candidates, ", ")
	if n := Nearest(word, candidates); n != "" {
		return `did you mean "` + n + `"? ` + list
	}
	return list
}

// Distance is the optimal string alignment distance; it takes time in the
// product of the lengths and gives up at the limit when lengths alone exceed it.
func Distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit || len(a) > 200 {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
