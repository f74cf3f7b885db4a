package input

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"schedsweep/harness"
	"schedsweep/sim"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

// Trace is a workload by itself, without a simulation.
type Trace struct {
	played *Workload
	around int // jobs of the run-up and the run-out, which are left out
	procs  int // of the machine that the workload is for, 0 if unknown
	inputs *Files
}

// Reads reports whether a file is one from which the workload is read.
func (t *Trace) Reads(path string) bool { return t.inputs.Reads(path) }

// OpenTrace opens a workload by its name: a log (.swf, .swf.gz), a table where
// opt.Set has a map, a
// manifest (.yaml, .yml), whose first instance counts, or a kind of workload
// such as lublin, with its defaults. Overrides in opt name the fields of the
// workload section without its name: jobs=1000.
func OpenTrace(source string, seed uint64, opt Options) (*Trace, error) {
	set := text.Each(opt.Set, func(s string) string { return "workload." + s })
	if ext := filepath.Ext(source); ext == ".yaml" || ext == ".yml" {
		m, inputs, err := Load(source, Options{Data: opt.Data, Set: set})
		if err != nil {
			return nil, err
		}
		return openTrace(m, inputs)
	}
	section := "kind: " + strconv.Quote(source)
	folders := append([]string{"."}, opt.Data...)
	table := slices.ContainsFunc(opt.Set, func(s string) bool { return strings.HasPrefix(s, "map=") })
	log := table || strings.HasSuffix(strings.TrimSuffix(source, filepath.Ext(source)), ".swf") || strings.HasSuffix(source, ".swf")
	if log {
		kind := "swf"
		if table {
			kind = "table"
		}
		section = fmt.Sprintf("kind: %s, path: %s", kind, strconv.Quote(source))
	}
	inputs := NewFiles(folders...)
	if log {
		if _, err := inputs.Hash(source); err != nil {
			return nil, err
		}
	}
	if _, known := workload.Kinds.Get(source); !log && !known {
		if _, err := inputs.Hash(source); err == nil {
			return nil, harness.Unusable("%s is a file without a column map. If it is a table of jobs, \"schedsweep workload map %[1]s > "+
				"jobs.yaml\" guesses a map. Read the file with --set map=jobs.yaml, or with a map of the program (--set map=NAME: %s). A log in "+
				"SWF must be named .swf or .swf.gz", source, strings.Join(ShippedMaps(), ", "))
		}
		var kinds []string
		for _, k := range workload.Kinds.Kinds() {
			kinds = append(kinds, k.Name)
		}
		return nil, harness.Unusable("%s is no file here and no kind of workload; %s. --data FOLDER names the folder of a log", source,
			text.MeantOneOf(source, kinds))
	}
	manifest := fmt.Sprintf("name: trace\nseed: %d\nworkload: {%s}\npolicy: {kind: fcfs}\n", seed, section)
	m, err := sweep.Load(source, []byte(manifest), sweep.Options{Registry: Registry(), HashFile: inputs.Hash, Set: set})
	if err != nil {
		return nil, err
	}
	return openTrace(m, inputs)
}

func openTrace(m *sweep.Manifest, inputs *Files) (*Trace, error) {
	plan, err := m.Plan()
	if err != nil {
		return nil, err
	}
	var inst sweep.Instance
	plan.At(0, &inst)
	played, err := NewWorkloads(inputs).Get(&inst)
	if err != nil {
		return nil, err
	}
	taken, err := workload.Taken(played.w)
	if err != nil {
		return nil, err
	}
	return &Trace{played: &Workload{w: taken, Info: taken.Info()}, around: played.Info.Jobs - taken.Info().Jobs,
		procs: machineProcs(&inst, played.Info), inputs: inputs}, nil
}

// Notes returns sentences on the jobs of a log that are left out, and on those with other values than in the log.
func (t *Trace) Notes() (notes []string) {
	if t.around > 0 {
		notes = append(notes, text.Counted(t.around, "job")+" of the run-up and the run-out "+text.Either(t.around, "is", "are")+
			" left out: run simulates these around the window (select.run_up, select.run_out)")
	}
	h := t.played.Info.Hygiene
	if h == nil {
		return nil
	}
	if h.Dropped() > 0 {
		notes = append(notes, h.LeftOut())
	}
	if altered := h.Altered(); altered != "" {
		notes = append(notes, altered)
	}
	return notes
}

// Describe writes the facts that a researcher wants first.
func (t *Trace) Describe(w io.Writer) error {
	info := t.played.Info
	start, zone := t.played.Clock().Instant()
	if zone == nil && !start.IsZero() {
		start = start.In(time.FixedZone("local time", 0))
	}
	d, err := workload.Describe(t.played.w.Source(), t.procs, start)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", info.Name); err != nil {
		return err
	}
	if err := d.WriteText(w); err != nil {
		return err
	}
	if info.Hygiene == nil {
		return nil
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return info.Hygiene.WriteText(w)
}

// WriteSWF writes the jobs as an SWF log and returns their number. It streams.
func (t *Trace) WriteSWF(w io.Writer) (int, error) {
	h := &swf.Header{Lines: []string{"Version: 2.2"}}
	if t.procs > 0 {
		h.Lines = append(h.Lines, "MaxProcs: "+strconv.Itoa(t.procs))
	}
	h.Lines = append(h.Lines, t.dated()...)
	h.Lines = append(h.Lines, "Note: workload "+t.played.Info.Name+", written by schedsweep")
	return workload.WriteSWF(w, h, t.played.w)
}

// dated is the lines of a header that say when the jobs were submitted, and what numbers in their log stand for.
func (t *Trace) dated() (lines []string) {
	info := &t.played.Info
	if info.Records == nil {
		return nil
	}
	if of := t.played.Clock(); !of.Start.IsZero() {
		start, zone := of.Instant()
		clock := "local" // where the log does not say whose it is
		if zone != nil {
			clock, _ = start.Zone()
			lines = append(lines, "UnixStartTime: "+strconv.FormatInt(start.Unix(), 10), "TimeZoneString: "+of.Zone)
		}
		lines = append(lines, "StartTime: "+start.Format("Mon Jan 02 15:04:05 ")+clock+start.Format(" 2006"))
	}
	names := info.Records.Names()
	for n, name := range names.Queues {
		lines = append(lines, fmt.Sprintf("Queue: %d %s", n, onOneLine(name)))
	}
	for n, name := range names.Partitions {
		lines = append(lines, fmt.Sprintf("Partition: %d %s", n, onOneLine(name)))
	}
	return lines
}

// onOneLine has a space for each line break and the like: a header has a line for each name.
func onOneLine(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, name)
}

// WriteBatsim writes the jobs as a Batsim workload (JSON) and returns their
// number.
func (t *Trace) WriteBatsim(w io.Writer) (int, error) {
	return workload.WriteBatsim(w, t.played.w, t.procs)
}

// WriteOutages writes the outages of a log as CSV, and returns their number; see [workload.Outages]. classes are the node classes of
// partitions, by number or name, and other is that of all other jobs: "" is an error where there are classes, and else the class all.
func (t *Trace) WriteOutages(w io.Writer, classes map[string]string, other, do string) (int, error) {
	info, unknown, absent := t.played.Info, map[string]int{}, maps.Clone(classes)
	if other == "" && len(classes) == 0 {
		other = "all"
	}
	all, err := workload.Outages(t.played.w.Source(), info.Records, func(j *sim.JobSpec) (string, error) {
		n, names := info.Records.Record(j.Record).Partition, info.Records.Names().Partitions
		name := strconv.Itoa(int(n))
		if _, known := classes[name]; !known && n >= 0 && int(n) < len(names) && names[n] != "" {
			name = names[n]
		}
		if class, known := classes[name]; known {
			delete(absent, name)
			return class, nil
		}
		if other == "" {
			unknown[name]++
		}
		return other, nil
	})
	if err != nil {
		return 0, harness.Unusable("%s: %w", info.Name, err)
	}
	if len(unknown) > 0 {
		var list []string
		for name, jobs := range unknown {
			list = append(list, fmt.Sprintf("%s (%s)", name, text.Counted(jobs, "job")))
		}
		slices.Sort(list)
		return 0, harness.Unusable("%s: no class is given for the partitions %s: give each with --class, or all others with --other",
			info.Name, strings.Join(list, ", "))
	}
	if len(absent) > 0 {
		return 0, harness.Unusable("%s: no job is in the partition %s: correct its number or name, or leave its class out", info.Name,
			strings.Join(slices.Sorted(maps.Keys(absent)), ", "))
	}
	start, zone := t.played.Clock().Instant()
	return len(all), workload.WriteOutages(w, all, start, zone != nil, do)
}
