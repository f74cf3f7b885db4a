package params_test

import (
	"strings"
	"testing"

	"schedsweep/sweep"
	"schedsweep/sweep/params"
)

func TestRegistryMistakesAreErrors(t *testing.T) {
	for name, bad := range map[string]any{
		"no tag": struct{ A int }{},
		"bad type": struct {
			A map[string]int `sweep:"a"`
		}{},
		"bad bound": struct {
			A int `sweep:"a" min:"x"`
		}{},
		"pointer": &struct{}{},
		"kind is a name": struct {
			A int `sweep:"kind"`
		}{},
		"two names": struct {
			A int `sweep:"a"`
			B int `sweep:"a"`
		}{},
	} {
		reg := &params.Registry{Sections: []params.Section{{Name: "policy", Kinds: []params.Kind{{Name: "x", Params: bad}}}}}
		if _, err := sweep.Load("a", []byte("name: a"), sweep.Options{Registry: reg}); err == nil || strings.Contains(err.Error(), "a:1") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
