package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"schedsweep/analysis"
	"schedsweep/analysis/claim"
	"schedsweep/analysis/frame"
	"schedsweep/harness"
	"schedsweep/sweep"
	asked "schedsweep/sweep/study"
)

// runRows is what a run folder holds.
type runRows struct {
	frame   *frame.Frame
	design  frame.Design
	foreign int // rows of instances that the manifest does not have, left out
}

// readRows reads the rows of a manifest's run, with what claims read of them.
func readRows(m *sweep.Manifest, dir string, claims []asked.Claim) (runRows, error) {
	spec, err := analysis.FromManifest(m, nil)
	if err != nil {
		return runRows{}, err
	}
	table, foreign, err := harness.Rows(m, dir, append(spec.Columns(claims), spec.Design.Metrics...)...)
	if err != nil {
		return runRows{}, err
	}
	rows, err := frame.FromTable(table)
	if err != nil {
		return runRows{}, fmt.Errorf("rows of %s: %w", dir, err)
	}
	return runRows{rows, spec.Design, foreign}, nil
}

// tested evaluates the manifest's claims. Runs of other manifests that they
// name are found beside the run's own folder.
func tested(st study, rows *frame.Frame, design frame.Design) ([]claim.Result, error) {
	if len(st.manifest.Claims) == 0 {
		return nil, nil
	}
	points, err := frame.PlannedPoints(st.manifest)
	if err != nil {
		return nil, err
	}
	design.Metrics = st.manifest.Metrics // those of the tables may be more
	own := &frame.Run{Frame: rows, Design: design, Planned: points, Remedy: "go on with: " + st.command("run", outFlags(st.dir, st.manifest.Name)...)}
	others := map[string]*frame.Run{}
	for i := range st.manifest.Claims {
		for _, name := range st.manifest.Claims[i].Runs() {
			if others[name] == nil {
				if others[name], err = otherRun(st, name, filepath.Join(filepath.Dir(st.dir), name)); err != nil {
					return nil, err
				}
			}
		}
	}
	return claim.Evaluate(st.manifest.Claims, own, others), nil
}

// otherRun reads the run of another manifest, NAME.yaml beside the study's. One
// that there is not, or that was run with other values, has no frame.
func otherRun(st study, name, dir string) (*frame.Run, error) {
	path := filepath.Join(filepath.Dir(st.path), name+".yaml")
	other := study{path: path, data: st.data}
	remedy := "make them with: " + other.command("run", outFlags(dir, name)...)
	r := &frame.Run{Name: name, Remedy: remedy}
	p, err := harness.ReadProvenance(dir)
	if p.Rebuilt != "" {
		r.Remarks = append(r.Remarks, p.Rebuilt)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, nil
	case err != nil:
		return nil, err
	case p.Manifest != name:
		return nil, fmt.Errorf("%w: %s holds %q", harness.ErrOtherManifest, dir, p.Manifest)
	}
	_, err = os.Stat(path)
	known := err == nil
	if !known {
		path = harness.ManifestPath(dir)
		r.Remarks = append(r.Remarks, fmt.Sprintf("the run %s is taken as it lies: there is no %s.yaml beside the manifest to hold it against", name, name))
	}
	m, in, err := harness.Load(path, harness.LoadOptions{Data: append(st.inputs.Folders(), p.Folders...)})
	if err == nil {
		m, err = inquired(m, in, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("the run %s: %w", dir, err)
	}
	if m.Name != name {
		return nil, misuse("%s is the manifest of %q; a claim names the run %q", path, m.Name, name)
	}
	for i := range m.Classes {
		for k := range st.manifest.Classes {
			if is, here := &m.Classes[i], &st.manifest.Classes[k]; is.Name == here.Name && is.Is() != here.Is() {
				r.Remarks = append(r.Remarks, fmt.Sprintf("of the run %s the class %s is of other jobs: %s, and here %s", name, is.Name, is.Is(), here.Is()))
			}
		}
	}
	// What the claims read of this run they name, or its own manifest does.
	rows, err := readRows(m, dir, st.manifest.Claims)
	switch {
	case errors.Is(err, harness.ErrNoRows):
		return r, nil
	case known && errors.Is(err, harness.ErrOtherManifest):
		r.Remedy = fmt.Sprintf("%s was run with other values than those of %s; move it away and %s", dir, path, remedy)
		return r, nil
	case err != nil:
		return nil, err
	}
	if r.Planned, err = frame.PlannedPoints(m); err != nil {
		return nil, err
	}
	r.Frame, r.Design, r.Instances = rows.frame, rows.design, rows.design.PlannedTotal
	if rows.foreign > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("the run %s holds %d rows that are no instances of %s; they were left out", name, rows.foreign, path))
	}
	return r, nil
}

// outFlags name a run folder where it is not the manifest's own.
func outFlags(dir, name string) []string {
	if dir == defaultFolder(name) {
		return nil
	}
	return []string{"--out", dir}
}
