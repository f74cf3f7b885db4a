package manifest

import (
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sweep/design"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// The keys of a sample. Its other key is a method, exactly one.
const (
	SampleKey = "sample"
	OverKey   = "over"
)

// Methods are the ways to sample, with their parameters.
type Methods struct {
	Morris         Morris         `sweep:"morris" doc:"trajectories that change one knob at a time; they show the knobs that matter, and the knobs with interactions or curved effects"`
	Sobol          Sobol          `sweep:"sobol" doc:"Sobol' sequences: the share of the variance that each knob has alone, and with the others"`
	OneAtATime     OneAtATime     `sweep:"one_at_a_time" doc:"each knob over its range, all others at their base"`
	LatinHypercube LatinHypercube `sweep:"latin_hypercube" doc:"points that are even along each knob; not nested: more points are other points"`
}

type Repeated struct {
	Replications int `sweep:"replications" min:"1" max:"1000000" doc:"replications of every point; the manifest's when absent"`
}

type Morris struct {
	Trajectories int `sweep:"trajectories" min:"2" max:"10000" doc:"trajectories, each of one point more than there are knobs"`
	Levels       int `sweep:"levels" min:"2" max:"1000" doc:"even number of levels of a range; a step spans half of them"`
	Repeated
}

type Sobol struct {
	Points    int `sweep:"points" min:"2" max:"1048576" doc:"points of each of the two base samples, a power of 2; of each point runs two more than there are knobs"`
	Scrambles int `sweep:"scrambles" min:"2" max:"1000" doc:"randomisations of the sequence of points"`
	Repeated
}

type OneAtATime struct {
	Levels int `sweep:"levels" min:"2" max:"10000" doc:"values of a range, both ends included"`
	Repeated
}

type LatinHypercube struct {
	Points int `sweep:"points" min:"2" max:"1000000" doc:"points, each in a part of its own of every knob's range"`
	Repeated
}

var MethodDefaults = Methods{
	Morris:         Morris{Trajectories: 10, Levels: 4},
	Sobol:          Sobol{Points: 1024, Scrambles: 8},
	OneAtATime:     OneAtATime{Levels: 5},
	LatinHypercube: LatinHypercube{Points: 100},
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

// Indexed reports whether the sample has indices: a Latin hypercube has none.
func (s *Sample) Indexed() bool {
	return s != nil && len(s.Design.Steps)+len(s.Design.Sobol)+len(s.Design.Alone) > 0
}

// sample reads sample: and returns the manifest with the axes and the zip that it means.
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
		l.Out.Add(e.Pos, text.DidYouMean(e.Key, append(fields.Names(), OverKey)), "unknown key %s in %s", text.Quote(e.Key),
			strings.TrimSuffix(path, "."+e.Key))
	}
	l.Decoder.Structure(n, info, reflect.ValueOf(&m).Elem(), params.Scope{Path: SampleKey, Unknown: unknown}, OverKey)
	s = &Sample{}
	for _, f := range info.Fields {
		if n.Get(f.Name) == nil {
			continue
		}
		if s.Method != "" {
			l.Out.Add(n.Entry(f.Name).Pos, "leave one of them out", "a sample has one method, and these are %s and %s", s.Method, f.Name)
		}
		s.Method = f.Name
		if r := reflect.ValueOf(m).FieldByIndex(f.Index).FieldByName("Replications"); r.Int() > 0 {
			l.Replications = int(r.Int())
		}
	}
	if s.Method == "" && l.Out.Count == before {
		l.Out.Add(n.Pos, "write sample: {morris: {trajectories: 10}, over: {...}}", "the sample has no method; there are %s",
			strings.Join(info.Names(), ", "))
	}
	var knobs []*knob
	for _, e := range l.Out.Mapping(n.Get(OverKey), "sample.over") {
		if e.Value.IsNull() {
			continue // taken from a parent's
		}
		for _, b := range withBlocks(root) {
			if axis := b.Get("axes").Entry(e.Key); axis != nil {
				l.Out.Add(axis.Pos, "leave it out of one of them", "%s is an axis, and a knob of the sample too", e.Key)
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
		for _, key := range n.Get(OverKey).Keys() {
			l.Broken[key] = true
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
	case alone:
		s.Design = design.OneAtATime(of, m.OneAtATime.Levels)
	default:
		s.Design = design.LatinHypercube(of, m.LatinHypercube.Points, seed)
	}
	return s.axes(root, e.Pos, knobs), s
}

func (l *Layout) countable(n *text.Node, m Methods, method string, knobs int) {
	add := func(key, hint, format string, args ...any) {
		l.Out.Add(n.Place(method+"."+key), hint, format, args...)
	}
	// The points are each times what key counts, and some.
	key, count, each, more := "points", m.LatinHypercube.Points, 1, 0
	switch method {
	case alone:
		key, count, each, more = "levels", m.OneAtATime.Levels, knobs, 1
	case "morris":
		key, count, each = "trajectories", m.Morris.Trajectories, knobs+1
		if m.Morris.Levels%2 != 0 {
			add("levels", "use "+strconv.Itoa(m.Morris.Levels+1), "%d levels are an odd number, and a step must span half of them", m.Morris.Levels)
		}
	case "sobol":
		count, each = m.Sobol.Points, m.Sobol.Scrambles*(knobs+2)
		if p := m.Sobol.Points; p&(p-1) != 0 {
			up := 1 << bits.Len(uint(p))
			add("points", "use "+strconv.Itoa(up/2)+" or "+strconv.Itoa(up), "%d points are no power of 2, and only powers of 2 of a Sobol' "+
				"sequence are even", p)
		}
		if l.Replications < 2 {
			add("replications", "use 2 or more", "with one replication the indices would take noise for effects of the knobs")
		}
		if knobs > design.MaxSobol {
			l.Out.Add(n.Get(OverKey).Pos, "leave out the knobs that matter least by the method of Morris", "%d knobs, more than %d", knobs,
				design.MaxSobol)
		}
	}
	if knobs == 0 {
		l.Out.Add(n.Pos, "write over: {PATH: {from: 0, to: 1}}", "the sample varies nothing")
	}
	if points := float64(count)*float64(each) + float64(more); points > float64(l.maxAxis) {
		most := (l.maxAxis - more) / each
		if method == "sobol" && most > 0 {
			most = 1 << (bits.Len(uint(most)) - 1)
		}
		hint := "use fewer knobs"
		if most >= 2 {
			hint = fmt.Sprintf("lower %s from %d to %d or less", key, count, most)
		} else if method == "sobol" {
			hint = "use fewer scrambles or knobs"
		}
		add(key, hint, "the sample has %.0f points, more than %d", points, l.maxAxis)
	}
}

// axes adds an axis for each knob, all zipped, with the rows of the design that are not alike.
func (s *Sample) axes(root *text.Node, at text.Position, knobs []*knob) *text.Node {
	lists, group := make([]*text.Node, len(knobs)), text.NewList(at)
	for i, k := range knobs {
		lists[i] = text.NewList(k.entry.Value.Pos)
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
		root = root.With("zip", at, text.NewList(at, append(slices.Clip(root.Get("zip").All()), group)...))
	}
	return root
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
	for _, e := range root.Get(SampleKey).Get(OverKey).Pairs() {
		if e.Value.Shape == text.List && root.Get("axes").Get(e.Key) == nil {
			root = root.With("axes", e.Pos, root.Get("axes").With(e.Key, e.Pos, e.Value))
		}
	}
	return root
}
