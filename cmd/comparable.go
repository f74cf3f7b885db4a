package cmd

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis"
	"schedsweep/analysis/frame"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

type oneRun struct {
	study
	name       string
	provenance folder.Provenance
	rows       *frame.Frame // after they are stacked without columns in memory
	answered   []int32      // its rows with an answer
	axes       []string
}

func openOneRun(env environment, c *cli.Context, dir string) (r oneRun, err error) {
	r.name = filepath.Base(filepath.Clean(dir))
	if r.provenance, err = provenanceOf(env, dir); err != nil {
		return r, misuse("compare: %w", err)
	}
	if r.study, err = studyAt(env, c, dir); err != nil {
		return r, fmt.Errorf("compare: %w", err)
	}
	for _, axis := range r.plan.Axes() {
		r.axes = append(r.axes, axis.Path)
	}
	return r, nil
}

// with calls fn with the rows of the run.
func (r *oneRun) with(env environment, c *cli.Context, fn func(rows.Stored) error) error {
	earlier := func() (all []*sweep.Manifest) {
		for _, path := range folder.ManifestPaths(r.dir)[1:] {
			if m, _, err := input.Load(path, input.Options{Data: append(dataFolders(env, c), r.dir)}); err == nil {
				all = append(all, m)
			}
		}
		return all
	}
	return rows.WithStored(r.manifest, r.dir, earlier, func(in rows.Stored) error {
		for _, axis := range r.axes {
			if in.Schema().Index(axis) < 0 {
				return misuse("compare: the rows of %s are of another version of the program and have no %s: run the manifest again", r.dir, axis)
			}
		}
		return fn(in)
	})
}

// said names a run, the program that wrote it, and how much of it is there.
func (r *oneRun) said() string {
	v := r.provenance
	return fmt.Sprintf("%s: %s, semantic version %d, %s; %d of %d instances answered", r.name, v.Program, v.SemanticVersion, v.Arithmetic,
		len(r.answered), r.plan.Len())
}

// sameStudy refuses two runs whose manifests differ in more than the user has named, and runs whose jobs differ where they
// are to be paired. It returns in what they differ.
func sameStudy(c compareOptions, a, b *oneRun) ([]params.Difference, error) {
	for _, x := range []struct{ has, lacks *oneRun }{{a, b}, {b, a}} {
		axes := slices.DeleteFunc(slices.Clone(x.has.axes), func(axis string) bool { return slices.Contains(x.lacks.axes, axis) })
		if len(axes) > 0 {
			return nil, misuse("compare: %s varies %s and %s does not, so that nothing can be paired: run both with the same axes", x.has.dir,
				join(axes), x.lacks.dir)
		}
	}
	fields, sameJobs := run.Differences(a.plan, b.plan)
	independent := c.Bool("independent")
	var refused []string
	used := map[string]bool{}
	for _, d := range fields {
		named := d.Field == "seed" // that the next message is about
		for _, name := range c.StringSlice("across") {
			if d.Field == name || strings.HasPrefix(d.Field, name+".") {
				named, used[name] = true, true
			}
		}
		if !named {
			refused = append(refused, fmt.Sprintf("\n    %s: %s and %s", d.Field, d.A, d.B))
		}
	}
	switch {
	case a.manifest.Seed != b.manifest.Seed && !independent:
		return nil, misuse("compare: the runs have the seeds %d and %d: their replications are of different random numbers, and no pairs; "+
			"--independent compares the means of unrelated runs", a.manifest.Seed, b.manifest.Seed)
	case len(refused) > 0:
		return nil, misuse("compare: the manifests of %s and %s differ in fields that were not named:%s\n    name each that is "+
			"meant: --across %s",
			a.dir, b.dir, strings.Join(refused, ""), strings.TrimSpace(strings.SplitN(refused[0], ":", 2)[0]))
	}
	for _, name := range c.StringSlice("across") {
		switch {
		case used[name]:
		case slices.Contains(a.axes, name):
			return nil, misuse("compare: --across %s: it is an axis of both manifests, and rows of one value are pairs: write one value in the "+
				"section of each, and no axis", name)
		default:
			return nil, misuse("compare: --across %s: the manifests do not differ in it", name)
		}
	}
	if !sameJobs && !independent {
		return nil, misuse("compare: the runs play different jobs, so that their rows are no pairs; --independent compares the means of " +
			"unrelated runs")
	}
	return fields, nil
}

// pairable refuses rows of one point and replication that played different jobs though their manifests agree, such as of a log
// that has changed.
func pairable(f *frame.Frame, a, b *oneRun) error {
	digest := f.Held(frame.ColumnJobsDigest)
	if digest == nil || digest.IsText() {
		return nil
	}
	of, n := frame.CodesBy(f, append(slices.Clone(b.axes), frame.ReplicationColumn))
	first := slices.Repeat([]float64{math.NaN()}, n)
	pairs, other := 0, 0
	for row, at := range of {
		switch x := digest.Number(int32(row)); {
		case math.IsNaN(x):
		case math.IsNaN(first[at]):
			first[at] = x
		default:
			if pairs++; x != first[at] {
				other++
			}
		}
	}
	if other > 0 {
		return misuse("compare: %d of %d pairs of rows of %s and %s did not play the same jobs, though the manifests agree (column %s): the "+
			"log is another one, or a version of the program has changed the jobs; run one of both again, or compare unrelated runs with "+
			"--independent",
			other, pairs, a.dir, b.dir, frame.ColumnJobsDigest)
	}
	return nil
}

// unseen returns the points of A's plan, by B's axes, that are none of these: of points without a row in either run.
func unseen(a, b *oneRun, points []frame.Group) (all []frame.Group) {
	name := func(point []frame.Value) string { return strings.Join(frame.Printed(point), "\x00") }
	seen := map[string]bool{}
	for _, g := range points {
		seen[name(g.Key)] = true
	}
	order := text.Each(b.axes, func(axis string) int { return slices.Index(a.axes, axis) })
	var in sweep.Instance
	for i := 0; i < a.plan.Len(); i += in.Replications {
		a.plan.Locate(i, &in)
		key := text.Each(order, func(at int) frame.Value { return frame.ValueOf(in.Values[at]) })
		if at := name(key); !seen[at] {
			seen[at], all = true, append(all, frame.Group{Key: key})
		}
	}
	return all
}

// planned returns the function of the number of planned replications at a point of the stacked runs.
func planned(a, b *oneRun) func(point []frame.Value) int {
	of := map[string]func([]frame.Value) int{a.name: analysis.PlannedOf(a.plan), b.name: analysis.PlannedOf(b.plan)}
	order := make([]int, len(a.axes)) // of A's axes among B's, whose order the points have
	for i, axis := range a.plan.Axes() {
		order[i] = slices.Index(b.axes, axis.Path)
	}
	return func(point []frame.Value) int {
		values := point[1:]
		if point[0].Text == a.name {
			values = make([]frame.Value, len(order))
			for i, at := range order {
				values[i] = point[1+at]
			}
		}
		return of[point[0].Text](values)
	}
}

// missing tells of instances of A's plan that have no answer in B, or none in A, so that nothing is known of them; "" where there are none.
// B may have more points than A; that it has fewer replications is for the user to name.
func missing(f *frame.Frame, d *frame.Design, a, b *oneRun) string {
	runs, ok := f.Held(runColumn), d.Answered(f)
	replication := frame.LevelsOf(f.Held(frame.ReplicationColumn), nil)
	type instance struct {
		run         string
		replication int
	}
	has := map[instance]bool{} // of a point
	points := frame.GroupBy(f, b.axes, d.Order).Groups
	lacks, all, first := 0, 0, ""
	for _, g := range append(points, unseen(a, b, points)...) {
		clear(has)
		for _, row := range g.Rows {
			if ok == nil || ok[row] {
				r := int(replication.Values[replication.Codes[row]].Number)
				has[instance{runs.Levels[runs.Code(row)], r}] = true
			}
		}
		plannedBy := func(r *oneRun) int { return d.PlannedAt(append([]frame.Value{frame.Text(r.name)}, g.Key...)).N }
		due, other := plannedBy(a), plannedBy(b)
		if other > 0 {
			due = min(due, other)
		}
		for r := range due {
			all++
			for _, of := range []*oneRun{b, a} {
				if !has[instance{of.name, r}] {
					if lacks++; lacks == 1 {
						first = fmt.Sprintf("%s at %s", of.name, strings.Join(append(frame.Printed(g.Key), fmt.Sprintf("replication %d", r)), ", "))
					}
					break
				}
			}
		}
	}
	if lacks == 0 {
		return ""
	}
	return fmt.Sprintf("%s or %s has no answer for %d of %s, the first of %s", b.name, a.name, lacks, text.Counted(all, "instance"), first)
}
