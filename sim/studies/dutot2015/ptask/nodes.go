package ptask

import "schedsweep/sim"

// nodeResources is the number of resources of a shared node: its processors, its link (one direction represents
// both) and its loopback.
const nodeResources = 3

// nodeUse is the number of processors of a node that a task holds.
type nodeUse struct{ node, procs int32 }

// nodeTable holds the nodes of several processors that jobs share. It
// costs time at a job's start and end alone, and not even then where every
// node has one processor.
type nodeTable struct {
	platform *sim.Platform
	several  bool    // some node has several processors
	users    []int32 // running jobs of each node
	res      []int32 // first resource of each shared node, -1 without
	given    []int32 // nodes that have resources
	dirty    bool    // some node has begun or ceased to be shared
}

// reset prepares the table and reports whether processors must be tracked.
func (n *nodeTable) reset(p *sim.Platform) bool {
	n.platform, n.several, n.dirty = p, false, false
	n.users, n.res, n.given = n.users[:0], n.res[:0], n.given[:0]
	for i := range p.Clusters {
		n.several = n.several || p.Clusters[i].Cores > 1
	}
	if !n.several {
		return false
	}
	for range p.FirstNode(len(p.Clusters)) {
		n.users = append(n.users, 0)
		n.res = append(n.res, -1)
	}
	return true
}

// enter notes the nodes of t.job, which starts.
func (n *nodeTable) enter(t *task) {
	t.nodes = t.nodes[:0]
	if !n.several {
		return
	}
	n.platform.EachNode(t.job.Alloc().Procs, func(c int, node, procs int32) {
		if n.platform.Clusters[c].Cores > 1 {
			n.add(t, node, procs)
		}
	})
	for _, u := range t.nodes {
		n.users[u.node]++
		n.dirty = n.dirty || n.users[u.node] > 1
	}
}

// add joins neighbouring spans of one node.
func (n *nodeTable) add(t *task, node, procs int32) {
	if last := len(t.nodes) - 1; last >= 0 && t.nodes[last].node == node {
		t.nodes[last].procs += procs
		return
	}
	t.nodes = append(t.nodes, nodeUse{node, procs})
}

// leave forgets the nodes of t.job, which has ended.
func (n *nodeTable) leave(t *task) {
	for _, u := range t.nodes {
		n.dirty = n.dirty || n.users[u.node] > 1
		n.users[u.node]--
	}
}

// reload gives shared nodes their resources and computes all loads anew.
func (p *Model) reload() {
	n := &p.nodes
	n.dirty = false
	for _, node := range n.given {
		n.res[node] = -1
	}
	n.given = n.given[:0]
	p.res = p.res[:len(p.platform.Clusters)+1]
	for _, slot := range p.running {
		c := 0
		for _, u := range p.tasks[slot].nodes {
			for int(u.node) >= p.platform.FirstNode(c+1) {
				c++
			}
			if n.users[u.node] < 2 || n.res[u.node] >= 0 {
				continue
			}
			cl := &p.platform.Clusters[c]
			n.res[u.node] = int32(len(p.res))
			n.given = append(n.given, u.node)
			p.res = append(p.res, resource{capacity: cl.Speed}, linkResource(cl.Link), resource{capacity: cl.Loopback, fat: true})
		}
	}
	for _, slot := range p.running {
		p.load(&p.tasks[slot])
	}
}
