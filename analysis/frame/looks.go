package frame

// Looked returns those of the design's looks that the replications reach, at least the first, and the number of replications that
// have rows.
func (d Design) Looked(f *Frame) (made []int, there int) {
	for _, v := range LevelsOf(f.Held(d.Replication), nil).Values {
		there = max(there, int(v.Number)+1)
	}
	last := 0
	for last+1 < len(d.Looks) && d.Looks[last+1] <= there {
		last++
	}
	return d.Looks[:last+1], there
}

// AtLook returns the design of one look, at the first n replications, and their rows, ascending.
func (d Design) AtLook(f *Frame, n int) (at Design, rows []int32) {
	l := LevelsOf(f.Held(d.Replication), nil)
	for row, code := range l.Codes {
		if l.Values[code].Number < float64(n) {
			rows = append(rows, int32(row))
		}
	}
	d.Looks, d.PlannedPerPoint = nil, Exactly(n)
	if planned := d.PlannedOf; planned != nil {
		d.PlannedOf = func(point []Value) int { return min(planned(point), n) }
	}
	return d, rows
}

// LastLook is AtLook of the last look that the replications reach, and the number of replications after it. Rows are nil where it has all.
func (d Design) LastLook(f *Frame) (at Design, rows []int32, ahead int) {
	made, there := d.Looked(f)
	n := made[len(made)-1]
	if at, rows = d.AtLook(f, n); n >= there {
		return at, nil, 0
	}
	at.PlannedTotal = Amount{} // of the part it is not known
	return at, rows, there - n
}
