package design

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
)

// MaxSobol bounds the knobs of a Sobol design: each takes two dimensions of the sequence.
const MaxSobol = (1 + len(directions)) / 2

// Sobol has two base samples, A and B, of n points each, a power of 2: the halves of the dimensions of a Sobol'
// sequence, and for each point of A and each knob the point with the knob of B (A. Saltelli and others 2010, Computer
// Physics Communications 181, 259-270). Each scramble is another randomisation of the sequence, the same however many
// there are. Their spread tells how well indices are known.
func Sobol(knobs []Knob, points, scrambles int, seed uint64) *Design {
	d := &Design{Knobs: knobs}
	for s := range scrambles {
		u := Scrambled(2*len(knobs), points, stream(seed, "scramble "+strconv.Itoa(s)))
		var picks []Pick
		add := func(row []Place) int {
			d.Rows = append(d.Rows, row)
			return len(d.Rows) - 1
		}
		for i := range points {
			a, b := make([]Place, len(knobs)), make([]Place, len(knobs))
			for k, knob := range knobs {
				a[k], b[k] = knob.spread(u[i][k]), knob.spread(u[i][len(knobs)+k])
			}
			p := Pick{A: add(a), B: add(b)}
			for k := range knobs {
				ab := slices.Clone(a)
				ab[k] = b[k]
				p.AB = append(p.AB, add(ab))
			}
			picks = append(picks, p)
		}
		d.Sobol = append(d.Sobol, picks)
	}
	return d
}

const word = 32

// Scrambled is the first points of a Sobol' sequence with a random linear scrambling and a digital shift of each dimension
// (J. Matousek 1998, On the L2-discrepancy for anchored boxes, Journal of Complexity 14, 527-556): any one of its points is
// uniform, and together they stay as even as the sequence. Without random numbers it is the sequence itself, in which 0 comes first.
func Scrambled(dimensions, points int, random *rand.Rand) [][]float64 {
	out := make([][]float64, points)
	for i := range out {
		out[i] = make([]float64, dimensions)
	}
	for k := range dimensions {
		v := directionsOf(k)
		x, centre := uint32(0), 0.0
		if random != nil {
			scramble(&v, random)
			x, centre = random.Uint32(), 0.5
		}
		for i := range out { // in the order of Gray's code, which is that of Antonov and Saleev 1979
			out[i][k] = (float64(x) + centre) / (1 << word)
			x ^= v[min(bits.TrailingZeros(^uint(i)), word-1)]
		}
	}
	return out
}

// scramble multiplies the direction numbers by a random lower triangular matrix of bits with a diagonal of ones, whose first row
// is that of the highest bit.
func scramble(v *[word]uint32, random *rand.Rand) {
	var rows [word]uint32
	for i := range rows {
		above := ^uint32(0) << (word - i) // 0 for the first: bits higher than this one
		one := uint32(1) << (word - 1 - i)
		rows[i] = random.Uint32()&above | one
	}
	for j, old := range v {
		v[j] = 0
		for i, row := range rows {
			v[j] |= uint32(bits.OnesCount32(row&old)&1) << (word - 1 - i)
		}
	}
}

func directionsOf(dimension int) (v [word]uint32) {
	if dimension == 0 {
		for j := range v {
			v[j] = 1 << (word - 1 - j)
		}
		return v
	}
	d := directions[dimension-1]
	s := len(d.initial)
	for j := range v {
		if j < s {
			v[j] = d.initial[j] << (word - 1 - j)
			continue
		}
		v[j] = v[j-s] ^ v[j-s]>>s
		for k := 1; k < s; k++ {
			if d.polynomial>>(s-k)&1 == 1 {
				v[j] ^= v[j-k]
			}
		}
	}
	return v
}

// directions are the primitive polynomials and initial direction numbers of S. Joe and F. Y. Kuo 2008, Constructing Sobol'
// sequences with better two-dimensional projections, SIAM Journal on Scientific Computing 30, 2635-2654 (new-joe-kuo-6.21201),
// from the second dimension on. Bit i of a polynomial is the coefficient of x^i.
var directions = [...]struct {
	polynomial uint32
	initial    []uint32
}{
	{3, []uint32{1}}, {7, []uint32{1, 3}}, {11, []uint32{1, 3, 1}}, {13, []uint32{1, 1, 1}}, {19, []uint32{1, 1, 3, 3}},
	{25, []uint32{1, 3, 5, 13}}, {37, []uint32{1, 1, 5, 5, 17}}, {41, []uint32{1, 1, 5, 5, 5}}, {47, []uint32{1, 1, 7, 11, 19}},
	{55, []uint32{1, 1, 5, 1, 1}}, {59, []uint32{1, 1, 1, 3, 11}}, {61, []uint32{1, 3, 5, 5, 31}},
	{67, []uint32{1, 3, 3, 9, 7, 49}}, {91, []uint32{1, 1, 1, 15, 21, 21}}, {97, []uint32{1, 3, 1, 13, 27, 49}},
	{103, []uint32{1, 1, 1, 15, 7, 5}}, {109, []uint32{1, 3, 1, 15, 13, 25}}, {115, []uint32{1, 1, 5, 5, 19, 61}},
	{131, []uint32{1, 3, 7, 11, 23, 15, 103}}, {137, []uint32{1, 3, 7, 13, 13, 15, 69}},
	{143, []uint32{1, 1, 3, 13, 7, 35, 63}}, {145, []uint32{1, 3, 5, 9, 1, 25, 53}}, {157, []uint32{1, 3, 1, 13, 9, 35, 107}},
	{167, []uint32{1, 3, 1, 5, 27, 61, 31}}, {171, []uint32{1, 1, 5, 11, 19, 41, 61}}, {185, []uint32{1, 3, 5, 3, 3, 13, 69}},
	{191, []uint32{1, 1, 7, 13, 1, 19, 1}}, {193, []uint32{1, 3, 7, 5, 13, 19, 59}}, {203, []uint32{1, 1, 3, 9, 25, 29, 41}},
	{211, []uint32{1, 3, 5, 13, 23, 1, 55}}, {213, []uint32{1, 3, 7, 3, 13, 59, 17}}, {229, []uint32{1, 3, 1, 3, 5, 53, 69}},
	{239, []uint32{1, 1, 5, 5, 23, 33, 13}}, {241, []uint32{1, 1, 7, 7, 1, 61, 123}}, {247, []uint32{1, 1, 7, 9, 13, 61, 49}},
	{253, []uint32{1, 3, 3, 5, 3, 55, 33}}, {285, []uint32{1, 3, 1, 15, 31, 13, 49, 245}},
	{299, []uint32{1, 3, 5, 15, 31, 59, 63, 97}}, {301, []uint32{1, 3, 1, 11, 11, 11, 77, 249}},
	{333, []uint32{1, 3, 1, 11, 27, 43, 71, 9}}, {351, []uint32{1, 1, 7, 15, 21, 11, 81, 45}},
	{355, []uint32{1, 3, 7, 3, 25, 31, 65, 79}}, {357, []uint32{1, 3, 1, 1, 19, 11, 3, 205}},
	{361, []uint32{1, 1, 5, 9, 19, 21, 29, 157}}, {369, []uint32{1, 3, 7, 11, 1, 33, 89, 185}},
	{391, []uint32{1, 3, 3, 3, 15, 9, 79, 71}}, {397, []uint32{1, 3, 7, 11, 15, 39, 119, 27}},
	{425, []uint32{1, 1, 3, 1, 11, 31, 97, 225}}, {451, []uint32{1, 1, 1, 3, 23, 43, 57, 177}},
	{463, []uint32{1, 3, 7, 7, 17, 17, 37, 71}}, {487, []uint32{1, 3, 1, 5, 27, 63, 123, 213}},
	{501, []uint32{1, 1, 3, 5, 11, 43, 53, 133}}, {529, []uint32{1, 3, 5, 5, 29, 17, 47, 173, 479}},
	{539, []uint32{1, 3, 3, 11, 3, 1, 109, 9, 69}}, {545, []uint32{1, 1, 1, 5, 17, 39, 23, 5, 343}},
	{557, []uint32{1, 3, 1, 5, 25, 15, 31, 103, 499}}, {563, []uint32{1, 1, 1, 11, 11, 17, 63, 105, 183}},
	{601, []uint32{1, 1, 5, 11, 9, 29, 97, 231, 363}}, {607, []uint32{1, 1, 5, 15, 19, 45, 41, 7, 383}},
	{617, []uint32{1, 3, 7, 7, 31, 19, 83, 137, 221}}, {623, []uint32{1, 1, 1, 3, 23, 15, 111, 223, 83}},
	{631, []uint32{1, 1, 5, 13, 31, 15, 55, 25, 161}}, {637, []uint32{1, 1, 3, 13, 25, 47, 39, 87, 257}},
}
