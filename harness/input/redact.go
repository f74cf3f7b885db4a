package input

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"schedsweep/harness"
	"schedsweep/harness/store"
	"schedsweep/sim/workload/logtable"
	"schedsweep/sweep/text"
)

// Redaction holds the options of [Redact].
type Redaction struct {
	// Log is the table or SWF log, Map its column map, none for SWF.
	Log, Map string
	// Keep are columns to be kept that would be replaced.
	Keep []string
	// Shift moves all times by a number of weeks, drawn unless the translation has one.
	Shift bool
	// To is the file to be written, Private the translation table: where it exists it
	// is gone on with, so that several logs agree.
	To, Private string
	// Data are the folders searched.
	Data []string
}

// Redact writes a log whose users, groups, accounts, names and paths are replaced, and the translation table, which
// only its owner may read. It reports what it did.
func Redact(r Redaction, report io.Writer) error {
	inputs := NewFiles(append([]string{"."}, r.Data...)...)
	found, err := inputs.Find(r.Log)
	if err != nil {
		return err
	}
	for _, other := range []string{r.To, r.Private} {
		if a, err := os.Stat(other); err == nil {
			if b, err := os.Stat(found); err == nil && os.SameFile(a, b) {
				return harness.Unusable("%s is the log itself: write to another file", other)
			}
		}
	}
	if filepath.Clean(r.To) == filepath.Clean(r.Private) {
		return harness.Unusable("%s cannot be both the log and the translation, which stays private: write one to another file", r.To)
	}
	var m *logtable.Map
	log := strings.HasSuffix(r.Log, ".swf") || strings.HasSuffix(r.Log, ".swf.gz")
	if !log {
		if m, err = inputs.columnMap(r.Map); err != nil {
			return err
		}
		if m.Format != "csv" {
			return harness.Unusable("%s: logs in the format %s cannot be redacted: convert it to a table in lines first", r.Log, m.Format)
		}
	}
	translation, err := readTranslation(r.Private)
	if err != nil {
		return err
	}
	how := logtable.Redaction{Keep: r.Keep, Translation: translation}
	if r.Shift {
		if how.Weeks, err = translation.Shift(func() int { return -52 - rand.IntN(9*52) }); err != nil {
			return fmt.Errorf("%s: %w", r.Private, err)
		}
	}
	f, err := store.OpenRegular(found)
	if err != nil {
		return err
	}
	defer f.Close()
	var done *logtable.Redacted
	err = store.ReplaceLog(r.To, func(w io.Writer) (err error) {
		to := &outlet{to: w}
		w = to
		if log {
			done, err = logtable.RedactSWF(filepath.Base(r.Log), f, w, &how)
		} else {
			done, err = logtable.Redact(filepath.Base(r.Log), f, w, m, &how)
		}
		if err != nil && to.failed == nil { // the log cannot be read
			err = harness.Unusable("%w", err)
		}
		if err != nil {
			return err
		}
		// First the table: without it the log says less than it should.
		return store.PrivateFile(r.Private, translation.Write)
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(report, "%s in %s, %d left out that could not be read, %d that the map filters out\n"+
		"%s left out that are not what the map says\nreplaced: %s\nkept: %s\nthe translation is in %s, "+
		"which only you can read; do not publish it\n",
		text.Counted(done.Rows, "row"), r.To, done.Left, done.Filtered, text.Counted(done.Empty, "value"),
		strings.Join(done.Replaced, ", "), strings.Join(done.Kept, ", "), r.Private)
	return err
}

// outlet is a writer that remembers whether it failed.
type outlet struct {
	to     io.Writer
	failed error
}

func (o *outlet) Write(p []byte) (n int, err error) {
	n, err = o.to.Write(p)
	if err != nil {
		o.failed = err
	}
	return n, err
}

func readTranslation(path string) (*logtable.Translation, error) {
	f, err := store.OpenRegular(path)
	if errors.Is(err, os.ErrNotExist) {
		return logtable.ReadTranslation(path, nil)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return logtable.ReadTranslation(path, f)
}
