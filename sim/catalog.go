package sim

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is one of the things that a manifest can choose by name: a policy, a
// progress model, a source of jobs. New makes one from its parameters.
type Kind[New any] struct {
	// Name is the kind's name in manifests.
	Name string
	// Written is the name as people write it in figures, such as EASY; "" where they write it as it is.
	Written string
	// Doc describes it in one sentence.
	Doc string
	// Version is raised when an answer of this kind changes, or the default of a
	// parameter: the rows of other kinds then stay known by their ids. Where only some
	// parameters' answers change, their struct has a method Version() int that adds to it.
	Version int
	// Clairvoyant reports that a policy of this kind may know run times before jobs have
	// ended ([Job.RunTime]), as no scheduler of the real world does. Where the kind is
	// listed its Doc says so too.
	Clairvoyant bool
	// Partitioned reports that a policy of this kind runs on platforms with node classes and partitions ([SitePolicy]).
	// Where the kind is listed its Doc says so too.
	Partitioned bool
	// Params is a struct value that holds the parameters' defaults. Its fields
	// carry the tags that package sweep reads: sweep (the name), doc, unit, min,
	// max, above, enum, required, file, identity.
	Params any
	// Metrics are the numbers of a run that only this kind can tell; what New
	// builds is then a [Meter].
	Metrics []Metric
	// New builds it from a pointer to a struct of Params' type.
	New New
}

// Catalog is a set of kinds in order of their names.
type Catalog[New any] struct{ kinds []Kind[New] }

// Add adds a kind. It is called while a program starts, and panics when two
// kinds have one name, for then the program is wrong.
func (c *Catalog[New]) Add(k Kind[New]) {
	i, found := slices.BinarySearchFunc(c.kinds, k.Name, func(a Kind[New], name string) int {
		return strings.Compare(a.Name, name)
	})
	if found {
		panic(fmt.Sprintf("sim: two kinds are named %q", k.Name))
	}
	c.kinds = slices.Insert(c.kinds, i, k)
}

// Kinds returns all kinds in order of their names.
func (c *Catalog[New]) Kinds() []Kind[New] { return c.kinds }

// Get returns the kind of that name.
func (c *Catalog[New]) Get(name string) (Kind[New], bool) {
	for _, k := range c.kinds {
		if k.Name == name {
			return k, true
		}
	}
	return Kind[New]{}, false
}

// NewPolicy makes a policy from a pointer to its kind's parameters.
type NewPolicy = func(params any, env Env) (Policy, error)

// NewProgress makes a progress model likewise.
type NewProgress = func(params any, env Env) (Progress, error)

// Policies is the catalog of policies. A policy registers itself here from an
// init function of its own file, which is all it takes to add one.
var Policies Catalog[NewPolicy]

// ProgressModels is the catalog of progress models.
var ProgressModels Catalog[NewProgress]
