package workload

import (
	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

// records are those of a log, as the engine asks for them.
type records struct{ log *swf.Log }

func (r records) Record(n int32) sim.Record {
	of, more := r.log.At(int(n)-1), r.log.Extra(int(n)-1)
	memory := of.RequestedMemory
	if memory > 0 {
		memory *= 1024 // SWF counts in kB
	}
	return sim.Record{Submit: of.Submit, Wait: of.Wait, Memory: memory, ThinkTime: of.ThinkTime, SoftWalltime: more.SoftWalltime, Preceding: int64(of.Preceding),
		Group: of.Group, Account: more.Account, Queue: of.Queue, Partition: of.Partition, Property: more.Property,
		Nodes: more.Nodes, GPUs: more.GPUs, Use: sim.NodeUse(more.Use)}
}

func (r records) Waits() bool { return r.log.Waits() }

func (r records) Names() sim.Names { return sim.Names(r.log.Names) }

func (r records) Calendar() sim.Calendar {
	start, _ := r.log.Header.LocalStart()
	return sim.Calendar{Start: start, Zone: r.log.Header.Get("TimeZoneString")}
}
