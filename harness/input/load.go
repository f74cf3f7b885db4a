package input

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// Options say where a manifest's files are and which of its fields are overridden.
type Options struct {
	// Data are folders searched for input files after the manifest's own.
	Data []string
	// Set are "path=value" overrides.
	Set []string
	// Commands allows that runs start the programs that the manifest names.
	Commands bool
}

// Load reads a manifest and checks it, together with the files that it names.
func Load(path string, opt Options) (*sweep.Manifest, *Files, error) {
	text, err := store.ReadRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s: there is no manifest or run folder of that name; check it, or write a manifest with schedsweep init: %w",
			path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("manifest: %w", err)
	}
	beside := filepath.Dir(path)
	folders := append([]string{beside}, opt.Data...)
	own := folder.OfManifest(beside)
	inputs := NewFiles(append(folders, own.Folders...)...)
	inputs.Commands, inputs.Recorded, inputs.Manifests = opt.Commands, own.Inputs, []string{path}
	m, err := sweep.Load(path, text, sweep.Options{
		Registry: Registry(),
		ReadFile: func(name string) ([]byte, error) {
			parent := filepath.FromSlash(name)
			if !filepath.IsAbs(parent) {
				parent = filepath.Join(beside, parent)
			}
			inputs.Search(filepath.Dir(parent)) // a parent's files lie beside it
			inputs.Manifests = append(inputs.Manifests, parent)
			return store.ReadRegular(parent)
		},
		HashFile: inputs.Hash,
		Set:      opt.Set,
	})
	return m, inputs, err
}
