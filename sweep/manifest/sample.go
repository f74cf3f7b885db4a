package manifest

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sweep/design"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// The keys of a sample. Its other keys are methods, of which it has one.
const (
	SampleKey = "sample"
	OverKey   = "over"
)

// Methods are the ways to sample, with their parameters.
type Methods struct {
	Morris         Morris         `sweep:"morris" doc:"trajectories that change one knob at a time: which knobs matter, and which act together with others or bend"`
	Sobol          Sobol          `sweep:"sobol" doc:"Sobol' sequences: the share of the variance that each knob has alone, and with the others"`
	OneAtATime     OneAtATime     `sweep:"one_at_a_time" doc:"each knob over its range, all others at their base"`
	LatinHypercube LatinHypercube `sweep:"latin_hypercube" doc:"points that are even along each knob; not nested: more points are other points"`
}

// Repeated is the number of replications of a sample's points.
type Repeated struct {
	Replications int `sweep:"replications" min:"1" max:"1000000" doc:"replications of every point; the manifest's when absent"`
}

// Morris are the parameters of the method of Morris.
type Morris struct {
	Trajectories int `sweep:"trajectories" min:"2" max:"10000" doc:"trajectories, each of one point more than there are knobs"`
	Levels       int `sweep:"levels" min:"2" max:"1000" doc:"even number of levels of a range, of which a step goes over half"`
	Repeated
}

// Sobol are the parameters of a sample for Sobol' indices.
type Sobol struct {
	Points    int `sweep:"points" min:"2" max:"1048576" doc:"points of each of the two base samples, a power of 2; of each point runs two more than there are knobs"`
	Scrambles int `sweep:"scrambles" min:"2" max:"1000" doc:"randomisations of the sequence, each of so many points"`
	Repeated
}

// OneAtATime are the parameters of a sample that varies each knob alone.
type OneAtATime struct {
	Levels int `sweep:"levels" min:"2" max:"10000" doc:"values of a range, both ends included"`
	Repeated
}

// LatinHypercube are the parameters of a Latin hypercube.
type LatinHypercube struct {
	Points int `sweep:"points" min:"2" max:"1000000" doc:"points, each in a part of its own of every knob's range"`
	Repeated
}

// MethodDefaults are the values of absent keys.
var MethodDefaults = Methods{
	Morris:         Morris{Trajectories: 10, Levels: 4},
	Sobol:          Sobol{Points: 1024, Scrambles: 8},
	OneAtATime:     OneAtATime{Levels: 5},
	LatinHypercube: LatinHypercube{Points: 100},
}

// Span is the range of a knob.
type Span struct {
	From  float64 `sweep:"from" required:"true" doc:"one end of the range"`
	To    float64 `sweep:"to" required:"true" doc:"the other, included"`
	Scale string  `sweep:"scale" enum:"linear|log" default:"linear" doc:"what is equally likely: equal differences or equal ratios"`
	Step  float64 `sweep:"step" above:"0" doc:"distance of the values, from the first end on; 1 of whole numbers, any value of others"`
	Base  float64 `sweep:"base" doc:"of one_at_a_time: where the knob stands while others vary; the section's value when absent"`
}

// Sample is a sample as it was laid out.
type Sample struct {
	Method string // key of Methods
	Knobs  []string
	Design *design.Design
	// Row gives the point of each row of the design: rows that are alike are one point.
	Row    []int
	Points [][]params.Value // by point and knob, as the columns have them
}

// Indexed tells whether the sample has indices: a Latin hypercube has none.
func (s *Sample) Indexed() bool {
	return s != nil && len(s.Design.Steps)+len(s.Design.Sobol)+len(s.Design.Alone) > 0
}

// knob is a path of over: with the values that it can take.
type knob struct {
	design.Knob
	entry text.Entry
	items []*text.Node // of a list
	at    func(place design.Place) float64
	base  *text.Node
	made  map[design.Place]*text.Node
}

// sample reads sample: and returns the manifest with the axes and the zip that it stands for.
func (l *Layout) sample(seed uint64) (root *text.Node, s *Sample) {
	root = l.Root
	e := root.Entry(SampleKey)
	if e == nil || e.Value.IsNull() {
		return root, nil
	}
	before := l.Out.Count
	n := e.Value
	m, info := MethodDefaults, params.MustReflect(reflect.TypeFor[Methods]())
	unknown := func(e text.Entry, path string, fields *params.Struct) {
		l.Out.Add(e.Pos, path, text.DidYouMean(e.Key, append(fields.Names(), OverKey)), "unknown key %s in %s", text.Quote(e.Key), strings.TrimSuffix(path, "."+e.Key))
	}
	l.Decoder.Structure(n, info, reflect.ValueOf(&m).Elem(), params.Scope{Path: SampleKey, Unknown: unknown}, OverKey)
	s = &Sample{}
	for _, f := range info.Fields {
		if n.Get(f.Name) == nil {
			continue
		}
		if s.Method != "" {
			l.Out.Add(n.Entry(f.Name).Pos, SampleKey, "leave one of them out", "a sample has one method, and these are %s and %s", s.Method, f.Name)
		}
		s.Method = f.Name
		if r := reflect.ValueOf(m).FieldByIndex(f.Index).FieldByName("Replications"); r.Int() > 0 {
			l.Replications = int(r.Int())
		}
	}
	if s.Method == "" && l.Out.Count == before {
		l.Out.Add(n.Pos, SampleKey, "write sample: {morris: {trajectories: 10}, over: {...}}", "the sample has no method; there are %s", strings.Join(info.Names(), ", "))
	}
	var knobs []*knob
	for _, e := range l.Out.Mapping(n.Get(OverKey), "sample.over") {
		if e.Value.IsNull() {
			continue // taken from a parent's
		}
		for _, b := range append([]*text.Node{root}, blocksOf(root)...) {
			if axis := b.Get("axes").Entry(e.Key); axis != nil {
				l.Out.Add(axis.Pos, e.Key, "leave it out of one of them", "%s is an axis, and a knob of the sample too", e.Key)
			}
		}
		if k := l.knob(e, s.Method); k != nil {
			knobs = append(knobs, k)
		}
	}
	if l.Out.Count == before {
		l.countable(n, m, s.Method, len(knobs))
	}
	if l.Out.Count > before {
		if over := n.Get(OverKey); over != nil {
			for _, e := range over.Entries {
				l.Broken[e.Key] = true
			}
		}
		return root, nil
	}
	var of []design.Knob
	for _, k := range knobs {
		of = append(of, k.Knob)
		s.Knobs = append(s.Knobs, k.entry.Key)
	}
	switch s.Method {
	case "morris":
		s.Design = design.Morris(of, m.Morris.Trajectories, m.Morris.Levels, seed)
	case "sobol":
		s.Design = design.Sobol(of, m.Sobol.Points, m.Sobol.Scrambles, seed)
	case "one_at_a_time":
		s.Design = design.OneAtATime(of, m.OneAtATime.Levels)
	default:
		s.Design = design.LatinHypercube(of, m.LatinHypercube.Points, seed)
	}
	return s.axes(root, e.Pos, knobs), s
}

// countable reports what the method cannot do with so many knobs, points or replications.
func (l *Layout) countable(n *text.Node, m Methods, method string, knobs int) {
	add := func(key, hint, format string, args ...any) {
		l.Out.Add(n.Place(method+"."+key), SampleKey+"."+method+"."+key, hint, format, args...)
	}
	points := float64(0)
	switch method {
	case "morris":
		points = float64(m.Morris.Trajectories) * float64(knobs+1)
		if m.Morris.Levels%2 != 0 {
			add("levels", "use "+strconv.Itoa(m.Morris.Levels+1), "%d levels are an odd number, of which no step goes over half", m.Morris.Levels)
		}
	case "sobol":
		points = float64(m.Sobol.Points) * float64(m.Sobol.Scrambles) * float64(knobs+2)
		if p := m.Sobol.Points; p&(p-1) != 0 {
			up := 1
			for up < p {
				up *= 2
			}
			add("points", "use "+strconv.Itoa(up/2)+" or "+strconv.Itoa(up), "%d points are no power of 2, and only so many of a Sobol' sequence are even", p)
		}
		if l.Replications < 2 {
			add("replications", "use 2 or more", "with one replication the indices would take noise for effects of the knobs")
		}
		if knobs > design.MaxSobol {
			l.Out.Add(n.Get(OverKey).Pos, "sample.over", "leave out those that matter least by the method of Morris", "%d knobs, more than %d", knobs, design.MaxSobol)
		}
	}
	if knobs == 0 {
		l.Out.Add(n.Pos, SampleKey, "write over: {PATH: {from: 0, to: 1}}", "the sample varies nothing")
	}
	if points > float64(l.maxAxis) {
		add("points", "", "the sample has %.0f points, more than %d", points, l.maxAxis)
	}
}

// knob reads an entry of over:.
func (l *Layout) knob(e text.Entry, method string) *knob {
	s, rel, ok := l.field(e.Key, e.Pos)
	if !ok || l.hidden(s, rel) {
		return nil
	}
	before := l.Out.Count
	k := &knob{entry: e, made: map[design.Place]*text.Node{}}
	fields := params.FieldsAt(l.kindsWith(s, rel), rel)
	number := len(fields) > 0 && fields[0].Scalar() && fields[0].Column() <= params.Int
	plain := func(n *text.Node) *text.Node { // the number as every manifest has it
		if !number || n.Shape != text.Scalar {
			return n
		}
		into := reflect.New(reflect.TypeFor[float64]()).Elem()
		l.Decoder.Scalar(n, &params.Field{Unit: fields[0].Unit, Type: into.Type()}, into, e.Key)
		return &text.Node{Text: params.FormatFloat(into.Float()), Pos: n.Pos}
	}
	switch {
	case e.Value.Shape == text.List:
		k.Knob = design.Knob{Values: len(e.Value.Items), Ordered: number}
		for i, item := range e.Value.Items {
			item = plain(item)
			if slices.ContainsFunc(k.items, func(n *text.Node) bool { return sameText(n, item) }) {
				l.Out.Add(e.Value.Items[i].Pos, e.Key, "", "knob %s has the value twice", e.Key)
			}
			k.items = append(k.items, item)
		}
		if k.Values < 2 {
			l.Out.Add(e.Value.Pos, e.Key, "give it more, or put the value in its section", "knob %s needs two values or more", e.Key)
		}
	case e.Value.Shape != text.Map:
		l.Out.Add(e.Value.Pos, e.Key, "write {from: 0, to: 1} or a list", "knob %s is %s; want a range or a list of values", e.Key, e.Value.What())
	case !number:
		l.Out.Add(e.Value.Pos, e.Key, "write a list of its values", "knob %s is no number and has no range", e.Key)
	default:
		l.span(k, fields[0])
	}
	if k.base = e.Value.Get("base"); k.base == nil {
		k.base = l.Root.Find(strings.Split(e.Key, "."))
	}
	if k.base == nil && method == "one_at_a_time" && before == l.Out.Count {
		l.Out.Add(e.Pos, e.Key, "write it in its section, or base: in the knob's range", "knob %s has no base to stand at while others vary", e.Key)
	}
	if k.base != nil {
		k.base = plain(k.base)
	}
	if before != l.Out.Count {
		return nil
	}
	return k
}

// span reads a range; the field's bounds are checked at both ends.
func (l *Layout) span(k *knob, f *params.Field) {
	path, n, before := k.entry.Key, k.entry.Value, l.Out.Count
	var r Span
	info := &params.Struct{Type: reflect.TypeFor[Span](), ByName: map[string]*params.Field{}}
	for _, of := range params.MustReflect(info.Type).Fields {
		field := *of
		if field.Type.Kind() == reflect.Float64 {
			field.Unit = f.Unit
		}
		info.Fields, info.ByName[field.Name] = append(info.Fields, &field), &field
	}
	unknown := func(e text.Entry, _ string, fields *params.Struct) {
		l.Out.Add(e.Pos, path, text.DidYouMean(e.Key, fields.Names()), "unknown key %s in the range of knob %s", text.Quote(e.Key), path)
	}
	l.Decoder.Structure(n, info, reflect.ValueOf(&r).Elem(), params.Scope{Path: path, Unknown: unknown})
	if l.Out.Count > before {
		return
	}
	logarithmic := r.Scale == "log"
	switch {
	case r.From == r.To:
		l.Out.Add(n.Pos, path, "put the value in its section", "the range of knob %s has one value", path)
	case logarithmic && (r.From <= 0 || r.To <= 0):
		l.Out.Add(n.Pos, path, "", "both ends of a logarithmic range must be above 0")
	case logarithmic && r.Step > 0:
		l.Out.Add(n.Pos, path, "list the values", "a logarithmic range has no steps")
	}
	whole := f.Column() == params.Int
	if whole && r.Step == 0 && !logarithmic {
		r.Step = 1
	}
	if r.Step > 0 {
		if r.To < r.From {
			r.Step = -r.Step
		}
		if k.Knob = (design.Knob{Values: 1 + int(min(stepsTo(r.From, r.To, r.Step), 1e9)), Ordered: true}); k.Values < 2 {
			l.Out.Add(n.Pos, path, "use a smaller step", "no step of %s leads from %s to %s", params.FormatFloat(r.Step), params.FormatFloat(r.From), params.FormatFloat(r.To))
		}
		at := ladder(r.From, r.Step, 0, 1)
		k.at = func(p design.Place) float64 { return at(int(p)) }
	} else {
		k.at = func(p design.Place) float64 {
			v := between(r.From, r.To, p, logarithmic)
			if whole {
				v = float64(int64(v + 0.5))
			}
			return v
		}
	}
	if l.Out.Count > before {
		return
	}
	for _, p := range []design.Place{0, 1, float64(max(k.Values-1, 1))} {
		if l.Out.Count == before {
			l.Decoder.Scalar(&text.Node{Text: params.FormatFloat(k.at(p)), Pos: n.Pos}, f, reflect.New(f.Type).Elem(), path)
		}
	}
}

// node is the value at a place.
func (k *knob) node(p design.Place) *text.Node {
	if p != p {
		return k.base
	}
	if k.items != nil {
		return k.items[int(p)]
	}
	n := k.made[p]
	if n == nil {
		n = &text.Node{Text: params.FormatFloat(k.at(p)), Pos: k.entry.Value.Pos}
		k.made[p] = n
	}
	return n
}

// axes adds an axis for each knob, all zipped, with the rows of the design that are not alike.
func (s *Sample) axes(root *text.Node, at text.Position, knobs []*knob) *text.Node {
	lists, group := make([]*text.Node, len(knobs)), &text.Node{Shape: text.List, Pos: at}
	for i, k := range knobs {
		lists[i] = &text.Node{Shape: text.List, Pos: k.entry.Value.Pos}
		group.Items = append(group.Items, &text.Node{Text: k.entry.Key, Pos: k.entry.Pos})
	}
	points := map[string]int{}
	var key []byte
	for _, row := range s.Design.Rows {
		key = key[:0]
		for i, p := range row {
			key = append(append(key, flowed(knobs[i].node(p))...), 0)
		}
		point, known := points[string(key)]
		if !known {
			point = len(points)
			points[string(key)] = point
			for i, p := range row {
				lists[i].Items = append(lists[i].Items, knobs[i].node(p))
			}
		}
		s.Row = append(s.Row, point)
	}
	axes := root.Get("axes")
	for i, k := range knobs {
		axes = axes.With(k.entry.Key, k.entry.Pos, lists[i])
	}
	root = root.With("axes", at, axes)
	if len(knobs) > 1 {
		zip := &text.Node{Shape: text.List, Pos: at, Items: append(slices.Clip(itemsOf(root.Get("zip"))), group)}
		root = root.With("zip", at, zip)
	}
	return root
}

// flowed is what tells a value from others.
func flowed(n *text.Node) string {
	if n.Shape == text.Scalar {
		return n.Text
	}
	return string(text.Emit(n))
}

// read takes the values of the points from the block's axes; it returns nil where some could not be read.
func (s *Sample) read(b *Block) *Sample {
	for _, path := range s.Knobs {
		i := b.axisIndex(path)
		if i < 0 {
			return nil
		}
		for p, v := range b.Axes[i].Values {
			if p == len(s.Points) {
				s.Points = append(s.Points, nil)
			}
			s.Points[p] = append(s.Points[p], v.Value)
		}
	}
	return s
}

// sampled is the manifest with axes for the lists of a sample's knobs, which may choose kinds and give labels.
func sampled(root *text.Node) *text.Node {
	over := root.Get(SampleKey).Get(OverKey)
	if over == nil {
		return root
	}
	for _, e := range over.Entries {
		if e.Value.Shape == text.List && root.Get("axes").Get(e.Key) == nil {
			root = root.With("axes", e.Pos, root.Get("axes").With(e.Key, e.Pos, e.Value))
		}
	}
	return root
}
