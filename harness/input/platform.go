package input

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"schedsweep/harness"
	"schedsweep/harness/store"
	"schedsweep/sim/platform"
	"schedsweep/sweep/params"
)

// ConvertPlatform reads a SimGrid platform and returns it as the platform section of
// a manifest; see [platform.FromSimGrid].
func ConvertPlatform(path string, network bool) (string, error) {
	text, err := store.ReadRegular(path)
	if err != nil {
		return "", err
	}
	p, err := platform.FromSimGrid(path, text, network)
	if err != nil {
		return "", fmt.Errorf("%w: %w", harness.ErrInput, err)
	}
	b := []byte("platform:\n  clusters:\n")
	for _, c := range p.Clusters {
		b = append(appendFlow(append(b, "    - "...), reflect.ValueOf(c)), '\n')
	}
	if p.Central != (platform.Link{}) {
		b = append(appendFlow(append(b, "  central: "...), reflect.ValueOf(p.Central)), '\n')
	}
	return string(b), nil
}

// appendFlow writes a struct of parameters as a map on one line, zeros left out.
func appendFlow(b []byte, v reflect.Value) []byte {
	b = append(b, '{')
	first := true
	for i := range v.NumField() {
		f := v.Field(i)
		if f.IsZero() {
			continue
		}
		if !first {
			b = append(b, ", "...)
		}
		first = false
		b = append(append(b, v.Type().Field(i).Tag.Get("sweep")...), ": "...)
		switch f.Kind() {
		case reflect.Struct:
			b = appendFlow(b, f)
		case reflect.String:
			b = append(b, strconv.Quote(strings.ToValidUTF8(f.String(), "?"))...)
		default:
			b = append(b, params.ValueOf(f).String()...)
		}
	}
	return append(b, '}')
}

// Presets are the platforms of published studies.
func Presets() []platform.Preset { return platform.Presets() }
