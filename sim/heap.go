package sim

// Ranks order the events of one instant. Submissions do not pass through the
// heap but have a rank to be merged by.
const (
	rankPhase  uint8 = iota // a progress model's own wake-up
	rankOver                // an outage ends, where there are passes within an instant: all of them find its processors free
	rankFirst               // ends, or submissions with EventOrder.SubmitFirst
	rankSecond              // the other of the two
	rankUp                  // an outage ends, where there are none
	rankDown                // an outage begins
	rankPower               // a node has booted or shut down, or may have been idle for long enough
	rankKnown               // an outage is announced
	rankCap                 // the cap changes
	rankWake                // a policy's wake-up
)

// event is an entry of the heap. Events are totally ordered by (time, rank,
// seq): seq is the order in which jobs started or wake-ups were requested; of an
// outage it is its place in the engine.
type event struct {
	time float64
	seq  int64
	job  *Job // nil for wake-ups and outages
	rank uint8
}

func (a *event) before(b *event) bool {
	if a.time != b.time {
		return a.time < b.time
	}
	if a.rank != b.rank {
		return a.rank < b.rank
	}
	return a.seq < b.seq
}

// eventHeap is a 4-ary heap of events that knows the position of each job's end, so that an end moves in O(log n) when
// the job's rate changes. It holds running jobs and requested wake-ups, never the trace. Four children a node halve the
// depth of a binary heap; the comparisons stay in two cache lines.
type eventHeap struct{ a []event }

func (h *eventHeap) reset() {
	clear(h.a)
	h.a = h.a[:0]
}

func (h *eventHeap) push(e event) {
	h.a = append(h.a, e)
	h.up(len(h.a) - 1)
}

// pop removes the first event; the heap must not be empty.
func (h *eventHeap) pop() event {
	e := h.a[0]
	h.remove(0)
	return e
}

// remove takes out the event at position i.
func (h *eventHeap) remove(i int) {
	last := len(h.a) - 1
	if j := h.a[i].job; j != nil {
		j.pos = -1
	}
	moved := h.a[last]
	h.a[last] = event{}
	h.a = h.a[:last]
	if i < last {
		h.a[i] = moved
		h.fix(i)
	}
}

// drop removes the events of a rank.
func (h *eventHeap) drop(rank uint8) {
	all := h.a
	h.a = all[:0]
	for _, e := range all {
		if e.rank != rank {
			h.push(e)
		}
	}
	clear(all[len(h.a):])
}

// move gives the event at position i a new time.
func (h *eventHeap) move(i int, t float64) {
	h.a[i].time = t
	h.fix(i)
}

func (h *eventHeap) fix(i int) {
	if i == 0 || !h.up(i) {
		h.down(i)
	}
}

func (h *eventHeap) set(i int, e event) {
	h.a[i] = e
	if e.job != nil {
		e.job.pos = int32(i)
	}
}

// up moves the event at i towards the root and reports whether it moved.
func (h *eventHeap) up(i int) bool {
	e, from := h.a[i], i
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&h.a[parent]) {
			break
		}
		h.set(i, h.a[parent])
		i = parent
	}
	h.set(i, e)
	return i != from
}

func (h *eventHeap) down(i int) {
	e := h.a[i]
	for first := 4*i + 1; first < len(h.a); first = 4*i + 1 {
		children := h.a[first:min(first+4, len(h.a))]
		least, at := &children[0], 0
		for c := 1; c < len(children); c++ {
			if child := &children[c]; child.before(least) {
				least, at = child, c
			}
		}
		if !least.before(&e) {
			break
		}
		h.set(i, *least)
		i = first + at
	}
	h.set(i, e)
}
