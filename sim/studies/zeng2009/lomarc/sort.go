package lomarc

import "sort"

// sorted sorts s, in which equals keep their order. Nearly always there are only
// a few, which is why they are moved one by one.
func sorted[T any](s []T, before func(a, b *T) bool) {
	if len(s) > 24 {
		sort.SliceStable(s, func(i, k int) bool { return before(&s[i], &s[k]) })
		return
	}
	for i := 1; i < len(s); i++ {
		k := i
		for k > 0 && before(&s[i], &s[k-1]) {
			k--
		}
		if k < i {
			x := s[i]
			copy(s[k+1:i+1], s[k:i])
			s[k] = x
		}
	}
}
