package harness

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"schedsweep/harness/store"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/logtable"
	"schedsweep/sim/workload/swf"
)

// ErrNoInput says that an input file was not found.
var ErrNoInput = errors.New("input file not found")

// Inputs finds, hashes and parses the files that a manifest names. Each log is
// read once in a process, however many instances use it. It is safe for
// concurrent use.
type Inputs struct {
	folders  []string
	hidden   string // one of them, which is not going to last
	commands bool   // programs that the manifest names may be started

	mu     sync.Mutex
	files  map[string]*input // by the path in the manifest
	tables map[workload.TableFile]*tableLog
}

type input struct {
	locate sync.Once
	found  string
	err    error

	digest  sync.Once
	hash    string
	hashErr error

	parse    sync.Once
	log      *swf.Log
	parseErr error
}

// NewInputs searches the folders in their order; empty ones are left out.
func NewInputs(folders ...string) *Inputs {
	in := &Inputs{files: map[string]*input{}, tables: map[workload.TableFile]*tableLog{}}
	for _, f := range folders {
		if f != "" {
			in.folders = append(in.folders, f)
		}
	}
	return in
}

// Search adds a folder to those searched, unless it is among them.
func (in *Inputs) Search(folder string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !slices.Contains(in.folders, folder) {
		in.folders = append(in.folders, folder)
	}
}

func (in *Inputs) file(path string) *input {
	in.mu.Lock()
	f := in.files[path]
	if f == nil {
		f = &input{}
		in.files[path] = f
	}
	in.mu.Unlock()
	f.locate.Do(func() { f.found, f.err = in.find(path) })
	return f
}

// Find is where the file is.
func (in *Inputs) Find(path string) (string, error) {
	f := in.file(path)
	return f.found, f.err
}

func (in *Inputs) find(path string) (string, error) {
	if filepath.IsAbs(path) {
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("%w: %w", ErrNoInput, err)
		}
		return path, nil
	}
	for _, folder := range in.folders {
		candidate := filepath.Join(folder, path)
		_, err := os.Stat(candidate)
		if err == nil {
			return candidate, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("input file %s: %w", path, err)
		}
	}
	var looked []string
	for _, folder := range in.folders {
		looked = append(looked, strconv.Quote(folder))
	}
	return "", fmt.Errorf("%w: %s is not in %s. Real logs are had from the Parallel Workloads Archive (https://www.cs.huji.ac.il/labs/parallel/workload/logs.html); "+
		"put the file there, or point to its folder with --data FOLDER or the environment variable SCHEDSWEEP_DATA", ErrNoInput, path, strings.Join(looked, ", "))
}

// Hash is the SHA-256 of the file's content in hexadecimal.
func (in *Inputs) Hash(path string) (string, error) {
	if shipped, ok := logtable.ShippedText(path); ok {
		h := sha256.Sum256(shipped)
		return hex.EncodeToString(h[:]), nil
	}
	f := in.file(path)
	if f.err != nil {
		return "", noMap(path, f.err)
	}
	f.digest.Do(func() { f.hash, f.hashErr = hashFiles(f.found, besideLog(f.found, ".machines")) })
	return f.hash, f.hashErr
}

// besideLog is the path of the file with that ending beside a log, "" where there
// is none. Only the machines change an answer.
func besideLog(log, ending string) string {
	if log = strings.TrimSuffix(log, ".gz"); !strings.HasSuffix(log, ".swf") {
		return ""
	}
	if info, err := os.Stat(log + ending); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return log + ending
}

// hashFiles hashes the files one after the other; "" stands for none.
func hashFiles(paths ...string) (string, error) {
	h := sha256.New()
	for _, path := range paths {
		if path == "" {
			continue
		}
		r, err := store.OpenRegular(path)
		if err != nil {
			return "", err
		}
		_, err = io.Copy(h, r)
		if err = errors.Join(err, r.Close()); err != nil {
			return "", fmt.Errorf("input file %s: %w", path, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Log parses an SWF log. The log is shared and must not be changed.
func (in *Inputs) Log(path string) (*swf.Log, error) {
	f := in.file(path)
	if f.err != nil {
		return nil, f.err
	}
	f.parse.Do(func() {
		var r *os.File
		if r, f.parseErr = store.OpenRegular(f.found); f.parseErr != nil {
			return
		}
		defer r.Close()
		if f.log, f.parseErr = swf.Parse(path, r, swf.Options{Invalid: swf.Skip}); f.parseErr == nil {
			f.parseErr = readSideFiles(f.log, f.found)
		}
	})
	return f.log, f.parseErr
}

// readSideFiles takes in what lies beside a log.
func readSideFiles(l *swf.Log, path string) error {
	for _, ending := range swf.SideFiles {
		beside := besideLog(path, ending)
		if beside == "" {
			continue
		}
		r, err := store.OpenRegular(beside)
		if err != nil {
			return err
		}
		err = l.ReadSideFile(ending, r)
		if err = errors.Join(err, r.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Beside are the files that lie beside a log and are read with it. Of these the
// machines change answers, and are hashed with it.
func (in *Inputs) Beside(path string) (found []string) {
	f := in.file(path)
	for _, ending := range swf.SideFiles {
		if beside := besideLog(f.found, ending); beside != "" {
			found = append(found, beside)
		}
	}
	return found
}

// Read is the file's content.
func (in *Inputs) Read(path string) ([]byte, error) {
	found, err := in.Find(path)
	if err != nil {
		return nil, err
	}
	return store.ReadRegular(found)
}

// Hide says that a folder is not going to last: it is searched, and not told of.
func (in *Inputs) Hide(folder string) { in.hidden = folder }

// Folders are the folders searched, absolute.
func (in *Inputs) Folders() []string {
	var out []string
	for _, f := range in.folders {
		if f == in.hidden {
			continue
		}
		if abs, err := filepath.Abs(f); err == nil {
			out = append(out, abs)
		}
	}
	return out
}

// Hashes returns the hash of each file that was asked for, by the path in the
// manifest.
func (in *Inputs) Hashes() map[string]string {
	in.mu.Lock()
	defer in.mu.Unlock()
	out := map[string]string{}
	for path, f := range in.files {
		if f.hash != "" {
			out[path] = f.hash
		}
	}
	return out
}
