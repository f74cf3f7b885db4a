package multifactor

import (
	"cmp"
	"math"
	"slices"
)

// Root is the number of the root of a [Tree], which is there from the start.
const Root = 0

// Tree is accounts and their users with shares, and what the users have used. The zero value has the root alone.
type Tree struct {
	nodes []node
	users int
	list  [][]int32 // scratch of a walk, by depth
}

// node is an account or a user.
type node struct {
	parent int
	user   bool
	shares float64
	among  float64 // shares of all below
	usage  float64 // of the node and all below it, decayed
	level  float64
	factor float64 // of a user
	below  []int32
}

// Account adds an account below another and returns its number.
func (t *Tree) Account(parent int, shares float64) int { return t.add(parent, shares, false) }

// User adds a user to an account and returns its number. A person with two accounts is two users.
func (t *Tree) User(account int, shares float64) int {
	t.users++
	return t.add(account, shares, true)
}

func (t *Tree) add(parent int, shares float64, user bool) int {
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, node{})
	}
	n := len(t.nodes)
	t.nodes = append(t.nodes, node{parent: parent, user: user, shares: shares})
	above := &t.nodes[parent]
	above.below, above.among = append(above.below, int32(n)), above.among+shares
	return n
}

// Charge adds usage in processor-seconds to a user and to all accounts above.
func (t *Tree) Charge(user int, usage float64) {
	for n := user; ; n = t.nodes[n].parent {
		t.nodes[n].usage += usage
		if n == Root {
			return
		}
	}
}

// Decay multiplies all usage by the factor.
func (t *Tree) Decay(factor float64) {
	for i := range t.nodes {
		t.nodes[i].usage *= factor
	}
}

// Usage is the decayed usage of an account or user in processor-seconds.
func (t *Tree) Usage(n int) float64 { return t.nodes[n].usage }

// Factor is the fair-share factor of a user by the last [Tree.Rank], in (0, 1].
func (t *Tree) Factor(user int) float64 { return t.nodes[user].factor }

// Decay is the factor of usage after a time in seconds: Slurm's approximation of a half-life, with .693 for ln 2. An
// infinite half-life keeps all usage.
func Decay(seconds, halfLife float64) float64 { return math.Pow(1-.693/halfLife, seconds) }

// Rank gives every user its factor, by the fair tree. The level of a node is its share among its siblings divided by its part of
// their usage, infinite where that is 0. A walk visits siblings from the highest level down. A user's factor is its rank, counted
// from the last, divided by the number of users. Users with equal levels share the higher rank; accounts with equal levels are
// walked as one.
func (t *Tree) Rank() {
	if len(t.nodes) == 0 {
		return
	}
	w := walk{tree: t, rank: t.users, next: t.users}
	w.fill(0, t.nodes[Root].below)
	w.visit(0, false)
}

type walk struct {
	tree       *Tree
	rank, next int
}

// fill begins the list of siblings at a depth.
func (w *walk) fill(depth int, siblings []int32) {
	if t := w.tree; depth == len(t.list) {
		t.list = append(t.list, nil)
	}
	w.tree.list[depth] = append(w.tree.list[depth][:0], siblings...)
}

// visit ranks the siblings in the list of this depth. Tied says that the first shares the last rank.
func (w *walk) visit(depth int, tied bool) {
	t := w.tree
	siblings := t.list[depth]
	for _, i := range siblings {
		t.nodes[i].level = t.levelOf(i)
	}
	slices.SortStableFunc(siblings, func(a, b int32) int {
		x, y := &t.nodes[a], &t.nodes[b]
		if x.level == y.level && x.user != y.user { // users come before accounts
			if x.user {
				return -1
			}
			return 1
		}
		return cmp.Compare(y.level, x.level)
	})
	for k := 0; k < len(siblings); k++ {
		n := &t.nodes[siblings[k]]
		tied = k == 0 && tied || k > 0 && n.level == t.nodes[siblings[k-1]].level
		if n.user {
			if !tied {
				w.rank = w.next
			}
			n.factor = float64(w.rank) / float64(t.users)
			w.next--
			continue
		}
		w.fill(depth+1, n.below)
		for k+1 < len(siblings) && t.nodes[siblings[k+1]].level == n.level {
			k++
			t.list[depth+1] = append(t.list[depth+1], t.nodes[siblings[k]].below...)
		}
		w.visit(depth+1, tied)
	}
}

// levelOf is the level of a node among its siblings.
func (t *Tree) levelOf(i int32) float64 {
	n := &t.nodes[i]
	if !(n.shares > 0) {
		return 0
	}
	above := &t.nodes[n.parent]
	return n.shares / above.among / (n.usage / max(above.usage, math.SmallestNonzeroFloat64))
}
