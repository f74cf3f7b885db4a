package placement

// plan is a job's planned time and processors, waiting or running.
type plan struct {
	start, end float64
	set        []uint64
	q          int
	stamp      int64 // of the profile when the plan was last found to be the best
}

// place gives w its earliest place. Candidate starts are the starts of pieces;
// the last piece, in which everything is free, always takes it.
//
// The search holds a window of consecutive pieces with at least q free
// processors each. Its first piece becomes a candidate when the window is long
// enough for the walltime: longer than that in the preset cbf2015, which thus
// finds a hole of exactly that length only if what follows has q free as well;
// at least as long by our rules.
func (c *Conservative) place(w *plan, walltime float64) {
	p := &c.profile
	last, first := len(p.pieces)-1, 0
	q := int32(w.q)
	for i := range p.pieces {
		if p.pieces[i].free < q {
			first = i + 1
			continue
		}
		for first <= i {
			start := p.pieces[first].start
			end := start + walltime
			if i < last && (p.end(i) < end || c.strict && p.end(i) == end) {
				break
			}
			if c.hole(w, first, end) {
				w.start, w.end = start, end
				p.take(start, end, w.set, w.q)
				w.stamp = p.stamp
				return
			}
			first++
		}
	}
	panic("placement: no place even on the idle machine")
}

// hole tests the hole from piece i to time end and chooses w's processors in it.
func (c *Conservative) hole(w *plan, i int, end float64) bool {
	p := &c.profile
	s := c.scratch
	copy(s, p.of(i))
	for i++; i < len(p.pieces) && p.pieces[i].start < end; i++ {
		if intersect(s, p.of(i)) < w.q {
			return false
		}
	}
	clear(w.set)
	return c.rule.choose(w.set, s, w.q)
}
