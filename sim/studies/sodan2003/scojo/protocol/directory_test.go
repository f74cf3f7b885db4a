package protocol_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim/studies/sodan2003/scojo/plan"
	"schedsweep/sim/studies/sodan2003/scojo/protocol"
)

// TestDirectoryEqualsMap enters and drops in any order.
func TestDirectoryEqualsMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g protocol.Grid
		g.Reset(3, protocol.Defaults, protocol.Hooks{}, nil, func(_ int, p *plan.Plan) { p.Reset(plan.Whole, 1, 0) })
		d, ref := g.Directory(1), map[int64]protocol.Entry{}
		t.Repeat(map[string]func(*rapid.T){
			"enter": func(t *rapid.T) {
				a := protocol.Application{Job: rapid.Int64Range(0, 20).Draw(t, "job"), Home: rapid.IntRange(0, 2).Draw(t, "home")}
				preliminary := rapid.Bool().Draw(t, "preliminary")
				d.Enter(a, preliminary)
				ref[a.Job] = protocol.Entry{Application: a, Preliminary: preliminary}
			},
			"drop": func(t *rapid.T) {
				job := rapid.Int64Range(0, 20).Draw(t, "job")
				d.Drop(job)
				delete(ref, job)
			},
			"": func(t *rapid.T) {
				var all []protocol.Entry
				for job := range int64(21) {
					e, there := d.Of(job)
					want, known := ref[job]
					if e != want || there != known {
						t.Fatalf("job %d: %+v (%v), want %+v (%v)", job, e, there, want, known)
					}
					if there {
						all = append(all, e)
					}
				}
				if !slices.Equal(d.Entries(), all) {
					t.Fatalf("entries %+v, want %+v", d.Entries(), all)
				}
			},
		})
	})
}
