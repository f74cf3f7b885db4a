package sweep

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Plan is the list of a manifest's instances. It holds the variants of the
// sections and the arithmetic of positions, never the instances themselves. It
// does not change, and is safe for concurrent use.
type Plan struct {
	version  int
	seed     uint64
	workload int // index of the section named workload, or -1
	axes     []manifest.Axis
	classes  []manifest.Class
	named    []string
	owner    []int // by axis: its section
	within   []int // by axis: its place among the columns of the section
	blocks   []*block
	len      int // instances
	sections int
	ids      *keptIDs // shared with copies, which are other plans
}

type keptIDs struct {
	making sync.Mutex
	made   atomic.Pointer[madeIDs]
}

type madeIDs struct {
	of  *Plan
	all []ID
}

// KeepIDs makes the ids of all instances once, and keeps them for later calls of [Plan.At]. Memory: 16 bytes each.
func (p *Plan) KeepIDs() []ID {
	p.ids.making.Lock()
	defer p.ids.making.Unlock()
	k := p.ids.made.Load()
	if k == nil || k.of != p {
		k = &madeIDs{p, make([]ID, 0, p.Len())}
		for _, in := range p.All() {
			k.all = append(k.all, in.ID)
		}
		p.ids.made.Store(k)
	}
	return k.all
}

type block struct {
	*manifest.Block
	tables []*variantTable // by section
	points int             // before cuts
	kept   []int32         // points that stay; nil for all
	first  int             // position of its first instance in the plan
	itself bool            // its instances play logs themselves
	labels []labelColumn   // columns that show labels of sub-trees
}

type labelColumn struct{ column, axis int }

// Instance is one run: a point of the sweep and a replication.
type Instance struct {
	ID    ID
	Index int
	// Replication counts from 0 to Replications-1, the replications of its point; it is LogItself where there are none.
	Replication, Replications int
	// Seed is the manifest's master seed; streams derive from it and from the
	// replication.
	Seed uint64
	// Values has one value for every axis of the plan; it is null where the path
	// does not exist in the instance.
	Values []params.Value
	// Sections are the resolved sections in the order of the registry.
	Sections []*params.Resolved
	workload *params.Resolved // nil for none
	of       *Plan            // whose point it is; nil for no plan's
}

// Version is the simulator's semantic version, which is in every id.
func (p *Plan) Version() int { return p.version }

// Classes are the classes of jobs that the rows of the plan's instances tell apart.
func (p *Plan) Classes() []manifest.Class { return p.classes }

// Named are the metrics that the rows of the plan's instances hold, in order; nil where they hold all.
func (p *Plan) Named() []string { return p.named }

// AsOf is the plan with the ids that it had under another version.
func (p *Plan) AsOf(version int) *Plan {
	q := *p
	q.version = version
	return &q
}

// first is the plan of the first replications of every point, up to n.
func (p *Plan) first(replications int) *Plan {
	q := *p
	q.blocks, q.len = nil, 0
	for _, b := range p.blocks {
		nb, mb := *b, *b.Block
		mb.Replications = min(b.Replications, replications)
		nb.Block = &mb
		q.append(&nb)
	}
	return &q
}

func (p *Plan) Len() int { return p.len }

// Replications returns the fewest and the most replications that a point has:
// blocks may have their own number.
func (p *Plan) Replications() (fewest, most int) {
	for i := range p.blocks {
		if p.blocks[i].itself {
			continue
		}
		n := p.blocks[i].Replications
		if i == 0 || n < fewest {
			fewest = n
		}
		most = max(most, n)
	}
	return fewest, most
}

// LogsThemselves returns the number of instances that simulate a log itself.
func (p *Plan) LogsThemselves() (n int) {
	for _, b := range p.blocks {
		if b.itself {
			n += b.count()
		}
	}
	return n
}

// Axes returns the columns in order of first appearance in the manifest.
func (p *Plan) Axes() []manifest.Axis { return p.axes }

// At sets dst to the instance at position i, 0 <= i < Len(). Replications vary
// fastest, the first axis slowest. The slices of dst are used again, so that a
// loop over the plan allocates nothing. Where dst is another replication of the
// same point, its values and sections stay.
func (p *Plan) At(i int, dst *Instance) {
	p.Locate(i, dst)
	if ids := p.ids.made.Load(); ids != nil && ids.of == p {
		dst.ID = ids.all[i]
	} else {
		dst.ID = instanceID(p.version, p.seed, dst.Replication, dst.Sections)
	}
}

// Locate is At without the id, which takes most of the time: dst then has none.
func (p *Plan) Locate(i int, dst *Instance) {
	if i < 0 || i >= p.Len() {
		panic(fmt.Sprintf("sweep: position %d of a plan of %d instances", i, p.Len()))
	}
	if k := i - dst.Index + dst.Replication; dst.of == p && dst.Replication >= 0 && k >= 0 && k < dst.Replications {
		dst.Index, dst.Replication = i, k
	} else {
		p.setPoint(i, dst)
	}
	dst.ID = ID{}
}

// setPoint sets all of dst but its id.
func (p *Plan) setPoint(i int, dst *Instance) {
	b := p.blocks[sort.Search(len(p.blocks), func(k int) bool { return p.blocks[k].first > i })-1]
	raw := b.point((i - b.first) / b.Replications)
	var buf [manifest.MaxAxes]int
	digits := buf[:len(b.Axes)]
	b.digits(raw, digits)

	dst.of, dst.Index, dst.Seed = p, i, p.seed
	dst.Replication, dst.Replications = (i-b.first)%b.Replications, b.Replications
	if b.itself {
		dst.Replication = LogItself
	}
	var variants [params.MaxSections]*variant
	dst.Sections = dst.Sections[:0]
	for k, t := range b.tables {
		variants[k] = t.get(t.number(digits))
		dst.Sections = append(dst.Sections, variants[k].Resolved)
	}
	dst.Values = dst.Values[:0]
	for k, s := range p.owner {
		dst.Values = append(dst.Values, variants[s].values[p.within[k]])
	}
	for _, c := range b.labels {
		if a := b.Axes[c.axis]; digits[c.axis] < len(a.Values) {
			dst.Values[c.column] = a.Values[digits[c.axis]].Value
		}
	}
	if dst.workload = nil; p.workload >= 0 {
		dst.workload = dst.Sections[p.workload]
	}
}

// All iterates over all instances in order. The instance is valid until the
// next one.
func (p *Plan) All() iter.Seq2[int, *Instance] {
	return func(yield func(int, *Instance) bool) {
		var in Instance
		for i := range p.Len() {
			if p.At(i, &in); !yield(i, &in) {
				return
			}
		}
	}
}

// Distinct iterates over the first instance of each combination of variants of some sections, of all where none is named. The
// instance is valid until the next one.
func (p *Plan) Distinct(sections ...int) iter.Seq2[int, *Instance] {
	return func(yield func(int, *Instance) bool) {
		var in Instance
		seen, key := map[string]bool{}, []byte(nil)
		for i := 0; i < p.Len(); i += in.Replications {
			p.Locate(i, &in)
			key = key[:0]
			for k, s := range in.Sections {
				if len(sections) == 0 || slices.Contains(sections, k) {
					key = append(key, s.Hash[:]...)
				}
			}
			if seen[string(key)] {
				continue
			}
			seen[string(key)] = true
			if p.At(i, &in); !yield(i, &in) {
				return
			}
		}
	}
}

// Variants returns the distinct variants of a section, in order of first
// appearance.
func (p *Plan) Variants(section int) []*params.Resolved {
	if section < 0 || section >= p.sections {
		return nil
	}
	var out []*params.Resolved
	seen := map[[32]byte]bool{}
	for _, b := range p.blocks {
		t := b.tables[section]
		for at := range t.size {
			if r := t.get(at); r != nil && !seen[r.Hash] {
				seen[r.Hash] = true
				out = append(out, r.Resolved)
			}
		}
	}
	return out
}

// Find returns the positions of the instances whose id begins with the hexadecimal
// digits, the first most of them. It looks at every instance.
func (p *Plan) Find(digits string, most int) (at []int) {
	digits = strings.ToLower(digits)
	var id [2 * len(ID{})]byte
	for i, inst := range p.All() {
		hex.Encode(id[:], inst.ID[:])
		if len(digits) <= len(id) && string(id[:len(digits)]) == digits {
			if at = append(at, i); len(at) == most {
				break
			}
		}
	}
	return at
}

// ID names an instance by content: it is a hash of everything that can change
// the instance's answer, and of nothing else.
type ID [16]byte

// String returns the id as 32 hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// ParseID reads an id of 32 hexadecimal digits.
func ParseID(s string) (ID, error) {
	var id ID
	if len(s) != 2*len(id) {
		return id, fmt.Errorf("id %q has %s; want %d hexadecimal digits", s, text.Counted(len(s), "character"), 2*len(id))
	}
	if _, err := hex.Decode(id[:], []byte(s)); err != nil {
		return id, fmt.Errorf("id %q: %w", s, err)
	}
	return id, nil
}

// instanceID hashes an instance: the encoding's tag, the simulator's version,
// the master seed, the replication, and the hash of every section. The sections
// are hashed once each, so that an instance costs a few hundred bytes of
// SHA-256 however many parameters it has.
func instanceID(version int, seed uint64, replication int, sections []*params.Resolved) ID {
	var buf [64 + 32*params.MaxSections]byte
	b := append(buf[:0], "schedsweep/instance/1\n"...)
	b = binary.BigEndian.AppendUint64(b, uint64(version))
	b = binary.BigEndian.AppendUint64(b, seed)
	b = binary.BigEndian.AppendUint64(b, uint64(replication))
	for _, s := range sections {
		b = append(b, s.Hash[:]...)
	}
	sum := sha256.Sum256(b)
	return ID(sum[:16])
}

// WorkloadKey is equal for instances that share a generated workload. It hashes the workload section, the master seed and the
// replication. Policy, platform and progress are not in it, and neither is the simulator's version.
func (in *Instance) WorkloadKey() [32]byte {
	var buf [96]byte
	b := append(buf[:0], "schedsweep/workload/1\n"...)
	b = binary.BigEndian.AppendUint64(b, in.Seed)
	b = binary.BigEndian.AppendUint64(b, uint64(in.Replication))
	if in.workload != nil {
		b = append(b, in.workload.Hash[:]...)
	}
	return sha256.Sum256(b)
}
