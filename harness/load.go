package harness

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
	"schedsweep/sweep"
)

// LoadOptions say where a manifest's files are and what is changed in it.
type LoadOptions struct {
	// Data are folders searched for input files after the manifest's own.
	Data []string
	// Set are "path=value" overrides.
	Set []string
	// Commands allows that runs start the programs that the manifest names.
	Commands bool
}

// Load reads a manifest and checks it, together with the files that it names.
func Load(path string, opt LoadOptions) (*sweep.Manifest, *Inputs, error) {
	text, err := store.ReadRegular(path)
	if err != nil {
		return nil, nil, fmt.Errorf("manifest: %w", err)
	}
	folder := filepath.Dir(path)
	folders := append([]string{folder}, opt.Data...)
	if p, err := ReadProvenance(folder); err == nil {
		folders = append(folders, p.Folders...) // a run folder's own manifest
	}
	inputs := NewInputs(folders...)
	inputs.commands = opt.Commands
	m, err := sweep.Load(path, text, sweep.Options{
		Registry: Registry(),
		ReadFile: func(name string) ([]byte, error) {
			parent := filepath.FromSlash(name)
			if !filepath.IsAbs(parent) {
				parent = filepath.Join(folder, parent)
			}
			inputs.Search(filepath.Dir(parent)) // a parent's files lie beside it
			return store.ReadRegular(parent)
		},
		HashFile: inputs.Hash,
		Set:      opt.Set,
	})
	return m, inputs, err
}

// ErrCombination says that parts of a manifest do not go together.
var ErrCombination = errors.New("impossible combination")

// ErrInput says that an input file is there but cannot be used.
var ErrInput = errors.New("unusable input")

// Check makes the parts of every different combination that the plan holds and
// asks them whether they go together, without running anything. It reports each
// combination that makes no sense once, with the first instance that has it. The
// notes say, once each, what a person should know though nothing is wrong, such
// as how many jobs of a log are left out.
func Check(plan *sweep.Plan, inputs *Inputs) (notes []string, err error) {
	seen := map[[sections][32]byte]bool{} // by hash, for a long axis has no variants to keep
	b := newBench(newWorkloads(inputs))
	b.workloads.looks = maxLooked
	var inst sweep.Instance
	var all []error
	for i := range plan.Len() {
		plan.At(i, &inst)
		var c [sections][32]byte
		for k, s := range inst.Sections {
			c[k] = s.Hash
		}
		if seen[c] {
			continue
		}
		seen[c] = true
		more, err := b.check(&inst)
		for _, note := range more {
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
		if errors.Is(err, ErrInput) {
			return notes, err // it would come again with every policy
		}
		if err != nil {
			all = append(all, fmt.Errorf("%w: instance %d (%s): %w", ErrCombination, i, named(plan.Axes(), inst.Values, inst.Replication), err))
			if len(all) == maxCombinations {
				all = append(all, fmt.Errorf("and perhaps more: stopped at %d", maxCombinations))
				break
			}
		}
	}
	if n := b.workloads.unlooked; n > 0 {
		notes = append(notes, fmt.Sprintf("%d of the workloads were not looked through for jobs that are too large, after %d jobs of others", n, maxLooked))
	}
	return notes, errors.Join(all...)
}

// check makes the parts of an instance and asks them whether they go together.
func (b *bench) check(inst *sweep.Instance) (notes []string, err error) {
	defer b.outside.end()
	sc, err := b.prepare(inst)
	if err != nil {
		return nil, err
	}
	if note := sc.played.info.Note; note != "" {
		notes = append(notes, note)
	}
	if note := leftOut(sc.played.info); note != "" {
		notes = append(notes, note)
	}
	if note := tooLarge(sc.played, sc.cfg.Platform.Procs()); note != "" {
		notes = append(notes, note)
	}
	if err := b.engine.Check(sc.cfg); err != nil {
		return notes, err
	}
	return notes, b.tryHome(&sc)
}

// tryHome plays the job with the highest home cluster by itself where the platform
// has no such cluster: to some policies that means something, and they refuse it.
func (b *bench) tryHome(sc *scenario) error {
	p := sc.played
	if int(p.home) < len(sc.cfg.Platform.Clusters) {
		return nil
	}
	far := slices.IndexFunc(p.jobs, func(j sim.JobSpec) bool { return j.Home == p.home })
	cfg := sc.cfg
	alone := sim.JobList(p.jobs[far : far+1])
	cfg.Source = &alone
	if r, ok := cfg.Progress.(sim.Rehearsing); ok && r.Rehearsal() != nil {
		cfg.Progress = r.Rehearsal()
	}
	_, err := b.engine.Run(context.Background(), cfg)
	return err
}

// tooLarge says that a workload has jobs larger than the machine, "" if not or
// if its jobs are streamed, so that one cannot tell beforehand.
func tooLarge(p *played, procs int) string {
	if int(p.procs) <= procs {
		return ""
	}
	n := 0
	for i := range p.jobs {
		if int(p.jobs[i].Procs) > procs {
			n++
		}
	}
	return fmt.Sprintf("%s: jobs need up to %d processors and the platform has %d: such instances will fail (workload.machine_procs, workload.select.max_processors)", p.info.Name, p.procs, procs)
}

// leftOut says how many jobs of a log a sweep does not play, "" for none.
func leftOut(info workload.Info) string {
	h := info.Hygiene
	if h == nil || h.Dropped() == 0 {
		return ""
	}
	var why []string
	for _, f := range h.Findings {
		if f.Action == swf.Dropped {
			why = append(why, fmt.Sprintf("%d %s", f.Count, f.Kind))
		}
	}
	return fmt.Sprintf("%s: %d of %d jobs are left out before any selection: %s (schedsweep workload describe tells more)", info.Name, h.Dropped(), h.Jobs+h.Dropped(), strings.Join(why, "; "))
}

// maxLooked is how many jobs of different workloads are looked at to check a plan.
const maxLooked = 1 << 19

// maxCombinations is how many impossible combinations are reported at once.
const maxCombinations = 10
