package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"schedsweep/sweep"
)

// The files of a run folder beside its datasets.
const (
	manifestFile   = "manifest.yaml"
	provenanceFile = "provenance.json"
)

// ErrOtherManifest says that a run folder holds the rows of another manifest.
var ErrOtherManifest = errors.New("the run folder belongs to another manifest")

// Provenance is what a run folder says about where its rows come from.
type Provenance struct {
	Manifest        string            `json:"manifest"`      // its name
	ManifestHash    string            `json:"manifest_hash"` // of all that decides the set of instances
	Instances       int               `json:"instances"`
	Seed            uint64            `json:"seed"`
	SemanticVersion int               `json:"semantic_version"`
	Program         string            `json:"program"` // version of the program that made the folder
	Go              string            `json:"go"`
	Arithmetic      string            `json:"arithmetic,omitempty"` // how the machine rounds: rows made with another may differ in the last digits
	Created         time.Time         `json:"created"`
	Inputs          map[string]string `json:"inputs,omitempty"`  // file -> SHA-256
	Folders         []string          `json:"folders,omitempty"` // where the files were looked for, so that manifest.yaml works from here
}

const programKey = "schedsweep.program" // of the footer of a file of rows

// partMeta is what the footer of a file of rows says of where they come from.
func partMeta(manifest, hash, program string) map[string]string {
	return map[string]string{"schedsweep.manifest": manifest, "schedsweep.manifest_hash": hash, "schedsweep.semantic_version": strconv.Itoa(SemanticVersion), programKey: program}
}

// openFolder makes the run folder or checks that it belongs to the manifest: it
// was made by the same, or holds rows that are the manifest's too, as after
// adding replications or values to an axis. rows is the number of rows in the
// folder, and shared tells whether one of them is the manifest's.
func openFolder(dir string, m *sweep.Manifest, p Provenance, rows int, shared func() bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("run folder %s: %w: choose a folder that can be written with --out", dir, err)
	}
	known, err := ReadProvenance(dir)
	switch {
	case err == nil:
		if known.ManifestHash == p.ManifestHash {
			return nil
		}
		if rows == 0 {
			break
		}
		if !shared() {
			return fmt.Errorf("%w: %s holds %d rows of %q (%d instances, seed %d, written by %s, semantic version %d) and none of %q "+
				"(%d instances, seed %d; this is %s, semantic version %d): choose another folder with --out", ErrOtherManifest, dir, rows,
				known.Manifest, known.Instances, known.Seed, known.Program, known.SemanticVersion,
				p.Manifest, p.Instances, p.Seed, p.Program, p.SemanticVersion)
		}
		p.Program, p.Go, p.Arithmetic, p.Created = known.Program, known.Go, known.Arithmetic, known.Created
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case rows > 0:
		return fmt.Errorf("%w: %s holds rows, but no %s that says whose: choose another folder with --out", ErrOtherManifest, dir, provenanceFile)
	default:
		if _, err := os.Stat(filepath.Join(dir, manifestFile)); err == nil {
			return fmt.Errorf("%w: %s has a %s that no run has written: choose another folder with --out", ErrOtherManifest, dir, manifestFile)
		}
	}
	if err := writeWhole(filepath.Join(dir, manifestFile), m.Resolved()); err != nil {
		return err
	}
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fmt.Errorf("provenance: %w", err)
	}
	return writeWhole(filepath.Join(dir, provenanceFile), append(text, '\n'))
}

// ReadProvenance reads a run folder's provenance.
func ReadProvenance(dir string) (Provenance, error) {
	var p Provenance
	path := filepath.Join(dir, provenanceFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return p, fmt.Errorf("%s is no run folder: %w", dir, err)
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// ManifestPath is where a run folder keeps the manifest as it was resolved.
func ManifestPath(dir string) string { return filepath.Join(dir, manifestFile) }

// writeWhole writes a file so that it is complete or absent. Several shards may
// do so at once: they write the same content.
func writeWhole(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
