package frame

import (
	"math"
	"slices"
	"strconv"

	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// LogItself holds the results of the log itself at points whose replications are parts of it, or other logs of its users. It
// is one run and no replication, so that no statistic contains it. Nil knows of none.
type LogItself struct {
	frame *Frame
	rows  map[string]int32 // by the values of the axes
}

// NewLogItself looks at the design's rows of the log itself; rows without an answer tell nothing.
func NewLogItself(d *Design) *LogItself {
	if d.Log == nil || d.Log.Rows == 0 {
		return nil
	}
	l := &LogItself{d.Log, map[string]int32{}}
	ok, axes := d.Answered(d.Log), d.Log.Columns(d.Axes)
	if slices.Contains(axes, nil) {
		return nil
	}
	point := make([]Value, len(axes))
	for row := range int32(d.Log.Rows) {
		for k, c := range axes {
			point[k] = c.At(int(row))
		}
		if ok == nil || ok[row] {
			l.rows[PointKey(point)] = row
		}
	}
	return l
}

// At is the value of a metric at the point with these values of the design's axes, NaN where the log itself has none.
func (l *LogItself) At(point []Value, metric string) float64 {
	if l == nil {
		return math.NaN()
	}
	row, known := l.rows[PointKey(point)]
	c := l.frame.Held(metric)
	if !known || c == nil || c.IsText() {
		return math.NaN()
	}
	return c.Number(row)
}

// Rows gives, for rows of a frame, the rows of the log itself at their points, none where a point has none; nil of nil. Their
// frame may have datasets beside them.
func (l *LogItself) Rows(f *Frame, axes []string) func(rows []int32) []int32 {
	if l == nil {
		return nil
	}
	points := pointsOf(f, axes)
	return func(rows []int32) (own []int32) {
		for _, point := range points(rows) {
			of, known := l.rows[PointKey(point)]
			if !known {
				return nil
			}
			own = append(own, of)
		}
		return own
	}
}

// pointsOf gives the points of rows, each once.
func pointsOf(f *Frame, axes []string) func(rows []int32) [][]Value {
	points := GroupBy(f, axes, nil)
	return func(rows []int32) (all [][]Value) {
		seen := map[int32]bool{}
		for _, row := range rows {
			if at := points.Of[row]; !seen[at] {
				seen[at] = true
				all = append(all, points.Groups[at].Key)
			}
		}
		return all
	}
}

// Over gives, for rows of a frame, the mean over their points of what the log itself has of a metric; nil of nil.
func (l *LogItself) Over(f *Frame, axes []string) func(rows []int32, metric string) float64 {
	if l == nil {
		return nil
	}
	points := pointsOf(f, axes)
	return func(rows []int32, metric string) float64 {
		all := text.Each(points(rows), func(p []Value) float64 { return l.At(p, metric) })
		slices.Sort(all) // the sum must not depend on the order of the rows
		return stats.Sum(all) / float64(len(all))
	}
}

// farApart is a share of the log's own value. A mean must differ by it for a remark, and its interval must not hold that value.
const farApart = .25

// Remark returns a warning if the mean over replications is far from the result of the log itself: outside of its confidence
// interval, where there is one, and by a quarter of it.
func (l *LogItself) Remark(mean stats.Interval, own float64) []stats.Warning {
	apart := math.Abs(mean.Estimate - own)
	if l == nil || !stats.Finite(own) || !(apart > farApart*math.Abs(own)) || mean.Bounded() && mean.Low <= own && own <= mean.High {
		return nil
	}
	if own == 0 {
		return []stats.Warning{stats.Warnf(stats.LogItself, "far from the log itself, which has 0: the interval does not estimate it")}
	}
	times := mean.Estimate / own
	said := strconv.FormatFloat(math.Round(times), 'f', -1, 64)
	if math.Abs(times) < 10 {
		said = strconv.FormatFloat(times, 'g', 2, 64)
	}
	return []stats.Warning{stats.Warnf(stats.LogItself, "%s times what the log itself has: the interval does not estimate it", said)}
}
