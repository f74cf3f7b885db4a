// Package input reads the inputs of a sweep: manifests, the files that they name, and
// the workloads that come of these. It runs nothing.
package input

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"schedsweep/harness"
	"schedsweep/harness/store"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/logtable"
	"schedsweep/sim/workload/swf"
	"schedsweep/sweep/text"
)

// ErrNotFound reports that an input file was not found.
var ErrNotFound = errors.New("input file not found")

// Files finds, hashes and parses the files that a manifest names. Each log is
// read once in a process, however many instances use it. It is safe for
// concurrent use.
type Files struct {
	folders  []string
	Hidden   string // one of them, which is not going to last: it is searched, and not reported
	Commands bool   // programs that the manifest names may be started

	// Manifests are the files of the manifest and its parents.
	Manifests []string

	// Recorded are the hashes that a run folder knows of its files, by the path in the
	// manifest: where a file is missing, what it was is known, and rows can be read.
	Recorded map[string]string

	mu     sync.Mutex
	files  map[string]*input // by the path in the manifest
	tables map[workload.TableFile]func() (*swf.Log, error)

	missing error // the error of a file that is missing though its hash is recorded
}

// Complete reports a file of the manifest that is missing, where [Files.Hash] has returned the recorded hash: rows can
// be read then, and instances cannot be simulated.
func (in *Files) Complete() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.missing
}

// input is a file that a manifest names. It does each request once.
type input struct {
	find  func() (string, error) // where it is
	hash  func() (string, error) // of it and the files beside it
	parse func() (*swf.Log, error)
	give  func(swf.Header, []swf.Record) // of the parser, nil for none
	known string                         // the hash, once it was requested; under the lock of Inputs
}

// NewFiles searches the folders in their order; empty ones are left out.
func NewFiles(folders ...string) *Files {
	in := &Files{files: map[string]*input{}, tables: map[workload.TableFile]func() (*swf.Log, error){}}
	for _, f := range folders {
		if f != "" {
			in.folders = append(in.folders, f)
		}
	}
	return in
}

// Search adds a folder to those searched, unless it is among them.
func (in *Files) Search(folder string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.folders = text.Once(in.folders, folder)
}

func (in *Files) file(path string) *input {
	in.mu.Lock()
	defer in.mu.Unlock()
	f := in.files[path]
	if f == nil {
		f = &input{find: sync.OnceValues(func() (string, error) { return in.find(path) })}
		f.parse = sync.OnceValues(func() (*swf.Log, error) { return in.parse(path, f.give) })
		f.hash = sync.OnceValues(func() (string, error) { return in.hash(f) })
		in.files[path] = f
	}
	return f
}

func (in *Files) Find(path string) (string, error) { return in.file(path).find() }

func (in *Files) find(path string) (string, error) {
	if _, shipped := logtable.ShippedText(path); shipped { // whose hash is in ids
		return "", harness.Unusable("%s is the name of a column map of the program: for a file of this name, write ./%[1]s", path)
	}
	folders := in.folders
	if filepath.IsAbs(path) {
		folders = []string{""}
	}
	for _, folder := range folders {
		candidate := filepath.Join(folder, path)
		_, err := os.Stat(candidate)
		if err == nil {
			return candidate, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("input file %s: %w", path, err)
		}
	}
	looked := text.Each(folders, func(folder string) string { return filepath.Join(folder, path) })
	return "", fmt.Errorf("%w: %s. %s", ErrNotFound, strings.Join(looked, " or "), elsewhere(path))
}

// elsewhere returns how to name a file that was not found, or where to get it.
func elsewhere(path string) string {
	switch {
	case strings.Contains(path, "://"):
		return "Download it, and name the file"
	case strings.HasPrefix(path, "~"), strings.Contains(path, "$"):
		return "Write the folder out: manifests do not expand ~ and variables"
	}
	how := "Check its path"
	if !filepath.IsAbs(path) {
		how = "Name its folder by --data FOLDER or the environment variable SCHEDSWEEP_DATA"
	}
	if strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".swf") {
		how += ". The Parallel Workloads Archive publishes real logs: https://www.cs.huji.ac.il/labs/parallel/workload/logs.html"
	}
	return how
}

// Hash is the SHA-256 of the file's content in hexadecimal.
func (in *Files) Hash(path string) (string, error) {
	if shipped, ok := logtable.ShippedText(path); ok {
		h := sha256.Sum256(shipped)
		return hex.EncodeToString(h[:]), nil
	}
	f := in.file(path)
	if _, err := f.find(); err != nil {
		if hash := in.Recorded[path]; hash != "" && errors.Is(err, ErrNotFound) {
			in.mu.Lock()
			defer in.mu.Unlock()
			in.missing = err
			return hash, nil
		}
		return "", noMap(path, err)
	}
	return f.hash()
}

func (in *Files) hash(f *input) (string, error) {
	found, _ := f.find()
	paths := slices.DeleteFunc([]string{found, besideLog(found, ".machines")}, func(path string) bool { return path == "" })
	hash, _, err := store.SumOf(paths...)
	in.mu.Lock()
	defer in.mu.Unlock()
	f.known = hash
	return hash, err
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

// Log parses an SWF log. The log is shared and must not be changed.
func (in *Files) Log(path string) (*swf.Log, error) { return in.file(path).parse() }

func (in *Files) parse(path string, give func(swf.Header, []swf.Record)) (*swf.Log, error) {
	r, err := in.open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	log, err := swf.Parse(path, &bounded{Reader: r, most: ceiling()}, give)
	if err != nil {
		return nil, err
	}
	return log, readSideFiles(log, r.Name())
}

func (in *Files) open(path string) (*os.File, error) {
	found, err := in.Find(path)
	if err != nil {
		return nil, err
	}
	return store.OpenRegular(found)
}

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
func (in *Files) Beside(path string) (found []string) {
	log, _ := in.Find(path)
	for _, ending := range swf.SideFiles {
		if beside := besideLog(log, ending); beside != "" {
			found = append(found, beside)
		}
	}
	return found
}

// Read is the file's content.
func (in *Files) Read(path string) ([]byte, error) {
	found, err := in.Find(path)
	if err != nil {
		return nil, err
	}
	return store.ReadRegular(found)
}

// Folders are the folders searched, absolute.
func (in *Files) Folders() []string {
	var out []string
	for _, f := range in.folders {
		if f == in.Hidden {
			continue
		}
		if abs, err := filepath.Abs(f); err == nil {
			out = append(out, abs)
		}
	}
	return out
}

// Hashes returns the hash of each requested file, by the path in the manifest.
func (in *Files) Hashes() map[string]string {
	in.mu.Lock()
	defer in.mu.Unlock()
	out := map[string]string{}
	for path, f := range in.files {
		if f.known != "" {
			out[path] = f.known
		}
	}
	return out
}

// Reads reports whether a file is a requested one, the manifest or one of its parents.
func (in *Files) Reads(path string) bool {
	known := slices.Clone(in.Manifests)
	for name := range in.Hashes() {
		found, _ := in.Find(name) // it has been read
		known = append(known, found)
	}
	a, err := os.Stat(path)
	return err == nil && slices.ContainsFunc(known, func(name string) bool {
		b, missing := os.Stat(name)
		return missing == nil && os.SameFile(a, b)
	})
}
