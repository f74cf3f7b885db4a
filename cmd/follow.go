package cmd

import "schedsweep/harness/rows"

// followed is a study and the rows of its run folder, while runs write them.
type followed struct {
	study
	tail    *rows.Tail // nil before the first look
	settled bool       // no question wants more
}

// look reads the new rows, and goes on with the questions by them. Their plan may be another one then, and all rows are read anew. What
// the means of questions say of themselves is looked up at first, after each round and at the end, for it takes all rows.
func (f *followed) look() error {
	first, before := f.tail == nil, f.plan
	if first {
		f.tail = rows.NewTail(f.withLogs().plan, f.dir)
	}
	news, err := f.tail.Look()
	if err != nil || news == 0 || f.inquiry == nil {
		return err
	}
	if f.settled, err = f.study.look(); err == nil && f.plan != before { // a question wants more
		f.tail = rows.NewTail(f.withLogs().plan, f.dir)
		_, err = f.tail.Look()
	}
	if err == nil && (first || f.settled || f.plan != before) {
		err = f.note()
	}
	return err
}
