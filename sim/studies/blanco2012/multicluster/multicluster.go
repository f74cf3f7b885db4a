// Package multicluster has the platform of H. Blanco, F. Guirado, J. L. Lérida and V. M.
// Albornoz 2012.
package multicluster

import "schedsweep/sim/platform"

// powered is a cluster of section 4.
func powered(name string, power float64) platform.Cluster {
	return platform.Cluster{Name: name, Nodes: 4, Cores: 1, Speed: power, Uplink: platform.Link{Bandwidth: 125e6, Sharing: "shared"}}
}

func init() {
	platform.AddPreset(platform.Preset{Name: "multi-cluster-3x4",
		Doc:    "3 clusters of 4 nodes with effective powers 1, 0.75 and 0.5, each with one link of 1000 Mbps to a central switch (Blanco 2012)",
		Params: platform.Params{Clusters: []platform.Cluster{powered("c1", 1), powered("c2", .75), powered("c3", .5)}}})
}
