package figure

import "math"

// categoryLabels tells how the names below a horizontal axis are printed: level on one or more lines, or slanted.
type categoryLabels struct {
	lines  [][]string
	slant  float64 // degrees, 0 of level names
	height float64
}

const (
	slant      = 40.0 // degrees
	steep      = 62.0 // where the figure's edge would cut names short
	maxLines   = 3
	widestName = 110.0 // of a slanted name, in points
)

// placeCategories chooses level names where they fit their share of the width, and slanted ones otherwise; left is the
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
		return categoryLabels{lines: lines, height: tickSize * (1 + lineGap*float64(most-1))}
	}
	c, cut := slantedLabels(s, width, left, slant)
	if cut {
		c, _ = slantedLabels(s, width, left, steep)
	}
	return c
}

// slantedLabels are names at an angle; cut tells whether the figure's edge shortens one.
func slantedLabels(s *scale, width, left, angle float64) (c categoryLabels, cut bool) {
	c.slant = angle
	sin, cos := math.Sincos(angle * math.Pi / 180)
	for i, name := range s.names {
		reach := (left + s.at(float64(i))*width) / cos
		text := shorten(name, min(widestName, max(reach, 20)), tickSize, false)
		cut = cut || reach < min(widestName, textWidth(name, tickSize, false))
		c.lines = append(c.lines, []string{text})
		c.height = max(c.height, textWidth(text, tickSize, false)*sin+tickSize*cos)
	}
	return c, cut
}

// draw prints the names below y; x is the left of the plot area.
func (c *categoryLabels) draw(sc *scene, s *scale, x, y, width float64) {
	for i := range s.names {
		at := x + s.at(float64(i))*width
		if c.slant > 0 {
			sc.text(textItem{x: at + tickSize*0.35, y: y + tickSize*0.6, s: c.lines[i][0], size: tickSize, anchor: atEnd, angle: c.slant,
				colour: black})
			continue
		}
		for k, line := range c.lines[i] {
			sc.text(textItem{x: at, y: y + tickSize*(capHeight+lineGap*float64(k)), s: line, size: tickSize, anchor: atMiddle, colour: black})
		}
	}
}
