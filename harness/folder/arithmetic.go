package folder

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"runtime"
)

// Arithmetic names what the last bits of a row depend on beside the program: the
// architecture, and a fingerprint of how this machine rounds the functions that
// workloads and policies use. Processors that add a product with one rounding, and
// the architectures' own versions of the functions, give others.
func Arithmetic() string {
	h := sha256.New()
	var b [8]byte
	sum := 0.0
	for i := 1; i <= 1000; i++ {
		x := .013 + .37*float64(i)
		sum = sum*x + 1/x // one rounding or two
		sum -= math.Floor(sum)
		for _, v := range []float64{math.Exp(x / 10), math.Exp2(x / 10), math.Log(x), math.Log2(x), math.Log10(x), math.Pow(x, .3), math.Sqrt(x),
			sum} {
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
			h.Write(b[:])
		}
	}
	return runtime.GOARCH + " " + hex.EncodeToString(h.Sum(nil)[:4])
}
