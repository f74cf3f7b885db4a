package rows

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// DoneRow holds the data of a stored row that a run needs.
type DoneRow struct {
	outcome   harness.Outcome
	OK        bool
	Wall      float64 // s
	unclassed bool    // it is without a class of the manifest
	unmetered bool    // it is without a metric that the manifest asks for
}

// Done are the rows that the folder holds, by instance.
type Done struct {
	N                    int
	logs                 int // of logs themselves
	superseded, repeated int // see [Holding]
	Find                 func(sweep.ID) (row DoneRow, there bool)
	at                   func(record int) DoneRow
}

// ReadDone reads the contents of the folder, which need not exist. It takes about 40 bytes a row.
func ReadDone(dir string, plan *sweep.Plan, records store.Records) (done Done, err error) {
	folder := filepath.Join(dir, folder.Instances)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return doneIn(nil, plan)
	}
	err = store.WithIndex(folder, records, func(x *store.Index) (err error) {
		done, err = doneIn(x, plan)
		return err
	})
	return done, err
}

// doneIn returns the rows of an index, nil for none.
func doneIn(x *store.Index, plan *sweep.Plan) (Done, error) {
	if x == nil || x.Len() == 0 {
		return Done{Find: func(sweep.ID) (DoneRow, bool) { return DoneRow{}, false }}, nil
	}
	t, err := x.Read([]string{"outcome", "wall_time", replicationColumn}, store.AllRows(x.Len()))
	if err != nil {
		return Done{}, err
	}
	unclassed, err := unclassedRows(x, plan.Classes())
	if err != nil {
		return Done{}, err
	}
	unmetered, err := unmeteredRows(x, plan.Named())
	if err != nil {
		return Done{}, err
	}
	logs := 0
	for _, r := range t.Columns[2].Ints {
		if r == sweep.LogItself {
			logs++
		}
	}
	t.Columns[2] = store.Vector{} // only its count is needed, and at keeps the table
	at := func(record int) DoneRow {
		wall, _ := t.Columns[1].Float(record)
		return DoneRow{harness.Outcome(t.Columns[0].Text(record)), x.Answered(record), wall, unclassed(record), unmetered(record)}
	}
	return Done{x.Len(), logs, x.Superseded, x.Repeated, func(id sweep.ID) (DoneRow, bool) {
		record, there := x.Find(id.String())
		if !there {
			return DoneRow{}, false
		}
		return at(record), true
	}, at}, nil
}

// unmeteredRows tells of each record whether its row is without one of these metrics, nil for all that there are.
func unmeteredRows(x *store.Index, named []string) (func(record int) bool, error) {
	if x.Schema().Index(computedColumn) < 0 {
		return func(int) bool { return false }, nil
	}
	t, err := x.Read([]string{computedColumn}, store.AllRows(x.Len()))
	if err != nil {
		return nil, err
	}
	return func(record int) bool {
		if t.Columns[0].IsNull(record) {
			return false
		}
		has := strings.Fields(t.Columns[0].Text(record))
		return named == nil || slices.ContainsFunc(named, func(name string) bool { return !slices.Contains(has, name) })
	}, nil
}

// Wanted lists the requests of a manifest beside the rows of instances: datasets, and classes of
// jobs; with what the folder has of it.
type Wanted struct {
	datasets  []Dataset
	sets      []*store.Sets // of each of these
	lacking   [][]int       // positions of answered instances without rows in each of these
	unclassed []int         // and without the numbers of classes of jobs
	unmetered []int         // and without some metrics
}

// Wanted finds which instances have their rows in the datasets that the manifest asks for.
func (done Done) Wanted(dir string, m *sweep.Manifest) (w Wanted, err error) {
	counts := func(id string) bool {
		parsed, err := sweep.ParseID(id)
		row, _ := done.Find(parsed)
		return err == nil && row.OK
	}
	w.datasets = Asked(m)
	for _, d := range w.datasets {
		err := setsOf(dir, d, counts, func(s *store.Sets) error {
			w.sets = append(w.sets, s)
			return nil
		})
		if err != nil {
			return w, err
		}
	}
	w.lacking = make([][]int, len(w.datasets))
	return w, nil
}

// Lacks reports whether the answered instance at a position lacks some of it, and notes it.
func (w *Wanted) Lacks(at int, id sweep.ID, row DoneRow) bool {
	lacks := row.unclassed
	if lacks {
		w.unclassed = append(w.unclassed, at)
	}
	if row.unmetered {
		w.unmetered, lacks = append(w.unmetered, at), true
	}
	for k, s := range w.sets {
		if _, ok := s.Find(id.String()); !ok {
			w.lacking[k] = append(w.lacking[k], at)
			lacks = true
		}
	}
	return lacks
}

// Notes name the data that instances with an answer lack, and forget them.
func (w *Wanted) Notes(answers int) (notes []string) {
	for k, numbers := range w.lacking {
		if len(numbers) > 0 {
			notes = append(notes, missing(w.datasets[k].Name, numbers, answers))
		}
	}
	if note := missingClasses(w.unclassed, answers); note != "" {
		notes = append(notes, note)
	}
	if len(w.unmetered) > 0 {
		const what = "ran without metrics that the manifest asks for now, so that these columns are empty"
		notes = append(notes, lacking(what, w.unmetered, answers))
	}
	w.lacking, w.unclassed, w.unmetered = nil, nil, nil
	return notes
}
