package folder

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/cpuid/v2"

	"schedsweep/harness/store"
)

// Origin identifies a program and its command.
type Origin struct {
	// Program is its release and commit.
	Program string `json:"program"`
	// Commit is the commit of the build, "" where that is not known; Changed says that the tree had
	// changes that the commit has not.
	Commit  string `json:"commit,omitempty"`
	Changed bool   `json:"changed,omitempty"`
	// Command is the command line.
	Command []string `json:"command,omitempty"`
}

// Run is one call of run that had something to do: its file in the run
// folder's runs/, one of those in provenance.json and, without [State], in the
// footer of every part that it wrote.
type Run struct {
	Run string `json:"run"` // its name
	Origin
	Go         string    `json:"go"`
	System     string    `json:"system"` // such as linux/amd64
	Arithmetic string    `json:"arithmetic"`
	Host       string    `json:"host,omitempty"`
	CPU        string    `json:"cpu,omitempty"`
	Processors int       `json:"processors"` // that it may use
	Workers    int       `json:"workers"`
	Engines    []Task    `json:"engines,omitempty"` // around it, the outermost first
	Manifest   string    `json:"manifest_hash"`
	Shard      int       `json:"shard"` // from 1
	Shards     int       `json:"shards"`
	Started    time.Time `json:"started"`
	*State
}

// Task is the name of a run in a batch engine's books.
type Task struct {
	Engine  string            `json:"engine"`
	IDs     map[string]string `json:"ids,omitempty"`
	Attempt string            `json:"attempt,omitempty"`
}

// State is the state of a run.
type State struct {
	// Updated is the time of this record: of a run that goes on at most some seconds ago. Ended is
	// zero where it goes on, or was killed.
	Updated time.Time `json:"updated"`
	Ended   time.Time `json:"ended,omitzero"`
	// Error is the error that ended it before its time.
	Error string `json:"error,omitempty"`
	Counts
}

const runsDir = "runs"

// Recorder keeps the record of a run that is on. What goes wrong with it is a
// note: rows are worth more.
type Recorder struct {
	dir  string
	note func(string)
	now  func() time.Time

	mu    sync.Mutex
	rec   Run
	wrote bool
}

// NewRecorder adds a description of this machine and its name to the record.
func NewRecorder(dir string, rec Run, note func(string), now func() time.Time) *Recorder {
	host, _ := os.Hostname() // empty will do
	rec.Go, rec.System, rec.Arithmetic, rec.Host = runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH, Arithmetic(), host
	rec.CPU, rec.Processors = strings.TrimSpace(cpuid.CPU.BrandName), runtime.GOMAXPROCS(0)
	safe := strings.Map(func(r rune) rune {
		if r == os.PathSeparator || r == '.' {
			return '-'
		}
		return r
	}, host)
	rec.Run = fmt.Sprintf("%s-%s-%s-%d", rec.Started.Format("20060102T150405.000000000Z"), ShardName(rec.Shard-1, rec.Shards), safe,
		os.Getpid())
	return &Recorder{dir: dir, note: note, now: now, rec: rec}
}

// Footer returns the record that a part has of its run.
func (r *Recorder) Footer() (string, error) {
	text, err := json.Marshal(r.rec)
	return string(text), err
}

// Update writes the progress of the run.
func (r *Recorder) Update(c Counts) { r.write(c, func(*State) {}) }

// End writes the outcome of the run, and has provenance.json list all runs.
func (r *Recorder) End(c Counts, err error) {
	r.write(c, func(state *State) {
		state.Ended = state.Updated
		if err != nil {
			state.Error = err.Error()
		}
	})
	if r.Lost() != nil {
		return
	}
	if err := changing(r.dir, r.note, func() error { return gatherRuns(r.dir) }); err != nil {
		r.note(fmt.Sprintf("%s could not be completed: %v", provenanceFile, err))
	}
}

// ErrLost says that the run folder of a record is no longer there.
var ErrLost = errors.New("the run folder was removed, moved or replaced during the run")

// Lost returns ErrLost if the record is gone that was written before.
func (r *Recorder) Lost() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost()
}

func (r *Recorder) lost() error {
	if _, err := os.Lstat(r.path()); !r.wrote || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%w, with the rows in it: %s is gone; bring the folder back if you can, and run the same command again", ErrLost,
		r.path())
}

func (r *Recorder) path() string { return filepath.Join(r.dir, runsDir, r.rec.Run+".json") }

func (r *Recorder) write(c Counts, more func(*State)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lost() != nil {
		return // the record would be all that a new folder has
	}
	r.rec.State = &State{Updated: r.now().UTC(), Counts: c}
	more(r.rec.State)
	text, err := json.MarshalIndent(r.rec, "", "  ")
	if err == nil {
		err = replaceFile(r.path(), append(text, '\n'))
	}
	if r.wrote = r.wrote || err == nil; err != nil {
		r.note(fmt.Sprintf("the run's record could not be written: %v", err))
		r.note = func(string) {} // once
	}
}

// Runs are the records of a run folder, in order of their starts; a folder of an
// older program has none. Files that are no records are left out.
func Runs(dir string) ([]Run, error) {
	entries, err := os.ReadDir(filepath.Join(dir, runsDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("run folder %s: %w", dir, err)
	}
	var all []Run
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".json" || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		text, err := store.ReadRegular(filepath.Join(dir, runsDir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrNotRegular) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("run folder %s: %w; make this record readable, or move it away", dir, err)
		}
		var r Run
		if json.Unmarshal(text, &r) == nil && r.State != nil {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b Run) int { return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.Run, b.Run)) })
	return all, nil
}

// Wrote returns whether a part with this provenance comes from runs that the folder has records of. Others were copied into it, or lie
// where another run folder has its rows too.
func Wrote(dir string) func(meta map[string]string) bool {
	known := sync.OnceValue(func() map[string]bool {
		names := map[string]bool{}
		runs, _ := Runs(dir) // without records no part is known to be ours, and all stay
		for _, r := range runs {
			names[r.Run] = true
		}
		return names
	})
	return func(meta map[string]string) bool {
		for text := range strings.SplitSeq(meta[MetaRun], "\n") { // a merged part has several
			var r Run
			if json.Unmarshal([]byte(text), &r) != nil || !known()[r.Run] {
				return false
			}
		}
		return true
	}
}

// gatherRuns has provenance.json tell of all runs. Of several that gather at once,
// the last to write has looked after it wrote, and has seen what all others left
// before they began to gather.
func gatherRuns(dir string) error {
	for range 100 {
		runs, err := Runs(dir)
		if err != nil {
			return err
		}
		p, err := Read(dir)
		if err != nil {
			return err
		}
		was, err := json.Marshal(p.Runs)
		if err != nil {
			return err
		}
		is, err := json.Marshal(runs)
		if err != nil || bytes.Equal(was, is) {
			return err
		}
		p.Runs = runs
		if err := p.write(dir, replaceFile); err != nil {
			return err
		}
	}
	return nil // others write all the time, and the last of them gathers all
}
