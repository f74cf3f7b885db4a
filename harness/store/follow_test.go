package store

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFollowerReadsAgain follows a part that could not be read or is damaged, and has not changed since: a disk may recover,
// a damaged file does not.
func TestFollowerReadsAgain(t *testing.T) {
	for kind, again := range map[Kind]bool{Unreadable: true, Damaged: false, Foreign: false} {
		dir := t.TempDir()
		writeSequence(t, Options{Dir: dir, Attempt: "a000001-x"}, 0, 100)
		name := listDir(t, dir)[0]
		state, err := StateOf(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		problem := &Problem{filepath.Join(dir, name), kind, syscall.EIO}
		f := Follower{Dir: dir, seen: map[string]read{name: {state, problem}}}
		rows, fresh := 0, 0
		look := func() (news int, problems []*Problem) {
			news, problems, err := f.Look(func() { fresh++ }, func(_ *Table, from, to, _ int) { rows += to - from })
			if err != nil {
				t.Fatal(err)
			}
			return news, problems
		}
		news, problems := look()
		switch {
		case again && (news != 1 || rows != 100 || len(problems) != 0):
			t.Errorf("%s: %d new parts, %d rows, %v", kind, news, rows, problems)
		case !again && (news != 0 || rows != 0 || len(problems) != 1 || !errors.Is(problems[0], syscall.EIO)):
			t.Errorf("%s: %d new parts, %d rows, %v", kind, news, rows, problems)
		}
		before := rows
		if news, _ := look(); news != 0 || rows != before || fresh != 0 {
			t.Errorf("%s: the second look found %d new parts and %d rows more; all was read anew %d times", kind, news, rows-before, fresh)
		}
	}
}

// TestPartsState: the state of a dataset is another one once a part was added, changed or removed, and the same otherwise.
func TestPartsState(t *testing.T) {
	dir := t.TempDir()
	seen := map[[32]byte]string{PartsState(dir): "empty"}
	is := func(what string) {
		t.Helper()
		state := PartsState(dir)
		if before, known := seen[state]; known {
			t.Errorf("%s: the state is that of %s", what, before)
		}
		if seen[state] = what; state != PartsState(dir) {
			t.Errorf("%s: the state changes by itself", what)
		}
	}
	writeSequence(t, Options{Dir: dir, Attempt: "a000001-x"}, 0, 100)
	is("one part")
	writeSequence(t, Options{Dir: dir, Attempt: "a000002-x"}, 100, 200)
	is("two parts")
	path := filepath.Join(dir, listDir(t, dir)[0])
	if err := os.Truncate(path, 40); err != nil {
		t.Fatal(err)
	}
	is("a torn part")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	is("the second part alone")
	if PartsState(filepath.Join(dir, "none")) != [32]byte{} {
		t.Error("a folder that is not there has a state")
	}
}
