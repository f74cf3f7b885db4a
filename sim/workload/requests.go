package workload

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

// requestables are the resources that jobs of logs may request, by their records.
var requestables = []string{"nodes", "memory", "gpus", "features"}

// nodeFields are the fields of a node class in a manifest that give its nodes these resources.
var nodeFields = map[string]string{"memory": "memory", "gpus": "requestable_gpus", "features": "features"}

// NoRequest begins the kind of a finding: no job of a log states a request for a resource that [LogRules.Requests] has.
const NoRequest = "no request for "

// validateRequests refuses what no record says.
func validateRequests(all []string, report func(field, message string)) {
	for i, name := range all {
		if !slices.Contains(requestables, name) || slices.Contains(all[:i], name) {
			report(fmt.Sprintf("requests[%d]", i), "is "+name+"; it must be one of "+strings.Join(requestables, ", ")+", each once")
		}
	}
}

// version is 1 where jobs request GPUs and not nodes: they are on the nodes that the log states.
func (p *LogRules) version() int {
	if slices.Contains(p.Requests, "gpus") && !slices.Contains(p.Requests, "nodes") {
		return 1
	}
	return 0
}

// requests are those of a prepared log's jobs by position, where jobs request something (LogRules.Requests). Equal ones are one.
func (p *LogRules) requests(o *logOrigin, on *sim.Platform) error {
	if len(p.Requests) == 0 {
		return nil
	}
	if on == nil {
		return errors.New("workload.requests: the platform does not say which nodes have the requested resources; define " +
			"platform.nodes, or drop it")
	}
	if err := p.offered(on); err != nil {
		return err
	}
	r, known, features := records{o.log}, map[sim.Request]*sim.Request{}, featuresOf{on: on}
	without := swf.Finding{Kind: "more memory, GPUs, nodes or features than the nodes of its partition have", Action: swf.Dropped,
		Why: "too_large: drop"}
	kept, lacking := make([]bool, len(o.jobs.Jobs)), make([]swf.Finding, len(p.Requests))
	asks := func(of *sim.Record, name string) bool { return slices.Contains(p.Requests, name) && states(of, name) }
	for i := range o.jobs.Jobs {
		job := &o.jobs.Jobs[i]
		of, ask := r.Record(job.Record+1), sim.Request{}
		switch gpus := asks(&of, "gpus"); {
		case asks(&of, "nodes") || gpus && of.Nodes > 0: // GPUs are on nodes
			ask.Nodes = min(of.Nodes, job.Procs)
		case gpus:
			ask.Nodes = 1
		}
		each := int32(1)
		if ask.Nodes > 0 {
			each = (job.Procs + ask.Nodes - 1) / ask.Nodes
		}
		if asks(&of, "memory") {
			ask.Memory = int64(math.Ceil(of.Memory * float64(each)))
		}
		if asks(&of, "gpus") {
			ask.GPUs = (of.GPUs + ask.Nodes - 1) / ask.Nodes
		}
		for k, name := range p.Requests {
			if !states(&of, name) {
				lacking[k].Add(o.jobs.Line(i))
			}
		}
		var err error
		if asks(&of, "features") {
			if ask.Features, err = features.of(nameOr(r.Names().Properties, of.Property)); err != nil {
				return fmt.Errorf("%s:%d: %w", o.log.Name, o.jobs.Line(i), err)
			}
		}
		if known[ask] == nil {
			known[ask] = &ask
		}
		spec := specOf(job)
		if spec.Request = known[ask]; ask == (sim.Request{}) {
			spec.Request = nil
		} else if kept[i], err = p.satisfied(on, &spec); err != nil {
			return fmt.Errorf("%s:%d: %w", o.log.Name, o.jobs.Line(i), err)
		} else if !kept[i] {
			without.Add(o.jobs.Line(i))
			continue
		}
		kept[i] = true
		o.requests = append(o.requests, spec.Request)
	}
	var found []swf.Finding
	for k, f := range lacking {
		if f.Count == len(o.jobs.Jobs) {
			f.Kind, f.Action, f.Why = NoRequest+p.Requests[k], swf.Kept, "no job of the log states one, though workload.requests names it"
			found = append(found, f)
		}
	}
	if without.Count > 0 {
		found = append(found, without)
	}
	if len(found) > 0 {
		o.jobs = o.jobs.Without(kept, found...)
	}
	return nil
}

// states reports whether the record of a job states a request for a resource.
func states(of *sim.Record, name string) bool {
	switch name {
	case "nodes":
		return of.Nodes > 0
	case "memory":
		return of.Memory > 0
	case "gpus":
		return of.GPUs > 0
	}
	return of.Property >= 0
}

// offered refuses a resource that no node has.
func (p *LogRules) offered(on *sim.Platform) error {
	for i, name := range p.Requests {
		if field := nodeFields[name]; field != "" && !slices.ContainsFunc(on.Clusters, func(c sim.Cluster) bool {
			return name == "memory" && c.Memory > 0 || name == "gpus" && c.GPUs > 0 || name == "features" && c.Features > 0
		}) {
			return fmt.Errorf("workload.requests[%d] is %s, and no node has any (platform.nodes.NAME.each.%s): give a node class some, or "+
				"drop it here", i, name, field)
		}
	}
	return nil
}

// satisfied reports whether the idle machine can give to a job what it requests. A job that the machine cannot run is an error, except
// with too_large: drop.
func (p *LogRules) satisfied(on *sim.Platform, j *sim.JobSpec) (bool, error) {
	err := on.Satisfies(j)
	if err == nil || p.TooLarge == "drop" {
		return err == nil, nil
	}
	return false, fmt.Errorf("%w; workload.too_large: drop leaves such jobs out, and cap changes processors only", err)
}

// nameOr is the name of a number, or the number.
func nameOr(names []string, n int32) string {
	if int(n) < len(names) && names[n] != "" {
		return names[n]
	}
	return fmt.Sprint(n)
}

// featuresOf finds the bits of features by names such as "IB&CPU-N".
type featuresOf struct {
	on    *sim.Platform
	known map[string]uint64
}

func (f *featuresOf) of(names string) (bits uint64, err error) {
	if bits, ok := f.known[names]; ok {
		return bits, nil
	}
	for _, name := range strings.FieldsFunc(names, func(r rune) bool { return r == '&' || r == ',' }) {
		bit := f.on.Feature(name)
		if bit == 0 {
			return 0, fmt.Errorf("a job requests the feature %s, which no node has (platform.nodes has %s): give it to a node class, or "+
				"require another", name, cmp.Or(strings.Join(f.on.Features, ", "), "none"))
		}
		bits |= bit
	}
	if f.known == nil {
		f.known = map[string]uint64{}
	}
	f.known[names] = bits
	return bits, nil
}

// ListedRequest is the request of a listed job besides processors.
type ListedRequest struct {
	Nodes    int            `sweep:"nodes" doc:"number of nodes, with equally many processors on each; 0: any" min:"0" max:"2147483647"`
	Memory   float64        `sweep:"memory" doc:"memory on each of nodes, or beside each processor where nodes is 0" unit:"B" min:"0" finite:"yes"`
	GPUs     int            `sweep:"gpus" doc:"GPUs on each of nodes, or beside each processor" min:"0" max:"2147483647"`
	Features []string       `sweep:"features" doc:"features that each of its nodes must have"`
	Licences []LicenceCount `sweep:"licences" keyed:"name" doc:"licences by name"`
}

// LicenceCount is a number of licences.
type LicenceCount struct {
	Name  string `sweep:"name" doc:"name of the licence"`
	Count int    `sweep:"count" doc:"number of licences" min:"1" max:"2147483647" required:"true"`
}

// request is the request by the platform's numbers, nil for none.
func (l *ListedRequest) request(on *sim.Platform) (*sim.Request, error) {
	if l.Nodes == 0 && l.Memory == 0 && l.GPUs == 0 && len(l.Features) == 0 && len(l.Licences) == 0 {
		return nil, nil
	}
	if on == nil {
		return nil, errors.New("the platform does not say which nodes have the requested resources; define platform.nodes, or drop the request")
	}
	r := &sim.Request{Nodes: int32(l.Nodes), Memory: int64(math.Ceil(l.Memory)), GPUs: int32(l.GPUs)}
	features := featuresOf{on: on}
	for _, name := range l.Features {
		bits, err := features.of(name)
		if err != nil {
			return nil, err
		}
		r.Features |= bits
	}
	for _, x := range l.Licences {
		i := slices.IndexFunc(on.Licences, func(o sim.Licence) bool { return o.Name == x.Name })
		if i < 0 {
			return nil, fmt.Errorf("platform.licences has no %s; add it, or drop the licence here", x.Name)
		}
		r.Licences[i] = int32(x.Count)
	}
	return r, nil
}
