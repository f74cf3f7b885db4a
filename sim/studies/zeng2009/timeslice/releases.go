package timeslice

// Release is nodes that a started unit gives back, at its class's own time.
type Release struct {
	Unit  *Unit
	Nodes int
	At    float64
}

// Releases appends when the class's started units give nodes back as predicted,
// unit by unit. Together these are all the nodes that its started jobs hold.
func (v *VM) Releases(dst []Release) []Release {
	for _, u := range v.Units {
		for _, h := range u.holds {
			dst = append(dst, Release{u, h.n, h.end})
		}
	}
	return dst
}
