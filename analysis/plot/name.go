package plot

import (
	"regexp"
	"slices"
	"strings"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/sweep/study"
)

func label(given, name string, all []string) string {
	if given != "" {
		return given
	}
	if study.DatasetOf(name) != "" { // it is no axis, and may have the last part of one
		all = nil
	}
	w := frame.Words(frame.AxisName(strings.TrimSuffix(name, ".kind"), all))
	return strings.ToUpper(w[:min(1, len(w))]) + w[min(1, len(w)):]
}

// namesOf are the values of an axis in their shortest distinct form: labels and texts without the folders and endings
// that all have, numbers in readable units. quantity is the quantity of the numbers, "" for names.
func (p *plotter) namesOf(axis string, l frame.Levels) (names []string, quantity string) {
	if axis == "" {
		return []string{p.spec.Y}, ""
	}
	column := p.frame.Column(axis)
	if column.Categorical() {
		return withoutShared(frame.Printed(l.Values)), ""
	}
	return numbersOf(l, column.Unit), frame.Words(frame.AxisName(axis, p.design.Axes))
}

// numbersOf are the values of an axis of numbers as people read them, in their shortest distinct form.
func numbersOf(l frame.Levels, unit string) []string {
	var numbers []float64
	for _, v := range l.Values {
		if !v.IsNull {
			numbers = append(numbers, v.Number)
		}
	}
	names := figure.Names(numbers, unit)
	if len(numbers) < len(l.Values) { // null comes first
		names = append([]string{frame.Null().String()}, names...)
	}
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names) {
		return frame.Printed(l.Values)
	}
	return names
}

// titlesOf are the names of panels: a number alone would not show its quantity.
func (p *plotter) titlesOf(axis string, l frame.Levels) []string {
	if axis == "" || len(p.spec.Where) > 0 && len(l.Values) == 1 {
		return make([]string, len(l.Values))
	}
	names, quantity := p.namesOf(axis, l)
	for i := range names {
		if quantity != "" {
			names[i] = quantity + " = " + names[i]
		}
	}
	return names
}

// ending matches the ending of a file's name, and fraction a slash in a number. A dot before a digit is one of a number, too.
var ending, fraction = regexp.MustCompile(`(\.[A-Za-z]\w*)+$`), regexp.MustCompile(`\d/\d`)

// withoutShared cuts the folders and the ending that all names share.
func withoutShared(names []string) []string {
	if len(names) < 2 {
		return names
	}
	prefix, suffix := names[0], names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
		for !strings.HasSuffix(n, suffix) {
			suffix = suffix[1:]
		}
	}
	prefix = prefix[:strings.LastIndex(prefix, "/")+1]
	suffix = ending.FindString(suffix)
	if suffix == "" && slices.ContainsFunc(names, fraction.MatchString) { // else they are files, such as 2024/01.swf
		prefix = ""
	}
	out := make([]string, len(names))
	for i, n := range names {
		if out[i] = strings.TrimSuffix(strings.TrimPrefix(n, prefix), suffix); out[i] == "" {
			return names
		}
	}
	return out
}
