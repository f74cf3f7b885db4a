package audit

import "schedsweep/sim"

// layout is the audit's own copy of where the nodes of each class lie.
type layout struct {
	cores []int32 // class -> processors of a node
	first []int32 // class -> its first processor
}

func layoutOf(p *sim.Platform) (l layout) {
	for c := range p.Clusters {
		l.cores, l.first = append(l.cores, int32(p.Clusters[c].Cores)), append(l.first, int32(p.First(c)))
	}
	return l
}

// each visits the nodes of processors, with how many these are of each.
func (l *layout) each(procs []sim.Span, visit func(class int, node, n int32)) {
	for _, sp := range procs {
		for p := sp.Lo; p <= sp.Hi; {
			c := len(l.first) - 1
			for l.first[c] > p {
				c--
			}
			node := (p - l.first[c]) / l.cores[c]
			next := min(sp.Hi+1, l.first[c]+(node+1)*l.cores[c])
			visit(c, node, next-p)
			p = next
		}
	}
}
