package gantt

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// piece is a time for which a job has a share of a site.
type piece struct {
	Job
	share float64
	site  int
}

// shareOf reads the share and the site, which is numbered from 0.
func (p *piece) shareOf(share, site string) error {
	var err error
	if p.share, err = strconv.ParseFloat(share, 64); err != nil || !(p.share >= 0 && p.share <= 1+rounding) {
		return fmt.Errorf("share %q: it must be in [0, 1]", share)
	}
	if p.site, err = strconv.Atoi(site); err != nil || p.site < 0 || p.site > mostSites {
		return fmt.Errorf("site %q: it must be in [0, %d]", site, mostSites)
	}
	return nil
}

const (
	// rounding is what shares may be beside their sum.
	rounding = 1e-6
	// mostSites bounds what can be drawn above one another.
	mostSites = 1000
)

// stack gives each piece its place in its site: where its job was before, else the lowest place that is free for its whole
// time, else what is free, in parts.
func (s *Schedule) stack(pieces []piece) {
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(a.Start, b.Start) })
	type key struct {
		job  string
		site int
	}
	was := map[key]float64{}
	var placed []piece
	// Who goes on at an instant is placed before those who come.
	for from := 0; from < len(pieces); {
		to := from
		for to < len(pieces) && pieces[to].Start == pieces[from].Start {
			to++
		}
		slices.SortStableFunc(pieces[from:to], func(a, b piece) int {
			low := func(p piece) float64 {
				if y, known := was[key{p.ID, p.site}]; known {
					return y
				}
				return math.Inf(1)
			}
			return cmp.Compare(low(a), low(b))
		})
		placed = slices.DeleteFunc(placed, func(p piece) bool { return p.Finish <= pieces[from].Start })
		for i := from; i < to; i++ {
			p := &pieces[i]
			if p.share == 0 || p.Finish == p.Start {
				continue
			}
			s.Sites = max(s.Sites, p.site+1)
			before, known := was[key{p.ID, p.site}]
			p.Rows = place(p, placed, before, known)
			if len(p.Rows) > 0 {
				was[key{p.ID, p.site}] = p.Rows[0][0] - float64(p.site)
			}
			placed = append(placed, *p)
			s.Jobs = append(s.Jobs, p.Job)
		}
		from = to
	}
}

// place finds rows for the share of p beside those that are placed.
func place(p *piece, placed []piece, before float64, known bool) [][2]float64 {
	base := float64(p.site)
	gaps := [][2]float64{{base, base + 1}}
	for _, q := range placed {
		if q.site != p.site {
			continue
		}
		for _, r := range q.Rows {
			var rest [][2]float64
			for _, g := range gaps {
				for _, part := range [][2]float64{{g[0], min(g[1], r[0])}, {max(g[0], r[1]), g[1]}} {
					if part[1]-part[0] > rounding {
						rest = append(rest, part)
					}
				}
			}
			gaps = rest
		}
	}
	if known {
		at := base + before
		for _, g := range gaps {
			if g[0] <= at+rounding && g[1] >= at+p.share-rounding {
				return [][2]float64{{at, at + p.share}}
			}
		}
	}
	for _, g := range gaps {
		if g[1]-g[0] >= p.share-rounding {
			return [][2]float64{{g[0], g[0] + p.share}}
		}
	}
	var out [][2]float64
	left := p.share
	for _, g := range gaps {
		if take := min(left, g[1]-g[0]); take > rounding {
			out = append(out, [2]float64{g[0], g[0] + take})
			left -= take
		}
	}
	return out
}
