package communication

import (
	"fmt"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
)

// BenchmarkBandwidthIsLocal starts and ends a job on one of many pairs of
// clusters, each pair with four other jobs on overloaded uplinks. Target: below 1
// us for the two, and as much for 4096 clusters as for 2.
func BenchmarkBandwidthIsLocal(b *testing.B) {
	for _, pairs := range []int{1, 32, 2048} {
		b.Run(fmt.Sprint(2*pairs), func(b *testing.B) {
			p := NewBandwidth(BandwidthParams{ComputationFraction: .7})
			p.links = make([]uplink, 2*pairs)
			jobs := make([]*sim.Job, 5*pairs)
			for i := range jobs {
				jobs[i] = simtest.NewJob(sim.JobSpec{}, int64(i))
			}
			for i := range p.links {
				p.links[i].capacity = 100
			}
			begin := func(i int) {
				pair := int32(i % pairs)
				at := p.place(jobs[i])
				p.flows[at] = flow{job: jobs[i], uses: append(p.flows[at].uses[:0], use{2 * pair, 40}, use{2*pair + 1, 50}), speed: 1, phi: 1,
					links: ^uint64(0)}
				for _, u := range p.flows[at].uses {
					p.links[u.res].users = append(p.links[u.res].users, user{at, u.weight})
					p.touch(u.res)
				}
				p.fresh = append(p.fresh, at)
			}
			for i := range 4 * pairs {
				begin(i)
			}
			p.settle()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				at := 4*pairs + i%pairs
				begin(at)
				p.settle()
				p.Stopped(nil, jobs[at])
				p.settle()
			}
		})
	}
}
