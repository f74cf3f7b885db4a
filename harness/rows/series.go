package rows

import (
	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sweep"
)

var seriesSchema = store.Schema{
	{Name: instanceColumn, Type: store.Category, Doc: instanceDoc},
	{Name: "time", Type: store.Float64, Unit: "s", Doc: "since when it is so; it stays so until the instance's next row of the machine, or " +
		"of the same link"},
	{Name: "queue_length", Type: store.Int32, Doc: "jobs that wait; null in the rows of links", Nullable: true},
	{Name: "running", Type: store.Int32, Doc: "jobs that run; null in the rows of links", Nullable: true},
	{Name: "busy", Type: store.Int32, Doc: "processors that jobs hold; null in the rows of links", Nullable: true},
	{Name: "link", Type: store.Category, Doc: "link of the platform: uplink or backbone with the number of its cluster from 0, or central; " +
		"null in the rows of the machine", Nullable: true},
	{Name: "link_load", Type: store.Float64, Unit: "1", Doc: "what running jobs ask of the link over what it carries, above 1 where it is " +
		"saturated (bandwidth, saturation), or what they send on it over what it carries (ptask); 0 before the link's first row; null in the " +
		"rows of the machine", Nullable: true},
}

// seriesRows is an observer that writes a row for each change of the machine and for
// each change of a link's load, as they stand at the end of an instant.
type seriesRows struct {
	sim.Quiet // nothing is certain before an instant is over
	*table
	model       progress.Loading // nil where jobs load no links
	links       []string
	loads, last []float64
	machine     machineState
}

type machineState struct{ queue, running, busy int }

func newSeriesRows(t *table) sim.Observer { return &seriesRows{table: t} }

func (o *seriesRows) Begin(inst *sweep.Instance, model sim.Progress) {
	o.id, o.links = inst.ID.String(), nil
	o.machine = machineState{queue: -1} // the first differs
	o.model, _ = model.(progress.Loading)
}

func (o *seriesRows) Settled(v *sim.View) {
	if now := (machineState{v.Waiting(), v.Running(), v.Busy()}); now != o.machine {
		o.machine = now
		o.append(func(r *store.Row) {
			r.SetString(0, o.id)
			r.SetFloat(1, v.Now())
			for i, n := range []int{now.queue, now.running, now.busy} {
				r.SetInt(2+i, int64(n))
			}
		})
	}
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
