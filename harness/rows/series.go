package rows

import (
	"math"

	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sweep"
)

var seriesSchema = store.Schema{
	{Name: instanceColumn, Type: store.Category, Doc: instanceDoc},
	{Name: "time", Type: store.Float64, Unit: "s", Doc: "since when it is so; it stays so until the instance's next row of the machine, or " +
		"of the same link"},
	{Name: "queue_length", Type: store.Int32, Doc: "jobs that wait; null in the rows of links and node classes", Nullable: true},
	{Name: "running", Type: store.Int32, Doc: "jobs that run; null in the rows of links and node classes", Nullable: true},
	{Name: "busy", Type: store.Int32, Doc: "processors that jobs hold; null in the rows of links and node classes", Nullable: true},
	{Name: "link", Type: store.Category, Doc: "link of the platform: uplink or backbone with the number of its cluster from 0, or central; " +
		"null in the rows of the machine", Nullable: true},
	{Name: "link_load", Type: store.Float64, Unit: "1", Doc: "bandwidth that running jobs request of the link, over its capacity. Above 1 " +
		"the link is saturated (bandwidth, saturation). With ptask it is the bandwidth that they use. 0 before the link's first row. " +
		"Null in the rows of the machine", Nullable: true},
	{Name: "power", Type: store.Float64, Unit: "W", Doc: "power of the machine; null in the rows of links and node classes, and where " +
		"platform.nodes have no power", Nullable: true},
	{Name: "node_class", Type: store.Category, Doc: "node class; null in the rows of the machine and of links", Nullable: true},
	{Name: "class_power", Type: store.Float64, Unit: "W", Doc: "power of the node class; null in the rows of the machine and of links",
		Nullable: true},
	{Name: "idle", Type: store.Int32, Doc: "processors of nodes that are on, without a job; null where platform.off switches no nodes, " +
		"and in the rows of links and node classes", Nullable: true},
	{Name: "off", Type: store.Int32, Doc: "processors of nodes that are off; null as idle", Nullable: true},
	{Name: "boot", Type: store.Int32, Doc: "processors of nodes that boot; null as idle", Nullable: true},
	{Name: "shutdown", Type: store.Int32, Doc: "processors of nodes that shut down; null as idle", Nullable: true},
}

// seriesRows is an observer that writes a row for each change of the machine and for
// each change of a link's load, as they stand at the end of an instant.
type seriesRows struct {
	sim.Quiet // but for nodes that are switched, nothing is certain before an instant is over
	*table
	model       progress.Loading // nil where jobs load no links
	links       []string
	loads, last []float64
	machine     machineState
	powers      []float64 // of node classes
	dark        [3]int    // as in machineState, now
}

type machineState struct {
	queue, running, busy int
	power                float64
	dark                 [3]int // processors by [sim.Off], [sim.Boots] and [sim.ShutsDown]
}

func (o *seriesRows) Begin(inst *sweep.Instance, model sim.Progress) {
	o.id, o.links = inst.ID.String(), nil
	o.machine, o.powers, o.dark = machineState{queue: -1}, o.powers[:0], [3]int{} // the first differs
	o.model, _ = model.(progress.Loading)
}

// Held counts processors of nodes that are not on.
func (o *seriesRows) Held(_ *sim.View, now, before *sim.Hold) {
	if now.Job == nil && now.Outage.Kind.Unpowered() {
		o.dark[now.Outage.Kind-sim.Off] += now.Procs() - before.Procs()
	}
}

func (o *seriesRows) Settled(v *sim.View) {
	if now := (machineState{v.Waiting(), v.Running(), v.Busy(), v.Power(), o.dark}); now != o.machine {
		o.machine = now
		o.append(func(r *store.Row) {
			r.SetString(0, o.id)
			r.SetFloat(1, v.Now())
			for i, n := range []int{now.queue, now.running, now.busy} {
				r.SetInt(2+i, int64(n))
			}
			if v.Platform().Powered() {
				r.SetFloat(7, now.power)
			}
			if v.Platform().Off.On {
				for i, n := range [4]int{v.Free(), now.dark[0], now.dark[1], now.dark[2]} {
					r.SetInt(10+i, int64(n))
				}
			}
		})
	}
	o.classes(v)
	if o.model == nil {
		return
	}
	if o.links == nil {
		o.links = o.model.Links()
		o.last = append(o.last[:0], make([]float64, len(o.links))...)
	}
	o.loads = o.model.LinkLoads(o.loads[:0])
	for i, load := range o.loads {
		if load == o.last[i] {
			continue
		}
		o.last[i] = load
		o.append(func(r *store.Row) {
			r.SetString(0, o.id)
			r.SetFloat(1, v.Now())
			r.SetString(5, o.links[i])
			r.SetFloat(6, load)
		})
	}
}

// classes writes a row for each node class that draws other than before.
func (o *seriesRows) classes(v *sim.View) {
	p := v.Platform()
	if !p.Powered() {
		return
	}
	for c := range p.Clusters {
		now := v.PowerOn(c)
		if c == len(o.powers) {
			o.powers = append(o.powers, math.NaN())
		}
		if now == o.powers[c] {
			continue
		}
		o.powers[c] = now
		o.append(func(r *store.Row) {
			r.SetString(0, o.id)
			r.SetFloat(1, v.Now())
			r.SetString(8, p.Clusters[c].Name)
			r.SetFloat(9, now)
		})
	}
}

// shares is the dataset of shares, which no run folder has.
var shares = Dataset{Name: "shares", Doc: "one row for each time for which a job had one share of a site's processors, as simulate " +
	"--shares writes it",
	Columns: sharesSchema, observer: func(t *table) sim.Observer { return &shareRows{table: t, since: map[int32]float64{}} }}

var sharesSchema = store.Schema{
	{Name: "site", Type: store.Int32, Doc: "the cluster, from 0"},
	{Name: "job", Type: store.Int64, Doc: "the job's number in its workload"},
	{Name: "from", Type: store.Float64, Unit: "s", Doc: "since when the job has had the share"},
	{Name: "to", Type: store.Float64, Unit: "s", Doc: "until when"},
	{Name: "share", Type: store.Float64, Doc: "of the time of each of its processors there, in [0, 1]"},
}

// shareRows is an observer that writes a row for each time for which a job had one
// share, on each of its sites.
type shareRows struct {
	sim.Quiet
	*table
	since map[int32]float64 // slot of a running job -> when its share changed last
}

func (o *shareRows) Held(s *sim.View, now, before *sim.Hold) {
	if now.Job == nil || now.Any() && before.Any() && now.Share == before.Share {
		return
	}
	from := o.since[now.Job.Slot()]
	o.since[now.Job.Slot()] = s.Now()
	for c, n := range before.Alloc.Counts {
		if n == 0 || from == s.Now() || before.Share == 0 {
			continue
		}
		o.append(func(r *store.Row) {
			r.SetInt(0, int64(c))
			r.SetInt(1, now.Job.ID())
			r.SetFloat(2, from)
			r.SetFloat(3, s.Now())
			r.SetFloat(4, before.Share)
		})
	}
}
