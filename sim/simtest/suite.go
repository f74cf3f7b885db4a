package simtest

import (
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Suite begins a contract suite of values that build makes from params. fresh makes one, and end reports an error if params
// have changed. Methods of a value with the names of optional interfaces' must have their signatures.
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

// Misspelt returns the first method of v that has the name of a method of one of
// the optional interfaces, while v has not this interface: the engine would never
// call it. It is "" where there is none.
func Misspelt(v any, optional ...reflect.Type) string {
	of := reflect.TypeOf(v)
	for _, i := range optional {
		for m := range i.Methods() {
			if _, has := of.MethodByName(m.Name); has && !of.Implements(i) {
				return of.String() + "." + m.Name + " is not that of " + i.String()
			}
		}
	}
	return ""
}

// Said plays a test that may fail without failing t, and returns what it said
// when it did: for tests of suites. "" says that it passed.
func Said(t testing.TB, test func(t rapid.TB)) string {
	t.Helper()
	// an expected failure is neither kept nor made smaller
	for name, value := range map[string]string{"rapid.nofailfile": "true", "rapid.shrinktime": "0s"} {
		before := flag.Lookup(name).Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		defer flag.Set(name, before)
	}
	v := &verdict{TB: t}
	func() {
		defer func() {
			if p := recover(); p != nil && p != any(v) {
				panic(p)
			}
		}()
		test(v)
	}()
	return strings.Join(v.said, "\n")
}

// verdict ends a failing test by a panic of its own.
type verdict struct {
	testing.TB
	said []string
}

func (v *verdict) Failed() bool              { return len(v.said) > 0 }
func (v *verdict) Logf(string, ...any)       {}
func (v *verdict) Log(...any)                {}
func (v *verdict) Fail()                     { v.said = append(v.said, "failed") }
func (v *verdict) Error(a ...any)            { v.said = append(v.said, fmt.Sprint(a...)) }
func (v *verdict) Errorf(f string, a ...any) { v.said = append(v.said, fmt.Sprintf(f, a...)) }
func (v *verdict) FailNow()                  { v.Fail(); panic(v) }
func (v *verdict) Fatal(a ...any)            { v.Error(a...); panic(v) }
func (v *verdict) Fatalf(f string, a ...any) { v.Errorf(f, a...); panic(v) }
