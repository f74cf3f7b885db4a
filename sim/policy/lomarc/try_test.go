package lomarc_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"schedsweep/sim"
	"schedsweep/sim/policy/lomarc"
)

func TestTry(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("TRY"))
	if n == 0 {
		n = 3
	}
	audited := os.Getenv("AUDIT") != ""
	ws := []float64{10.33, 9.83}
	variants := []string{"ssp", "glts", "cst", "cstws", "fbo", "ns", "nh"}
	if v := os.Getenv("VARIANTS"); v != "" {
		variants = strings.Split(v, ",")
	}
	if os.Getenv("W1") != "" {
		ws = ws[:1]
	}
	for _, w := range ws {
		var all [][]float64
		var els []time.Duration
		for _, vr := range variants {
			sums := make([]float64, len(lomarc.Measures))
			var el time.Duration
			for seed := range uint64(n) {
				jobs := published(t, w, 10000, seed+1)
				var e sim.Engine
				pp := lomarc.Defaults
				pp.Variant = vr
				if os.Getenv("FULL") != "" {
					pp.FullNodes = os.Getenv("FULL")
				}
				if os.Getenv("FM") != "" {
					pp.FirstMatch = os.Getenv("FM")
				}
				p := lomarc.New(pp)
				t0 := time.Now()
				play(t, &e, machine(t, 128, 4), p, jobs, audited)
				el += time.Since(t0)
				for i, x := range p.Measures(nil) {
					sums[i] += x / float64(n)
				}
			}
			all = append(all, sums)
			els = append(els, el/time.Duration(n))
		}
		fmt.Println("W", w, variants, els)
		for i, m := range lomarc.Measures {
			fmt.Printf("%-30s", m.Name)
			for v := range variants {
				fmt.Printf(" %9.3f", all[v][i])
			}
			fmt.Println()
		}
		for i, m := range lomarc.Measures[:8] {
			fmt.Printf("gain%% %-25s", m.Name)
			for v := range variants {
				fmt.Printf(" %9.1f", 100*(1-all[min(1, len(all)-1)][i]/all[v][i]))
			}
			fmt.Println()
		}
	}
}
