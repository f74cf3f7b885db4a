package sweep

import "fmt"

// CheckShard tells what is wrong with a shard number, or nil: shards count from
// 0 to n-1.
func CheckShard(i, n int) error {
	if n < 1 || i < 0 || i >= n {
		return fmt.Errorf("shard %d of %d: want a shard from 0 to %d of at least 1", i, n, max(n-1, 0))
	}
	return nil
}

// ShardAt returns the k-th position of shard i of n: i + k*n. The shards 0 to n-1
// hold every position once, and each gets its part of every region of the sweep,
// so that cost that grows along an axis spreads evenly over them.
func (p *Plan) ShardAt(i, n, k int) int { return i + k*n }

// ShardLen returns the number of positions in shard i of n.
func (p *Plan) ShardLen(i, n int) int {
	if CheckShard(i, n) != nil || i >= p.Len() {
		return 0
	}
	return (p.Len() - i + n - 1) / n
}
