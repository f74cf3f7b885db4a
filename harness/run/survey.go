package run

import (
	"encoding/json"
	"fmt"
	"time"

	"schedsweep/harness/folder"
	"schedsweep/harness/rows"
)

type found uint8

const (
	noRow found = iota
	answered
	unanswered // its outcome is not ok
	incomplete // answered, without its rows in a requested dataset
)

// skip reports whether the instance at a position need not run (again).
func (p *pool) skip(at int) bool {
	return p.known > 0 && (p.found[at] == answered || p.found[at] == unanswered && !p.cfg.Retry || p.found[at] == incomplete &&
		!p.cfg.Complete)
}

// look reads the contents of the folder, and returns the number of its rows.
func (p *pool) look() (int, error) {
	records := rows.Instances
	records.Answer = nil // an instance with two answers is done like one with one; readers of the rows refuse them
	done, err := rows.ReadDone(p.cfg.Dir, p.plan, records)
	if err != nil {
		return 0, err
	}
	if p.wanted, err = done.Wanted(p.cfg.Dir, p.cfg.Manifest); err != nil {
		return 0, err
	}
	p.survey(done)
	return done.N, nil
}

func (p *pool) survey(rows rows.Done) {
	n := p.plan.Len()
	p.costs = costTable{Instances: n}
	if rows.N == 0 {
		return
	}
	p.found = make([]found, n)
	p.costs.Done = make([]byte, (n+7)/8)
	total, longest, here := 0.0, 0.0, 0 // of the point
	answers := 0
	for i, inst := range p.plan.All() {
		if i == inst.Point() {
			total, longest, here = 0, 0, 0
		}
		if row, ok := rows.Find(inst.ID); ok {
			p.known++
			p.found[i] = unanswered
			if row.OK {
				p.found[i] = answered
				answers++
				if p.wanted.Lacks(i, inst.ID, row) {
					p.found[i] = incomplete
				}
			}
			if p.skip(i) {
				p.costs.Done[i/8] |= 1 << (i % 8)
			}
			total += row.Wall
			longest = max(longest, row.Wall)
			here++
		}
		if i == inst.Point()+inst.Replications-1 && here > 0 {
			p.costs.Points = append(p.costs.Points, inst.Point())
			p.costs.Seconds = append(p.costs.Seconds, total/float64(here))
			p.costs.longest = append(p.costs.longest, float32(longest))
		}
	}
	if !p.cfg.Complete {
		for _, note := range p.wanted.Notes(answers) {
			p.cfg.Note(note)
		}
	}
	if p.cfg.Shards == 1 {
		p.tally.Foreign = rows.N - p.known
	}
}

func (p *pool) count() {
	p.tally.Planned = p.share.Len()
	for k := range p.share.Len() {
		if at := p.share.At(k); p.skip(at) {
			p.tally.Existing++
			if p.found[at] == unanswered {
				p.tally.Unanswered++
			}
		}
	}
}

func (p *pool) open(known folder.Provenance, began time.Time, unlocked bool) (*rows.Sink, error) {
	known.Runs = nil
	provenance, err := json.Marshal(known)
	if err != nil {
		return nil, fmt.Errorf("provenance: %w", err)
	}
	run, err := p.record.Footer()
	if err != nil {
		return nil, fmt.Errorf("provenance: %w", err)
	}
	meta := folder.Meta(p.cfg.Manifest, p.cfg.Program)
	meta[folder.MetaProvenance], meta[folder.MetaRun] = string(provenance), run
	return rows.OpenSink(rows.SinkOptions{Dir: p.cfg.Dir, Shard: folder.ShardName(p.cfg.Shard, p.cfg.Shards), Layout: &p.layout,
		Wanted: &p.wanted,
		Meta:   meta, Began: began, Unlocked: unlocked})
}
