// Package switching changes the policy in the middle of a run: the kind switch,
// in a manifest also a list of stages in place of the policy.
//
//	policy:
//	  - {from: 0, kind: fcfs}
//	  - {from: 30d, kind: easy, order: sjf}
//
// Policies that suspend jobs, or have limits or a shift, cannot take part. Metrics that only one kind can
// tell, such as migrated_share, are not defined for a run of several policies.
package switching
