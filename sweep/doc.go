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
//
// Steps are computed in decimal and rounded once, so that three steps of 0.1 are
// 0.3; values of a logspace are rounded to 12 digits. A path may not lead into a
// list: vary the list as a whole.
//
// zip: pairs axes of equal length, blocks: joins sub-sweeps that each lay their
// own sections over the base and add to its axes, exclude: cuts points, and
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
//	    axes: {policy.placement: [basic, local]}
//
// Points with the same parameters are one: repeats, also between blocks, are
// dropped. The columns of a plan are the axes of all blocks; where a path is no
// axis the column holds the resolved value, and null where the instance's kind
// has no such field.
//
// A section's fields are those of its kind. A field of another kind may stand in
// the base when the manifest chooses that kind somewhere; it is ignored, and not
// hashed, where it does not apply.
//
// extends: names one parent. Maps are joined key by key, lists and axes are
// replaced, and a null takes the parent's key away.
//
// # Parameter structs
//
// Fields of type float64, int, int64, uint64, bool, string, [2]float64 (a range),
// []float64, []string, struct and []struct carry the tags sweep (the name, "-"
// to skip), doc, unit (s, B, B/s, flop, flop/s), min, max, above, below (the last
// two exclusive), enum ("a|b"), required ("true"), file ("input": the content's
// hash stands for the path in ids), identity ("no": not hashed) and, inside the
// elements of a list, default. A struct whose pointer has the method
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
