package sweep

import (
	"fmt"
	"reflect"
)

// Registry is everything that a manifest can name: the sections with their
// kinds and parameters, and the metrics.
type Registry struct {
	// Sections in the order in which their hashes enter the ids.
	Sections []Section
	// Metrics are the names valid in metrics:, figures and trends.
	Metrics []Metric
	// Version is the simulator's semantic version, raised when an answer changes;
	// it is hashed into every id.
	Version int
}

// Section is one part of an instance's parameters, such as its workload.
type Section struct {
	// Name is the manifest's top-level key.
	Name string
	// Doc says in one line what the section is.
	Doc string
	// Kinds are the choices of the section's kind: key. Exactly one kind with an
	// empty name makes a section without that key.
	Kinds []Kind
	// Default is the kind of a section without a kind: key; "" makes the key
	// required unless the only kind has no name.
	Default string
	// List is the kind that a list in place of the section's map stands for. It
	// has one field, which takes the list. "" makes such a list a mistake.
	List string
}

// Kind is one choice within a section.
type Kind struct {
	Name, Doc string
	// Version is raised when an answer of this kind changes, or the default of a
	// field; it is hashed into the ids of its instances only.
	Version int
	// Params is a struct value that holds the defaults. Its fields carry the tags
	// that the package comment lists.
	Params any
}

// Metric is a number that every instance yields.
type Metric struct{ Name, Unit, Doc string }

// maxSections bounds the sections of a registry, so that hashing an instance
// needs no memory of its own.
const maxSections = 8

// catalog is the registry with its structs read by reflection.
type catalog struct {
	version  int
	sections []*sectionInfo
	metrics  []string
}

// sectionInfo is a section, and kindInfo a kind, after reflection.
type sectionInfo struct {
	name, doc string
	initial   string // the kind of a section that names none, "" for none
	list      string // the kind that a list stands for, "" for none
	index     int
	kinds     []*kindInfo
	single    bool // the section has no kind: key

	// Of a section inside a list's element, whose name is its path:
	noun    string   // the section's own name
	beside  []string // fields of the element
	nesting []string // kinds that hold such lists and cannot be chosen
}

type kindInfo struct {
	name, doc string
	version   int
	defaults  reflect.Value
	fields    *structInfo
}

// topLevelKeys are the manifest's keys beside the sections.
var topLevelKeys = []string{"name", "title", "seed", "replications", "extends", "axes", "zip", "blocks", "exclude", "when", "metrics", "analysis", "claims"}

// newCatalog reads the registry. Its errors are those of the program, not of
// the manifest.
func newCatalog(reg *Registry) (*catalog, error) {
	if reg == nil {
		return nil, fmt.Errorf("sweep: no registry")
	}
	if len(reg.Sections) > maxSections {
		return nil, fmt.Errorf("sweep: %d sections, more than %d", len(reg.Sections), maxSections)
	}
	c := &catalog{version: reg.Version, metrics: []string{}}
	taken := map[string]bool{}
	for _, k := range topLevelKeys {
		taken[k] = true
	}
	for i, s := range reg.Sections {
		if s.Name == "" || taken[s.Name] {
			return nil, fmt.Errorf("sweep: section %q: the name is empty or taken", s.Name)
		}
		taken[s.Name] = true
		info := &sectionInfo{name: s.Name, doc: s.Doc, initial: s.Default, list: s.List, index: i}
		for _, k := range s.Kinds {
			fields, err := reflectStruct(reflect.TypeOf(k.Params))
			if err != nil {
				return nil, fmt.Errorf("sweep: section %s, kind %q: %w", s.Name, k.Name, err)
			}
			if fields.choice != nil {
				return nil, fmt.Errorf("sweep: section %s, kind %q: a section stands inside the elements of a list only", s.Name, k.Name)
			}
			if k.Name == "" && len(s.Kinds) > 1 {
				return nil, fmt.Errorf("sweep: section %s: a kind without a name must be the only one", s.Name)
			}
			if info.kind(k.Name) != nil {
				return nil, fmt.Errorf("sweep: section %s: two kinds are named %q", s.Name, k.Name)
			}
			if k.Name != "" && fields.byName["kind"] != nil {
				return nil, fmt.Errorf("sweep: section %s, kind %q: a field is named kind", s.Name, k.Name)
			}
			info.kinds = append(info.kinds, &kindInfo{name: k.Name, doc: k.Doc, version: k.Version, defaults: reflect.ValueOf(k.Params), fields: fields})
		}
		if len(info.kinds) == 0 {
			return nil, fmt.Errorf("sweep: section %s has no kinds", s.Name)
		}
		info.single = info.kinds[0].name == ""
		if s.Default != "" && info.kind(s.Default) == nil {
			return nil, fmt.Errorf("sweep: section %s: the default kind %q does not exist", s.Name, s.Default)
		}
		if err := info.checkList(); err != nil {
			return nil, err
		}
		c.sections = append(c.sections, info)
	}
	for _, s := range c.sections {
		for _, k := range s.kinds {
			if err := c.link(k.fields); err != nil {
				return nil, fmt.Errorf("sweep: section %s, kind %q: %w", s.name, k.name, err)
			}
		}
	}
	for _, m := range reg.Metrics {
		c.metrics = append(c.metrics, m.Name)
	}
	return c, nil
}

// section returns the section of that name, or nil.
func (c *catalog) section(name string) *sectionInfo {
	for _, s := range c.sections {
		if s.name == name {
			return s
		}
	}
	return nil
}

// names returns the sections' names in order.
func (c *catalog) names() []string {
	var out []string
	for _, s := range c.sections {
		out = append(out, s.name)
	}
	return out
}

// called is the section's name in sentences about its kinds.
func (s *sectionInfo) called() string {
	if s.noun != "" {
		return s.noun
	}
	return s.name
}

// kind returns the kind of that name, or nil.
func (s *sectionInfo) kind(name string) *kindInfo {
	for _, k := range s.kinds {
		if k.name == name {
			return k
		}
	}
	return nil
}

// kindNames returns the kinds' names in order.
func (s *sectionInfo) kindNames() []string {
	var out []string
	for _, k := range s.kinds {
		out = append(out, k.name)
	}
	return out
}

// fallback returns the kind of a section that names none, or nil when it must.
func (s *sectionInfo) fallback() *kindInfo {
	if s.single {
		return s.kinds[0]
	}
	return s.kind(s.initial)
}
