package gantt

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/stats"
)

// mostChanges is up to how many changes of a step function are drawn one by one; averages over as many parts are drawn of
// more.
const mostChanges = 1000

type change struct{ at, by float64 }

func (s *Schedule) waiting() []change {
	var all []change
	for _, w := range s.Waits {
		all = append(all, change{w[0], 1}, change{w[1], -1})
	}
	return all
}

func (s *Schedule) busy() []change {
	var all []change
	for i := range s.Jobs {
		j := &s.Jobs[i]
		n := 0.0
		for _, r := range j.Rows {
			n += r[1] - r[0]
		}
		all = append(all, change{j.Start, n}, change{j.Finish, -n})
	}
	return all
}

func stepsOf(name string, all []change, end float64) *figure.Steps {
	slices.SortFunc(all, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	s := &figure.Steps{Series: -1, Name: name}
	value := 0.0
	for i, c := range all {
		if value += c.by; i+1 == len(all) || all[i+1].at > c.at {
			s.At = append(s.At, figure.Point{X: c.at, Y: value})
		}
	}
	if len(s.At) <= mostChanges {
		return s
	}
	parts := stats.NewParts(0, end, mostChanges)
	for _, p := range s.At {
		parts.Until(p.X, p.Y)
	}
	parts.Until(end, 0)
	s.At = nil
	for i := range mostChanges {
		s.At = append(s.At, figure.Point{X: parts.Left(i), Y: parts.Mean(i)})
	}
	s.At = append(s.At, figure.Point{X: end})
	return s
}

const (
	// mostBlocks is up to how many rectangles a schedule shows each job; of more it shows how dense they are.
	mostBlocks = 3000
	// The density is that of cells: so many along time, and at most so many of processors.
	cellsAcross, cellsUp = 200, 64
	// densitySteps is how many densities are told apart.
	densitySteps = 50
)

// density is the share of processors that are busy, by cells; cells beside one another of one density are one. What is idle
// has no cell.
func (s *Schedule) density(procs, end float64) *figure.Heat {
	rows := int(min(procs, cellsUp))
	if rows == 0 || !(end > 0) {
		return &figure.Heat{}
	}
	height, width := procs/float64(rows), end/cellsAcross
	held := make([][cellsAcross]float64, rows)
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for _, r := range j.Rows {
			for y := int(r[0] / height); y < rows && float64(y)*height < r[1]; y++ {
				up := min(r[1], float64(y+1)*height) - max(r[0], float64(y)*height)
				for x := min(int(j.Start/width), cellsAcross-1); x < cellsAcross && float64(x)*width < j.Finish; x++ {
					held[y][x] += up * max(0, min(j.Finish, float64(x+1)*width)-max(j.Start, float64(x)*width))
				}
			}
		}
	}
	h := &figure.Heat{Joined: true}
	for y := range held {
		var open *figure.Cell
		for x, v := range held[y] {
			share := math.Ceil(v/(height*width)*densitySteps-1e-6) / densitySteps
			left := float64(x) * width
			switch {
			case share <= 0:
				open = nil
			case open != nil && open.Value == share:
				open.Right = left + width
			default:
				h.Cells = append(h.Cells, figure.Cell{Left: left, Right: left + width, Low: float64(y) * height, High: float64(y+1) * height,
					Value: share, Items: 1})
				open = &h.Cells[len(h.Cells)-1]
			}
		}
	}
	return h
}
