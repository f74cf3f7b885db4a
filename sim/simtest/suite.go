package simtest

import (
	"fmt"
	"reflect"

	"pgregory.net/rapid"
)

// Suite begins a contract suite of what is made from params: fresh makes one, whose methods with the names of optional
// interfaces' must have their signatures, and end says whether params have changed.
func Suite[P any](t rapid.TB, what string, params any, build func() (P, error), optional ...reflect.Type) (fresh func() P, end func()) {
	t.Helper()
	before := fmt.Sprintf("%+v", params)
	fresh = func() P {
		p, err := build()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		return p
	}
	if bad := Misspelt(fresh(), optional...); bad != "" {
		t.Fatalf("%s: %s", what, bad)
	}
	return fresh, func() {
		if after := fmt.Sprintf("%+v", params); after != before {
			t.Errorf("%s has changed its parameters from %s to %s", what, before, after)
		}
	}
}
