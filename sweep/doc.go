// Package sweep turns a manifest into instances: a strict YAML file becomes
// axes, axes become points, points and replications become instances with ids,
// seeds and shards. It is pure: bytes in, values out. It runs nothing, and knows
// what can be swept only from a [Registry] of names and parameter structs.
//
//	manifest -> Load -> Manifest -> Plan -> At(i) -> Instance
//
// # Manifests
//
// The keys are name (required), title, seed (0 unless given), replications (1
// unless given), extends, the registry's sections, axes, zip, blocks, exclude,
// when, metrics, analysis and claims. All others are mistakes, and [Load]
// reports all mistakes of a file at once.
//
// An axis names the path of the field that it varies; the first axis is the
// slowest and replications are the fastest:
//
//	axes:
//	  workload.load_factor: [0.6, 0.8, 1]
//	  workload.communication_factor: {from: 0, step: 1e7, count: 40}
//	  platform.bandwidth: {from: 1Gbps, to: 10Gbps, count: 10}   # both ends
//	  workload.jobs: {logspace: {from: 10, to: 1000, count: 3}}
//	  platform.clusters:                                         # sub-trees have labels
//	    - {label: o1, value: [{name: a}, {name: b}]}
//	    - {label: o2, value: [{name: b}, {name: a}]}
//	  policy:                                                    # replaces the whole section
//	    - {label: easy, value: {kind: easy}}
//	    - {label: local, value: {kind: conservative, placement: local}}
//	  workload.alpha: [{label: W1, value: 10.33}, {label: W2, value: 9.83}]
//
// A plain value may have a label too. It is a name for people: tables and figures
// show it in its place, in the order of the file, and claims, conditions and --set
// take either; rows and ids hold the value, and tables as CSV both. It may not read
// as another value of the axis.
//
// Steps are computed in decimal and rounded once, so that three steps of 0.1 are
// 0.3; values of a logspace are rounded to 12 digits. A path may not lead into a
// list: vary the list as a whole.
//
// zip: pairs axes of equal length, blocks: joins sub-sweeps that each lay their
// own sections over the base and add to its axes, and may have a number of
// replications of their own (the manifest's is for those that do not say, one that
// --set gives for all), exclude: cuts points, and
// when: varies an axis only where other paths have some values, and leaves it at
// its base value elsewhere:
//
//	zip:
//	  - [workload.jobs, workload.alpha]
//	exclude:
//	  - {policy.kind: fcfs, workload.load_factor: [0.8, 1]}   # all must match
//	when:
//	  policy.placement: {policy.kind: [conservative]}
//	blocks:
//	  - policy: {kind: fcfs}
//	  - policy: {kind: conservative}
//	    replications: 40
//	    axes: {policy.placement: [basic, local]}
//
// Points with the same parameters are one: repeats, also between blocks, are
// dropped, and the point has the most replications that a block gives it. The columns of a plan are the axes of all blocks; where a path is no
// axis the column holds the resolved value, and null where the instance's kind
// has no such field.
//
// A section's fields are those of its kind. A field of another kind may stand in
// the base when the manifest chooses that kind somewhere; it is ignored, and not
// hashed, where it does not apply.
//
// A list in place of a section stands for the one kind that takes such a list,
// where the section has one: in policy, stages of which each is a whole section
// and says from when on it holds.
//
//	policy:
//	  - {from: 0, kind: fcfs}
//	  - {from: 30d, kind: easy, order: sjf}
//
// The same is written {kind: switch, stages: [...]}, and stands so in the resolved
// manifest. An axis varies the stages as a whole, through policy or policy.stages.
//
// extends: names one parent. Maps are joined key by key, lists and axes are
// replaced, and a null takes the parent's key away.
//
// # Figures
//
// A figure of analysis: shows all rows, or those that where: chooses in the words of
// claims; an axis of which it leaves one value has no panels and no legend.
//
//	analysis:
//	  figures:
//	    - {id: w1, x: workload.jobs, y: makespan, series: policy,
//	       where: {workload.alpha: W1, workload.jobs: {from: 10, to: 100}}}
//
// # Claims
//
// A claim states what was published and how rows test it: a statistic, and where
// its confidence interval over replications should lie.
//
//	claims:
//	  - id: local-better                # required; source, statement, note and
//	    source: Fig. 1                  # published (number or text) are shown
//	    statement: local placement shortens the makespan
//	    ratio: {metric: makespan, of: {policy.placement: local}, to: {policy.placement: basic}}
//	    below: 1                        # or above, at_least, at_most, between: [a, b],
//	                                    # value with tolerance or relative_tolerance
//	    across: [workload.load_factor]  # at each of its values by itself; for: any
//
// A claim without a bound is reported and not judged. The statistics:
//
//	mean: {metric, of}                          of chooses rows
//	difference: {metric, of, to}                mean(of) - mean(to)
//	ratio: {metric, of, to}                     mean(of) / mean(to)
//	improvement: {metric, of, to}               100 (1 - mean(of) / mean(to))
//	slope: {metric, x, of}                      least squares over all rows; with
//	                                            to the difference, or as: ratio
//	spread: {metric, x, of}                     standard deviation around that line;
//	                                            with to the ratio, or as: difference
//	crossing: {metric, x, of, to}               x at which the means cross; where x is a
//	                                            metric, by names the axis of the points;
//	                                            pick: first or last of several;
//	                                            scale: log for lines of logarithms
//	share: {metric, is, of, to}                 share of instances that are lower (or
//	                                            higher) than all their partners;
//	                                            or_equal: true, equal_within: 1e-9
//	percentile: {metric, at, of}                percent of rows below a published value
//	order: {metric, axis, values, is}           ascending or descending means; or_equal
//	extreme: {metric, axis, value, is}          largest or smallest of all; or_equal
//
// The last two say themselves what is expected. difference, ratio and improvement
// also take a list of two statistics, such as two ratios.
//
// of and to are maps from axes to a value, a list of values, null, or a range
// {from: low, to: high}; where, beside them, restricts both. Axes that are not
// named are pooled. run: NAME, in a side or beside both, takes the rows of another
// manifest's run; paired: true, in the claim, compares its replications with those
// of equal number here, those that all points of the claim have. Otherwise, where
// blocks have numbers of replications of their own, all are used and each point
// weighs the same. Where instances failed or have no finite metric nothing can
// be told, unless incomplete: drop, in the claim, leaves their replications out.
//
// # Parameter structs
//
// Fields of type float64, int, int64, uint64, bool, string, [2]float64 (a range),
// []float64, []string, struct and []struct carry the tags sweep (the name, "-"
// to skip), doc, unit (s, B, B/s, flop, flop/s), min, max, above, below (the last
// two exclusive), enum ("a|b"), required ("true"), file ("input": the content's
// hash stands for the path in ids), identity ("no": not hashed) and, inside the
// elements of a list, default. An element of a list may hold a section: a field
// of type struct{ Kind string; Params any } with the tag section:"policy" and no
// other takes the element's key kind and the fields of that kind, which stand
// beside the element's own; kinds that have such lists cannot be chosen there. A
// struct whose pointer has the method
// Validate(report func(field, message string)) checks rules between its fields.
//
// # Identity
//
// An instance's id is SHA-256 over the registry's version, the master seed, the
// replication and the hash of every section; a section's hash is over its kind
// and all its decoded fields, defaults included. Names, labels, titles, metrics,
// analysis, claims, paths and the order of axes are not in it. See
// [Resolved.Canonical].
package sweep
