// Package external starts scheduling modules, talks to them over sockets and ends
// them with all that they have started, also when this program is killed: each has
// a guard, a shell of its own that reads from a pipe which closes then. The policy
// external (package sim/policy/external) says what the messages mean.
package external
