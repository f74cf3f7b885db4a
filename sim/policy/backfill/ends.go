package backfill

import (
	"math"
	"slices"
	"sort"

	"schedsweep/sim"
)

// Ends holds the running jobs, in order of planned ends: a list in blocks of neighbours. Each block knows its first end and its sum.
// Finding a place takes O(log r) with r jobs running. Entering and striking out move at most a block. Sums of
// processors add up r/32 blocks at worst, which for the jobs of any machine is less than the way down a tree. Nothing
// is allocated once there are as many blocks as there ever were.
type Ends struct {
	blocks []endBlock
	spare  [][]end
	sum    int64
}

type endBlock struct {
	first end
	sum   int64 // processors
	ends  []end // at least one, at most endsPerBlock
}

// endsPerBlock is the number of ends that fill a block of 1.5 kB.
const endsPerBlock = 64

type end struct {
	time  float64
	seq   int64 // of the job; parts equal times
	procs int32
	slot  int32 // of the job
}

func (e *end) before(o *end) bool { return e.time < o.time || e.time == o.time && e.seq < o.seq }

// Sum is the processors of all.
func (r *Ends) Sum() int64 { return r.sum }

// Reset empties it.
func (r *Ends) Reset() {
	for i := range r.blocks {
		r.drop(i)
	}
	r.blocks, r.sum = r.blocks[:0], 0
}

// Insert enters that j ends at a time by plan.
func (r *Ends) Insert(j *sim.Job, time float64) {
	r.insert(j, j.Procs(), time)
}

// insert enters that j ends on procs processors.
func (r *Ends) insert(j *sim.Job, procs int32, time float64) {
	r.enter(end{time, j.Seq(), procs, j.Slot()})
}

func (r *Ends) enter(e end) {
	r.sum += int64(e.procs)
	if len(r.blocks) == 0 {
		r.open(0)
	}
	k := r.block(&e)
	if len(r.blocks[k].ends) == endsPerBlock {
		r.open(k + 1)
		b, next := &r.blocks[k], &r.blocks[k+1]
		next.ends = append(next.ends, b.ends[endsPerBlock/2:]...)
		b.ends = b.ends[:endsPerBlock/2]
		b.count()
		next.count()
		if !e.before(&next.first) {
			k++
		}
	}
	b := &r.blocks[k]
	at := b.place(&e)
	b.ends = slices.Insert(b.ends, at, e)
	b.first = b.ends[0]
	b.sum += int64(e.procs)
}

// remove strikes j out, which was to end at this time on procs processors.
func (r *Ends) remove(j *sim.Job, procs int32, time float64) {
	r.leave(end{time, j.Seq(), procs, j.Slot()})
}

func (r *Ends) leave(e end) {
	k := r.block(&e)
	b := &r.blocks[k]
	at := b.place(&e)
	if b.ends[at] != e {
		panic("backfill: a job ends that does not run")
	}
	r.strike(k, at)
}

// Pop strikes the first out, which there must be.
func (r *Ends) Pop() end {
	e := r.blocks[0].first
	r.strike(0, 0)
	return e
}

// strike strikes out the entry at a place of block k.
func (r *Ends) strike(k, at int) {
	b := &r.blocks[k]
	procs := int64(b.ends[at].procs)
	r.sum, b.sum = r.sum-procs, b.sum-procs
	b.ends = slices.Delete(b.ends, at, at+1)
	if len(b.ends) > 0 {
		b.first = b.ends[0]
	}
	// Neighbours that have become small are joined, so that blocks stay few.
	if k > 0 && len(b.ends)+len(r.blocks[k-1].ends) <= endsPerBlock/2 {
		k--
	}
	if b = &r.blocks[k]; k+1 < len(r.blocks) && len(b.ends)+len(r.blocks[k+1].ends) <= endsPerBlock/2 {
		b.ends = append(b.ends, r.blocks[k+1].ends...)
		b.count()
		r.close(k + 1)
	} else if len(b.ends) == 0 {
		r.close(k)
	}
}

// open puts an empty block at position k.
func (r *Ends) open(k int) {
	var b endBlock
	if n := len(r.spare); n > 0 {
		b.ends, r.spare = r.spare[n-1], r.spare[:n-1]
	} else {
		b.ends = make([]end, 0, endsPerBlock)
	}
	r.blocks = slices.Insert(r.blocks, k, b)
}

func (r *Ends) close(k int) {
	r.drop(k)
	r.blocks = slices.Delete(r.blocks, k, k+1)
}

// drop keeps the memory of block k for another.
func (r *Ends) drop(k int) { r.spare = append(r.spare, r.blocks[k].ends[:0]) }

// block is the last that begins no later than e, or the first.
func (r *Ends) block(e *end) int {
	return max(0, sort.Search(len(r.blocks), func(k int) bool { return e.before(&r.blocks[k].first) })-1)
}

// place is the position of e in the block, or the one that it would have.
func (b *endBlock) place(e *end) int {
	return sort.Search(len(b.ends), func(i int) bool { return !b.ends[i].before(e) })
}

// count sums the block up.
func (b *endBlock) count() {
	b.first, b.sum = b.ends[0], 0
	for i := range b.ends {
		b.sum += int64(b.ends[i].procs)
	}
}

// First returns the earliest end, +Inf when nothing runs.
func (r *Ends) First() float64 {
	if len(r.blocks) == 0 {
		return math.Inf(1)
	}
	return r.blocks[0].first.time
}

// until returns the processors of the jobs that end no later than a time.
func (r *Ends) until(time float64) int64 {
	n := int64(0)
	for k := range r.blocks {
		if k+1 < len(r.blocks) && r.blocks[k+1].first.time <= time {
			n += r.blocks[k].sum
			continue
		}
		for i := range r.blocks[k].ends {
			e := &r.blocks[k].ends[i]
			if e.time > time {
				break
			}
			n += int64(e.procs)
		}
		break
	}
	return n
}

// reaching returns the earliest time by which jobs with at least need processors
// have ended. There must be as many.
func (r *Ends) reaching(need int64) float64 {
	for k := range r.blocks {
		b := &r.blocks[k]
		if b.sum < need {
			need -= b.sum
			continue
		}
		for i := range b.ends {
			if need -= int64(b.ends[i].procs); need <= 0 {
				return b.ends[i].time
			}
		}
	}
	panic("backfill: fewer processors run than are needed")
}

// after returns the earliest end after a time, +Inf when there is none.
func (r *Ends) after(time float64) float64 {
	last := end{time: time, seq: math.MaxInt64}
	for k := r.block(&last); k < len(r.blocks); k++ {
		if b := &r.blocks[k]; b.place(&last) < len(b.ends) {
			return b.ends[b.place(&last)].time
		}
	}
	return math.Inf(1)
}

// slots appends the jobs in order of their ends, by slot.
func (r *Ends) slots(dst []int32) []int32 {
	for k := range r.blocks {
		for i := range r.blocks[k].ends {
			dst = append(dst, r.blocks[k].ends[i].slot)
		}
	}
	return dst
}
