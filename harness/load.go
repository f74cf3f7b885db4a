package harness

import (
	"fmt"
	"path/filepath"

	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// LoadOptions say where a manifest's files are and what is changed in it.
type LoadOptions struct {
	// Data are folders searched for input files after the manifest's own.
	Data []string
	// Set are "path=value" overrides.
	Set []string
	// Commands allows that runs start the programs that the manifest names.
	Commands bool
}

// Load reads a manifest and checks it, together with the files that it names.
func Load(path string, opt LoadOptions) (*sweep.Manifest, *Inputs, error) {
	text, err := store.ReadRegular(path)
	if err != nil {
		return nil, nil, fmt.Errorf("manifest: %w", err)
	}
	folder := filepath.Dir(path)
	folders := append([]string{folder}, opt.Data...)
	if p, err := ReadProvenance(folder); err == nil {
		folders = append(folders, p.Folders...) // a run folder's own manifest
	}
	inputs := NewInputs(folders...)
	inputs.commands = opt.Commands
	m, err := sweep.Load(path, text, sweep.Options{
		Registry: Registry(),
		ReadFile: func(name string) ([]byte, error) {
			parent := filepath.FromSlash(name)
			if !filepath.IsAbs(parent) {
				parent = filepath.Join(folder, parent)
			}
			inputs.Search(filepath.Dir(parent)) // a parent's files lie beside it
			return store.ReadRegular(parent)
		},
		HashFile: inputs.Hash,
		Set:      opt.Set,
	})
	return m, inputs, err
}
