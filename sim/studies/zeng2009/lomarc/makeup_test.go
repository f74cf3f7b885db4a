package lomarc_test

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/studies/zeng2009/lomarc"
	"schedsweep/sim/studies/zeng2009/slicetest"
	"schedsweep/sim/studies/zeng2009/slowdowns"
)

// makeup is the composition of a workload in table 5, in per cent.
type makeup struct {
	jobs, work     [3]float64 // by class
	serial, powers float64
}

// makeupOf counts classes by walltime; work is processes times run time with one
// process a node.
func makeupOf(jobs []sim.JobSpec) (m makeup) {
	total := 0.0
	for i := range jobs {
		j := &jobs[i]
		c := 0
		if j.Walltime > lomarc.Defaults.ShortLimit {
			c = 1
		}
		if j.Walltime > lomarc.Defaults.LongLimit {
			c = 2
		}
		m.jobs[c]++
		m.work[c] += float64(j.Procs) * j.RunTime
		total += float64(j.Procs) * j.RunTime
		if j.Procs == 1 {
			m.serial++
		}
		if bits.OnesCount32(uint32(j.Procs)) == 1 {
			m.powers++
		}
	}
	n := float64(len(jobs))
	for c := range m.jobs {
		m.jobs[c] *= 100 / n
		m.work[c] *= 100 / total
	}
	m.serial, m.powers = m.serial*100/n, m.powers*100/n
	return m
}

// values are the makeup's numbers in the order of the rows of the table.
func (m *makeup) values() []float64 {
	return []float64{m.jobs[0], m.jobs[1], m.jobs[2], m.work[0], m.work[1], m.work[2], m.serial, m.powers}
}

// TestMakeup measures table 5 on 20 workloads W1 of 10,000 jobs: as the model
// draws them, and after section 4.8 has changed the sizes, with powers of two kept
// or not. The table that it logs is that of the study's page. Classes must be
// within 2 points of the published ones; that of powers of two (75 %) is not met
// by the model itself.
func TestMakeup(t *testing.T) {
	const n = 20
	kinds := []struct {
		name   string
		change func(*slowdowns.Params)
	}{
		{"before", func(p *slowdowns.Params) { p.Law = "none" }},
		{"power-of-two", func(*slowdowns.Params) {}},
		{"integer", func(p *slowdowns.Params) { p.Rounding = "integer" }},
	}
	rows := []struct {
		name      string
		published float64
	}{{"short jobs", 64}, {"medium jobs", 19.5}, {"long jobs", 16.5}, {"work of short jobs", .5}, {"work of medium jobs", 26},
		{"work of long jobs", 73.5},
		{"serial jobs", 24}, {"sizes that are powers of two", 75}}
	var mean, square [3][8]float64
	for seed := range uint64(n) {
		for k := range kinds {
			m := makeupOf(slicetest.PublishedWith(t, 10.33, 10000, seed+1, kinds[k].change))
			for r, x := range m.values() {
				mean[k][r] += x / n
				square[k][r] += x * x / n
			}
		}
	}
	var table strings.Builder
	table.WriteString("\n| % (mean of 20 workloads W1 ± their sd) | table 5 |")
	for k := range kinds {
		table.WriteString(" " + kinds[k].name + " |")
	}
	table.WriteString("\n|---|---|---|---|---|\n")
	for r := range rows {
		table.WriteString("| " + rows[r].name + " | " + percent(rows[r].published) + " |")
		for k := range kinds {
			sd := math.Sqrt(math.Max(0, square[k][r]-mean[k][r]*mean[k][r]) * n / (n - 1))
			table.WriteString(" " + percent(mean[k][r]) + " ± " + percent(sd) + " |")
		}
		table.WriteString("\n")
	}
	t.Log(table.String())
	for r := range rows[:7] {
		if got := mean[1][r]; !(math.Abs(got-rows[r].published) <= 2) {
			t.Errorf("%s: %.2f %%, published %g", rows[r].name, got, rows[r].published)
		}
	}
	if mean[0][6] != mean[1][6] || mean[0][6] != mean[2][6] {
		t.Errorf("serial jobs: %.2f %% before and %.2f and %.2f after; they should stay", mean[0][6], mean[1][6], mean[2][6])
	}
	if !(math.Abs(mean[1][7]-mean[0][7]) <= 2) || !(math.Abs(mean[2][7]-53) <= 2) {
		t.Errorf("powers of two: %.2f %% before, %.2f and %.2f after", mean[0][7], mean[1][7], mean[2][7])
	}
}

func percent(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
