package audit

import "schedsweep/sim"

// each visits the nodes of processors, with how many these are of each.
func (a *Audit) each(procs []sim.Span, visit func(class int, node, n int32)) {
	for _, sp := range procs {
		for p := sp.Lo; p <= sp.Hi; {
			c := len(a.begins) - 1
			for a.begins[c] > p {
				c--
			}
			cores := int32(a.clusters[c].Cores)
			node := (p - a.begins[c]) / cores
			next := min(sp.Hi+1, a.begins[c]+(node+1)*cores)
			visit(c, node, next-p)
			p = next
		}
	}
}
