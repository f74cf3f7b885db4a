package cmd

import "schedsweep/harness/rows"

// followed is a study and the rows of its run folder, while runs write them.
type followed struct {
	study
	tail    *rows.Tail // nil before the first look
	settled bool       // no question wants more
}

// look reads the new rows, and goes on with the questions by them. Their plan may be another one then, and all rows are read anew.
func (f *followed) look() error {
	if f.tail == nil {
		f.tail = rows.NewTail(f.withLogs().plan, f.dir)
	}
	news, err := f.tail.Look()
	if err != nil || news == 0 || f.inquiry == nil {
		return err
	}
	before := f.plan
	if f.settled, err = f.study.look(); err == nil && f.plan != before { // a question wants more
		f.tail = rows.NewTail(f.withLogs().plan, f.dir)
		_, err = f.tail.Look()
	}
	if err == nil {
		err = f.note()
	}
	return err
}
