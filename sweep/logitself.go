package sweep

import (
	"slices"

	"schedsweep/sweep/params"
)

// LogItself is [Instance.Replication] of an instance that plays its log as it is, beside points whose replications are parts of
// the log or other logs of its users. It is no replication of theirs, and in none of their statistics.
const LogItself = -1

// ofLog is implemented by the parameters of a workload that can take parts of a log.
type ofLog interface {
	// TakeLogItself makes the workload that of the whole log, and reports false where it is no part of one.
	TakeLogItself() bool
}

// Point is the position of the first instance of the instance's point.
func (in *Instance) Point() int { return in.Index - max(in.Replication, 0) }

// WithLogs is the manifest whose plan has, behind all other instances, one that plays each log itself; it is m
// where there are none. It is the same study: its name, text and hash, and the ids and positions of what both have, are the
// manifest's. A manifest with questions has none, because it chooses its points as it goes.
func (m *Manifest) WithLogs() *Manifest {
	if len(m.Questions) > 0 || !m.Analysis.LogItself {
		return m
	}
	n := *m
	plan := *m.plan
	plan.blocks = slices.Clone(plan.blocks)
	seen := map[ID]bool{}
	for _, b := range m.plan.blocks {
		plan.append(m.plan.logs(b, false, seen))
	}
	n.plan = &plan
	if plan.len == m.plan.len {
		return m
	}
	return &n
}

// Logs is the manifest whose plan has one instance for each point whose replications are parts of a log: the one of
// [Manifest.WithLogs] that plays the log itself, with the values that the axes have at the point. Several points may have one
// instance. It is nil where no point has one.
func (m *Manifest) Logs() *Manifest {
	if len(m.Questions) > 0 || !m.Analysis.LogItself {
		return nil
	}
	n := *m
	plan := *m.plan
	plan.blocks, plan.len = nil, 0
	for _, b := range m.plan.blocks {
		plan.append(m.plan.logs(b, true, nil))
	}
	n.plan = &plan
	if plan.len == 0 {
		return nil
	}
	return &n
}

// append adds a block behind the others, unless it has no points.
func (p *Plan) append(b *block) {
	if n := b.count(); n > 0 {
		b.first = p.len
		p.blocks, p.len = append(p.blocks, b), p.len+n*b.Replications
	}
}

// logs is the block of the logs themselves beside the points of a block: without the ones in seen, which it notes where it is
// not nil. The axes keep their values, or show the logs.
func (p *Plan) logs(b *block, keep bool, seen map[ID]bool) *block {
	out := *b
	own := *b.Block
	own.Replications = 1
	out.Block, out.itself, out.kept, out.tables = &own, true, []int32{}, slices.Clone(b.tables)
	if p.workload < 0 {
		return &out
	}
	if like := b.tables[p.workload].like; like != nil {
		if _, log := like.Params().(ofLog); !log { // no variant is of a log
			return &out
		}
	}
	out.tables[p.workload] = b.tables[p.workload].itself(keep)
	sections := make([]*params.Resolved, len(out.tables))
	b.walk(func(point int, digits []int) {
		for k, t := range out.tables {
			v := t.get(t.number(digits))
			if v == nil {
				return
			}
			sections[k] = v.Resolved
		}
		if seen != nil {
			id := instanceID(p.version, p.seed, LogItself, sections)
			if seen[id] {
				return
			}
			seen[id] = true
		}
		out.kept = append(out.kept, int32(point))
	})
	return &out
}

// itself is the table whose variants play the log itself, nil where they are no parts of one.
func (t *variantTable) itself(keep bool) *variantTable {
	out := *t
	out.whole = func(v *variant) *variant {
		r := t.dec.Trial().Altered(v.Resolved, func(params any) bool {
			log, ok := params.(ofLog)
			return ok && log.TakeLogItself()
		})
		switch {
		case r == nil:
			return nil
		case keep:
			return &variant{r, v.values}
		}
		return t.valued(r)
	}
	out.stored = make([]*variant, len(t.stored))
	for i, v := range t.stored {
		if v != nil {
			out.stored[i] = out.whole(v)
		}
	}
	return &out
}

// ofWindow is implemented by the parameters of a workload that can be a window of a log.
type ofWindow interface {
	// DoubleRunUp gives the window twice the run-up, and reports false where it has none.
	DoubleRunUp() bool
}

// WithRunUp sets dst to an instance of the plan with twice the run-up of its window, and reports false where the instance has no
// window with a run-up. dst is no instance of the plan.
func (p *Plan) WithRunUp(in, dst *Instance) bool {
	if p.workload < 0 {
		return false
	}
	r := p.blocks[0].tables[p.workload].dec.Trial().Altered(in.Sections[p.workload], func(params any) bool {
		log, ok := params.(ofWindow)
		return ok && log.DoubleRunUp()
	})
	if r == nil {
		return false
	}
	*dst = *in
	dst.Sections = slices.Clone(in.Sections)
	dst.Sections[p.workload] = r
	dst.ID = instanceID(p.version, p.seed, in.Replication, dst.Sections)
	dst.workload, dst.of = r, nil
	return true
}
