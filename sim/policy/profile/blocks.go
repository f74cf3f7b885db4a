package profile

import "slices"

// blockSize is the largest number of pieces of a block: half of them, on the average, move when one
// is put in, and each block takes a step of a search.
const blockSize = 64

// spot is piece i of block h.
type spot struct{ h, i int }

type head struct {
	at    float64 // where the block's first piece begins
	block int32
}

type block struct {
	n    int
	at   [blockSize]float64
	free [blockSize]int32
}

func (p *Profile) block(h int) *block { return &p.blocks[p.heads[h].block] }

// find is the piece that holds t, the first one for times before.
func (p *Profile) find(t float64) (h, i int) {
	for n := len(p.heads); n > 1; {
		half := n >> 1
		if p.heads[h+half].at <= t {
			h += half
		}
		n -= half
	}
	return h, p.block(h).find(t)
}

// findNear is find for a time not much later than block h began, before the last
// change: what lies between is passed over block by block.
func (p *Profile) findNear(h int, t float64) spot {
	h = min(h, len(p.heads)-1)
	for h > 0 && p.heads[h].at > t {
		h--
	}
	for h+1 < len(p.heads) && p.heads[h+1].at <= t {
		h++
	}
	return spot{h, p.block(h).find(t)}
}

// find is the piece of the block that holds t, the first one for times before.
func (b *block) find(t float64) (i int) {
	for n := b.n; n > 1; {
		half := n >> 1
		if b.at[(i+half)&(blockSize-1)] <= t {
			i += half
		}
		n -= half
	}
	return i
}

// insert makes a piece that begins at t with this number of free nodes the i-th one of block h. It returns where it
// lies and reports whether others have gone to another block.
func (p *Profile) insert(h, i int, t float64, free int32) (int, int, bool) {
	b := p.block(h)
	full := b.n == blockSize
	if full {
		p.divide(h)
		b = p.block(h)
		if i > b.n {
			h, i = h+1, i-b.n
			b = p.block(h)
		}
	}
	copy(b.at[i+1:b.n+1], b.at[i:b.n])
	copy(b.free[i+1:b.n+1], b.free[i:b.n])
	b.at[i], b.free[i] = t, free
	b.n++
	p.heads[h].at = b.at[0]
	return h, i, full
}

// remove takes the i-th piece of block h out; the one before grows.
func (p *Profile) remove(h, i int) {
	b := p.block(h)
	if b.n == 1 {
		p.dropBlock(h)
		return
	}
	b.remove(i, i+1)
	p.heads[h].at = b.at[0]
}

// joins reports whether piece i of block h has as many nodes free as the one
// before.
func (p *Profile) joins(h, i int) bool {
	b := p.block(h)
	if i > 0 {
		return b.free[i-1] == b.free[i]
	}
	if h == 0 {
		return false
	}
	c := p.block(h - 1)
	return c.free[c.n-1] == b.free[i]
}

// divide moves the second half of block h to a new one behind it.
func (p *Profile) divide(h int) {
	if len(p.spare) == 0 {
		p.spare = append(p.spare, int32(len(p.blocks)))
		p.blocks = append(p.blocks, block{})
	}
	id := p.spare[len(p.spare)-1]
	p.spare = p.spare[:len(p.spare)-1]
	b, c := p.block(h), &p.blocks[id]
	half := b.n / 2
	c.n = copy(c.at[:], b.at[half:b.n])
	copy(c.free[:], b.free[half:b.n])
	b.n = half
	p.heads = slices.Insert(p.heads, h+1, head{c.at[0], id})
}

// merge makes one of block h and the next one if they are nearly empty.
func (p *Profile) merge(h int) {
	if h+1 >= len(p.heads) {
		return
	}
	b, c := p.block(h), p.block(h+1)
	if b.n+c.n > blockSize/2 {
		return
	}
	copy(b.at[b.n:], c.at[:c.n])
	copy(b.free[b.n:], c.free[:c.n])
	b.n += c.n
	p.dropBlock(h + 1)
}

func (p *Profile) dropBlock(h int) {
	p.spare = append(p.spare, p.heads[h].block)
	p.heads = slices.Delete(p.heads, h, h+1)
}

// remove takes the pieces from i to before k out.
func (b *block) remove(i, k int) {
	copy(b.at[i:], b.at[k:b.n])
	copy(b.free[i:], b.free[k:b.n])
	b.n -= k - i
}
