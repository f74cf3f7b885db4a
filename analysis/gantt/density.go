package gantt

import (
	"math"

	"schedsweep/analysis/figure"
)

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
				h.Cells = append(h.Cells, figure.Cell{Left: left, Right: left + width, Low: float64(y) * height, High: float64(y+1) * height, Value: share, Items: 1})
				open = &h.Cells[len(h.Cells)-1]
			}
		}
	}
	return h
}
