package cmd

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/analysis/gantt"
	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/sweep/params"
)

// shown are the fields of platform and policy that [gantt.Machine] has.
var shown = []string{"platform.processors", "platform.clusters", "platform.nodes", "platform.ordering", "platform.preset", "policy.kind",
	"policy.limits"}

// machine returns the facts on an instance's machine and policy that explain waits, by the manifest.
func (p *shownPage) machine(number int) *gantt.Machine {
	inst := p.st.at(number)
	on, policy := inst.Sections[harness.SectionPlatform], inst.Sections[harness.SectionPolicy]
	m := &gantt.Machine{Policy: policy.Kind}
	at := func(path ...string) params.Value { v, _ := policy.Value(path); return v }
	if built, err := input.Machine(&inst); err == nil {
		for _, c := range built.Clusters {
			m.Procs += c.Procs()
			m.Classes = append(m.Classes, gantt.Pool{Name: c.Name, Procs: c.Procs()})
		}
	}
	order, ordered := policy.Value([]string{"order"})
	m.InOrder = !ordered || order.S == "fcfs"
	m.Contiguous = at("placement").S == "contiguous"
	for i := 0; ; i++ {
		field := fmt.Sprintf("limits[%d]", i)
		each, is := policy.Value([]string{field, "each"})
		if !is {
			break
		}
		var of string
		for _, name := range []string{"user", "account", "group", "qos", "partition"} {
			of += at(field, "of", name).S
		}
		if of != "" || each.S != "" && each.S != "user" { // the trace has users by number
			m.Unseen = append(m.Unseen, "policy."+field)
			continue
		}
		for _, of := range [][2]string{{"jobs", "job"}, {"cores", "processor"}} {
			if most := at(field, "running", of[0]).I; most > 0 {
				m.Limits = append(m.Limits, gantt.Limit{Field: "policy." + field, PerUser: each.S == "user", Most: int(most), Of: of[1]})
			}
		}
	}
	for _, field := range slices.Concat(on.Hashed(), policy.Hashed()) {
		name := strings.FieldsFunc(field.Field, func(r rune) bool { return r == '.' || r == '[' })
		top := strings.Join(name[:min(2, len(name))], ".")
		if !slices.Contains(shown, top) && len(name) > 1 && !slices.Contains(m.Unseen, top) {
			m.Unseen = append(m.Unseen, top)
		}
	}
	return m
}
