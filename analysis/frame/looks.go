package frame

// Looked returns those of the looks that the replications reach, at least the first, and the number of replications that have rows.
func Looked(f *Frame, d *Design, looks []int) (made []int, there int) {
	for _, v := range LevelsOf(f.Held(d.Replication), nil).Values {
		there = max(there, int(v.Number)+1)
	}
	last := 0
	for last+1 < len(looks) && looks[last+1] <= there {
		last++
	}
	return looks[:last+1], there
}

// AtLook returns the design of the first n replications and their rows, ascending.
func (d Design) AtLook(f *Frame, n int) (at Design, rows []int32) {
	l := LevelsOf(f.Held(d.Replication), nil)
	for row, code := range l.Codes {
		if l.Values[code].Number < float64(n) {
			rows = append(rows, int32(row))
		}
	}
	d.PlannedTotal, d.PlannedPerPoint = Amount{}, Exactly(n)
	if planned := d.PlannedOf; planned != nil {
		d.PlannedOf = func(point []Value) int { return min(planned(point), n) }
	}
	return d, rows
}
