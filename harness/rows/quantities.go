package rows

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"schedsweep/harness"
	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
)

// quantity is a number that every row of a dataset has, or gives; NaN where it has none.
type quantity struct {
	name, unit, doc string
	columns         []string // that it is made of
	// of is the quantity of rows of a table under a threshold of the slowdown; nil: the first column itself.
	of    func(t *store.Table, threshold float64) func(row int) float64
	names []string // of its values from 0, where it counts some; nil for others
}

// jobQuantities have the definitions of the metrics of the same names.
var jobQuantities = []quantity{
	plain("processors", "", "requested processors"),
	plain("run_time", "s", "run time in the workload, of the undisturbed job"),
	plain("walltime", "s", "the user's estimate"),
	difference("wait_time", "start - submission", "start"),
	difference("response_time", "finish - submission", "finish"),
	plain("recorded_wait", "s", "wait time by the log"),
	{"wait_error", "s", "start - submission - recorded wait", []string{"submit", "start", "recorded_wait"},
		func(t *store.Table, _ float64) func(int) float64 {
			wait, recorded := since(t, "start"), t.Column("recorded_wait")
			return func(row int) float64 {
				if recorded.IsNull(row) {
					return math.NaN()
				}
				return wait(row) - recorded.Floats[row]
			}
		}, nil},
	ofClock("hour", "hour of day of the submission, by the log's local clock", 3600, hours, 0, "recorded_submit"),
	ofClock("weekday", "day of the week of the submission, by the log's local clock, 0 for Monday", 24*3600, weekdays, 3, "recorded_submit"),
	ofClock("recorded_start_hour", "hour of day of the recorded start, by the clock at the submission", 3600, hours, 0,
		"recorded_submit", "recorded_wait"),
	{"slowdown", "", "response time / run time, for a killed job the time it ran; none for a run time of 0", slowdownColumns,
		func(t *store.Table, _ float64) func(int) float64 {
			response, alone := slowdownOf(t)
			return func(row int) float64 {
				if a := alone(row); a > 0 {
					return response(row) / a
				}
				return math.NaN()
			}
		}, nil},
	{"bounded_slowdown", "", "max(1, response time / max(run time, threshold)), the threshold that of engine.slowdown_threshold",
		slowdownColumns, func(t *store.Table, threshold float64) func(int) float64 {
			response, alone := slowdownOf(t)
			return func(row int) float64 { return max(1, response(row)/max(alone(row), threshold)) }
		}, nil},
}

var (
	hours    = strings.Fields("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23")
	weekdays = strings.Fields("Mon Tue Wed Thu Fri Sat Sun")
)

// seriesQuantities are of the machine; rows of links have none of them but the time.
var seriesQuantities = []quantity{
	plain("time", "s", "since when it is so"),
	plain("queue_length", "", "jobs that wait"),
	plain("running", "", "jobs that run"),
	plain("busy", "", "processors that jobs hold"),
}

func plain(name, unit, doc string) quantity {
	return quantity{name, unit, doc, []string{name}, nil, nil}
}

func difference(name, doc, to string) quantity {
	return quantity{name, "s", doc, []string{"submit", to}, func(t *store.Table, _ float64) func(int) float64 {
		return since(t, to)
	}, nil}
}

// ofClock counts parts of the log's local time, with their names, from the number that 1970-01-01 00:00 has. The time
// is the sum of the columns.
func ofClock(name, doc string, part float64, names []string, first float64, columns ...string) quantity {
	round := float64(len(names))
	return quantity{name, "", doc, columns, func(t *store.Table, _ float64) func(int) float64 {
		return func(row int) float64 {
			at := 0.0
			for _, name := range columns {
				c := t.Column(name)
				if c.IsNull(row) {
					return math.NaN()
				}
				at += c.Floats[row]
			}
			n := math.Mod(math.Floor(at/part)+first, round)
			if n < 0 {
				n += round
			}
			return n
		}
	}, names}
}

// since is the time from submission to the time in a column, NaN for rejected jobs.
func since(t *store.Table, column string) func(row int) float64 {
	from, to := t.Column("submit"), t.Column(column)
	return func(row int) float64 {
		if to.IsNull(row) {
			return math.NaN()
		}
		return to.Floats[row] - from.Floats[row]
	}
}

var slowdownColumns = []string{"submit", "finish", "run_time", "held", "outcome"}

// slowdownOf are the response time of a job, and the time that it would have taken alone.
func slowdownOf(t *store.Table) (response, alone func(row int) float64) {
	run, held, outcome := t.Column("run_time"), t.Column("held"), t.Column("outcome")
	killed := int32(slices.Index(outcome.Dict, sim.Killed.String()))
	return since(t, "finish"), func(row int) float64 {
		if outcome.Codes[row] == killed {
			return held.Floats[row]
		}
		return run.Floats[row]
	}
}

func quantityNamed(name string) (d Dataset, q quantity, ok bool) {
	of, short, _ := strings.Cut(name, ".")
	for _, d := range beside {
		for _, q := range d.quantities {
			if d.Name == of && q.name == short {
				return d, q, true
			}
		}
	}
	return d, q, false
}

// Unit is that of a quantity such as jobs.wait_time; known is false where it is none.
func (r *Rows) Unit(name string) (unit string, known bool) {
	_, q, known := quantityNamed(name)
	return q.unit, known
}

// Values are the names of the values from 0 of a quantity that counts some, such as hours; nil for others.
func (r *Rows) Values(name string) []string {
	_, q, _ := quantityNamed(name)
	return q.names
}

// Quantities reads quantities of one dataset, of the instances that have these places in Table. Quantities calls begin
// before reading begins, and again where a merge makes the reading begin anew. The function that begin returns gets the
// values by quantity, a block of rows[i]'s after the other, one instance after the other, in no order of instances. The
// values are valid during the call. lacking counts the instances without rows. Memory: a row group of rows, and 40 bytes
// an instance of the dataset.
func (r *Rows) Quantities(names []string, rows []int32, begin func() func(i int, values [][]float64)) (lacking int, err error) {
	var of []quantity
	var columns []string
	var d Dataset
	for _, name := range names {
		at, q, ok := quantityNamed(name)
		if of, in := strings.CutPrefix(name, manifest.JobsOf("")); in {
			at, q, ok = beside[0], r.inClass(of), true
		}
		if !ok {
			return 0, fmt.Errorf("there is no quantity %q", name)
		}
		d, of, columns = at, append(of, q), append(columns, q.columns...)
	}
	slices.Sort(columns)
	thresholds := make([]float64, len(rows))
	var inst sweep.Instance
	for i, row := range rows {
		r.of.At(int(r.plan[row]), &inst)
		thresholds[i] = thresholdOf(&inst)
	}
	return r.scan(d, slices.Compact(columns), rows, false, func() func(int, *store.Table, int, int) {
		take, values := begin(), make([][]float64, len(of))
		return func(i int, t *store.Table, from, to int) {
			for k, q := range of {
				values[k] = q.appendTo(values[k][:0], t, thresholds[i], from, to)
			}
			take(i, values)
		}
	})
}

// Jobs reads columns of jobs as Quantities does quantities; rows [from, to) of the table are of rows[i]. It also reads jobs that are not
// measured, and the column part where the rows have it.
func (r *Rows) Jobs(columns []string, rows []int32, begin func() func(i int, t *store.Table, from, to int)) (lacking int, err error) {
	return r.scan(beside[0], columns, rows, true, begin)
}

func (r *Rows) scan(d Dataset, columns []string, rows []int32, all bool, begin func() func(i int, t *store.Table, from, to int)) (
	lacking int, err error) {
	err = setsOf(r.dir, d, nil, func(s *store.Sets) error {
		take, columns := begin(), columns // anew in each call
		if s.Schema().Index(partColumn) >= 0 {
			columns = append(slices.Clip(columns), partColumn)
			if !all {
				take = measured(take)
			}
		}
		places := map[int][]int{} // of a set's instance in rows; several points may have one run of the log itself
		var wanted []int
		lacking = 0
		var inst sweep.Instance
		for i, row := range rows {
			r.of.At(int(r.plan[row]), &inst)
			set, ok := s.Find(inst.ID.String())
			if !ok {
				lacking++
				continue
			}
			if places[set] == nil {
				wanted = append(wanted, set)
			}
			places[set] = append(places[set], i)
		}
		if len(wanted) == 0 {
			return nil
		}
		for _, c := range columns {
			if s.Schema().Index(c) < 0 && d.Columns.Index(c) >= 0 {
				return harness.Unusable("its rows have no column %s: an earlier program wrote them; move %s away, and run --complete writes them anew",
					c, filepath.Join(r.dir, d.Name))
			}
		}
		return s.Scan(columns, wanted, func(set int, t *store.Table, from, to int) error {
			for _, i := range places[set] {
				take(i, t, from, to)
			}
			return nil
		})
	})
	if err != nil {
		return 0, fmt.Errorf("%s of %s: %w", d.Name, r.dir, err)
	}
	return lacking, nil
}

// partColumn marks the jobs that are measured; all are in rows without it.
const partColumn = "part"

// measured passes on the rows of jobs that are measured.
func measured(take func(i int, t *store.Table, from, to int)) func(i int, t *store.Table, from, to int) {
	return func(i int, t *store.Table, from, to int) {
		part := t.Column(partColumn)
		want := int32(slices.Index(part.Dict, sim.Measured.String()))
		for from < to {
			if part.Codes[from] != want {
				from++
				continue
			}
			end := from + 1
			for end < to && part.Codes[end] == want {
				end++
			}
			take(i, t, from, end)
			from = end
		}
	}
}

func (q *quantity) appendTo(dst []float64, t *store.Table, threshold float64, from, to int) []float64 {
	if q.of != nil {
		at := q.of(t, threshold)
		for row := from; row < to; row++ {
			dst = append(dst, at(row))
		}
		return dst
	}
	c := t.Column(q.columns[0])
	for row := from; row < to; row++ {
		v, ok := c.Float(row)
		if !ok {
			v = math.NaN()
		}
		dst = append(dst, v)
	}
	return dst
}
