package figure

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// gallery holds figures of every kind that a study may ask for, the awkward ones included.
func gallery() []*Figure {
	return []*Figure{
		dutot(), one(), longLabels(), logAxes(), single(), twelve(), negative(), emptyGroup(), tiny(), farAway(), categories(), slanted(),
		references(), ownRanges(), nothing(), hugeBand(), wideTicks(), spread(), shares(), heat(), bars(), jobShares(), tradeoff(), meanRanks(),
		parallel(),
	}
}

func dutot() *Figure {
	r := rand.New(rand.NewPCG(1, 2))
	f := &Figure{ID: "dutot", Title: "Makespan against the communication factor, homogeneous platform", X: Axis{Label: "Communication factor"},
		Y: Axis{Label: "Makespan", Unit: "s"}, Series: []string{"all"}}
	for k, name := range []string{"basic", "best-effort contiguous", "best-effort local", "contiguous", "local"} {
		slope := []float64{9e-5, 6e-5, 4e-5, 3e-5, 2e-5}[k]
		l := &Cloud{}
		for range 20 {
			base := 9e4 + 5e3*r.NormFloat64()
			for i := range 40 {
				x := float64(i) * 1e7
				l.At = append(l.At, Point{x, base + slope*x*(1+0.2*r.NormFloat64()) + 1500*r.NormFloat64()})
			}
		}
		trend := &Trend{At: []Point{{0, 9e4}, {3.9e8, 9e4 + slope*3.9e8}}}
		band := &Band{Name: "trend band", Spans: []Span{{0, 8.9e4, 9.1e4}, {2e8, 8.95e4 + slope*2e8, 9.05e4 + slope*2e8},
			{3.9e8, 8.9e4 + slope*3.9e8, 9.1e4 + slope*3.9e8}}}
		f.Panels = append(f.Panels, Panel{Title: name, Marks: []Mark{l, band, trend}, Notes: []Note{{-1, fmt.Sprintf("slope %.2f h per 10⁸, "+
			"R² = 0.%d", slope*1e8/3600, 97-k)}}})
	}
	return f
}

func one() *Figure {
	f := &Figure{ID: "one", Title: "Turnaround against bisection bandwidth", X: Axis{Label: "Bisection bandwidth", Unit: "B/s"},
		Y: Axis{Label: "Mean turnaround", Unit: "s"}, Series: []string{"co-allocation, dynamic", "co-allocation, fixed"}}
	a, b, bandA, bandB := &Line{}, &Line{Series: 1}, &Band{}, &Band{Series: 1}
	for i := 1; i <= 12; i++ {
		x := float64(i) * 1e7
		y := 300 + 3e9/x
		a.At = append(a.At, Point{x, y})
		bandA.Spans = append(bandA.Spans, Span{x, y * 0.95, y * 1.05})
		b.At = append(b.At, Point{x, y * 0.8})
		bandB.Spans = append(bandB.Spans, Span{x, y * 0.77, y * 0.83})
	}
	f.Panels = []Panel{{Marks: []Mark{a, bandA, b, bandB}}}
	return f
}

func longLabels() *Figure {
	f := one()
	f.ID = "long-labels"
	f.Title = "A very long title that explains at length what the figure shows, under which policy, on which platform, for how many " +
		"replications, and why"
	f.Series = []string{"co-allocation with the dynamic bandwidth model and a conservative queue in arrival order",
		"co-allocation with the fixed penalty model, the penalty measured beforehand under the dynamic one, same queue"}
	f.X.Label = "Bisection bandwidth that the central switch offers to any two halves of the machine, counted once for each direction of " +
		"its links"
	f.Y.Label = "Mean turnaround time of all jobs that ended within the measured part of the run"
	p := f.Panels[0]
	p.Title = "platform = griffon-8x16-heterogeneous-high, ordering = o3, replications = 20"
	f.Panels = []Panel{p, p}
	return f
}

func logAxes() *Figure {
	f := &Figure{ID: "log", Title: "Both axes logarithmic", X: Axis{Label: "Slots", Log: true},
		Y: Axis{Label: "Solver time", Unit: "s", Log: true}, Series: []string{"builtin", "cbc", "glpk"}}
	r := rand.New(rand.NewPCG(3, 2))
	for range 2 {
		var p Panel
		for s := range 3 {
			cloud, line, band := &Cloud{Series: s}, &Line{Series: s}, &Band{Series: s}
			for i := range 12 {
				x := 3 * math.Pow(1.6, float64(i))
				y := 1e-4 * math.Pow(x, 1.5+0.3*float64(s))
				for range 5 {
					cloud.At = append(cloud.At, Point{x, y * math.Exp(0.5*r.NormFloat64())})
				}
				line.At = append(line.At, Point{x, y})
				band.Spans = append(band.Spans, Span{x, y * 0.7, y * 1.5})
			}
			p.Marks = append(p.Marks, cloud, line, band)
		}
		p.Title = fmt.Sprint("panel ", len(f.Panels))
		f.Panels = append(f.Panels, p)
	}
	return f
}

func single() *Figure {
	return &Figure{ID: "single", X: Axis{Label: "Load"}, Y: Axis{Label: "Wait", Unit: "s"},
		Panels: []Panel{{Marks: []Mark{&Cloud{At: []Point{{0.7, 1234}}}}}}}
}

func twelve() *Figure {
	f := &Figure{ID: "twelve", Title: "Twelve series", X: Axis{Label: "Load"}, Y: Axis{Label: "Bounded slowdown"}}
	var p Panel
	for s := range 12 {
		f.Series = append(f.Series, fmt.Sprintf("policy-%d", s))
		l := &Line{Series: s}
		for i := range 10 {
			x := 0.5 + 0.05*float64(i)
			l.At = append(l.At, Point{x, (1 + float64(s)) / (1.05 - x)})
		}
		p.Marks = append(p.Marks, l)
		p.Notes = append(p.Notes, Note{s, fmt.Sprintf("slope %.3g, R² = 0.9%d", float64(s)*1.3, s%10)})
	}
	f.Panels = []Panel{p}
	return f
}

func negative() *Figure {
	f := &Figure{ID: "negative", X: Axis{Label: "Step"}, Y: Axis{Label: "Gain", Unit: "%"}, Series: []string{"a", "b"}}
	a, b, band := &Line{}, &Line{Series: 1}, &Band{Series: 1}
	for i := -5; i <= 5; i++ {
		x := float64(i)
		a.At = append(a.At, Point{x, x*x - 12})
		b.At = append(b.At, Point{x, -3 * x})
		band.Spans = append(band.Spans, Span{x, -3*x - 2, -3*x + 2})
	}
	f.Panels = []Panel{{Marks: []Mark{a, b, band}}}
	return f
}

func emptyGroup() *Figure {
	f := dutot()
	f.ID = "empty-group"
	f.Panels[1].Marks = []Mark{&Cloud{At: []Point{{math.NaN(), 1}}}}
	f.Panels[1].Notes = nil
	return f
}

func tiny() *Figure {
	f := &Figure{ID: "tiny", X: Axis{Label: "Latency", Unit: "s"}, Y: Axis{Label: "Error"}}
	l := &Cloud{}
	for i := range 20 {
		l.At = append(l.At, Point{1e-6 * float64(i), 1e-14 * float64(i*i)})
	}
	f.Panels = []Panel{{Marks: []Mark{l}}}
	return f
}

func farAway() *Figure {
	f := &Figure{ID: "far-away", X: Axis{Label: "Jobs"}, Y: Axis{Label: "Makespan", Unit: "s"}}
	l := &Cloud{}
	for i := range 20 {
		l.At = append(l.At, Point{1e18 * float64(i), 1e9 + 0.1*float64(i)})
	}
	f.Panels = []Panel{{Marks: []Mark{l}}}
	return f
}

func categories() *Figure {
	r := rand.New(rand.NewPCG(7, 2))
	f := &Figure{ID: "categories", Title: "Response by policy",
		X: Axis{Label: "Policy", Categories: []string{"FCFS", "Pri", "PriCo", "PriCoB"}}, Y: Axis{Label: "Mean response time", Unit: "s"},
		Series: []string{"two jobs", "three jobs"}}
	for _, name := range []string{"case 1", "case 2"} {
		p := Panel{Title: name}
		for s := range 2 {
			cloud, line, whiskers := &Cloud{Series: s}, &Line{Series: s}, &Whiskers{Series: s}
			for c := range 4 {
				y := 2700 - 350*float64(c) - 200*float64(s)
				for range 200 {
					cloud.At = append(cloud.At, Point{float64(c), y + 150*r.NormFloat64()})
				}
				line.At = append(line.At, Point{float64(c), y})
				whiskers.Spans = append(whiskers.Spans, Span{float64(c), y - 120, y + 120})
			}
			p.Marks = append(p.Marks, cloud, line, whiskers)
		}
		p.Marks = append(p.Marks, &Reference{Y: 1500, Label: "published: 25 min"})
		f.Panels = append(f.Panels, p)
	}
	return f
}

// spread has boxes, some with points, with published values beside them.
func spread() *Figure {
	f := categories()
	f.ID = "spread"
	for i := range f.Panels {
		var marks []Mark
		for s := range 2 {
			cloud, boxes, published := mark[*Cloud](f.Panels[i], s), &Boxes{Series: s}, &Published{Series: s}
			for c := range 4 {
				y := 2700 - 350*float64(c) - 200*float64(s)
				boxes.Boxes = append(boxes.Boxes, Box{float64(c), y - 400, y - 100, y + 10, y + 120, y + 390, []float64{y - 700, y + 600}})
				published.At = append(published.At, Point{float64(c), 2500 - 300*float64(c)})
			}
			if marks = append(marks, boxes, published); i == 0 && s == 0 {
				marks = append(marks, cloud)
			}
		}
		f.Panels[i].Marks = marks
	}
	return f
}

func shares() *Figure {
	f := &Figure{ID: "shares", X: Axis{Label: "Mean response time", Unit: "s"}, Y: Axis{Label: "Share of replications", Zero: true},
		Series: []string{"FCFS", "PriCoB"}}
	var p Panel
	for s := range 2 {
		steps := &Steps{Series: s}
		for i := range 20 {
			steps.At = append(steps.At, Point{2700 - 900*float64(s) + 20*float64(i), float64(i+1) / 20})
		}
		p.Marks = append(p.Marks, steps, &Published{s, []Point{{2750 - 1200*float64(s), math.NaN()}}})
	}
	f.Panels = []Panel{p}
	return f
}

// tradeoff has a Pareto front with intervals in both directions, one of them without an end and one without any.
func tradeoff() *Figure {
	f := &Figure{ID: "tradeoff", X: Axis{Label: "Mean wait", Unit: "s"}, Y: Axis{Label: "Utilisation"},
		Series: []string{"EASY", "FCFS", "conservative", "OAS"}}
	for i, name := range []string{"load = 0.5", "load = 0.9"} {
		p := Panel{Title: name}
		for s, at := range []Point{{4000, .7}, {9000, .5}, {5200, .69}, {6500, .8}} {
			k := Cross{Point: at, XLow: at.X * .8, XHigh: at.X * 1.3, YLow: at.Y - .04, YHigh: at.Y + .05,
				Fill: []Fill{Solid, Hollow, Pale, Solid}[s]}
			if i == 1 && s == 3 {
				k.XHigh, k.YLow, k.YHigh = math.Inf(1), math.Inf(-1), math.Inf(1)
			}
			p.Marks = append(p.Marks, &Crosses{Series: s, At: []Cross{k}})
		}
		p.Marks = append(p.Marks, &Front{[]Point{{4000, math.Inf(-1)}, {4000, .7}, {6500, .7}, {6500, .8}, {math.Inf(1), .8}}})
		f.Panels = append(f.Panels, p)
	}
	return f
}

// meanRanks has diagrams of many names, of two that have one rank, and of none.
func meanRanks() *Figure {
	many := &Ranks{Joined: [][2]int{{0, 3}, {2, 5}, {5, 8}, {9, 10}}, Difference: 3.38}
	for i := range 11 {
		many.Names, many.Ranks = append(many.Names, fmt.Sprintf("policy-%d", i)), append(many.Ranks, 1.4+0.92*float64(i))
	}
	many.Names[1] = "a name that goes on for ever and a day and then some"
	two := &Ranks{Names: []string{"EASY", "FCFS"}, Ranks: []float64{1.5, 1.5}, Joined: [][2]int{{0, 1}}, Difference: math.NaN()}
	return &Figure{ID: "mean-ranks", Bare: true, Columns: 1, X: Axis{Label: "Mean rank"}, Panels: []Panel{
		{Title: "eleven", Marks: []Mark{many}, Notes: []Note{{-1, "Friedman's test: p < 0.0001"}}}, {Title: "two", Marks: []Mark{two}},
		{Title: "none"},
	}}
}

// heat has cells of all colours, some without one, and one whose 0 has no logarithm.
func heat() *Figure {
	f := &Figure{ID: "heat", Title: "Mean wait by size and run time", X: Axis{Label: "Processors", Log: true},
		Y: Axis{Label: "Run time", Unit: "s", Log: true}, Colour: &Axis{Label: "Mean wait time", Unit: "s", Log: true}}
	for k := range 2 {
		h := &Heat{}
		for x := range 9 {
			for y := range 12 {
				c := Cell{Left: math.Ldexp(1, x), Right: math.Ldexp(1, x+1), Low: math.Ldexp(1, y), High: math.Ldexp(1, y+1),
					Value: math.Exp(float64(x*(k+1)+y) / 3), Items: 50}
				switch {
				case x+y > 17 || x == 5 && y == 5:
					continue
				case x+y > 15:
					c.Value, c.Items = math.NaN(), 3
				case x+y == 0:
					c.Value = 0
				}
				h.Cells = append(h.Cells, c)
			}
		}
		f.Panels = append(f.Panels, Panel{Title: []string{"easy", "conservative"}[k], Marks: []Mark{h}})
	}
	return f
}

func bars() *Figure {
	f := &Figure{ID: "bars", X: Axis{Label: "Run time", Categories: []string{"1 s–1 min", "1 min–1 h", "1 h–1 d"}},
		Y: Axis{Label: "Wait time", Unit: "s", Zero: true}, Series: []string{"fcfs", "easy"}}
	var p Panel
	for s := range 2 {
		bars, whiskers := &Bars{Series: s}, &Whiskers{Series: s}
		for c := range 3 {
			y := 4000 + 2500*float64(c) - 2000*float64(s)
			bars.At = append(bars.At, Point{float64(c), y})
			whiskers.Spans = append(whiskers.Spans, Span{float64(c), 0.8 * y, 1.3 * y})
		}
		p.Marks = append(p.Marks, bars, whiskers)
	}
	f.Panels = []Panel{p}
	return f
}

// jobShares returns shares of jobs on logarithmic axes, with bands and lines that reach down to 0.
func jobShares() *Figure {
	f := &Figure{ID: "job-shares", X: Axis{Label: "Bounded slowdown", Log: true},
		Y: Axis{Label: "Share of jobs", Log: true, Limits: &[2]float64{1e-4, 1.2}}, Series: []string{"fcfs", "easy"}}
	var p Panel
	for s := range 2 {
		steps, band := &Steps{Series: s, Start: 1, Fall: math.Pow(10, 4.2-float64(s))}, &Band{Series: s}
		for i := range 40 * (4 - s) {
			x := math.Pow(10, float64(i)/40)
			y := 0.5 * math.Pow(x, -0.5-0.4*float64(s))
			steps.At = append(steps.At, Point{x, y})
			band.Spans = append(band.Spans, Span{x, max(0, y-0.02), min(1, 1.5*y)})
		}
		log := &Steps{Series: s, Name: "log itself", Start: 1, At: []Point{{2, 0.4}, {30, 0.02 / float64(s+1)}}, Log: true}
		p.Marks = append(p.Marks, steps, band, log)
	}
	f.Panels = []Panel{p}
	return f
}

func slanted() *Figure {
	f := categories()
	f.ID = "slanted"
	f.X.Categories = []string{"conservative, basic placement", "conservative-best-effort-contiguous", "easy",
		"a name that goes on for ever and a day and then some"}
	return f
}

func references() *Figure {
	f := one()
	f.ID = "references"
	f.Panels[0].Marks = append(f.Panels[0].Marks, &Reference{Y: 450, Label: "MIGRATION_ONLY"},
		&Reference{Y: 520, Label: "NO_SHARING"}, &Reference{Y: 620, Label: "top"})
	return f
}

// ownRanges has panels of their own ranges, marks beyond the range, and a series that is a reference line only.
func ownRanges() *Figure {
	f := &Figure{ID: "own-ranges", Title: "Turnaround against bandwidth", OwnX: true, Columns: 2,
		X: Axis{Label: "Bisection bandwidth", Unit: "B/s"}, Y: Axis{Label: "Turnaround", Unit: "s", Log: true},
		Series: []string{"dynamic", "fixed", "no sharing"}}
	for k, n := range []float64{2, 4, 8} {
		p := Panel{Title: fmt.Sprintf("clusters = %g", n),
			Marks: []Mark{&Reference{Y: 1400, Label: "no sharing"}, &Reference{Y: 350, Label: "migration"},
				&Reference{Y: 310, Label: "lower bound"}}}
		dynamic, fixed := &Line{}, &Line{Series: 1}
		for i := range 8 {
			x := 4e7 * float64(i) / n
			dynamic.At = append(dynamic.At, Point{x, 300 * math.Exp(float64(i)/4)})
			fixed.At = append(fixed.At, Point{x, 280 * math.Exp(float64(i)/5)})
		}
		p.Marks = append(p.Marks, dynamic, fixed)
		if k == 2 {
			p.Marks = append(p.Marks, &Beyond{X: []float64{8 * 4e7 / n}})
			p.Notes = []Note{{-1, "hollow: unstable"}}
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

func nothing() *Figure {
	return &Figure{ID: "nothing", Title: "No rows", X: Axis{Label: "x", Log: true}, Y: Axis{Label: "y"}, Panels: []Panel{{Title: "empty"}}}
}

func wideTicks() *Figure {
	f := &Figure{ID: "wide-ticks", X: Axis{Label: "Jobs"}, Y: Axis{Label: "Share"}, Columns: 4}
	for range 4 {
		l := &Line{}
		for i := range 11 {
			l.At = append(l.At, Point{99900 + 10*float64(i), 0.999 + 1e-5*float64(i)})
		}
		f.Panels = append(f.Panels, Panel{Marks: []Mark{l}})
	}
	return f
}

func hugeBand() *Figure {
	f := one()
	f.ID = "huge-band"
	mark[*Band](f.Panels[0], 0).Spans[3] = Span{4e7, math.Inf(-1), math.Inf(1)}
	mark[*Band](f.Panels[0], 1).Spans[9] = Span{1e8, -1e5, 1e5}
	return f
}

// mark is the first mark of its kind of a series.
func mark[M Mark](p Panel, series int) M {
	for _, m := range p.Marks {
		if k, ok := m.(M); ok && m.look().series == series {
			return k
		}
	}
	panic(fmt.Sprintf("no such mark of series %d", series))
}

// parallel has an axis of names, one of a few numbers, one of many, and a metric with a line that ends before it.
func parallel() *Figure {
	over := &Coordinates{Axes: []Coordinate{
		{Axis: Axis{Label: "Policy", Categories: []string{"easy", "conservative backfilling with a long name", "fcfs"}},
			Levels: []Level{{"easy", 0}, {"conservative backfilling with a long name", 1}, {"fcfs", 2}}},
		{Axis: Axis{Label: "Processors", Categories: []string{"128", "4096"}, Values: []float64{128, 4096}},
			Levels: []Level{{"128", 0}, {"4096", 1}}},
		{Axis: Axis{Label: "Bandwidth", Unit: "B/s"}, Low: 0, High: 4e9, Levels: []Level{{"0", 0}, {"4000000000", 4e9}}},
		{Axis: Axis{Label: "Mean wait time", Unit: "s", Log: true}, Low: 10, High: 9e4},
	}}
	one, two := &Tracks{Over: over}, &Tracks{Series: 1, Over: over}
	for i := range 12 {
		one.Lines = append(one.Lines, []float64{float64(i % 3), float64(i % 2), float64(i) / 11 * 4e9, 10 * math.Pow(9e3, float64(i)/11)})
	}
	two.Lines = [][]float64{{2, 1, 1e9, math.NaN()}, {2, 0, 3e9, 0}, {1, 0, 2e9, 500}}
	return &Figure{ID: "parallel", Title: "Parallel coordinates", Bare: true, Series: []string{"all", "some"},
		X:      Axis{Label: "Axes of the sweep, and mean wait time", Categories: []string{"Policy", "Processors", "Bandwidth", "Mean wait time"}},
		Panels: []Panel{{Marks: []Mark{one, two, &Tracks{Series: -1, Over: over, Lines: [][]float64{{0, 0, 1e9, 80}}}, over}}}}
}
