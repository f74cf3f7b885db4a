// Package griffon has the platforms of P.-F. Dutot, M. Poquet and D. Trystram 2015.
package griffon

import (
	"slices"

	"schedsweep/sim/platform"
)

// The Griffon cluster of Grid'5000 as SimGrid's own platform file has it (125
// MB/s and 24 us); Dutot, Poquet and Trystram 2015, section 5.3, print 1.25e6 and 24e-9. With these values a node's
// link bounds each job of two nodes or more from the first step of their range of communication on.
const (
	griffonSpeed    = 286.097e3
	griffonLink     = 125e6
	griffonBackbone = 1.25e9
	griffonLatency  = 24e-6
)

// griffon is a cluster of 16 nodes whose speed and backbone are multiples of
// Griffon's (Table 1 of the paper multiplies these two and no others).
func griffon(name string, speed, backbone float64) platform.Cluster {
	return platform.Cluster{
		Name: name, Nodes: 16, Cores: 1, Speed: griffonSpeed * speed,
		Link:     platform.Link{Bandwidth: griffonLink, Latency: griffonLatency, Sharing: "split-duplex"},
		Backbone: platform.Link{Bandwidth: griffonBackbone * backbone, Sharing: "shared"},
	}
}

func asPrinted() platform.Cluster {
	c := griffon("c", 1, 1)
	c.Link.Bandwidth, c.Link.Latency = 1.25e6, 24e-9
	return c
}

var (
	central = platform.Link{Bandwidth: 1.25e9, Latency: griffonLatency, Sharing: "shared"}
	// o1 of section 5.4: by ascending speed, three of the first kind, three of
	// the second, two of the third.
	highAscending = []string{"c1", "c1", "c1", "c2", "c2", "c2", "c3", "c3"}
	lowAscending  = []string{"c4", "c4", "c4", "c5", "c5", "c5", "c6", "c6"}
)

func init() {
	eight := slices.Repeat([]string{"c"}, 8)
	for _, p := range []platform.Preset{
		{Name: "griffon-8x16", Doc: "8 clusters of 16 nodes like Grid'5000's Griffon (Dutot 2015, homogeneous), bandwidth and latency of " +
			"SimGrid's file for it",
			Params: platform.Params{Clusters: []platform.Cluster{griffon("c", 1, 1)}, Ordering: eight, Central: central}},
		{Name: "griffon-8x16-as-printed", Doc: "the same with the node links as the paper prints them: 1.25e6 B/s and 24e-9 s",
			Params: platform.Params{Clusters: []platform.Cluster{asPrinted()}, Ordering: eight,
				Central: platform.Link{Bandwidth: 1.25e9, Latency: 24e-9, Sharing: "shared"}}},
		{Name: "griffon-high", Doc: "highly heterogeneous: clusters c1, c2, c3 of Table 1 (speeds 1, 2.02, 2.94; backbones 2, 4, 1), ordering o1",
			Params: platform.Params{Clusters: []platform.Cluster{griffon("c1", 1, 2), griffon("c2", 2.02, 4), griffon("c3", 2.94, 1)},
				Ordering: highAscending, Central: central}},
		{Name: "griffon-low", Doc: "slightly heterogeneous: clusters c4, c5, c6, missing from the paper; speeds of the Grenoble site (1.24, " +
			"1.61, 1.72), backbones 1, 1.5, 2, ordering o1",
			Params: platform.Params{Clusters: []platform.Cluster{griffon("c4", 1.24, 1), griffon("c5", 1.61, 1.5), griffon("c6", 1.72, 2)},
				Ordering: lowAscending, Central: central}},
	} {
		platform.AddPreset(p)
	}
}
