package sweep

import "slices"

// Claim is what a study published. Its test is not this package's matter.
type Claim struct {
	// ID is unique in the manifest.
	ID string
	// Source says where it was published, Statement what it says.
	Source, Statement string
	// Rest is the claim's other keys as YAML, empty when there are none.
	Rest []byte
	// File and Line are where the claim stands, for messages about its other keys.
	File string
	Line int
}

// claims reads claims:, a list of maps.
func (l *loader) claims(n *node) []Claim {
	var out []Claim
	ids := map[string]position{}
	for _, item := range l.list(n, "claims") {
		if item.shape != mapNode {
			l.out.add(item.pos, "claims", "write - {id: name, ...}", "a claim is %s; want a map", item.what())
			continue
		}
		c := Claim{File: item.pos.src.name, Line: item.pos.line}
		rest := &node{shape: mapNode, pos: item.pos}
		for _, e := range item.entries {
			if !slices.Contains([]string{"id", "source", "statement"}, e.key) {
				rest.entries = append(rest.entries, e)
			}
		}
		for key, into := range map[string]*string{"id": &c.ID, "source": &c.Source, "statement": &c.Statement} {
			if v := item.get(key); v != nil {
				l.dec.scalar(v, &fieldInfo{name: key}, stringInto(into), "claims."+key)
			}
		}
		if item.get("id") == nil {
			l.out.add(item.pos, "claims", "", "the claim has no id")
		}
		l.uniqueID(item.get("id"), "claim", ids)
		if len(rest.entries) > 0 {
			c.Rest = emit(rest)
		}
		out = append(out, c)
	}
	return out
}
