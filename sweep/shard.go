package sweep

import (
	"cmp"
	"container/heap"
	"fmt"
	"math"
	"slices"
)

// CheckShard returns the mistake of a shard number, or nil: shards count from
// 0 to n-1.
func CheckShard(i, n int) error {
	if n < 1 || i < 0 || i >= n {
		return fmt.Errorf("shard %d of %d: want a shard from 0 to %d of at least 1", i, n, max(n-1, 0))
	}
	return nil
}

// Share is the part of a plan that one shard runs, in the order in which it does.
type Share struct {
	first, step, len int
	listed           []int32 // nil for first, first+step, ...
}

func (s Share) Len() int { return s.len }

// At is the k-th position, 0 <= k < Len().
func (s Share) At(k int) int {
	if s.listed != nil {
		return int(s.listed[k])
	}
	return s.first + k*s.step
}

// Deal gives shard i of n its share. The shards 0 to n-1 hold every position once,
// and which, the number of positions, n and costs decide alone.
//
// costs says by position how long the instances will take, in s and at least 0. It is 0 for instances that are done. It
// has Len() values, or is nil where nothing is known. Then the shard has i, i+n, i+2n, ...: its part of every region of
// the sweep, so that cost that grows along an axis spreads evenly. With costs the longest instance goes first, each to
// the shard that has least to do: the last to end has at most 4/3 of what the best division leaves it (Graham 1969). A
// shard begins with its longest instances, those within a factor of 2 in the order of the plan, in which neighbours
// share workloads. It ends with instances that are done.
func (p *Plan) Deal(i, n int, costs []float32) Share {
	s := Share{first: i, step: n}
	if CheckShard(i, n) != nil || i >= p.Len() {
		return s
	}
	n = min(n, p.Len()) // more shards have nothing to do
	s.step = n
	if costs == nil {
		s.len = max(0, (p.Len()-i+n-1)/n)
		return s
	}
	if len(costs) != p.Len() {
		panic(fmt.Sprintf("sweep: %d costs of a plan of %d instances", len(costs), p.Len()))
	}
	var todo []int32
	for at, cost := range costs {
		if cost > 0 {
			todo = append(todo, int32(at))
		}
	}
	s.listed = make([]int32, 0, len(todo)/n+1+(len(costs)-len(todo))/n+1)
	slices.SortStableFunc(todo, func(a, b int32) int { return cmp.Compare(costs[b], costs[a]) })
	queue := make(emptiest, n)
	for k := range queue {
		queue[k].shard = k
	}
	for _, at := range todo {
		if queue[0].shard == i {
			s.listed = append(s.listed, at)
		}
		queue[0].load += float64(costs[at])
		heap.Fix(&queue, 0)
	}
	slices.SortFunc(s.listed, func(a, b int32) int {
		return cmp.Or(cmp.Compare(magnitude(costs[b]), magnitude(costs[a])), cmp.Compare(a, b))
	})
	for at := i; at < len(costs); at += n {
		if !(costs[at] > 0) {
			s.listed = append(s.listed, int32(at))
		}
	}
	s.len = len(s.listed)
	return s
}

func magnitude(cost float32) int {
	_, exponent := math.Frexp(float64(cost))
	return exponent
}

// emptiest is a heap of shards by their work, then by their numbers.
type emptiest []struct {
	load  float64
	shard int
}

func (q emptiest) Len() int { return len(q) }

func (q emptiest) Less(a, b int) bool {
	return cmp.Or(cmp.Compare(q[a].load, q[b].load), cmp.Compare(q[a].shard, q[b].shard)) < 0
}

func (q emptiest) Swap(a, b int) { q[a], q[b] = q[b], q[a] }

// Push and Pop are never called: the shards are n from the beginning.
func (q *emptiest) Push(any) {}
func (q *emptiest) Pop() any { return nil }
