package platform

import (
	"slices"
	"strings"
)

// Preset is a platform of a published study.
type Preset struct {
	// Name is the name in manifests.
	Name PresetName
	// Doc describes the platform and names the source of its numbers.
	Doc string
	// Params are its fields.
	Params Params
}

// PresetName is the name of a preset, "" for none.
type PresetName string

// Choices are the names of all presets.
func (PresetName) Choices() []string {
	var names []string
	for _, p := range presets {
		names = append(names, string(p.Name))
	}
	return names
}

var presets []Preset

// AddPreset registers a preset while a program starts.
func AddPreset(p Preset) {
	presets = append(presets, p)
	slices.SortFunc(presets, func(a, b Preset) int { return strings.Compare(string(a.Name), string(b.Name)) })
}

// Presets returns all presets in order of their names.
func Presets() []Preset { return presets }

// preset returns the fields of the preset of that name, none for "".
func preset(name PresetName) Params {
	for _, p := range presets {
		if p.Name == name {
			return p.Params
		}
	}
	return Params{}
}
