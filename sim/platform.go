package sim

import (
	"fmt"
	"slices"

	"schedsweep/sim/power"
)

// Platform is a machine: clusters of nodes joined by a central link. Processors
// are numbered from 0 through the clusters in their order, so the order of
// clusters is a property of the machine.
type Platform struct {
	// Name is the preset's name, or what the manifest calls it; for messages.
	Name string
	// Clusters in the order in which their processors are numbered.
	Clusters []Cluster
	// Central joins the clusters.
	Central Link
	// Licences are shared by all jobs.
	Licences []Licence
	// Features are the names of what bits of [Cluster.Features] stand for.
	Features []string
	// Partitions are the partitions of a divided platform, see [Platform.Divide]; else there are none.
	Partitions []Partition
	// Tariffs are the charges of a joule, in EUR and in g; nil for none.
	Tariffs [power.Tariffs]*power.Steps
	// Cap bounds the power; nil for none.
	Cap *power.Cap
	// Off is the rule by which idle nodes are switched off.
	Off power.SwitchOff

	first     []int // cluster -> its first processor; one more entry for the total
	firstNode []int // the same of nodes
	largest   []int // by partition, see [Platform.Largest]
	byDefault int32 // the partition of jobs that name none, from 1; 0 for none
}

// Cluster is a set of identical nodes behind one switch.
type Cluster struct {
	// Name identifies the cluster in messages and orderings.
	Name string
	// Nodes is the number of nodes, Cores the number of processors of a node; both at least 1.
	Nodes, Cores int
	// Memory in bytes and GPUs are what each node has for jobs with a [Request]. Features are bits: see [Platform.Features].
	Memory   int64
	GPUs     int32
	Features uint64
	// Switch is the name of the leaf switch of the nodes, shared by classes of one switch; "": one of their own.
	Switch string
	// Speed of a processor in flop/s, above 0. Progress models that use run
	// times take it relative to 1.
	Speed float64
	// Link joins each node to the cluster's switch.
	Link Link
	// Backbone is the switch itself: every route of the cluster passes it.
	Backbone Link
	// Uplink joins the cluster to the central switch: all that its nodes exchange
	// with other clusters passes it.
	Uplink Link
	// Loopback is the bandwidth of a node's private link to itself in B/s;
	// 0 means that messages to itself take the way of all others.
	Loopback float64
	// Power is the power of a node.
	Power power.Node
}

// Procs is the number of processors of the cluster.
func (c *Cluster) Procs() int { return c.Nodes * c.Cores }

// Link is a network link.
type Link struct {
	// Bandwidth in B/s. 0 means no limit.
	Bandwidth float64
	// Latency in seconds.
	Latency float64
	// Sharing is the sharing of the link by flows.
	Sharing Sharing
}

// Sharing is the sharing of a link's bandwidth by flows.
type Sharing uint8

// The ways to share a link.
const (
	Shared      Sharing = iota // both directions share one bandwidth
	SplitDuplex                // each direction has the full bandwidth
	FatPipe                    // every flow has the full bandwidth
)

// String returns the name used in manifests.
func (s Sharing) String() string { return [...]string{"shared", "split-duplex", "fat-pipe"}[s] }

// MaxProcs is the largest number of processors of a platform, six times as many as the largest
// machine there is: policies, progress models and the audit may keep some bytes for each.
const MaxProcs = 1 << 26

// NewPlatform numbers the processors and checks the platform. It keeps the
// slice of clusters.
func NewPlatform(name string, clusters []Cluster, central Link) (*Platform, error) {
	p := &Platform{Name: name, Clusters: clusters, Central: central, first: make([]int, len(clusters)+1),
		firstNode: make([]int, len(clusters)+1)}
	if len(clusters) == 0 {
		return nil, fmt.Errorf("platform %q has no clusters", name)
	}
	for i := range clusters {
		c := &clusters[i]
		if c.Nodes < 1 || c.Cores < 1 {
			return nil, fmt.Errorf("platform %q: cluster %q has %d nodes of %d cores; both must be at least 1", name, c.Name, c.Nodes, c.Cores)
		}
		if !(c.Speed > 0) {
			return nil, fmt.Errorf("platform %q: cluster %q has speed %g; it must be above 0", name, c.Name, c.Speed)
		}
		if c.Nodes > MaxProcs || c.Cores > MaxProcs || p.first[i]+c.Procs() > MaxProcs {
			return nil, fmt.Errorf("platform %q: with %d nodes of %d cores in cluster %q it has more than %d processors, the most that are "+
				"simulated: take a processor for several cores", name, c.Nodes, c.Cores, c.Name, MaxProcs)
		}
		if err := c.Power.Check(); err != nil {
			return nil, fmt.Errorf("platform %q: cluster %q: %w", name, c.Name, err)
		}
		if (c.Power.Busy > 0) != (clusters[0].Power.Busy > 0) {
			return nil, fmt.Errorf("platform %q: one of the clusters %q and %q has power and the other none; give all clusters power, or none", name,
				clusters[0].Name, c.Name)
		}
		p.first[i+1], p.firstNode[i+1] = p.first[i]+c.Procs(), p.firstNode[i]+c.Nodes
	}
	return p, nil
}

// copy makes p equal to q, with memory of its own for the parts that can change.
func (p *Platform) copy(q *Platform) {
	clusters, partitions := append(p.Clusters[:0], q.Clusters...), append(p.Partitions[:0], q.Partitions...)
	for i := range partitions {
		partitions[i].Classes = slices.Clone(partitions[i].Classes)
	}
	*p = *q
	p.Clusters, p.Partitions = clusters, partitions
}

// Procs is the number of processors of the whole platform.
func (p *Platform) Procs() int { return p.first[len(p.first)-1] }

// First is the lowest processor number of cluster c; First(len(p.Clusters)) is
// [Platform.Procs].
func (p *Platform) First(c int) int { return p.first[c] }

// FirstNode is the lowest node number of cluster c, where those of all clusters are numbered one after the other;
// FirstNode(len(p.Clusters)) is their number.
func (p *Platform) FirstNode(c int) int { return p.firstNode[c] }

// EachNode visits the nodes of processors: the cluster and the number of a node, and how many of the processors it has. It visits a node
// again where several spans have processors of it.
func (p *Platform) EachNode(procs []Span, do func(cluster int, node, n int32)) {
	for _, sp := range procs {
		c, end, node, next, cores := 0, sp.Lo, int32(0), int32(0), int32(0) // end of the cluster, and the node after the one of q
		for q := sp.Lo; q <= sp.Hi; q = next {
			if node++; q >= end {
				c = p.ClusterOf(int(q))
				end, cores = int32(p.first[c+1]), int32(p.Clusters[c].Cores)
				k := (q - int32(p.first[c])) / cores
				node, next = int32(p.firstNode[c])+k, int32(p.first[c])+k*cores
			}
			next += cores
			do(c, node, min(sp.Hi+1, next)-q)
		}
	}
}

// count returns the number of processors of some spans. It reports whether these are ascending, disjoint and of the platform.
func (p *Platform) count(procs []Span) (n int, fit bool) {
	last, fit := int32(-1), true
	for _, sp := range procs {
		fit = fit && sp.Lo > last && sp.Hi >= sp.Lo
		n += sp.Len()
		last = sp.Hi
	}
	return n, fit && int(last) < p.Procs()
}

// ClusterOf returns the cluster of a processor. It takes time linear in the
// number of clusters, which is small.
func (p *Platform) ClusterOf(proc int) int {
	c := 0
	for p.first[c+1] <= proc {
		c++
	}
	return c
}
