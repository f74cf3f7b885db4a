package rows

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
)

// DoneRow is what a run needs to know of a row that is there.
type DoneRow struct {
	outcome   harness.Outcome
	OK        bool
	Wall      float64 // s
	unclassed bool    // it is without a class of the manifest
}

// Done are the rows that the folder holds, by instance.
type Done struct {
	N                    int
	superseded, repeated int // see [Holding]
	Find                 func(sweep.ID) (row DoneRow, there bool)
}

// ReadDone reads what the folder holds, which need not exist. It takes about 40 bytes a row.
func ReadDone(dir string, classes []manifest.Class, records store.Records) (done Done, err error) {
	none := Done{Find: func(sweep.ID) (DoneRow, bool) { return DoneRow{}, false }}
	folder := filepath.Join(dir, folder.Instances)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return none, nil
	}
	err = store.WithIndex(folder, records, func(x *store.Index) error {
		if done = none; x.Len() == 0 {
			return nil
		}
		t, err := x.Read([]string{"outcome", "wall_time"}, store.AllRows(x.Len()))
		if err != nil {
			return err
		}
		unclassed, err := unclassedRows(x, classes)
		if err != nil {
			return err
		}
		done = Done{x.Len(), x.Superseded, x.Repeated, func(id sweep.ID) (DoneRow, bool) {
			record, there := x.Find(id.String())
			if !there {
				return DoneRow{}, false
			}
			wall, _ := t.Columns[1].Float(record)
			return DoneRow{harness.Outcome(t.Columns[0].Text(record)), x.Answered(record), wall, unclassed(record)}, true
		}}
		return nil
	})
	return done, err
}

// Wanted is what a manifest asks for beside the rows of instances: datasets, and
// classes of jobs; with what the folder has of it.
type Wanted struct {
	datasets  []Dataset
	sets      []*store.Sets // of each of these
	lacking   [][]int       // positions of answered instances without rows in each of these
	unclassed []int         // and without the numbers of classes of jobs
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

// Lacks tells whether the answered instance at a position lacks some of it, and notes it.
func (w *Wanted) Lacks(at int, id sweep.ID, row DoneRow) bool {
	lacks := row.unclassed
	if lacks {
		w.unclassed = append(w.unclassed, at)
	}
	for k, s := range w.sets {
		if _, ok := s.Find(id.String()); !ok {
			w.lacking[k] = append(w.lacking[k], at)
			lacks = true
		}
	}
	return lacks
}

// Notes say which of so many instances with an answer lack what, and forget it.
func (w *Wanted) Notes(answers int) (notes []string) {
	for k, numbers := range w.lacking {
		if len(numbers) > 0 {
			notes = append(notes, missing(w.datasets[k].Name, numbers, answers))
		}
	}
	if note := missingClasses(w.unclassed, answers); note != "" {
		notes = append(notes, note)
	}
	w.lacking, w.unclassed = nil, nil
	return notes
}
