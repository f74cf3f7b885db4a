// Package folder reads and writes a run folder's description of itself: the sweep of its rows,
// the manifests, and the processes that ran it, with place and progress.
package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

// The files of a run folder beside its datasets.
const (
	manifestFile   = "manifest.yaml"
	provenanceFile = "provenance.json"
	keptManifests  = "manifests" // folder of the manifests that the folder had before
)

// ErrOther reports that a run folder holds the rows of another manifest.
var ErrOther = errors.New("the run folder belongs to another manifest")

// ManifestPath returns the path of the resolved manifest in a run folder.
func ManifestPath(dir string) string { return filepath.Join(dir, manifestFile) }

// ManifestPaths returns the paths of this and all earlier manifests in a run folder.
func ManifestPaths(dir string) []string {
	return append([]string{ManifestPath(dir)}, store.PathsIn(filepath.Join(dir, keptManifests), "", ".yaml")...)
}

// OfManifest reads the provenance of the run folder that has, or had, the manifests in dir; without a value where there is none.
func OfManifest(dir string) Provenance {
	p, err := Read(dir)
	if err != nil && filepath.Base(dir) == keptManifests {
		p, _ = Read(filepath.Dir(dir))
	}
	return p
}

// Folder is a run folder that a run opens.
type Folder struct {
	Dir      string
	Manifest *sweep.Manifest
	Rows     int  // in the folder
	Shared   bool // one of them is the manifest's
	Note     func(string)
	// write leaves a file whole or as it was; nil is replaceFile.
	write func(path string, content []byte) error
}

// Open makes the folder the manifest's, or checks that it is: it was made by the
// same, or holds rows that are the manifest's too, as after adding replications or
// values to an axis. p is what a new folder would say; the result is what this one
// says.
//
// Open writes provenance.json first, and manifest.yaml only beside it. So a process that finds provenance.json alone knows that another was
// killed here, or is about to write manifest.yaml. It writes the missing file.
func (f *Folder) Open(p Provenance) (out Provenance, err error) {
	err = changing(f.Dir, f.Note, func() (err error) {
		out, err = f.open(p)
		return err
	})
	return out, err
}

// changing calls do, which reads provenance.json and writes it anew, while no other process does so.
func changing(dir string, note func(string), do func() error) error {
	return store.Exclusively(filepath.Join(dir, Instances, ".provenance.lock"), note, do)
}

func (f *Folder) open(p Provenance) (Provenance, error) {
	if f.write == nil {
		f.write = replaceFile
	}
	known, err := Read(f.Dir)
	manifest, noManifest := store.ReadRegular(ManifestPath(f.Dir))
	if noManifest != nil && !errors.Is(noManifest, fs.ErrNotExist) {
		return p, fmt.Errorf("run folder %s: %w", f.Dir, noManifest)
	}
	resolved := f.Manifest.Resolved()
	if errors.Is(err, fs.ErrNotExist) && noManifest == nil && !bytes.Equal(manifest, resolved) {
		if known, err = Read(f.Dir); errors.Is(err, fs.ErrNotExist) { // still: no process is just making the folder
			return p, fmt.Errorf("%w: %s has a %s that no run has written: choose another folder with --out", ErrOther, f.Dir, manifestFile)
		}
	}
	if p, err = f.agreed(known, err, p); err != nil {
		return p, err
	}
	if known.Rebuilt != "" {
		f.Note(known.Rebuilt)
		p.Rebuilt = ""
	}
	if noManifest == nil && f.Rows > 0 && known.ManifestHash != p.ManifestHash { // some rows may be of no other
		if err := f.keep(known.ManifestHash, manifest); err != nil {
			return p, err
		}
	}
	if known.Rebuilt != "" || known.ManifestHash != p.ManifestHash {
		p.Runs = known.Runs
		if err := p.write(f.Dir, f.write); err != nil {
			return p, err
		}
	}
	if bytes.Equal(manifest, resolved) {
		return p, nil
	}
	if noManifest != nil && f.Rows > 0 {
		f.Note(fmt.Sprintf("%s was missing: it is written anew", ManifestPath(f.Dir)))
	}
	return p, f.write(ManifestPath(f.Dir), resolved)
}

// agreed returns the provenance that the folder states from now on, where it said known before or could not say.
func (f *Folder) agreed(known Provenance, unknown error, p Provenance) (Provenance, error) {
	switch {
	case errors.Is(unknown, fs.ErrNotExist), errors.Is(unknown, ErrBroken):
	case unknown != nil:
		return p, unknown
	case known.ManifestHash == p.ManifestHash:
		return known, nil
	case f.Rows == 0:
	case known.ManifestHash != p.ManifestHash && !f.Shared:
		return p, otherManifest(f, known, p)
	default:
		p.Program, p.Go, p.Arithmetic, p.Created = known.Program, known.Go, known.Arithmetic, known.Created
	}
	return p, nil
}

func (f *Folder) keep(hash string, manifest []byte) error {
	return f.write(filepath.Join(f.Dir, keptManifests, hash+".yaml"), manifest)
}

// Changed returns the inputs whose checksums are others now.
func (p *Provenance) Changed(now map[string]string) []string {
	return text.Those(slices.Sorted(maps.Keys(p.Inputs)), func(file string) bool {
		sum, there := now[file]
		return there && sum != p.Inputs[file]
	})
}

func otherManifest(f *Folder, known, p Provenance) error {
	whose := fmt.Sprintf("%q (%s, seed %d, written by %s, semantic version %d)", known.Manifest, text.Counted(known.Instances, "instance"),
		known.Seed, known.Program, known.SemanticVersion)
	why := ""
	if changed := known.Changed(p.Inputs); len(changed) > 0 {
		why = "; the contents of " + strings.Join(changed, ", ") + " differ from those of its rows"
	}
	return fmt.Errorf("%w: %s holds %s of %s and none of %q (%s, seed %d; this is %s, semantic version %d)%s: choose another "+
		"folder with --out, or give the manifest another name; the other manifest is %s", ErrOther, f.Dir,
		text.Counted(f.Rows, "row"), whose, p.Manifest, text.Counted(p.Instances, "instance"), p.Seed, p.Program,
		p.SemanticVersion, why, filepath.Join(f.Dir, manifestFile))
}

func replaceFile(path string, content []byte) error {
	return store.ReplaceFile(path, store.Content(content))
}

// Instances is the folder of the instances dataset in a run folder.
const Instances = "instances"
