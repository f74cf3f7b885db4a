package multifactor

import (
	"math"
	"slices"
)

// Root is the number of the root of a [Tree], which is there from the start.
const Root = 0

// Tree is accounts and their users with shares and usage. The zero value has the root alone.
type Tree struct {
	nodes []node
	users int
	list  [][]sibling // scratch of a walk, by depth
}

// sibling is a node in the list of nodes that are ranked together.
type sibling struct {
	level float64
	node  int32
	user  bool
}

// before reports whether the walk comes to s first: by level from the highest down, and to users before accounts of the same level. Equal
// ones may come in any order, because they share a rank or are walked as one.
func (s *sibling) before(o *sibling) bool {
	return s.level > o.level || s.level == o.level && s.user && !o.user
}

// node is an account or a user.
type node struct {
	parent int
	user   bool
	shares float64
	among  float64 // shares of all below
	usage  float64 // of the node and all below it, decayed
	factor float64 // of a user: 1 before the first rank
	below  []int32 // in the order of the last walk, which is nearly that of the next
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
	t.nodes = append(t.nodes, node{parent: parent, user: user, shares: shares, factor: 1})
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
	w.visit(0, Root, false)
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
	w.tree.list[depth] = w.tree.list[depth][:0]
	w.add(depth, siblings)
}

// add adds siblings to the list at a depth.
func (w *walk) add(depth int, siblings []int32) {
	list := &w.tree.list[depth]
	for _, i := range siblings {
		*list = append(*list, sibling{w.tree.levelOf(i), i, w.tree.nodes[i].user})
	}
}

// sort sorts siblings. It takes hardly longer than to read them where few have moved.
func sort(s []sibling) {
	moves := 0
	for i := 1; i < len(s); i++ {
		x, k := s[i], i
		for ; k > 0 && x.before(&s[k-1]); k-- {
			s[k] = s[k-1]
		}
		s[k] = x
		if moves += i - k; moves > 8*len(s) {
			slices.SortFunc(s, func(a, b sibling) int {
				switch {
				case a.before(&b):
					return -1
				case b.before(&a):
					return 1
				}
				return 0
			})
			return
		}
	}
}

// visit ranks the siblings in the list of this depth, which are below an account, or below several for -1. Tied says that the first
// shares the last rank.
func (w *walk) visit(depth, of int, tied bool) {
	t := w.tree
	siblings := t.list[depth]
	sort(siblings)
	if of >= 0 {
		for k := range siblings {
			t.nodes[of].below[k] = siblings[k].node
		}
	}
	for k := 0; k < len(siblings); k++ {
		level, of := siblings[k].level, int(siblings[k].node)
		n := &t.nodes[of]
		tied = k == 0 && tied || k > 0 && level == siblings[k-1].level
		if n.user {
			if !tied {
				w.rank = w.next
			}
			n.factor = float64(w.rank) / float64(t.users)
			w.next--
			continue
		}
		w.fill(depth+1, n.below)
		for k+1 < len(siblings) && siblings[k+1].level == level {
			k++
			w.add(depth+1, t.nodes[siblings[k].node].below)
			of = -1
		}
		w.visit(depth+1, of, tied)
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
