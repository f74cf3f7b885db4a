package platform

import "slices"

// Preset is a platform of a published study.
type Preset struct {
	// Name is how manifests call it.
	Name string
	// Doc says what it is and where its numbers come from.
	Doc string
	// Params are its fields.
	Params Params
}

// Presets returns all presets.
func Presets() []Preset { return presets }

// The Griffon cluster of Grid'5000 as SimGrid's own platform file has it (125
// MB/s and 24 us); Dutot, Poquet and Trystram 2015, section 5.3, print 1.25e6
// and 24e-9, with which each job of two nodes or more is bound by its node's
// link from the first step of their range of communication on.
const (
	griffonSpeed    = 286.097e3
	griffonLink     = 125e6
	griffonBackbone = 1.25e9
	griffonLatency  = 24e-6
)

// griffon is a cluster of 16 nodes whose speed and backbone are multiples of
// Griffon's (Table 1 of the paper multiplies these two and no others).
func griffon(name string, speed, backbone float64) Cluster {
	return Cluster{
		Name: name, Nodes: 16, Cores: 1, Speed: griffonSpeed * speed,
		Link:     Link{Bandwidth: griffonLink, Latency: griffonLatency, Sharing: "split-duplex"},
		Backbone: Link{Bandwidth: griffonBackbone * backbone, Sharing: "shared"},
	}
}

func asPrinted() Cluster {
	c := griffon("c", 1, 1)
	c.Link.Bandwidth, c.Link.Latency = 1.25e6, 24e-9
	return c
}

// miniGrid is so many clusters of 100 single-processor nodes, each joined to an
// ideal central switch by one link of 1000 Mbps (Jones, Pang, Stanzione, Ligon
// 2004, section 5.1).
func miniGrid(clusters int) Params {
	return Params{Clusters: []Cluster{{Name: "c", Nodes: 100, Cores: 1, Uplink: Link{Bandwidth: 125e6, Sharing: "shared"}}}, Ordering: slices.Repeat([]string{"c"}, clusters)}
}

// powered is a cluster of H. Blanco, F. Guirado, J. L. Lérida, V. M. Albornoz 2012,
// section 4.
func powered(name string, power float64) Cluster {
	return Cluster{Name: name, Nodes: 4, Cores: 1, Speed: power, Uplink: Link{Bandwidth: 125e6, Sharing: "shared"}}
}

var (
	central = Link{Bandwidth: 1.25e9, Latency: griffonLatency, Sharing: "shared"}
	// o1 of section 5.4: by ascending speed, three of the first kind, three of
	// the second, two of the third.
	highAscending = []string{"c1", "c1", "c1", "c2", "c2", "c2", "c3", "c3"}
	lowAscending  = []string{"c4", "c4", "c4", "c5", "c5", "c5", "c6", "c6"}
)

var presets = []Preset{
	{"griffon-8x16", "8 clusters of 16 nodes like Grid'5000's Griffon (Dutot 2015, homogeneous), bandwidth and latency of SimGrid's file for it",
		Params{Clusters: []Cluster{griffon("c", 1, 1)}, Ordering: slices.Repeat([]string{"c"}, 8), Central: central}},
	{"griffon-8x16-as-printed", "the same with the node links as the paper prints them: 1.25e6 B/s and 24e-9 s",
		Params{Clusters: []Cluster{asPrinted()}, Ordering: slices.Repeat([]string{"c"}, 8), Central: Link{Bandwidth: 1.25e9, Latency: 24e-9, Sharing: "shared"}}},
	{"griffon-high", "highly heterogeneous: clusters c1, c2, c3 of Table 1 (speeds 1, 2.02, 2.94; backbones 2, 4, 1), ordering o1",
		Params{Clusters: []Cluster{griffon("c1", 1, 2), griffon("c2", 2.02, 4), griffon("c3", 2.94, 1)}, Ordering: highAscending, Central: central}},
	{"griffon-low", "slightly heterogeneous: clusters c4, c5, c6, missing from the paper; speeds of the Grenoble site (1.24, 1.61, 1.72), backbones 1, 1.5, 2, ordering o1",
		Params{Clusters: []Cluster{griffon("c4", 1.24, 1), griffon("c5", 1.61, 1.5), griffon("c6", 1.72, 2)}, Ordering: lowAscending, Central: central}},
	{"mini-grid-2", "2 clusters of 100 nodes, each with one link of 1000 Mbps to an ideal central switch (Jones 2004)", miniGrid(2)},
	{"mini-grid-4", "4 clusters of the same kind", miniGrid(4)},
	{"mini-grid-8", "8 clusters of the same kind", miniGrid(8)},
	{"multi-cluster-3x4", "3 clusters of 4 nodes with effective powers 1, 0.75 and 0.5, each with one link of 1000 Mbps to a central switch (Blanco 2012)",
		Params{Clusters: []Cluster{powered("c1", 1), powered("c2", .75), powered("c3", .5)}}},
}

// preset returns the fields of the preset of that name, none for "".
func preset(name string) Params {
	for _, p := range presets {
		if p.Name == name {
			return p.Params
		}
	}
	return Params{}
}
