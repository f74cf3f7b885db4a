package frame

import (
	"math"
	"strconv"

	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
)

// Counts says how many instances a statistic rests on.
type Counts struct {
	Planned int // -1 when the caller did not say
	OK      int // ended well
	Failed  int // ended otherwise; in no statistic
}

// Count splits the rows of a group by outcome.
func Count(rows []int32, ok []bool, planned int) Counts {
	c := Counts{Planned: planned}
	for _, r := range rows {
		if ok == nil || ok[r] {
			c.OK++
		}
	}
	c.Failed = len(rows) - c.OK
	return c
}

// Lost tells of failed and missing instances.
func (c Counts) Lost() []stats.Warning {
	var ws []stats.Warning
	if c.Failed > 0 {
		ws = append(ws, stats.Warnf(stats.Failed, "%d of %d instances failed and are in no statistic", c.Failed, c.OK+c.Failed))
	}
	if missing := c.Planned - c.OK - c.Failed; c.Planned >= 0 && missing > 0 {
		ws = append(ws, stats.Warnf(stats.Missing, "%d of %d planned instances have no row yet", missing, c.Planned))
	}
	return ws
}

// Gather takes the values of the rows that ended well.
func Gather(rows []int32, ok []bool, from []float64) (values []float64) {
	for _, r := range rows {
		if ok == nil || ok[r] {
			values = append(values, from[r])
		}
	}
	return values
}

// CountColumns head the cells of [CountCells].
func CountColumns() []table.Column {
	return []table.Column{{Name: "done", Head: "ok/planned", ReadOnly: true, Extra: true}, table.CSVOnly("planned"), table.CSVOnly("ok"), {Name: "failed", Extra: true}}
}

// CountCells are how many instances a row of a table rests on.
func CountCells(c Counts) []table.Cell {
	done, planned := strconv.Itoa(c.OK), table.Number(math.NaN(), 0)
	if c.Planned >= 0 {
		done += "/" + strconv.Itoa(c.Planned)
		planned = table.Count(c.Planned)
	}
	return []table.Cell{table.Text(done), planned, table.Count(c.OK), table.Count(c.Failed)}
}
