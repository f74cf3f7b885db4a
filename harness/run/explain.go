package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
)

// Explained holds the parts of an instance's id, and its nearest relatives in the run folder or the
// manifest.
type Explained struct {
	ID   string `json:"id"`
	Name string `json:"name"` // its number and the values of its axes, "" where only its row is known
	// From is the manifest that has it: "" for the manifest in question, otherwise one that
	// the run folder keeps, or its row alone.
	From string `json:"from,omitempty"`
	// Row is its row in the folder, nil where there is none.
	Row *RowOf `json:"row,omitempty"`
	// Fields are the hashed fields. Of an instance known only by its row, they are the fields in the row.
	Fields []params.HashedField `json:"fields"`
	// Nearest is, of an instance that has no row, the one that has; of an instance of another
	// manifest, this one's. Nil where there is none or no need.
	Nearest *Neighbour `json:"nearest,omitempty"`
	// Notes name the parts that could not be examined.
	Notes []string `json:"notes,omitempty"`
}

// RowOf is the place of a row and the outcome of the instance.
type RowOf struct {
	Outcome string `json:"outcome"`
	Part    string `json:"part"`
	Program string `json:"program"`
}

// Neighbour is another instance, with the fields in which it differs.
type Neighbour struct {
	ID      string              `json:"id"`
	Name    string              `json:"name"`
	From    string              `json:"from,omitempty"`
	Differs []params.Difference `json:"differs"`
}

// ErrUnknownID reports that neither manifest nor run folder know an id.
var ErrUnknownID = errors.New("no row has such an id")

// family is the instances of one manifest under one semantic version.
type family struct {
	from string
	plan *sweep.Plan
}

// Explain returns the parts of the id that begins with the digits: of an instance of the manifest,
// or else of a row of the folder, which may be missing. data are folders for the files of other
// manifests of the folder.
func Explain(m *sweep.Manifest, dir, digits string, data []string) (Explained, error) {
	plan, err := m.Plan()
	if err != nil {
		return Explained{}, err
	}
	folder := filepath.Join(dir, folder.Instances)
	x := &explaining{out: Explained{}, own: family{plan: plan}}
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		err := x.explain(digits)
		return x.out, err
	}
	x.others(dir, data)
	err = store.WithIndex(folder, rows.Instances, func(index *store.Index) error {
		x.index = index
		return x.explain(digits)
	})
	if err != nil && !errors.Is(err, ErrUnknownID) {
		err = fmt.Errorf("rows of %s: %w", dir, err)
	}
	return x.out, err
}

type explaining struct {
	out     Explained
	own     family
	kept    []family // of other manifests, and versions
	index   *store.Index
	between map[[2][32]byte]int // fields in which two sections differ, by hash
}

// others loads the manifests that the folder keeps, under all versions of its rows.
func (x *explaining) others(dir string, data []string) {
	versions := map[int]bool{}
	if parts, err := store.Parts(filepath.Join(dir, folder.Instances)); err == nil {
		for _, p := range parts {
			for text := range strings.SplitSeq(p.Meta[folder.MetaVersion], "\n") {
				if v, err := strconv.Atoi(text); err == nil {
					versions[v] = true
				}
			}
		}
	}
	add := func(from string, plan *sweep.Plan) {
		if from != "" {
			x.kept = append(x.kept, family{from, plan})
		}
		for v := range harness.SemanticVersion {
			if versions[v] {
				x.kept = append(x.kept, family{strings.TrimSpace(fmt.Sprintf("%s under semantic version %d", from, v)), plan.AsOf(v)})
			}
		}
	}
	add("", x.own.plan)
	for _, path := range folder.ManifestPaths(dir) {
		other, _, err := input.Load(path, input.Options{Data: append(data, dir)})
		var plan *sweep.Plan
		if err == nil {
			plan, err = other.Plan()
		}
		switch {
		case err == nil:
			add(path, plan)
		case !errors.Is(err, fs.ErrNotExist):
			x.out.Notes = append(x.out.Notes, fmt.Sprintf("%s was not looked at: %v", path, err))
		}
	}
}

func (x *explaining) explain(digits string) error {
	x.out.Row, x.out.Nearest, x.between = nil, nil, map[[2][32]byte]int{}
	for _, f := range append([]family{x.own}, x.kept...) {
		found := f.plan.Find(digits, 2)
		if f.from != "" {
			found = slices.DeleteFunc(found, func(i int) bool { return x.row(idAt(f.plan, i)) == nil })
		}
		if len(found) > 1 {
			return fmt.Errorf("%w: several begin with %s", ErrUnknownID, digits)
		}
		if len(found) == 1 {
			x.known(f, found[0])
			return nil
		}
	}
	return x.onlyRow(digits)
}

func idAt(plan *sweep.Plan, i int) string {
	var inst sweep.Instance
	plan.At(i, &inst)
	return inst.ID.String()
}

func (x *explaining) row(id string) *RowOf {
	if x.index == nil {
		return nil
	}
	record, ok := x.index.Find(id)
	if !ok {
		return nil
	}
	r := &RowOf{}
	part := x.index.Source(int32(record))
	r.Part, r.Program = part.Path, strings.ReplaceAll(part.Meta[folder.MetaProgram], "\n", " or ")
	if t, err := x.index.Read([]string{"outcome"}, []int32{int32(record)}); err == nil {
		r.Outcome = t.Columns[0].Text(0)
	}
	return r
}

func (x *explaining) known(f family, i int) {
	var inst sweep.Instance
	f.plan.At(i, &inst)
	x.out.ID, x.out.Name, x.out.From = inst.ID.String(), harness.Name(f.plan, &inst), f.from
	x.out.Row = x.row(x.out.ID)
	x.out.Fields = hashed(f.plan, &inst)
	var best candidate
	switch {
	case f.from != "": // the manifest has it no more
		x.nearest(&best, &inst, f.plan.Version(), x.own, false)
	case x.out.Row == nil && x.index != nil:
		for _, other := range append([]family{x.own}, x.kept...) {
			x.nearest(&best, &inst, f.plan.Version(), other, true)
		}
	}
	if best.plan == nil {
		return
	}
	var other sweep.Instance
	best.plan.At(best.at, &other)
	x.out.Nearest = &Neighbour{other.ID.String(), harness.Name(best.plan, &other), best.from, differing(f.plan, &inst, best.plan, &other)}
}

type candidate struct {
	family
	at, apart int
}

// nearest looks for an instance of other that is nearer than the best so far; only among instances with a row, if the
// caller says so.
func (x *explaining) nearest(best *candidate, inst *sweep.Instance, version int, other family, withRow bool) {
	for i, o := range other.plan.All() {
		apart := 0
		if o.Replication != inst.Replication {
			apart += 2 // other differences count for less
		}
		if o.Seed != inst.Seed {
			apart++
		}
		if other.plan.Version() != version {
			apart++
		}
		for k, s := range o.Sections {
			apart += x.apart(s, inst.Sections[k])
		}
		if best.plan != nil && apart >= best.apart || o.ID == inst.ID {
			continue
		}
		if withRow {
			if _, ok := x.index.Find(o.ID.String()); !ok {
				continue
			}
		}
		*best = candidate{other, i, apart}
	}
}

func (x *explaining) apart(a, b *params.Resolved) int {
	if a.Hash == b.Hash {
		return 0
	}
	key := [2][32]byte{a.Hash, b.Hash}
	n, ok := x.between[key]
	if !ok {
		if len(x.between) > 1<<16 {
			clear(x.between)
		}
		n = len(a.Differences(b))
		x.between[key] = n
	}
	return n
}

func hashed(plan *sweep.Plan, inst *sweep.Instance) []params.HashedField {
	fields := []params.HashedField{{Field: "semantic version", Value: strconv.Itoa(plan.Version())},
		{Field: "seed", Value: strconv.FormatUint(inst.Seed, 10)}, {Field: "replication", Value: strconv.Itoa(inst.Replication)}}
	for _, s := range inst.Sections {
		fields = append(fields, s.Hashed()...)
	}
	return fields
}

func differing(plan *sweep.Plan, inst *sweep.Instance, otherPlan *sweep.Plan, other *sweep.Instance) (all []params.Difference) {
	a, b := hashed(plan, inst), hashed(otherPlan, other)
	for i := range 3 { // the ones of no section
		if a[i] != b[i] {
			all = append(all, params.Difference{Field: a[i].Field, A: a[i].Value, B: b[i].Value})
		}
	}
	for k, s := range inst.Sections {
		all = append(all, s.Differences(other.Sections[k])...)
	}
	return all
}

// onlyRow explains a row that no known manifest has.
func (x *explaining) onlyRow(digits string) error {
	if x.index == nil || x.index.Len() == 0 {
		return ErrUnknownID
	}
	all := store.AllRows(x.index.Len())
	t, err := x.index.Read([]string{"id"}, all)
	if err != nil {
		return err
	}
	var found []int32
	for i := range t.Rows {
		if strings.HasPrefix(t.Columns[0].Text(i), strings.ToLower(digits)) {
			found = append(found, int32(i))
		}
	}
	if len(found) == 0 {
		return ErrUnknownID
	}
	if len(found) > 1 {
		return fmt.Errorf("%w: the ids of %d rows begin with %s", ErrUnknownID, len(found), digits)
	}
	x.out.ID, x.out.From = t.Columns[0].Text(int(found[0])), "its row alone"
	x.out.Row = x.row(x.out.ID)
	var wanted []string
	for _, c := range x.index.Schema() {
		if rows.IsAxis(c) || c.Name == "replication" || c.Name == "seed" {
			wanted = append(wanted, c.Name)
		}
	}
	if t, err = x.index.Read(wanted, found); err != nil {
		return err
	}
	meta := x.index.Source(found[0]).Meta
	x.out.Fields = []params.HashedField{{Field: "manifest", Value: meta[folder.MetaManifest]},
		{Field: "semantic version", Value: strings.ReplaceAll(meta[folder.MetaVersion], "\n", " or ")}}
	for c := range t.Columns {
		if v := &t.Columns[c]; !v.IsNull(0) {
			x.out.Fields = append(x.out.Fields, params.HashedField{Field: v.Name, Value: v.Text(0)})
		}
	}
	x.out.Notes = append(x.out.Notes, "no manifest that the folder keeps has this instance: fields that are not in its row cannot be compared")
	return nil
}
