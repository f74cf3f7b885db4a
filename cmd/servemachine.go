package cmd

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/analysis/gantt"
	"schedsweep/harness"
	"schedsweep/sweep/params"
)

// shown are the fields of platform and policy that [gantt.Machine] has.
var shown = []string{"platform.processors", "platform.clusters", "platform.nodes", "platform.preset", "policy.kind", "policy.limits"}

// machine is what the manifest says of an instance's machine and policy, as far as it explains waits.
func (p *shownPage) machine(number int) *gantt.Machine {
	inst := p.st.at(number)
	on, policy := inst.Sections[harness.SectionPlatform], inst.Sections[harness.SectionPolicy]
	m := &gantt.Machine{Policy: policy.Kind}
	at := func(of *params.Resolved, path ...string) params.Value { v, _ := of.Value(path); return v }
	if sized, is := on.Params.(interface{ Procs(stated int) int }); is {
		m.Procs = sized.Procs(int(at(inst.Sections[harness.SectionWorkload], "machine_procs").I))
	}
	for _, list := range [][]string{{"nodes", "count", "each", "cores"}, {"clusters", "nodes", "cores"}} {
		for i := 0; len(at(on, "ordering").S) <= len("[]"); i++ { // else the clusters are in another order
			element := fmt.Sprintf("%s[%d]", list[0], i)
			n, is := on.Value([]string{element, list[1]})
			if !is {
				break
			}
			cores := at(on, append([]string{element}, list[2:]...)...)
			m.Classes = append(m.Classes, gantt.Pool{Name: fmt.Sprint(list[0], " of kind ", i+1), Procs: int(n.I * max(cores.I, 1))})
		}
	}
	order, ordered := policy.Value([]string{"order"})
	m.InOrder = !ordered || order.S == "fcfs"
	m.Contiguous = at(policy, "placement").S == "contiguous"
	for i := 0; ; i++ {
		field := fmt.Sprintf("limits[%d]", i)
		each, is := policy.Value([]string{field, "each"})
		if !is {
			break
		}
		var of string
		for _, name := range []string{"user", "account", "group", "qos", "partition"} {
			of += at(policy, field, "of", name).S
		}
		if of != "" || each.S != "" && each.S != "user" { // the trace has users by number
			m.Unseen = append(m.Unseen, "policy."+field)
			continue
		}
		m.Limits = append(m.Limits, gantt.Limit{Field: "policy." + field, PerUser: each.S == "user",
			Jobs: int(at(policy, field, "running", "jobs").I), Procs: int(at(policy, field, "running", "cores").I)})
	}
	named := 0
	for _, field := range slices.Concat(on.Hashed(), policy.Hashed()) {
		name := strings.FieldsFunc(field.Field, func(r rune) bool { return r == '.' || r == '[' })
		if c := len(m.Classes); len(name) == 4 && name[1] == "nodes" && name[3] == "count" && named < c { // by name, as they are numbered
			m.Classes[named].Name = "nodes of class " + name[2]
			named++
		}
		top := strings.Join(name[:min(2, len(name))], ".")
		if !slices.Contains(shown, top) && len(name) > 1 && !slices.Contains(m.Unseen, top) {
			m.Unseen = append(m.Unseen, top)
		}
	}
	return m
}
