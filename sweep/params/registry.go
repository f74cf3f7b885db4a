package params

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"schedsweep/sweep/text"
)

// Registry is everything that a manifest can name: the sections with their
// kinds and parameters, and the metrics.
type Registry struct {
	// Sections in the order in which their hashes enter the ids.
	Sections []Section
	// Metrics are the names valid in metrics:, figures and trends.
	Metrics []Metric
	// Datasets are the names valid in datasets:.
	Datasets []string
	// Quantities are the numeric columns of datasets, such as jobs.wait_time, for figures.
	Quantities []Metric
	// JobFields are the fields that conditions of classes of jobs can test, and ClassMetrics what
	// every class has, under the names that these have of all jobs.
	JobFields    []JobField
	ClassMetrics []Metric
	// Version is the simulator's semantic version, raised when an answer changes;
	// it is hashed into every id.
	Version int
}

// JobField is a field of a job: a number, or a name.
type JobField struct {
	Name, Unit, Doc string
	Named           bool
	InRows          bool // of the dataset jobs
}

// Section is one part of an instance's parameters, such as its workload.
type Section struct {
	// Name is the manifest's top-level key.
	Name string
	// Doc describes the section in one line.
	Doc string
	// Kinds are the choices of the section's kind: key. Exactly one kind with an
	// empty name makes a section without that key.
	Kinds []Kind
	// Default is the kind of a section without a kind: key; "" makes the key
	// required unless the only kind has no name.
	Default string
	// List is the kind that a list in place of the section's map means. It
	// has one field, which takes the list. "" makes such a list a mistake.
	List string
	// Shared are structs that every kind takes beside its own fields.
	Shared []Shared
}

// Shared is a struct of fields that all kinds of a section take under one name,
// such as a transform of workloads. A kind with a field of that name hides it.
type Shared struct {
	// Name is the field's name, Doc its help, For the study that uses it.
	Name, Doc, For string
	// Params is a struct value that holds the defaults, as in [Kind].
	Params any
}

// Kind is one choice within a section.
type Kind struct {
	Name, Doc string
	// Written is the name as people write it in figures; "" where they write it as it is.
	Written string
	// Version is raised when an answer of this kind changes, or the default of a
	// field; it is hashed into the ids of its instances only.
	Version int
	// Params is a struct value that holds the defaults. Its fields carry the tags
	// that the package comment lists.
	Params any
}

// Metric is a number that every instance yields.
type Metric struct {
	Name, Unit, Doc string
	// Better is "lower" or "higher" where one of them is, else "".
	Better string
	// Source is the author of the definition, or "".
	Source string
	// Sum reports that it adds up over the run.
	Sum bool
	// Share reports that it is a share of 1.
	Share bool
	// Note reports that a note beside means needs it: rows have it also where they hold the named metrics alone.
	Note bool
	// Kinds are the sections and kinds whose runs alone have it; nil where all runs have it.
	Kinds [][2]string
}

// MaxSections bounds the sections of a registry, so that hashing an instance
// needs no memory of its own.
const MaxSections = 8

// Catalog is the registry with its structs read by reflection.
type Catalog struct {
	Version  int
	Sections []*SectionInfo
	Metrics  []string
	Notes    []string // the metrics that notes need
	// Better is "lower" or "higher" for the metrics with a better direction.
	Better map[string]string
	// Sums are the metrics that add up over a run.
	Sums map[string]bool
	// Shares are the metrics that are shares of 1.
	Shares map[string]bool
	// Units are those of the metrics that have one, such as "s".
	Units map[string]string
	// KindsOf are the Kinds of the metrics that have some.
	KindsOf  map[string][][2]string
	Datasets []string
	// Quantities are DATASET.NAME.
	Quantities []string
	// JobFields and ClassMetrics are the registry's.
	JobFields    []JobField
	ClassMetrics []Metric
}

// SectionInfo is a section after reflection.
type SectionInfo struct {
	Name, Doc string
	Initial   string // the kind of a section that names none, "" for none
	List      string // the kind that a list means, "" for none
	Index     int
	Kinds     []*KindInfo
	Single    bool // the section has no kind: key

	// Of a section inside a list's element, whose name is its path:
	noun    string   // the section's own name
	beside  []string // fields of the element
	nesting []string // kinds that hold such lists and cannot be chosen
}

// KindInfo is a kind after reflection.
type KindInfo struct {
	Name, Written, Doc string
	version            int
	Defaults           reflect.Value
	Fields             *Struct
	shared             []string // names of the structs behind the kind's own, see newKind
}

// TopLevelKeys are the manifest's keys beside the sections.
var TopLevelKeys = []string{"name", "title", "seed", "replications", "extends", "axes", "sample", "zip", "blocks", "exclude", "when",
	"metrics", "classes", "datasets", "analysis", "claims", "find", "overridden"}

// NewCatalog reads the registry. Its errors are those of the program, not of
// the manifest.
func NewCatalog(reg *Registry) (*Catalog, error) {
	if reg == nil {
		return nil, fmt.Errorf("sweep: no registry")
	}
	if len(reg.Sections) > MaxSections {
		return nil, fmt.Errorf("sweep: %d sections, more than %d", len(reg.Sections), MaxSections)
	}
	c := &Catalog{Version: reg.Version, Metrics: []string{}, Better: map[string]string{}, Sums: map[string]bool{}, Shares: map[string]bool{},
		Units: map[string]string{}, KindsOf: map[string][][2]string{},
		Datasets: append([]string{}, reg.Datasets...), JobFields: reg.JobFields, ClassMetrics: reg.ClassMetrics}
	for i, s := range reg.Sections {
		if s.Name == "" || slices.Contains(TopLevelKeys, s.Name) || c.Section(s.Name) != nil {
			return nil, fmt.Errorf("sweep: section %q: the name is empty or taken", s.Name)
		}
		info := &SectionInfo{Name: s.Name, Doc: s.Doc, Initial: s.Default, List: s.List, Index: i}
		for _, k := range s.Kinds {
			kind, err := newKind(k, s.Shared)
			if err != nil {
				return nil, fmt.Errorf("sweep: section %s, kind %q: %w", s.Name, k.Name, err)
			}
			fields := kind.Fields
			if fields.Choice != nil {
				return nil, fmt.Errorf("sweep: section %s, kind %q: a section can be only inside the elements of a list", s.Name, k.Name)
			}
			if k.Name == "" && len(s.Kinds) > 1 {
				return nil, fmt.Errorf("sweep: section %s: a kind without a name must be the only one", s.Name)
			}
			if info.Kind(k.Name) != nil {
				return nil, fmt.Errorf("sweep: section %s: two kinds are named %q", s.Name, k.Name)
			}
			if k.Name != "" && fields.ByName["kind"] != nil {
				return nil, fmt.Errorf("sweep: section %s, kind %q: a field is named kind", s.Name, k.Name)
			}
			info.Kinds = append(info.Kinds, kind)
		}
		if len(info.Kinds) == 0 {
			return nil, fmt.Errorf("sweep: section %s has no kinds", s.Name)
		}
		info.Single = info.Kinds[0].Name == ""
		if s.Default != "" && info.Kind(s.Default) == nil {
			return nil, fmt.Errorf("sweep: section %s: the default kind %q does not exist", s.Name, s.Default)
		}
		if err := info.checkList(); err != nil {
			return nil, err
		}
		c.Sections = append(c.Sections, info)
	}
	for _, s := range c.Sections {
		for _, k := range s.Kinds {
			if err := c.link(k.Fields); err != nil {
				return nil, fmt.Errorf("sweep: section %s, kind %q: %w", s.Name, k.Name, err)
			}
		}
	}
	for _, m := range reg.Metrics {
		c.AddMetric(m)
	}
	c.Quantities = text.Each(reg.Quantities, func(q Metric) string { return q.Name })
	return c, nil
}

func (c *Catalog) Section(name string) *SectionInfo {
	return text.First(c.Sections, func(s *SectionInfo) bool { return s.Name == name })
}

func (c *Catalog) Names() []string {
	return text.Each(c.Sections, func(s *SectionInfo) string { return s.Name })
}

// called is the section's name in sentences about its kinds.
func (s *SectionInfo) called() string { return cmp.Or(s.noun, s.Name) }

func (s *SectionInfo) Kind(name string) *KindInfo {
	return text.First(s.Kinds, func(k *KindInfo) bool { return k.Name == name })
}

// Fallback returns the kind of a section that names none, or nil when it must.
func (s *SectionInfo) Fallback() *KindInfo {
	if s.Single {
		return s.Kinds[0]
	}
	return s.Kind(s.Initial)
}

func (c *Catalog) AddMetric(m Metric) {
	if m.Note {
		c.Notes = append(c.Notes, m.Name)
	}
	c.Metrics = append(c.Metrics, m.Name)
	if m.Better != "" {
		c.Better[m.Name] = m.Better
	}
	if m.Sum {
		c.Sums[m.Name] = true
	}
	if m.Share {
		c.Shares[m.Name] = true
	}
	if m.Unit != "" {
		c.Units[m.Name] = m.Unit
	}
	if m.Kinds != nil {
		c.KindsOf[m.Name] = m.Kinds
	}
}
