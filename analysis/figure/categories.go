package figure

import (
	"math"
	"slices"
)

// categoryLabels is the form of the names below a horizontal axis: level on one or more lines, or slanted.
type categoryLabels struct {
	lines  [][]string // of each name
	size   float64
	slant  float64 // degrees, 0 of level names
	height float64
}

const (
	slant      = 40.0 // degrees
	steep      = 62.0 // where names need fewer lines so
	maxLines   = 3
	widestName = 110.0 // of a slanted name, in points
)

// placeCategories chooses level names where they fit their share of the width, and slanted ones otherwise. The argument left is the
// room to the left of the plot area into which a slanted name may reach.
func placeCategories(s *scale, width, left float64) categoryLabels {
	if len(s.names) == 0 {
		return categoryLabels{height: tickSize}
	}
	room := width/float64(len(s.names)) - 6
	level, most := true, 1
	var lines [][]string
	for _, name := range s.names {
		ls := wrap(name, max(room, 1), tickSize, false)
		for _, word := range words(name) {
			level = level && textWidth(word, tickSize, false) <= room
		}
		level = level && len(ls) <= maxLines
		most = max(most, len(ls))
		lines = append(lines, ls)
	}
	if level {
		return categoryLabels{lines: lines, size: tickSize, height: tickSize * (1 + lineGap*float64(most-1))}
	}
	gentle, steeper := slantedLabels(s, width, left, slant), slantedLabels(s, width, left, steep)
	if steeper.size > gentle.size || len(slices.Concat(steeper.lines...)) < len(slices.Concat(gentle.lines...)) {
		return steeper
	}
	return gentle
}

// slantedLabels are names at an angle. Long ones, and names that the figure's edge would cut, are on several lines, in
// letters small enough that the lines of neighbours stay apart.
func slantedLabels(s *scale, width, left, angle float64) categoryLabels {
	const step, smallest = 0.25, 2.0
	c := categoryLabels{slant: angle, size: tickSize}
	sin, cos := math.Sincos(angle * math.Pi / 180)
	apart := width / float64(len(s.names)) * sin
	for ; ; c.size -= step {
		c.lines, c.height = nil, 0
		most := 0
		for i, name := range s.names {
			reach := max((left+s.at(float64(i))*width)/cos-tickSize, 20)
			lines := wrap(name, min(widestName, reach), c.size, false)
			most = max(most, len(lines))
			for k, line := range lines {
				c.height = max(c.height, textWidth(line, c.size, false)*sin+c.size*(1+lineGap*float64(k))*cos)
			}
			c.lines = append(c.lines, lines)
		}
		if c.size <= smallest || c.size*(1+lineGap*float64(most-1)) <= apart {
			return c
		}
	}
}

// draw prints the names below y; x is the left of the plot area.
func (c *categoryLabels) draw(sc *scene, s *scale, x, y, width float64) {
	sin, cos := math.Sincos(c.slant * math.Pi / 180)
	for i := range s.names {
		at := x + s.at(float64(i))*width
		for k, line := range c.lines[i] {
			t := textItem{x: at, y: y + tickSize*(capHeight+lineGap*float64(k)), s: line, size: c.size, anchor: atMiddle, colour: black}
			if down := c.size * lineGap * float64(k); c.slant > 0 {
				t.x, t.y, t.anchor, t.angle = at+tickSize*0.35+down*sin, y+tickSize*0.6+down*cos, atEnd, c.slant
			}
			sc.text(t)
		}
	}
}
