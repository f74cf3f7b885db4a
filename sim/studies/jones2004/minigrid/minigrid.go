// Package minigrid has the platforms of W. M. Jones, L. W. Pang, D. Stanzione and W. B.
// Ligon 2004.
package minigrid

import (
	"fmt"
	"slices"

	"schedsweep/sim/platform"
)

// A mini-grid is clusters of 100 single-processor nodes, each joined to an ideal
// central switch by one link of 1000 Mbps (section 5.1).
func init() {
	kinds := []platform.Cluster{{Name: "c", Nodes: 100, Cores: 1, Uplink: platform.Link{Bandwidth: 125e6, Sharing: "shared"}}}
	doc := "2 clusters of 100 nodes, each with one link of 1000 Mbps to an ideal central switch (Jones 2004)"
	for _, n := range []int{2, 4, 8} {
		platform.AddPreset(platform.Preset{Name: platform.PresetName(fmt.Sprint("mini-grid-", n)), Doc: doc,
			Params: platform.Params{Clusters: kinds, Ordering: slices.Repeat([]string{"c"}, n)}})
		doc = fmt.Sprint(2*n, " clusters of the same kind")
	}
}
