package lomarc

import (
	"fmt"

	"schedsweep/sim"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name:    "lomarc",
		Doc:     "G-LOMARC-TS: groups of jobs share nodes where that saves most, in the time slices of the policy timeslice",
		Params:  Defaults,
		Metrics: Metrics,
		Version: 2,
		New: func(params any, _ sim.Env) (sim.Policy, error) {
			return New(*params.(*Params)), nil
		},
	})
}

// Params are the parameters of the policy lomarc. The defaults are those of
// table 6 of the paper.
type Params struct {
	timeslice.Slicing
	Variant          string  `sweep:"variant" enum:"glts: full algorithm|ssp: space sharing only|cst: pairs by best match and no space sharing of all cores|cstws: pairs by first match and no space sharing of all cores|fbo: first block only|ns: blocks not sorted|nh: first suitable group, no blocks" doc:"variant of the algorithm"`
	MinGain          float64 `sweep:"min_gain" unit:"share" min:"0" doc:"MIN_UTILGAIN: utilisation gain that a group must achieve"`
	BlockSize        int     `sweep:"block_size" min:"1" doc:"BLOCK_SIZE: candidates per block"`
	MatchedLarger    float64 `sweep:"matched_larger" unit:"share" min:"0" doc:"MATCHED_LARGER: part of the primary's nodes by which those of the matched jobs may exceed them"`
	RunningPrimaries int     `sweep:"running_primaries" min:"0" doc:"RUNNING_PRIM_NUM: running jobs, the least delayed ones, that are tried as primaries"`
	MatchedLonger    float64 `sweep:"matched_longer" unit:"s" min:"0" doc:"MATCHED_LONGER: time by which a matched job may last longer than the primary"`
	LongerBy         string  `sweep:"longer_by" enum:"slowed: with the slowdowns that the two jobs have beside each other|plain: without them, as with one process a node" doc:"remaining run times that must not differ by more than matched_longer"`
	Slack            float64 `sweep:"slack" above:"0" doc:"F_slack: a group may delay others up to this multiple of their estimated response time"`
	GroupPPN         int     `sweep:"group_ppn" min:"1" doc:"processes per node of a waiting job that joins a group; at most half of a node's cores count"`
	Preselect        string  `sweep:"preselect" enum:"cos: the coscheduling slowdown|product: the coscheduling slowdown times the own slowdown" doc:"slowdown of either beside the other that must be within max_sl for two jobs to be matched"`
	Fairness         string  `sweep:"fairness" enum:"outside: groups must not delay waiting jobs outside of them beyond slack|scaled: as outside, with the planned response multiplied by estimate_factor before|off: no check" doc:"check of fairness"`
	// FairnessOrder is the order in which the check of fairness plans waiting jobs
	// anew. With that of submission, ReplanOrder must be the same: a plan in which
	// backfilled jobs keep their position would be judged by one in which they lose
	// it, and many groups refused for delays that they do not cause.
	FairnessOrder string `sweep:"fairness_order" enum:"planned: that of their planned starts, so that backfilled jobs keep their position and only the group delays|submission: that of submission, only with replan_order submission" doc:"order in which the check of fairness plans waiting jobs anew with the group"`
	PairsLowLoad  bool   `sweep:"pairs_low_load" doc:"let cst and cstws, too, start jobs with one process a node while all waiting jobs fit so, as the other variants do"`
	FirstMatch    string `sweep:"first_match" enum:"waiting: waiting jobs|running: running jobs" doc:"jobs that variants cstws and nh try first, and that other variants prefer where gains are equal"`
	FullNodes     string `sweep:"full_nodes" enum:"any: for any job|within-max-sl: only where SL_sno*SL_scr is at most max_sl" doc:"case 5, all cores of a node for one job"`
}

// Defaults are the published parameters.
var Defaults = Params{Slicing: timeslice.DefaultSlicing, Variant: "glts", MinGain: .45, BlockSize: 16, MatchedLarger: .125,
	RunningPrimaries: 8, MatchedLonger: 3000, LongerBy: "slowed", Slack: 1.5, GroupPPN: 2, Preselect: "cos", Fairness: "outside",
	FairnessOrder: "planned", FirstMatch: "waiting", FullNodes: "within-max-sl"}

// Version raises the version of the variant that starts jobs as timeslice does. All variants have slices with jobs of all classes.
func (p *Params) Version() int {
	slicing := p.Slicing
	if p.Variant != "ssp" {
		slicing.Reach = 0
	}
	return slicing.Version()
}

// Needs refuses fields that the variant does not read, and bounds of a check that is off.
func (p *Params) Needs(report func(missing, field, message string)) {
	p.Slicing.Needs(report)
	d, groups, pairs := &Defaults, p.Variant != "ssp", p.Variant == "cst" || p.Variant == "cstws"
	if p.PairsLowLoad && !pairs {
		report("variant", "pairs_low_load", "is for the variants cst and cstws, and the variant is "+p.Variant+"; add variant, or drop it")
	}
	for _, x := range []struct {
		field       string
		given, read bool
	}{
		{"min_gain", p.MinGain != d.MinGain, groups},
		{"block_size", p.BlockSize != d.BlockSize, groups && !pairs && p.Variant != "nh"},
		{"matched_larger", p.MatchedLarger != d.MatchedLarger, groups},
		{"running_primaries", p.RunningPrimaries != d.RunningPrimaries, groups},
		{"matched_longer", p.MatchedLonger != d.MatchedLonger, groups},
		{"longer_by", p.LongerBy != d.LongerBy, groups},
		{"slack", p.Slack != d.Slack, groups},
		{"group_ppn", p.GroupPPN != d.GroupPPN, groups},
		{"preselect", p.Preselect != d.Preselect, groups},
		{"fairness", p.Fairness != d.Fairness, groups},
		{"fairness_order", p.FairnessOrder != d.FairnessOrder, groups},
		{"first_match", p.FirstMatch != d.FirstMatch, groups},
		{"full_nodes", p.FullNodes != d.FullNodes, groups && !pairs},
	} {
		switch bound := x.field == "slack" || x.field == "fairness_order"; {
		case x.given && !x.read:
			report("variant", x.field, "changes nothing with variant "+p.Variant+"; change variant, or drop it")
		case x.given && bound && p.Fairness == "off":
			report("fairness", x.field, "changes nothing with fairness off; change fairness, or drop it")
		}
	}
}

// Validate checks the slices, and that backfilling is the kind that groups need.
func (p *Params) Validate(report func(field, message string)) {
	p.Slicing.Validate(report)
	if p.Backfilling == "easy" && p.Variant != "ssp" {
		report("backfilling", fmt.Sprintf("is easy, which keeps no plan of all jobs, and variant %s weighs delays against one; take "+
			"conservative, or variant ssp", p.Variant))
	}
	if p.FairnessOrder == "submission" && p.ReplanOrder == "planned" && p.Fairness != "off" && p.Variant != "ssp" {
		report("fairness_order", "is submission, which does not go with replan_order planned. A plan in one order is judged by a plan in the "+
			"other, which refuses groups for delays that they do not cause: take planned here, or replan_order submission too")
	}
}
