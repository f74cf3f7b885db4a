package power

import (
	"math"
	"slices"
	"sort"
)

// Steps is a number that changes with time: Value[i] from the time From[i] until From[i+1], the last until Until.
type Steps struct {
	// From are ascending times in seconds, at least one.
	From, Value []float64
	// Until is the end in seconds; +Inf: the last value holds for ever. The number is unknown before From[0] and from Until on.
	Until float64
	// Every has the steps come again with this period in seconds, before and after; 0: they come once. It is Until - From[0].
	Every float64

	sum     []float64 // integral from From[0] to From[i]
	largest float64   // of the values without signs
	least   float64
	most    float64
}

// NewSteps returns the number with these values.
func NewSteps(from, value []float64, until float64) *Steps {
	s := &Steps{From: from, Value: value, Until: until, sum: make([]float64, len(from)), least: slices.Min(value), most: slices.Max(value)}
	for i := range len(from) - 1 {
		s.sum[i+1] = s.sum[i] + value[i]*(from[i+1]-from[i])
	}
	for _, v := range value {
		s.largest = max(s.largest, math.Abs(v))
	}
	return s
}

// place is the step at t, which reach says is inside, and the time that is added to the steps for it.
func (s *Steps) place(t float64) (i int, shift float64) {
	if s.Every > 0 {
		if shift = s.Every * math.Floor((t-s.From[0])/s.Every); s.From[0]+shift > t { // the quotient was rounded up
			shift -= s.Every
		}
	}
	return sort.Search(len(s.From), func(i int) bool { return s.From[i]+shift > t }) - 1, shift
}

// At returns the number at t, NaN where it is unknown.
func (s *Steps) At(t float64) float64 {
	if i, _ := s.place(t); i >= 0 && (t < s.Until || s.Every > 0) {
		return s.Value[i]
	}
	return math.NaN()
}

// After returns the first time after t at which another step begins, +Inf where none does.
func (s *Steps) After(t float64) float64 {
	i, shift := s.place(t)
	if i+1 < len(s.From) {
		return s.From[i+1] + shift
	}
	if s.Every > 0 {
		return s.From[0] + (shift + s.Every)
	}
	return math.Inf(1)
}

// Least returns the smallest value.
func (s *Steps) Least() float64 { return s.least }

// Most returns the largest value.
func (s *Steps) Most() float64 { return s.most }

// Integral returns the integral from a to b of a number that does not come again, NaN where it is unknown in between.
func (s *Steps) Integral(a, b float64) float64 {
	if a == b {
		return 0
	}
	i, _ := s.place(a)
	if i < 0 || b > s.Until {
		return math.NaN()
	}
	if i+1 == len(s.From) || b <= s.From[i+1] {
		return s.Value[i] * (b - a)
	}
	k, _ := s.place(b)
	return s.Value[i]*(s.From[i+1]-a) + (s.sum[k] - s.sum[i+1]) + s.Value[k]*(b-s.From[k])
}

// alike is the largest distance of means that count as equal, in parts of the largest value.
const alike = 1e-6

// Lowest returns the t in [from, until] for which the mean from t to t + d is lowest, the first among equals. Means that differ by at most
// 1e-6 of the largest value without its sign count as equal. A time at which the number is unknown is no candidate. If the mean at from is
// unknown, it returns from. The number must not come again. It takes O(log n) with n steps, and as much for each step that begins between
// from and until, or d later.
func (s *Steps) Lowest(from, until, d float64) float64 {
	if until = min(until, s.Until-d); !(from <= until) {
		return from
	}
	sum := func(x float64) float64 { return s.Integral(x, min(x+d, s.Until)) }
	best, t := sum(from), from
	after := func(t float64) int { return sort.Search(len(s.From), func(i int) bool { return s.From[i] > t }) }
	for i, k := after(from), after(from+d); ; { // the mean is linear between these times
		x := until
		begin, end := math.Inf(1), math.Inf(1)
		if i < len(s.From) {
			begin = s.From[i]
		}
		if k < len(s.From) {
			end = s.From[k] - d
		}
		if begin <= end {
			x, i = min(x, begin), i+1
		} else {
			x, k = min(x, end), k+1
		}
		if is := sum(x); is < best-alike*s.largest*d {
			best, t = is, x
		}
		if x >= until {
			return t
		}
	}
}
