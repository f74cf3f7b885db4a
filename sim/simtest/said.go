package simtest

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Said plays a test that may fail without failing t, and returns what it said
// when it did: for tests of suites. "" says that it passed.
func Said(t testing.TB, test func(t rapid.TB)) string {
	t.Helper()
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		t.Fatal(err)
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
