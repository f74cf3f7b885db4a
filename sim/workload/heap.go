package workload

// heapOf is a binary heap, the first element at 0.
type heapOf[T any, P interface {
	*T
	before(*T) bool
}] []T

func (h *heapOf[T, P]) push(x T) {
	*h = append(*h, x)
	a := *h
	for i := len(a) - 1; i > 0; {
		up := (i - 1) / 2
		if !P(&a[i]).before(&a[up]) {
			break
		}
		a[i], a[up] = a[up], a[i]
		i = up
	}
}

// pop takes out the first; there must be one.
func (h *heapOf[T, P]) pop() {
	last := len(*h) - 1
	(*h)[0] = (*h)[last]
	*h = (*h)[:last]
	a := *h
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(a) {
			return
		}
		if down+1 < len(a) && P(&a[down+1]).before(&a[down]) {
			down++
		}
		if !P(&a[down]).before(&a[i]) {
			return
		}
		a[i], a[down] = a[down], a[i]
		i = down
	}
}
