package plan

import (
	"slices"

	"schedsweep/sim/policy/profile"
)

// ID names a reservation of a plan. It is never used again for another; the zero
// value names none.
type ID uint64

// Kind is the kind of a reservation.
type Kind uint8

// The kinds of reservations.
const (
	Movable Kind = iota // a waiting job's: any planner may release it and plan it anew
	Fixed               // never moves
	Held                // preliminary: expires unless it is confirmed
)

// Reservation is a share that is promised to a job. Times are in seconds.
type Reservation struct {
	// Job is the caller's number of the job.
	Job int64
	// Kind is the kind of the reservation.
	Kind Kind
	// Share is promised on [Start, End); of a hold these are the first start that is
	// held and the end that goes with the last one.
	Share      Share
	Start, End float64
	// Seconds is for how long the job has it.
	Seconds float64
	// Expires is the time at which a hold ends.
	Expires float64
}

// Plan is the plan of a site. The zero value must be Reset before use.
//
// # Structure
//
// The free capacity is a [profile.Profile] of shares and one of jobs. With k promises, an end or a new promise costs
// O(log k) and the steps between. A search for the earliest place starts from what earlier searches have proved. It
// passes from one profile to the other until they agree. The promises themselves lie in slots that are used again.
// Holds are few, since a site serves one requester at a time; they are a plain list.
type Plan struct {
	now     float64
	shares  profile.Profile // free millionths
	jobs    profile.Profile // number of jobs that may run besides
	slots   []slot
	spare   []uint32
	holds   []ID
	expired []ID
}

type slot struct {
	Reservation
	id      ID
	used    bool
	windows []Window // of a hold
}

// Reset makes the plan one of a site with this capacity, [Whole] without the share kept for urgent jobs and overruns.
// At most level jobs have a share at a time. The whole capacity is free from now on.
func (p *Plan) Reset(capacity Share, level int, now float64) {
	p.now = now
	p.shares.Reset(int(capacity), now)
	p.jobs.Reset(level, now)
	p.spare = p.spare[:0]
	for i := range p.slots {
		p.drop(i)
	}
	p.holds, p.expired = p.holds[:0], p.expired[:0]
}

// Advance moves the clock on, which never goes back: the past is forgotten. It returns
// the holds that have expired, by now inclusive, and are gone; valid until the next call.
func (p *Plan) Advance(now float64) []ID {
	p.now = now
	p.shares.Cut(now)
	p.jobs.Cut(now)
	p.expired = p.expired[:0]
	for _, id := range p.holds {
		if p.slot(id).Expires <= now {
			p.expired = append(p.expired, id)
		}
	}
	for _, id := range p.expired {
		p.Release(id)
	}
	return p.expired
}

// Earliest is the earliest start, not before from and now, at which one more job can have the share for this number of
// seconds. +Inf where the share exceeds the capacity or endless holds leave too little.
func (p *Plan) Earliest(from float64, s Share, seconds float64) float64 {
	return profile.Agree(max(from, p.now),
		func(t float64) float64 { return p.shares.Earliest(t, int(s), seconds) },
		func(t float64) float64 { return p.jobs.Earliest(t, 1, seconds) })
}

// Until is the first instant from start on at which one more job cannot have the share, +Inf where that never comes.
func (p *Plan) Until(start float64, s Share) float64 {
	return min(p.shares.Until(start, int(s)), p.jobs.Until(start, 1))
}

// Free is the least share that one more job could have on [start, end).
func (p *Plan) Free(start, end float64) Share {
	start = max(start, p.now)
	if p.jobs.Least(start, end) < 1 {
		return 0
	}
	return Share(p.shares.Least(start, end))
}

// Reserve promises the job a share from start, not before now, up to an end. It
// reports false, and does nothing, where there is less.
func (p *Plan) Reserve(job int64, start, end float64, s Share, kind Kind) (ID, bool) {
	if start < p.now || p.Free(start, end) < s {
		return 0, false
	}
	id := p.enter(Reservation{Job: job, Kind: kind, Share: s, Start: start, End: end, Seconds: end - start})
	p.take(p.slot(id))
	return id, true
}

// Of returns a reservation and whether it is still there.
func (p *Plan) Of(id ID) (Reservation, bool) {
	if s := p.slot(id); s != nil {
		return s.Reservation, true
	}
	return Reservation{}, false
}

// Release gives back what a reservation of any kind has from now on. One that is gone
// already stays so.
func (p *Plan) Release(id ID) {
	s := p.slot(id)
	if s == nil {
		return
	}
	if s.Kind == Held {
		p.unhold(id)
	}
	p.give(s)
	p.drop(int(uint32(id)) - 1)
}

// Each visits all reservations, holds included, in no particular but always the same order. It visits each stretch on
// which a reservation has its share.
func (p *Plan) Each(visit func(id ID, r Reservation, start, end float64)) {
	for i := range p.slots {
		if s := &p.slots[i]; s.used {
			s.each(func(start, end float64) { visit(s.id, s.Reservation, start, end) })
		}
	}
}

// Reservations is the number of reservations of all kinds.
func (p *Plan) Reservations() int { return len(p.slots) - len(p.spare) }

// enter gives the reservation a slot and a name.
func (p *Plan) enter(r Reservation) ID {
	if len(p.spare) == 0 {
		p.spare = append(p.spare, uint32(len(p.slots)))
		p.slots = append(p.slots, slot{id: ID(len(p.slots) + 1)})
	}
	i := p.spare[len(p.spare)-1]
	p.spare = p.spare[:len(p.spare)-1]
	s := &p.slots[i]
	s.Reservation, s.used = r, true
	return s.id
}

// drop makes slot i free for another reservation, of another name.
func (p *Plan) drop(i int) {
	s := &p.slots[i]
	s.id, s.used = s.id+1<<32, false
	p.spare = append(p.spare, uint32(i))
}

// slot returns the slot of a reservation, nil where it is gone: an ID counts in its upper half how
// often its slot was given back.
func (p *Plan) slot(id ID) *slot {
	if i := int(uint32(id)) - 1; i >= 0 && i < len(p.slots) && p.slots[i].id == id {
		return &p.slots[i]
	}
	return nil
}

func (p *Plan) unhold(id ID) {
	i := slices.Index(p.holds, id)
	p.holds = slices.Delete(p.holds, i, i+1)
}

// each visits the stretches that a reservation covers: one, except for holds, whose
// windows may overlap once their jobs' length is added.
func (s *slot) each(visit func(start, end float64)) {
	if s.Kind != Held {
		visit(s.Start, s.End)
		return
	}
	start, end := s.Start, s.Start
	for _, w := range s.windows {
		if w.First > end {
			visit(start, end)
			start = w.First
		}
		end = w.Last + s.Seconds
	}
	visit(start, end)
}

// take takes the shares of a reservation, and give gives the remaining ones back.
func (p *Plan) take(s *slot) {
	s.each(func(start, end float64) {
		p.shares.Reserve(start, end, int(s.Share))
		p.jobs.Reserve(start, end, 1)
	})
}

func (p *Plan) give(s *slot) {
	s.each(func(start, end float64) {
		p.shares.Release(start, end, int(s.Share))
		p.jobs.Release(start, end, 1)
	})
}
