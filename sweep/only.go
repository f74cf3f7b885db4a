package sweep

import (
	"fmt"

	"schedsweep/sweep/manifest"
)

// Only is a manifest with questions whose plan has these points, in this order, in place
// of the combinations of its axes. It is the same study: its name, text and hash, and the
// ids of what both have, are the manifest's.
func (m *Manifest) Only(points []manifest.Setting) (*Manifest, error) {
	if m.space == nil {
		return nil, fmt.Errorf("sweep: manifest %q asks no questions", m.Name)
	}
	doc := m.space.Only(points)
	rows := doc.Layout(manifest.Header{Seed: m.Seed, Replications: 1})
	n := *m
	if n.plan, n.Axes = newPlan(rows, m.Seed, m.limits), rows.Axes; n.plan != nil {
		n.plan.classes = m.Classes
	}
	return &n, doc.Out.Err()
}
