package lomarc

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/coscheduling"
	"schedsweep/sim/studies/zeng2009/slicetest"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// nobody asks, after each pass, to whom a group that takes no nodes is unfair.
type nobody struct {
	*Policy
	asked  *int
	wrongs func(now float64, j *timeslice.Job)
}

func (n nobody) Pass(s *sim.State) {
	n.Policy.Pass(s)
	now := s.Now()
	for c := timeslice.Medium; c <= timeslice.Long; c++ {
		v := n.VM(c)
		t := v.Now(now)
		v.Tidy(t)
		n.survey(v, t)
		n.held = n.held[:0]
		*n.asked += len(v.Waiting)
		if j := n.wronged(&group{primary: member{job: &timeslice.Job{}}}, now, t); j != nil {
			n.wrongs(now, j)
		}
	}
}

// TestOnlyTheGroupDelays: in the order of planned starts, a group that takes nothing is unfair to no job. So each refusal is due
// to the nodes that a group takes. In the order of submission, jobs are wronged without any group. That must occur, or the
// queues show nothing.
func TestOnlyTheGroupDelays(t *testing.T) {
	for _, order := range []string{"planned", "submission"} {
		asked, wronged := 0, 0
		rapid.Check(t, func(t *rapid.T) {
			params, jobs := drawQueue(t, []int{5, 20, 40, 80})
			params.FairnessOrder, params.ReplanOrder = order, order
			var e sim.Engine
			policy := nobody{New(params), &asked, func(now float64, j *timeslice.Job) {
				if wronged++; order == "planned" {
					t.Fatalf("at %g s a group of nobody is unfair to job %d", now, j.ID())
				}
			}}
			_, err := e.Run(context.Background(), sim.Config{Platform: slicetest.Machine(t, 9, 4), Policy: policy,
				Progress: coscheduling.New(coscheduling.Params{}), Source: simtest.Source(jobs), MaxEvents: 100000})
			if err != nil {
				t.Fatal(err)
			}
		})
		t.Logf("%s: %d waiting jobs asked, %d times one wronged by nobody", order, asked, wronged)
		if asked == 0 || order == "submission" && wronged == 0 && !testing.Short() { // in few queues it may not occur
			t.Errorf("%s: nothing was shown", order)
		}
	}
}

// TestOrdersTogether: a plan that is made anew in the order of planned starts is
// not judged by one in the order of submission, where anything is judged.
func TestOrdersTogether(t *testing.T) {
	for _, c := range []struct {
		replan, fairness, check, variant string
		refused                          bool
	}{
		{"planned", "planned", "outside", "glts", false},
		{"submission", "planned", "outside", "glts", false},
		{"submission", "submission", "scaled", "cst", false},
		{"planned", "submission", "outside", "glts", true},
		{"planned", "submission", "scaled", "cst", true},
		{"planned", "submission", "off", "glts", false},
		{"planned", "submission", "outside", "ssp", false},
	} {
		p := Defaults
		p.ReplanOrder, p.FairnessOrder, p.Fairness, p.Variant = c.replan, c.fairness, c.check, c.variant
		field := ""
		p.Validate(func(f, _ string) { field = f })
		if (field == "fairness_order") != c.refused {
			t.Errorf("%+v: refused is %q", c, field)
		}
	}
}
