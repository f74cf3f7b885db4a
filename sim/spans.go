package sim

// few is the number of spans up to which moving them one by one is cheaper than
// going through the whole set.
const few = 4

// giveAll puts ascending disjoint spans, none of them in the set, back: one by
// one where they are few, else in one pass over the set.
func (s *spanSet) giveAll(procs []Span) {
	if len(procs) <= few {
		for _, sp := range procs {
			s.give(sp)
		}
		return
	}
	out := s.spare[:0]
	i := 0
	for _, sp := range procs {
		for i < len(s.spans) && s.spans[i].Lo < sp.Lo {
			out = Joined(out, s.spans[i])
			i++
		}
		out = Joined(out, sp)
	}
	for ; i < len(s.spans); i++ {
		out = Joined(out, s.spans[i])
	}
	s.spans, s.spare = out, s.spans
}

// takeAll removes ascending disjoint spans, and reports whether all of them were
// in the set; otherwise it changes nothing.
func (s *spanSet) takeAll(procs []Span) bool {
	if len(procs) <= few {
		for _, sp := range procs {
			if !s.has(sp) {
				return false
			}
		}
		for _, sp := range procs {
			s.take(sp)
		}
		return true
	}
	out := s.spare[:0]
	defer func() { s.spare = out[:0] }()
	at := 0
	for i := range s.spans {
		cur := s.spans[i]
		for at < len(procs) && procs[at].Lo <= cur.Hi {
			sp := procs[at]
			if sp.Lo < cur.Lo || sp.Hi > cur.Hi {
				return false
			}
			if sp.Lo > cur.Lo {
				out = append(out, Span{cur.Lo, sp.Lo - 1})
			}
			cur.Lo = sp.Hi + 1
			at++
		}
		if cur.Lo <= cur.Hi {
			out = append(out, cur)
		}
	}
	if at < len(procs) {
		return false
	}
	s.spans, out = out, s.spans
	return true
}

// Joined appends a span, as part of the last one where it continues it.
func Joined(all []Span, sp Span) []Span {
	if n := len(all); n > 0 && all[n-1].Hi+1 == sp.Lo {
		all[n-1].Hi = sp.Hi
		return all
	}
	return append(all, sp)
}

// Overlap reports whether two sets of processors, ascending and disjoint, have one in common.
func Overlap(a, b []Span) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Hi < b[0].Lo:
			a = a[1:]
		case b[0].Hi < a[0].Lo:
			b = b[1:]
		default:
			return true
		}
	}
	return false
}

// Without returns those of a set of processors that are not in another; both are ascending and disjoint.
func Without(a, b []Span) []Span {
	s := spanSet{spans: append([]Span(nil), a...)}
	for _, sp := range Common(a, b) {
		s.take(sp)
	}
	return s.spans
}

// Common returns the processors that two sets, ascending and disjoint, have in common.
func Common(a, b []Span) (out []Span) {
	for len(a) > 0 && len(b) > 0 {
		if lo, hi := max(a[0].Lo, b[0].Lo), min(a[0].Hi, b[0].Hi); lo <= hi {
			out = append(out, Span{lo, hi})
		}
		if a[0].Hi < b[0].Hi {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return out
}
