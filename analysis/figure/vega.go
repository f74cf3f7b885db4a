package figure

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"schedsweep/sweep/text"
)

// Vega writes the figure as a Vega-Lite 5 specification, for people who restyle it. Its data are the rows of [Figure.CSV],
// each with the name of its layer in the field draw. Cells and blocks have one row each, with the field to for their right end. The
// figure's warnings are in usermeta.
func (f *Figure) Vega(w io.Writer) error {
	if err := f.validate(); err != nil {
		return err
	}
	rows, frame := f.vegaRows(), arrange(f)
	open := slices.ContainsFunc(rows, func(r object) bool { return (r["low"] == nil) != (r["high"] == nil) })
	framed := open || f.X.Log || f.Y.Log || f.X.Limits != nil || f.Y.Limits != nil
	layersOf := func(frame layout) []object {
		own := *f // with the frame of the drawing, where Vega-Lite would choose a larger one, in which open intervals seem to end
		for a, of := range map[*Axis]scale{&own.X: frame.x, &own.Y: frame.y} {
			if framed && a.Limits == nil {
				a.Limits = &[2]float64{of.lo, of.hi}
			}
		}
		layers := []object{} // no rows, no layers
		for _, l := range vegaLayers {
			if slices.ContainsFunc(rows, func(r object) bool { return r["draw"] == l.draw }) {
				layers = append(layers, own.vegaLayer(&frame, l))
				if l.draw == "box" { // the median of the same rows
					layers = append(layers, own.vegaLayer(&frame, vegaLayer{draw: "box", mark: object{"type": "tick", "thickness": 2}, from: "y"}))
				}
			}
		}
		return layers
	}
	const size, width = 10, 400 // of a chart with its legend
	title := object{"text": f.Title, "subtitle": wrap(f.Caption, width, size, false), "subtitleFontSize": size, "anchor": "start"}
	if f.Title == "" { // a subtitle is drawn below a title alone
		title = object{"text": title["subtitle"], "anchor": "start", "fontWeight": "normal", "fontSize": size, "orient": "bottom", "offset": 10}
	}
	var colours []string
	for i := range f.Series {
		c := seriesColour(i)
		colours = append(colours, fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B))
	}
	spec := object{"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "data": object{"values": rows}, "title": title,
		"description": strings.Trim(f.Title+". "+f.Caption, ". "),
		"config": object{"view": object{"continuousWidth": 300, "discreteWidth": 300, "continuousHeight": 220},
			"range": object{"category": colours}, "legend": object{"symbolOpacity": 1}}}
	if len(f.Warnings) > 0 {
		spec["usermeta"] = object{"warnings": f.Warnings}
	}
	names := text.Each(f.Panels, func(p Panel) string { return p.name() })
	if len(f.Panels) == 1 {
		spec["layer"] = layersOf(*frame)
	} else {
		scales := object{"x": "shared", "y": "shared"}
		if f.OwnX {
			scales["x"] = "independent"
		}
		if f.OwnY {
			scales["y"] = "independent"
		}
		spec["columns"], spec["resolve"] = cmp.Or(f.Columns, f.chooseColumns()), object{"scale": scales}
		if framed && (f.OwnX || f.OwnY) { // facets cannot have frames of their own
			var panels []object
			for i, name := range names {
				own := *frame
				own.x, own.y = frame.xs[i], frame.ys[i]
				panels = append(panels, object{"title": name, "layer": layersOf(own),
					"transform": []object{{"filter": object{"field": "panel", "equal": name}}}})
			}
			spec["concat"] = panels
		} else {
			spec["facet"] = object{"field": "panel", "type": "nominal", "title": nil, "sort": names}
			spec["spec"] = object{"layer": layersOf(*frame)}
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(spec); err != nil {
		return fmt.Errorf("figure %q: writing vega-lite: %w", f.ID, err)
	}
	return nil
}

type object map[string]any

// vegaLayer is the form in which Vega-Lite draws the rows of a layer.
type vegaLayer struct {
	draw string
	mark object
	// across says that low and high are on the horizontal axis; colour that the cells' value is one.
	across, colour bool
	from, to       string // the vertical field or fields, "" for none
}

// vegaLayers are all, from the lowest.
var vegaLayers = []vegaLayer{
	{draw: "stripe", mark: object{"type": "rect", "opacity": .14, "color": "#8A8A8A"}, from: "low", to: "high"},
	{draw: "cell", mark: object{"type": "rect"}, colour: true, from: "low", to: "high"},
	{draw: "block", mark: object{"type": "rect", "opacity": .6, "stroke": "#1A1A1A", "strokeWidth": .5}, from: "low", to: "high"},
	{draw: "bar", mark: object{"type": "bar"}, from: "y"},
	{draw: "point", mark: object{"type": "point", "filled": true, "opacity": .5}, from: "y"},
	{draw: "band", mark: object{"type": "area", "opacity": .2}, from: "low", to: "high"},
	{draw: "line", mark: object{"type": "line", "point": true}, from: "y"},
	{draw: "track", mark: object{"type": "line", "opacity": .5}, from: "place"},
	{draw: "step", mark: object{"type": "line", "interpolate": "step-after"}, from: "y"},
	{draw: "log itself", mark: object{"type": "line", "interpolate": "step-after", "strokeDash": []int{1, 2}}, from: "y"},
	{draw: "trend", mark: object{"type": "line", "strokeDash": []int{6, 3}}, from: "y"},
	{draw: "whisker", mark: object{"type": "rule", "strokeWidth": 1.5}, from: "low", to: "high"},
	{draw: "interval of x", mark: object{"type": "rule"}, across: true, from: "y"},
	{draw: "box", mark: object{"type": "bar", "opacity": .6}, from: "low", to: "high"},
	{draw: "tie", mark: object{"type": "line", "strokeDash": []int{1, 2}, "color": "#1A1A1A"}, from: "y"},
	{draw: "joined", mark: object{"type": "rule", "strokeWidth": 3, "color": "#1A1A1A"}, across: true, from: "label"},
	{draw: "rank", mark: object{"type": "point", "filled": true, "size": 50}, from: "label"},
	{draw: "beyond", mark: object{"type": "point", "shape": "triangle-up", "filled": true}},
	{draw: "mark", mark: object{"type": "point", "filled": true, "size": 50}, from: "y"},
	{draw: "published", mark: object{"type": "point", "filled": false, "size": 60}, from: "y"},
	{draw: "rule", mark: object{"type": "rule", "strokeDash": []int{1, 2}, "color": "#8A8A8A"}},
	{draw: "reference", mark: object{"type": "rule", "strokeDash": []int{4, 3}, "color": "#1A1A1A"}, from: "y"},
}

func (f *Figure) vegaLayer(frame *layout, l vegaLayer) object {
	encoding := object{}
	x, sideBySide := f.vegaX(&l)
	if f.X.Limits != nil || f.Y.Limits != nil {
		l.mark = maps.Clone(l.mark)
		l.mark["clip"] = true
	}
	transform, low, high := f.vegaShown(frame, &l)
	switch {
	case l.draw == "stripe" || l.draw == "reference": // from side to side
	case l.across:
		encoding["x"], encoding["x2"] = with(x, low), object{"field": high}
	case l.draw == "cell" || l.draw == "block":
		encoding["x"], encoding["x2"] = with(x, "x"), object{"field": "to"}
	default:
		encoding["x"] = with(x, "x")
	}
	switch l.from {
	case "":
	case "label":
		encoding["y"] = object{"field": "label", "type": "nominal", "title": nil}
	default:
		encoding["y"] = with(vegaAxis(&f.Y), l.from)
	}
	if l.draw == "beyond" {
		encoding["y"] = object{"value": 0} // the upper edge
	}
	if l.to != "" {
		encoding["y2"] = object{"field": l.to}
	}
	fields := []string{"panel", "series", "kind", "x", "y", "low", "high"}
	encoding["tooltip"] = text.Each(fields, func(name string) object { return object{"field": name} })
	encoding["detail"] = []object{{"field": "kind"}, {"field": "label"}}
	if l.draw == "track" {
		encoding["detail"] = object{"field": "label"}
	}
	if l.colour {
		scale := "linear"
		if f.Colour.Log {
			scale = "log"
		}
		colours := object{"type": scale, "scheme": "viridis", "reverse": true, "clamp": true}
		if ends := f.reach(f.Panels...).colour; f.Colour.Limits != nil {
			colours["domain"] = f.Colour.Limits[:]
		} else if !ends.empty() { // a logarithmic scale does not have the zeros of the data
			colours["domain"] = []float64{ends.lo, ends.hi}
		}
		encoding["color"] = object{"field": "y", "type": "quantitative", "title": f.Colour.title(), "scale": colours}
	} else if len(f.Series) > 0 && l.mark["color"] == nil {
		var title any
		if f.SeriesTitle != "" {
			title = f.SeriesTitle
		}
		colour := object{"field": "series", "type": "nominal", "title": title, "scale": object{"domain": f.Series}}
		if colour["legend"] = (object{"values": f.drawnSeries()}); len(f.Series) == 1 {
			colour["legend"] = nil
		}
		encoding["color"] = colour
		if sideBySide && slices.Contains([]string{"bar", "box", "whisker", "line", "point", "published"}, l.draw) {
			encoding["xOffset"] = object{"field": "series", "sort": f.Series}
		}
	}
	return object{"transform": transform, "mark": l.mark, "encoding": encoding}
}

// vegaShown takes the rows of a layer, and the fields of their ends along x. It makes new fields where an axis does not have all values.
func (f *Figure) vegaShown(frame *layout, l *vegaLayer) (transform []object, low, high string) {
	transform = []object{{"filter": object{"field": "draw", "equal": l.draw}}}
	if f.X.Log && !l.across && l.draw != "stripe" && l.draw != "reference" {
		transform = append(transform, object{"filter": "datum.x > 0"})
	}
	low, high = "low", "high"
	if l.draw == "interval of x" {
		transform, low, high = append(transform, frame.x.vegaEnds()...), "from", "until"
	} else if slices.Contains([]string{"whisker", "band", "box"}, l.draw) && l.from == "low" {
		ends := frame.y.vegaEnds()
		if l.draw == "band" { // a gap parts it, which a filter would close
			ends = append(ends[1:], object{"calculate": fmt.Sprintf("(%v) ? datum.from : null", ends[0]["filter"]), "as": "from"})
		}
		transform, l.from, l.to = append(transform, ends...), "from", "until"
	}
	if f.Y.Log && l.from == "y" { // one value of 0 would leave a logarithmic scale no place for any
		other := any("null")
		if l.draw == "step" || l.draw == "log itself" { // which fall to 0
			other = frame.y.lo
		}
		transform, l.from = append(transform, object{"calculate": fmt.Sprint("datum.y > 0 ? datum.y : ", other), "as": "height"}), "height"
	}
	return transform, low, high
}

// vegaEnds leave out intervals that an axis cannot show, and put open ends of the others at the ends of the axis: JSON has no infinite
// number, and a logarithmic scale no 0.
func (s *scale) vegaEnds() []object {
	shown, low := "isValid(datum.low) || isValid(datum.high)", "isValid(datum.low)"
	if s.log {
		shown, low = "datum.high > 0 || !isValid(datum.high) && datum.low > 0", "datum.low > 0"
	}
	return []object{{"filter": shown}, {"calculate": fmt.Sprintf("%s ? datum.low : %v", low, s.lo), "as": "from"},
		{"calculate": fmt.Sprintf("isValid(datum.high) ? datum.high : %v", s.hi), "as": "until"}}
}

// vegaX is the horizontal axis, and whether series stand side by side at its places. Categories are not joined by lines.
func (f *Figure) vegaX(l *vegaLayer) (x object, sideBySide bool) {
	x = vegaAxis(&f.X)
	switch boxes := f.Has(func(m Mark) bool { _, is := m.(*Boxes); return is }); {
	case len(f.X.Categories) > 0:
		x["type"], x["sort"] = "nominal", f.X.Categories
		if l.draw == "line" {
			l.mark = object{"type": "point", "filled": true, "size": 50, "opacity": 1}
		}
		return x, true
	case boxes: // one place for each number, so that boxes of several series do not hide one another
		x["type"] = "ordinal"
		delete(x, "scale")
		return x, true
	case f.X.Values != nil:
		x["axis"] = object{"values": f.X.Values}
	}
	return x, false
}

// Has reports whether there is such a mark.
func (f *Figure) Has(is func(Mark) bool) bool {
	return slices.ContainsFunc(f.Panels, func(p Panel) bool { return slices.ContainsFunc(p.Marks, is) })
}

func (f *Figure) drawnSeries() (names []string) {
	for i, name := range f.Series {
		if f.Has(func(m Mark) bool { return m.look().series == i }) {
			names = append(names, name)
		}
	}
	return names
}

// with is an axis of the values of a field.
func with(axis object, field string) object {
	out := maps.Clone(axis)
	out["field"] = field
	return out
}

func vegaAxis(a *Axis) object {
	scale := object{"zero": a.Zero}
	if a.Log {
		scale = object{"type": "log"}
	}
	if a.Limits != nil && len(a.Categories) == 0 {
		scale["domain"] = a.Limits[:]
	}
	if len(a.Categories) > 0 {
		scale = object{"domain": a.Categories}
	}
	return object{"type": "quantitative", "title": a.title(), "scale": scale}
}

// title names the axis with the unit of the data, in which Vega-Lite shows them.
func (a *Axis) title() string {
	if a.Unit == "" {
		return a.Label
	}
	return a.Label + " (" + a.Unit + ")"
}

// vegaRows are the rows of the CSV with their layers.
func (f *Figure) vegaRows() []object {
	all := []object{}
	for i := range f.Panels {
		p := &f.Panels[i]
		for _, m := range p.Marks {
			series, before := f.seriesOf(m), len(all)
			m.rows(func(kind string, x, y, low, high float64, n int) {
				row := object{"panel": p.name(), "series": series, "kind": kind, "draw": vegaDraw(m, kind, y),
					"x": finite(x), "y": finite(y), "low": finite(low), "high": finite(high)}
				if n > 0 {
					row["n"] = n
				}
				if name := f.category(x); len(f.X.Categories) > 0 && (name != full(x) || f.X.Values != nil && name != "") {
					row["x"] = name
				}
				all = append(all, row)
			})
			vegaMore(m, all[before:])
		}
	}
	return all
}

// vegaMore gives the rows of a mark what the CSV has no column for: right ends of cells and blocks, and labels that keep
// lines apart.
func vegaMore(m Mark, rows []object) {
	switch m := m.(type) {
	case *Heat:
		for _, c := range m.Cells {
			rows[0]["to"] = c.Right
			if rows = rows[1:]; !math.IsNaN(c.Value) {
				rows[0]["to"] = c.Right
				rows = rows[1:]
			}
		}
	case *Blocks:
		for i, b := range m.Blocks {
			rows[2*i]["to"] = b.Right
		}
	case *Ranks:
		for i, row := range rows {
			row["label"] = row["kind"]
			if row["draw"] == "joined" {
				row["label"] = fmt.Sprint("joined ", i-len(m.Ranks)+1)
			}
		}
	case *Tracks:
		for k, line := range m.Lines {
			for i, v := range line {
				row, s := rows[k*len(line)+i], m.Over.Axes[i].scale()
				if row["label"], row["place"] = fmt.Sprint("line ", k+1), finite(s.at(v)); s.log && v <= 0 {
					row["place"] = nil // the axis has no such place
				}
			}
		}
	case *Ties:
		for i, row := range rows {
			row["label"] = fmt.Sprint("tie ", i/2+1)
		}
	}
}

// finite is a number as JSON has it: null in the place of any other.
func finite(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return v
}

// vegaKinds are the layers of rows that are not in the layer of their mark, by kind; "" for rows that are numbers only.
var vegaKinds = map[string]string{"log itself": "log itself", "median, quartiles": "box", "whiskers": "whisker",
	"interval of x": "interval of x", "interval of y": "whisker", "joined": "joined", "critical difference": ""}

// vegaDraw is the layer of a mark's row, "" for rows that are numbers only.
func vegaDraw(m Mark, kind string, y float64) string {
	switch m.(type) {
	case *Steps, *Boxes, *Crosses, *Ranks:
		if layer, other := vegaKinds[kind]; other {
			return layer
		}
	case *Published:
		if math.IsNaN(y) {
			return "rule"
		}
	case *Heat:
		if !strings.HasPrefix(kind, "value") {
			return ""
		}
	case *Blocks:
		if !strings.HasSuffix(kind, " from") {
			return ""
		}
	}
	return m.look().layer
}
