package sweep

import (
	"math"
	"reflect"
	"slices"
	"strconv"
)

// maxAxis bounds the values of one axis.
const maxAxis = 1_000_000

// axisNodes returns an axis' values as nodes: those of a list, or those that a
// range describes. It reports what is wrong and returns nil then.
func axisNodes(d *decoder, e entry, a *axisDef, fields []*fieldInfo) []*node {
	n := e.value
	switch {
	case n.shape == listNode && len(n.items) == 0, n.shape == scalarNode && n.isNull():
		d.out.add(n.pos, e.key, "give it values, or remove it", "axis %s has no values", e.key)
		return nil
	case n.shape == listNode && len(n.items) > maxAxis:
		d.out.add(n.pos, e.key, "", "axis %s has %d values, more than %d", e.key, len(n.items), maxAxis)
		return nil
	case n.shape == listNode:
		return n.items
	case n.shape == scalarNode:
		d.out.add(n.pos, e.key, "write ["+n.text+"], or a range such as {from: 0, to: 1, count: 11}", "the values of axis %s are %s; want a list or a range", e.key, n.what())
		return nil
	case a.labelled:
		d.out.add(n.pos, e.key, "write a list of {label: name, value: ...}", "the values of axis %s are a map; sub-trees need labels", e.key)
		return nil
	case len(fields) == 0 || a.typ != Float && a.typ != Int:
		d.out.add(n.pos, e.key, "write a list", "axis %s is no number and has no range", e.key)
		return nil
	}
	if inner := n.entry("logspace"); inner != nil {
		if len(n.entries) > 1 {
			d.out.add(n.pos, e.key, "write {logspace: {from: 1, to: 1000, count: 4}}", "axis %s has keys beside logspace", e.key)
			return nil
		}
		return rangeNodes(d, e.key, inner.value, fields[0], true)
	}
	return rangeNodes(d, e.key, n, fields[0], false)
}

// rangeNodes expands {from, step, count} and {from, to, count}; the latter also
// in equal ratios.
func rangeNodes(d *decoder, path string, n *node, f *fieldInfo, logarithmic bool) []*node {
	before := d.out.count
	valid := []string{"from", "to", "step", "count"}
	if logarithmic {
		valid = []string{"from", "to", "count"}
	}
	if n.shape != mapNode {
		d.out.add(n.pos, path, "write {logspace: {from: 1, to: 1000, count: 4}}", "logspace is %s; want a map", n.what())
		return nil
	}
	number := map[string]float64{}
	for _, e := range n.entries {
		if !slices.Contains(valid, e.key) {
			d.out.add(e.pos, path, didYouMean(e.key, valid), "unknown key %s in the range of axis %s", quote(e.key), path)
			continue
		}
		// Bounds are checked on the values themselves, not on the step.
		spec := &fieldInfo{name: e.key, unit: f.unit, typ: reflect.TypeFor[float64]()}
		into := reflect.New(spec.typ).Elem()
		if e.key == "count" {
			one, most := 1.0, float64(maxAxis)
			spec = &fieldInfo{name: e.key, typ: reflect.TypeFor[int](), min: &one, max: &most}
			into = reflect.New(spec.typ).Elem()
		}
		d.scalar(e.value, spec, into, path+"."+e.key)
		if e.key == "count" {
			number[e.key] = float64(into.Int())
		} else {
			number[e.key] = into.Float()
			if math.IsInf(number[e.key], 0) {
				d.out.add(e.value.pos, path, "", "a range cannot reach infinity")
			}
		}
	}
	if before != d.out.count {
		return nil
	}
	has := func(k string) bool { _, ok := number[k]; return ok }
	switch {
	case !has("from") || !has("count") || has("to") == has("step"):
		d.out.add(n.pos, path, "", "the range of axis %s needs from, count and either to or step", path)
		return nil
	case has("to") && number["count"] < 2 && number["from"] != number["to"]:
		d.out.add(n.pos, path, "use a count of 2 or more", "a range from %s to %s has both ends", formatFloat(number["from"]), formatFloat(number["to"]))
		return nil
	case logarithmic && (number["from"] <= 0 || number["to"] <= 0):
		d.out.add(n.pos, path, "", "both ends of a logspace must be above 0")
		return nil
	}
	count := int(number["count"])
	var at func(i int) float64
	switch {
	case logarithmic:
		at = func(i int) float64 { return logStep(number["from"], number["to"], i, count) }
	case has("step"):
		at = ladder(number["from"], number["step"], 0, 1)
	default:
		at = ladder(number["from"], number["to"], number["from"], max(count-1, 1))
	}
	nodes, out := make([]node, count), make([]*node, count)
	for i := range out {
		nodes[i] = node{text: formatFloat(at(i)), pos: n.pos}
		out[i] = &nodes[i]
	}
	return out
}

// logStep returns value i of count in equal ratios. Values between the ends are
// rounded to 12 significant digits: the last bits of a power differ between
// machines, and ids must not.
func logStep(from, to float64, i, count int) float64 {
	switch i {
	case 0:
		return from
	case count - 1:
		return to
	}
	t := float64(i) / float64(count-1)
	v := math.Pow(10, math.Log10(from)*(1-t)+math.Log10(to)*t)
	f, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return f
}
