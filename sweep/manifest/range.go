package manifest

import (
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

const MaxAxis = 1_000_000

// Range reads the values of a range as those of an axis. It reports mistakes and
// returns nil then.
func (l *Layout) Range(e text.Entry) *BlockAxis { return l.axis(e, false) }

// axisNodes returns an axis' values as nodes: the values of a list or of a range, at most the given number. It reports
// mistakes and returns nil then.
func axisNodes(d *params.Decoder, most int, e text.Entry, a *BlockAxis, fields []*params.Field) []*text.Node {
	n := e.Value
	switch {
	case n.Shape == text.List && len(n.Items) == 0, n.Shape == text.Scalar && n.IsNull():
		d.Out.Add(n.Pos, "give it values, or remove it", "axis %s has no values", e.Key)
		return nil
	case n.Shape == text.List && len(n.Items) > most:
		d.Out.Add(n.Pos, "", "axis %s has %d values, more than %d", e.Key, len(n.Items), most)
		return nil
	case n.Shape == text.List:
		return n.Items
	case n.Shape == text.Scalar:
		hint := "write [" + n.Text + "], or a range such as {from: 0, to: 1, count: 11}"
		for _, sep := range []string{"..", "-", ":"} {
			from, to, _ := strings.Cut(n.Text, sep)
			a, begins := text.Number(from)
			if b, ends := text.Number(to); begins && ends {
				by := "count: 11"
				if a < b && a == math.Trunc(a) && b == math.Trunc(b) {
					by = "step: 1" // which ends at b
				}
				hint = "write a range, such as {from: " + from + ", to: " + to + ", " + by + "}"
			}
		}
		d.Out.Add(n.Pos, hint, "the values of axis %s are %s; want a list or a range", e.Key, n.What())
		return nil
	case a.Labelled:
		d.Out.Add(n.Pos, "write a list of {label: name, value: ...}", "the values of axis %s are a map; sub-trees need labels", e.Key)
		return nil
	case len(fields) == 0 || a.Type != params.Float && a.Type != params.Int:
		d.Out.Add(n.Pos, "write a list", "axis %s is no number and has no range", e.Key)
		return nil
	}
	if inner := n.Entry("logspace"); inner != nil {
		if len(n.Entries) > 1 {
			d.Out.Add(n.Pos, "write {logspace: {from: 1, to: 1000, count: 4}}", "axis %s has keys beside logspace", e.Key)
			return nil
		}
		return rangeNodes(d, most, e.Key, inner.Value, fields[0], true)
	}
	return rangeNodes(d, most, e.Key, n, fields[0], false)
}

// rangeNodes expands {from, step, count}, {from, to, step} and {from, to, count};
// the last also in equal ratios.
func rangeNodes(d *params.Decoder, most int, path string, n *text.Node, f *params.Field, logarithmic bool) []*text.Node {
	before := d.Out.Count
	valid := []string{"from", "to", "step", "count"}
	if logarithmic {
		valid = []string{"from", "to", "count"}
	}
	if n.Shape != text.Map {
		d.Out.Add(n.Pos, "write {logspace: {from: 1, to: 1000, count: 4}}", "logspace is %s; want a map", n.What())
		return nil
	}
	number := rangeNumbers(d, most, path, n, f, valid)
	if before != d.Out.Count {
		return nil
	}
	has := func(k string) bool { _, ok := number[k]; return ok }
	switch {
	case logarithmic && len(number) < 3:
		d.Out.Add(n.Pos, "such as {logspace: {from: 1, to: 1000, count: 4}}", "the range of axis %s needs from, to and count", path)
		return nil
	case !has("from") || len(number) != 3:
		d.Out.Add(n.Pos, "such as {from: 0, to: 1, count: 11}", "the range of axis %s needs from and two of to, step and count", path)
		return nil
	case !has("count"):
		steps := stepsTo(number["from"], number["to"], number["step"])
		if steps < 0 {
			hint := "use a step above 0"
			if number["to"] < number["from"] {
				hint = "swap from and to, or use a step below 0"
			}
			d.Out.Add(n.Pos, hint, "no step of %s leads from %s to %s", params.Decimal(number["step"]), params.Decimal(number["from"]),
				params.Decimal(number["to"]))
			return nil
		}
		if steps >= float64(most) {
			d.Out.Add(n.Pos, "use a larger step", "axis %s has %.10g values, more than %d", path, steps+1, most)
			return nil
		}
		number["count"] = steps + 1
	case !has("step") && number["count"] < 2 && number["from"] != number["to"]:
		d.Out.Add(n.Pos, "use a count of 2 or more", "a range from %s to %s has both ends", params.FormatFloat(number["from"]),
			params.FormatFloat(number["to"]))
		return nil
	case logarithmic && (number["from"] <= 0 || number["to"] <= 0):
		d.Out.Add(n.Pos, aboveZero, "both ends of a logspace must be above 0")
		return nil
	}
	count := int(number["count"])
	var at func(i int) float64
	switch {
	case logarithmic:
		at = func(i int) float64 {
			return between(number["from"], number["to"], float64(i)/float64(max(count-1, 1)), true)
		}
	case has("step"):
		at = ladder(number["from"], number["step"], 0, 1)
	default:
		at = ladder(number["from"], number["to"], number["from"], max(count-1, 1))
	}
	nodes, out := make([]text.Node, count), make([]*text.Node, count)
	for i := range out {
		nodes[i] = text.Node{Text: params.FormatFloat(at(i)), Pos: n.Pos}
		out[i] = &nodes[i]
	}
	return out
}

func rangeNumbers(d *params.Decoder, most int, path string, n *text.Node, f *params.Field, valid []string) map[string]float64 {
	number := map[string]float64{}
	for _, e := range n.Entries {
		if !slices.Contains(valid, e.Key) {
			d.Out.Add(e.Pos, text.DidYouMean(e.Key, valid), "unknown key %s in the range of axis %s", text.Quote(e.Key), path)
			continue
		}
		// Bounds are checked on the values themselves, not on the step.
		spec := &params.Field{Name: e.Key, Unit: f.Unit, Type: reflect.TypeFor[float64]()}
		into := reflect.New(spec.Type).Elem()
		if e.Key == "count" {
			one, most := 1.0, float64(most)
			spec = &params.Field{Name: e.Key, Type: reflect.TypeFor[int](), Min: &one, Max: &most}
			into = reflect.New(spec.Type).Elem()
		}
		d.Scalar(e.Value, spec, into, path+"."+e.Key)
		if e.Key == "count" {
			number[e.Key] = float64(into.Int())
		} else {
			number[e.Key] = into.Float()
			if math.IsInf(number[e.Key], 0) {
				d.Out.Add(e.Value.Pos, "", "a range cannot reach infinity")
			}
		}
	}
	return number
}

// aboveZero is the remedy of a range in equal ratios that begins at 0 or below.
const aboveZero = "begin above 0, or use equal differences"

// between is the value at a share of the way from one end to the other, in equal differences or
// equal ratios. Values between the ends are rounded to 12 significant digits: the last bits of a power differ
// between machines, and ids must not.
func between(from, to, share float64, logarithmic bool) float64 {
	v := from*(1-share) + to*share
	switch {
	case share == 0:
		return from
	case share == 1:
		return to
	case logarithmic:
		v = math.Pow(10, math.Log10(from)*(1-share)+math.Log10(to)*share)
	}
	f, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return min(max(f, min(from, to)), max(from, to))
}

// ladder returns the function i -> from + i*(high-low)/parts, computed in
// decimal and rounded once: three steps of 0.1 are 0.3 and not
// 0.30000000000000004, for the same value must have one id however a manifest
// writes it. A number means its shortest decimal text.
func ladder(from, high, low float64, parts int) func(i int) float64 {
	first, step := ratOf(from), new(big.Rat).Sub(ratOf(high), ratOf(low))
	step.Quo(step, big.NewRat(int64(parts), 1))
	// Both over one denominator. Whole numbers below 2^53 are exact, and so their
	// quotient is rounded once: a million values take no time.
	a, b, over := product(first.Num(), step.Denom()), product(step.Num(), first.Denom()), product(first.Denom(), step.Denom())
	return func(i int) float64 {
		if rise := b * float64(i); over < 1<<53 && math.Abs(a) < 1<<52 && math.Abs(rise) < 1<<52 {
			return (a + rise) / over
		}
		v := new(big.Rat).Mul(step, big.NewRat(int64(i), 1))
		f, _ := v.Add(v, first).Float64()
		return f
	}
}

// product is exact below 2^53.
func product(x, y *big.Int) float64 {
	f, _ := new(big.Float).SetInt(new(big.Int).Mul(x, y)).Float64()
	return f
}

// stepsTo counts the whole steps that lead from a number not beyond another; it is
// negative where none does.
func stepsTo(from, to, step float64) float64 {
	if from == to {
		return 0
	}
	if step == 0 || (to > from) != (step > 0) {
		return -1
	}
	n := new(big.Rat).Sub(ratOf(to), ratOf(from))
	n.Quo(n, ratOf(step))
	f, _ := new(big.Float).SetInt(new(big.Int).Quo(n.Num(), n.Denom())).Float64()
	return f
}

// ratOf returns the number that the float's shortest decimal text means.
func ratOf(f float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	if !ok {
		return new(big.Rat)
	}
	return r
}
