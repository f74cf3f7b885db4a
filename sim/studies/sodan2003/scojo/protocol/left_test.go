package protocol

// Left returns the number of requests, contracts and messages that a grid remembers.
func Left(g *Grid) int {
	n := len(g.requests) + len(g.events)
	for i := range g.sites {
		s := &g.sites[i]
		n += len(s.waiting) + len(s.contracts) + len(g.homes[i].queue)
		if s.serving != nil {
			n++
		}
		if g.homes[i].active != nil {
			n++
		}
	}
	return n
}
