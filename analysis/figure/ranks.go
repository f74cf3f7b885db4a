package figure

import (
	"image/color"
	"math"
	"strconv"

	"schedsweep/sweep/text"
)

// Ranks is a critical-difference diagram after J. Demsar 2006, Journal of Machine Learning Research 7, 1-30: names at their
// mean ranks on a line of its own, and bars that join names without a significant difference. The figure is [Figure.Bare].
type Ranks struct {
	Names      []string
	Ranks      []float64 // of the names, ascending from 1, the best
	Joined     [][2]int  // first and last of each bar
	Difference float64   // critical difference; NaN for none
	N          int       // the blocks in which they are ranked
}

// Distances of the diagram in points.
const (
	rankLine  = 13.0 // from name to name
	rankBar   = 5.0  // from bar to bar
	rankHead  = 36.0 // above the bars: the difference, the numbers and the line
	rankWidth = 0.32 // of the plot area, at most, for the names of a side
)

func (*Ranks) look() look { return look{series: 0, depth: lineDepth, layer: "rank"} }

func (r *Ranks) reach(e *reach) { e.points([]Point{{1, 0}, {float64(max(len(r.Ranks), 2)), 1}}) }

func (r *Ranks) rows(put putRow) {
	for i, rank := range r.Ranks {
		put("rank of "+r.Names[i], rank, math.NaN(), math.NaN(), math.NaN(), r.N)
	}
	for _, j := range r.Joined {
		put("joined", math.NaN(), math.NaN(), r.Ranks[j[0]], r.Ranks[j[1]], r.N)
	}
	put("critical difference", r.Difference, math.NaN(), math.NaN(), math.NaN(), r.N)
}

func (r *Ranks) said() []string {
	out := make([]string, len(r.Names))
	for i, name := range r.Names {
		out[i] = name + " " + strconv.FormatFloat(r.Ranks[i], 'f', 2, 64)
	}
	return out
}

// levels puts each bar as high as the overlapping ones let it.
func (r *Ranks) levels() (of []int, n int) {
	for i, j := range r.Joined {
		level := 0
		for k := 0; k < i; k++ {
			if of[k] == level && r.Joined[k][1] >= j[0] {
				level, k = level+1, -1
			}
		}
		of, n = append(of, level), max(n, level+1)
	}
	return of, n
}

func (r *Ranks) height() float64 {
	_, bars := r.levels()
	return rankHead + rankBar*float64(bars) + rankLine*float64((len(r.Ranks)+1)/2)
}

func (r *Ranks) draw(a *area) {
	half := (len(r.Ranks) + 1) / 2
	side := func(from, to int) (width float64) {
		return min(widest(text.Each(r.Names[from:to], a.figure.written), tickSize), rankWidth*a.w) + 8
	}
	left, right := a.x+side(0, half), a.x+a.w-side(half, len(r.Ranks))
	most := max(len(r.Ranks), 2)
	at := func(rank float64) float64 { return left + (rank-1)/float64(most-1)*(right-left) }
	line := func(c color.NRGBA, width float64, places ...Point) {
		a.scene.stroke(through(places...), c, width, nil)
	}
	axis := a.y + rankHead - 4
	line(black, 0.9, Point{left, axis}, Point{right, axis})
	every := (most + 19) / 20
	for rank := 1; rank <= most; rank += every {
		x := at(float64(rank))
		line(black, 0.9, Point{x, axis - tickMark}, Point{x, axis})
		a.scene.text(textItem{x: x, y: axis - tickMark - tickGap, s: strconv.Itoa(rank), size: tickSize, anchor: atMiddle, colour: black})
	}
	if d := r.Difference; !math.IsNaN(d) {
		y, end := a.y+9, min(at(1+d), a.x+a.w)
		line(black, 0.9, Point{left, y - 2.5}, Point{left, y + 2.5})
		line(black, 0.9, Point{left, y}, Point{end, y})
		if end < a.x+a.w { // else it goes on
			line(black, 0.9, Point{end, y - 2.5}, Point{end, y + 2.5})
		}
		text := textItem{x: end + 4, y: y + noteSize*capHeight/2, s: "critical difference " + strconv.FormatFloat(d, 'f', 2, 64), size: noteSize,
			colour: black}
		if text.x+textWidth(text.s, noteSize, false) > a.x+a.w { // there is room above the bar only
			text.x, text.y, text.anchor = (left+end)/2, y-4, atMiddle
		}
		a.scene.text(text)
	}
	levels, bars := r.levels()
	top := axis + rankBar*float64(bars) + 2
	for i, rank := range r.Ranks {
		x, row, end, text := at(rank), i, a.x, textItem{anchor: atStart, x: a.x}
		if i >= half {
			row, end, text = len(r.Ranks)-1-i, a.x+a.w, textItem{anchor: atEnd, x: a.x + a.w}
		}
		y := top + rankLine*(float64(row)+0.8)
		lines, size := shrunk(a.figure.written(r.Names[i]), rankWidth*a.w, rankLine-1, tickSize, false)
		width := 0.0
		if len(lines) > 0 {
			width = widest(lines, size) + 3
		}
		if i >= half {
			width = -width
		}
		line(captionGrey, 0.7, Point{x, axis}, Point{x, y}, Point{end + width, y})
		for k, s := range lines {
			text.s, text.size, text.colour = s, size, black
			text.y = y + size*(capHeight/2+lineGap*(float64(k)-float64(len(lines)-1)/2))
			a.scene.text(text)
		}
	}
	for i, j := range r.Joined {
		y := axis + rankBar*(float64(levels[i])+0.9)
		line(black, 2.4, Point{at(r.Ranks[j[0]]) - 2, y}, Point{at(r.Ranks[j[1]]) + 2, y})
	}
}
