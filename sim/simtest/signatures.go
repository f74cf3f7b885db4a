package simtest

import "reflect"

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
