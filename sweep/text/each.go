package text

import "slices"

// Each returns the results of a function for some things, such as their names; nil for none.
func Each[T, U any](things []T, of func(T) U) []U {
	if len(things) == 0 {
		return nil
	}
	out := make([]U, len(things))
	for i, x := range things {
		out[i] = of(x)
	}
	return out
}

// Those returns the things that pass a test; nil for none.
func Those[T any](things []T, is func(T) bool) (out []T) {
	for _, x := range things {
		if is(x) {
			out = append(out, x)
		}
	}
	return out
}

// Refs is [Each] for a function that takes pointers to the things. It returns an empty list for none, never nil.
func Refs[T, U any](things []T, of func(*T) U) []U {
	out := make([]U, len(things))
	for i := range things {
		out[i] = of(&things[i])
	}
	return out
}

// First returns the first thing that passes a test; nil for none.
func First[T any](things []*T, is func(*T) bool) *T {
	if i := slices.IndexFunc(things, is); i >= 0 {
		return things[i]
	}
	return nil
}

// Count returns the number of things that pass a test.
func Count[T any](things []T, is func(T) bool) (n int) {
	for _, x := range things {
		if is(x) {
			n++
		}
	}
	return n
}

// At returns the value of a map at a key, and makes an empty one where there is none.
func At[K comparable, V any](of map[K]*V, key K) *V {
	if of[key] == nil {
		of[key] = new(V)
	}
	return of[key]
}

// Once appends the things that the list does not have yet.
func Once[T comparable](list []T, things ...T) []T {
	for _, x := range things {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}
