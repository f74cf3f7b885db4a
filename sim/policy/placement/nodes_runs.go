package placement

import (
	"cmp"
	"slices"

	"schedsweep/sim"
)

// node is a node. In the first node of a run, the fields below class describe the run. In other nodes they hold spare memory.
type node struct {
	class   int
	end     int     // the node behind the run
	really  amount  // not held by running jobs
	full    float64 // the end of the time without a free core, from the first level on; -Inf where a core is free
	empties bool    // all is free for ever from the end of full on
	line    line
	closed  []int32 // places in Nodes.closed that close the node
}

// lay makes one run of each class, on which no job runs.
func (c *Nodes) lay() {
	c.of = make([][2]int, len(c.on.Clusters))
	n := 0
	for _, class := range c.classes {
		c.of[class] = [2]int{n, n + c.on.Clusters[class].Nodes}
		n += c.on.Clusters[class].Nodes
	}
	c.nodes = make([]node, n)
	c.heads, c.open = c.heads.Resized(n), c.open.Resized(n)
	for _, class := range c.classes {
		of := c.of[class]
		for i := of[0]; i < of[1]; i++ {
			c.nodes[i].class = class
		}
		c.heads.Add(of[0])
		c.nodes[of[0]].end, c.nodes[of[0]].really = of[1], c.all(of[0])
		c.idle += c.on.Clusters[class].Procs()
	}
}

// all returns the resources of an idle node.
func (c *Nodes) all(node int) amount {
	k := &c.on.Clusters[c.nodes[node].class]
	return amount{cores: int32(k.Cores), gpus: k.GPUs, memory: k.Memory}
}

// procs is the first processor of a node.
func (c *Nodes) procs(node int) int {
	class := c.nodes[node].class
	return c.on.First(class) + (node-c.of[class][0])*c.on.Clusters[class].Cores
}

// head is the first node of the run of a node.
func (c *Nodes) head(node int) int { return c.heads.last(node) }

// split has a run begin at a node, which may be behind the last.
func (c *Nodes) split(node int) {
	if node < len(c.nodes) && !c.heads.has(node) {
		c.begin(node)
	}
}

// begin has a run begin at a node where none does.
func (c *Nodes) begin(node int) {
	at := c.head(node)
	n, m := &c.nodes[at], &c.nodes[node]
	if !c.alone {
		m.line = append(m.line[:0], n.line...)
	}
	m.end, m.full, m.empties, m.really = n.end, n.full, n.empties, n.really
	n.end = node
	if c.heads.Add(node); c.open.has(at) {
		c.open.Add(node)
	}
}

// merge joins the run that begins at a node to the run before, if both are equal from now on. While nodes are closed, each is a run.
func (c *Nodes) merge(node int) {
	n := &c.nodes[node]
	if node == c.of[n.class][0] || len(c.closed) > 0 {
		return
	}
	o := &c.nodes[c.head(node-1)]
	if o.really != n.really {
		return
	}
	if !c.alone {
		o.line.forget(c.now)
		n.line.forget(c.now)
		if len(o.line) != len(n.line) || o.line[0].amount != n.line[0].amount || !slices.Equal(o.line[1:], n.line[1:]) {
			return
		}
	}
	o.end = n.end
	c.heads.drop(node)
	c.open.drop(node)
}

// join merges the runs in and beside these nodes. With alone, it merges idle ones: searches pass over the others that are full.
func (c *Nodes) join(all []taken) {
	for i := range all {
		cores := int32(c.on.Clusters[c.nodes[all[i].node].class].Cores)
		for k, end := all[i].node, all[i].end; k <= end && k < len(c.nodes); {
			next := c.nodes[k].end
			if !c.alone || c.nodes[k].really.cores == cores {
				c.merge(k)
			}
			k = next
		}
	}
}

// measure notes when the run that begins at a node is full.
func (c *Nodes) measure(node int) {
	n := &c.nodes[node]
	n.full = n.line.full()
	all := c.all(node)
	n.empties = len(n.line) == 2 && n.line[1].at == n.full && n.line[1].amount == all
	c.file(node)
}

// file notes whether the run that begins at a node has a free core by now.
func (c *Nodes) file(node int) {
	if full := c.nodes[node].full; full <= c.now {
		c.open.Add(node)
	} else {
		c.open.drop(node)
		c.opening = min(c.opening, full)
	}
}

// next is the first run from a node on that may have a free core at t, or a node not before end.
func (c *Nodes) next(node, end int, t float64) int {
	if t <= c.now {
		return c.open.seek(node, 0)
	}
	for node < end && c.nodes[node].full > t {
		node = c.nodes[node].end
	}
	return node
}

// pick appends the processors that a job gets of these nodes to c.spans: the lowest free ones of each node.
func (c *Nodes) pick(t *taken) {
	cores := c.on.Clusters[c.nodes[t.node].class].Cores
	lo := c.procs(t.node)
	if hi := lo + (t.end-t.node)*cores; int(t.cores) == cores {
		c.span(lo, hi)
		return
	}
	for k := t.node; k < t.end; k++ {
		for p, left := lo, int(t.cores); left > 0; {
			p = c.busy.seek(p, ^uint64(0))
			end := p + 1
			if left > 1 {
				end = min(c.busy.seek(end, 0), p+left)
			}
			c.span(p, end)
			left, p = left-(end-p), end
		}
		lo += cores
	}
}

// span appends processors to c.spans, to the last span where they follow it.
func (c *Nodes) span(lo, hi int) {
	c.spans = sim.Joined(c.spans, sim.Span{Lo: int32(lo), Hi: int32(hi) - 1})
}

// ordered sorts c.spans and joins neighbours: where jobs span classes, nodes come in the order of their switches.
func (c *Nodes) ordered() {
	if slices.IsSortedFunc(c.spans, bySpan) {
		return
	}
	slices.SortFunc(c.spans, bySpan)
	all := c.spans
	c.spans = all[:0]
	for _, sp := range all {
		c.spans = sim.Joined(c.spans, sp)
	}
}

func bySpan(a, b sim.Span) int { return cmp.Compare(a.Lo, b.Lo) }
