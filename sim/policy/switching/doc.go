// Package switching changes the policy in the middle of a run.
package switching
