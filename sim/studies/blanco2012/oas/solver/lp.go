package solver

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Form is a way to write a problem as an integer linear program.
type Form string

// The forms. Both have a binary variable for each job, mode and first slot.
const (
	// UsedSlots has a binary variable for each slot that says whether it is used;
	// nodes and links are those of used slots, and their number is the objective.
	// Its relaxation is the stronger one.
	UsedSlots Form = "used-slots"
	// LastSlot has one variable, the makespan, which is at least each job's end.
	LastSlot Form = "last-slot"
)

// LP is the problem in the LP format that CPLEX has made common, with names and
// comments for people. The horizon is a number of slots that suffices.
func (p *Problem) LP(form Form, horizon int) []byte {
	w := &lpWriter{p: p, horizon: horizon}
	w.line("\\ Ordering and allocation of %d jobs in at most %d slots of %g s.", len(p.Jobs), horizon, p.Slot)
	w.line("\\ start_J_on_A.B.C_at_T is 1 if job J starts in slot T with A, B, C tasks on the clusters;")
	w.line("\\ loads of links are shares of what they carry")
	for k := range p.Clusters {
		c := &p.Clusters[k]
		w.line("\\   %d: %s, %d nodes of power %g, link %g", k+1, c.Name, c.Nodes, c.Power, c.Link)
	}
	for i := range p.Jobs {
		j := &p.Jobs[i]
		w.line("\\ job %d: %d tasks, base time %g s, sigma %g, bandwidth %g a task", j.ID, j.Tasks, j.Base, j.Sigma, j.Bandwidth)
		w.modes = append(w.modes, p.Modes(j))
	}
	w.line("Minimize")
	if form == LastSlot {
		w.line(" slots: makespan")
	} else {
		w.line("\\ used_T is 1 if a job occupies slot T")
		w.sum(" slots", "", w.each(func(t int) term { return term{1, used(t)} }))
	}
	w.line("Subject To")
	w.starts(form)
	for t := range horizon {
		w.capacities(form, t)
	}
	if form == UsedSlots {
		w.line("\\ slots are used from the first on")
		for t := 1; t < horizon; t++ {
			w.line(" follows_%d: %s - %s >= 0", t, used(t-1), used(t))
		}
	}
	w.line("Binaries")
	for i := range p.Jobs {
		for _, v := range w.variables(i) {
			w.line(" %s", v.name)
		}
	}
	if form == UsedSlots {
		for t := range horizon {
			w.line(" %s", used(t))
		}
	}
	w.line("End")
	return w.b.Bytes()
}

type lpWriter struct {
	b       bytes.Buffer
	p       *Problem
	horizon int
	modes   [][]Mode
}

// term is a coefficient and a variable.
type term struct {
	factor float64
	name   string
}

// variable is the start of a job in a mode and slot.
type variable struct {
	name string
	at   Placed
}

func used(t int) string { return "used_" + strconv.Itoa(t) }

// variables are those of the job in position i.
func (w *lpWriter) variables(i int) []variable {
	var vs []variable
	for _, m := range w.modes[i] {
		counts := strings.ReplaceAll(m.String(), "+", ".")
		for t := 0; t+m.Slots <= w.horizon; t++ {
			vs = append(vs, variable{fmt.Sprintf("start_%d_on_%s_at_%d", i+1, counts, t), Placed{t, m}})
		}
	}
	return vs
}

func (w *lpWriter) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

// sum writes a named sum and how it is bounded, some terms a line: readers have
// limits to the length of one.
func (w *lpWriter) sum(name, bound string, terms []term) {
	if len(terms) == 0 {
		terms = []term{{0, "nothing"}} // readers want a variable
	}
	fmt.Fprintf(&w.b, "%s:", name)
	for i, t := range terms {
		if i > 0 && i%5 == 0 {
			w.b.WriteString("\n   ")
		}
		sign := '+'
		if math.Signbit(t.factor) { // of -0 too: glpsol reads no + -0
			sign, t.factor = '-', -t.factor
		}
		fmt.Fprintf(&w.b, " %c ", sign)
		if t.factor != 1 {
			fmt.Fprintf(&w.b, "%s ", strconv.FormatFloat(t.factor, 'g', -1, 64))
		}
		w.b.WriteString(t.name)
	}
	w.line("%s", bound)
}

func (w *lpWriter) each(f func(t int) term) []term {
	var ts []term
	for t := range w.horizon {
		ts = append(ts, f(t))
	}
	return ts
}

func (w *lpWriter) starts(form Form) {
	for i := range w.p.Jobs {
		var once, end []term
		for _, v := range w.variables(i) {
			once = append(once, term{1, v.name})
			end = append(end, term{-float64(v.at.Start + v.at.Slots), v.name})
		}
		w.sum(fmt.Sprintf(" once_%d", i+1), " = 1", once)
		if form == LastSlot {
			w.sum(fmt.Sprintf(" end_%d", i+1), " >= 0", append([]term{{1, "makespan"}}, end...))
		}
	}
}

func (w *lpWriter) capacities(form Form, t int) {
	for k := range w.p.Clusters {
		c := &w.p.Clusters[k]
		var nodes, load []term
		for i := range w.p.Jobs {
			for _, v := range w.variables(i) {
				if v.at.Start > t || t >= v.at.Start+v.at.Slots {
					continue
				}
				if n := v.at.Counts[k]; n > 0 {
					nodes = append(nodes, term{float64(n), v.name})
				}
				if l := v.at.Load[k]; l > 0 {
					load = append(load, term{l / c.Link, v.name})
				}
			}
		}
		free, carries := float64(c.Nodes), 1.
		for i := range w.p.Held {
			if h := &w.p.Held[i]; t < h.Slots {
				free, carries = free-float64(h.Counts[k]), carries-h.Load[k]/c.Link
			}
		}
		w.bounded(form, fmt.Sprintf(" nodes_%d_in_%d", k+1, t), t, free, nodes)
		if !math.IsInf(c.Link, 1) {
			w.bounded(form, fmt.Sprintf(" link_%d_in_%d", k+1, t), t, carries+tolerance/2, load)
		}
	}
}

// bounded writes that a sum in slot t is at most what there is, of a used slot.
func (w *lpWriter) bounded(form Form, name string, t int, most float64, terms []term) {
	most = max(most, 0)
	sum := 0.0
	for _, x := range terms {
		sum += x.factor
	}
	if len(terms) == 0 || form == LastSlot && sum <= most {
		return
	}
	if form == LastSlot {
		w.sum(name, " <= "+strconv.FormatFloat(most, 'g', -1, 64), terms)
		return
	}
	w.sum(name, " <= 0", append(terms, term{-most, used(t)}))
}

// planOf makes a plan of the variables that a solver says are 1.
func (p *Problem) planOf(values map[string]float64, horizon int) (Plan, error) {
	w := &lpWriter{p: p, horizon: horizon}
	plan := make(Plan, len(p.Jobs))
	for i := range p.Jobs {
		w.modes = append(w.modes, p.Modes(&p.Jobs[i]))
		set := slices.DeleteFunc(w.variables(i), func(v variable) bool { return values[v.name] < .5 })
		if len(set) != 1 {
			return nil, fmt.Errorf("it starts job %d %d times", p.Jobs[i].ID, len(set))
		}
		plan[i] = set[0].at
	}
	if err := p.Check(plan); err != nil {
		return nil, err
	}
	return plan, nil
}
