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

// lack is a time in which processors are less busy than the jobs on them hold together: each by an amount below 0.
type lack struct {
	from, to float64
	rows     [][2]float64
	by       float64
}

func (s *Schedule) waiting() []change {
	var all []change
	for _, w := range s.Waits {
		all = append(all, change{w[0], 1}, change{w[1], -1})
	}
	return all
}

// width is the number of processors in these parts.
func width(parts [][2]float64) (n float64) {
	for _, r := range parts {
		n += r[1] - r[0]
	}
	return n
}

func (s *Schedule) busy() []change {
	all := s.during(func(j *Job) float64 { return width(j.Rows) })
	for _, l := range s.shared {
		n := l.by * width(l.rows)
		all = append(all, change{l.from, n}, change{l.to, -n})
	}
	return all
}

// mostOverlap is the longest time in s for which rounding lets a job start before another one on its processors has ended.
const mostOverlap = 1e-3

// doubles are of the processors that several jobs hold at a time, so that each is busy once. They are nil where rounding explains them all,
// and of shares of sites. It costs O(log n) for each job, and O(1) for each edge of a job within its processors.
func (s *Schedule) doubles() (all []lack) {
	if s.Sites > 0 {
		return nil
	}
	type turn struct {
		change
		job *Job
	}
	var edges []float64 // between two of them, processors have the same jobs
	turns, longest := make([]turn, 0, 2*len(s.Jobs)), 0.
	for i := range s.Jobs {
		j := &s.Jobs[i]
		turns = append(turns, turn{change{j.Start, 1}, j}, turn{change{j.Finish, -1}, j})
		for _, r := range j.Rows {
			edges = append(edges, r[0], r[1])
		}
	}
	slices.SortFunc(turns, func(a, b turn) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	slices.Sort(edges)
	edges = slices.Compact(edges)
	jobs, since := make([]int32, len(edges)), make([]float64, len(edges))
	for _, t := range turns {
		for _, r := range t.job.Rows {
			for k, _ := slices.BinarySearch(edges, r[0]); edges[k] < r[1]; k++ {
				if n := len(all) - 1; jobs[k] > 1 && since[k] < t.at {
					l := lack{since[k], t.at, [][2]float64{{edges[k], edges[k+1]}}, float64(1 - jobs[k])}
					longest = max(longest, l.to-l.from)
					if n >= 0 && all[n].to == l.to && all[n].from == l.from && all[n].by == l.by && all[n].rows[0][1] == l.rows[0][0] {
						all[n].rows[0][1] = edges[k+1]
					} else {
						all = append(all, l)
					}
				}
				jobs[k], since[k] = jobs[k]+int32(t.by), t.at
			}
		}
	}
	if longest <= mostOverlap {
		return nil
	}
	return all
}

// during are changes at the starts and ends of jobs, by the jobs' amounts meanwhile.
func (s *Schedule) during(has func(*Job) float64) []change {
	var all []change
	for i := range s.Jobs {
		j := &s.Jobs[i]
		n := has(j)
		all = append(all, change{j.Start, n}, change{j.Finish, -n})
	}
	return all
}

// levels are the heights of a step function from each of its changes on, in order of time. They are kept.
func (s *Schedule) levels(name string, of func(*Schedule) []change) []figure.Point {
	if s.heights == nil {
		s.heights = map[string][]figure.Point{}
	}
	all, made := s.heights[name]
	if !made {
		changes := of(s)
		slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
		level := 0.0
		for i, c := range changes {
			if level += c.by; i+1 == len(changes) || changes[i+1].at != c.at {
				all = append(all, figure.Point{X: c.at, Y: level})
			}
		}
		s.heights[name] = all
	}
	return all
}

// after is the first change of a step function after a time, and heightAt its height then: 0 before its first change.
func after(all []figure.Point, at float64) int {
	i, _ := slices.BinarySearchFunc(all, at, func(p figure.Point, at float64) int { return cmp.Or(cmp.Compare(p.X, at), -1) })
	return i
}

func heightAt(all []figure.Point, at float64) float64 {
	i := after(all, at)
	if i == 0 {
		return 0
	}
	return all[i-1].Y
}

// stepsOf draws a part of a step function.
func stepsOf(name string, all []figure.Point, drawn window) *figure.Steps {
	s := &figure.Steps{Series: -1, Name: name}
	first, _ := slices.BinarySearchFunc(all, drawn.from, func(p figure.Point, from float64) int { return cmp.Compare(p.X, from) })
	if first > 0 {
		s.At = []figure.Point{{X: drawn.from, Y: all[first-1].Y}}
	}
	s.At = append(s.At, all[first:max(first, after(all, drawn.to))]...)
	if len(s.At) <= mostChanges {
		return s
	}
	parts := stats.NewParts(drawn.from, drawn.to, mostChanges)
	for _, p := range s.At {
		parts.Until(p.X, p.Y)
	}
	parts.Until(drawn.to, 0)
	s.At = nil
	for i := range mostChanges {
		s.At = append(s.At, figure.Point{X: parts.Left(i), Y: parts.Mean(i)})
	}
	s.At = append(s.At, figure.Point{X: drawn.to})
	return s
}

const (
	// mostBlocks is up to how many rectangles a schedule shows each job; of more it shows how dense they are.
	mostBlocks = 3000
	// The density is that of cells: cellsAcross along time, and at most cellsUp of processors.
	cellsAcross, cellsUp = 200, 64
	// densitySteps is the number of densities that the drawing shows.
	densitySteps = 50
)

// density is the share of processors that are busy, by cells; cells beside one another of one density are one. Idle processors
// have no cell.
func (s *Schedule) density(procs float64, drawn window) *figure.Heat {
	rows, from := int(min(procs, cellsUp)), drawn.from
	if rows == 0 || !(drawn.to > from) {
		return &figure.Heat{}
	}
	height, width := procs/float64(rows), (drawn.to-from)/cellsAcross
	held := make([][cellsAcross]float64, rows)
	add := func(start, finish float64, on [][2]float64, by float64) {
		if finish < drawn.from || start > drawn.to {
			return
		}
		start, finish = max(start-from, 0), finish-from
		for _, r := range on {
			for y := int(r[0] / height); y < rows && float64(y)*height < r[1]; y++ {
				up := min(r[1], float64(y+1)*height) - max(r[0], float64(y)*height)
				for x := min(int(start/width), cellsAcross-1); x < cellsAcross && float64(x)*width < finish; x++ {
					held[y][x] += by * up * max(0, min(finish, float64(x+1)*width)-max(start, float64(x)*width))
				}
			}
		}
	}
	for i := range s.Jobs {
		add(s.Jobs[i].Start, s.Jobs[i].Finish, s.Jobs[i].Rows, 1)
	}
	for _, l := range s.shared {
		add(l.from, l.to, l.rows, l.by)
	}
	h := &figure.Heat{Joined: true}
	for y := range held {
		var open *figure.Cell
		for x, v := range held[y] {
			share := math.Ceil(v/(height*width)*densitySteps-1e-6) / densitySteps
			left := from + float64(x)*width
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
