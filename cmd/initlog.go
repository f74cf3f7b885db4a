package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"schedsweep/harness/input"
	"schedsweep/sweep/text"
)

// logStarter is the manifest that init --log writes. It has the name, the number of windows, how they lie, and the path of the log. Then
// come the jobs of a window, a remark on walltimes, and the platform.
const logStarter = `# Three policies on 20 windows of a log, at three loads.
name: %s
replications: %d               # windows %s
workload:
  kind: swf
  path: %q
  select: %s   # measured jobs of a window; jobs around it are simulated only
%s%saxes:
  policy.kind: [fcfs, easy, conservative]
  workload.offered_load: [0.7, 0.8, 0.9]   # submit times are scaled; 0: as recorded
metrics: [mean_wait_time, mean_bounded_slowdown, utilisation]
analysis:
  baseline: {policy.kind: easy}
  margins: [{metric: mean_wait_time, share: 5%%}]   # smaller differences do not matter to you
  figures:                     # the paired figure shows which policy is better, and by how much
    - {id: ratio, x: workload.offered_load, y: mean_wait_time, series: policy.kind, paired: ratio,
       where: {policy.kind: [easy, conservative]}}   # FCFS is left out: its ratios are often too large for one scale
    - {id: wait, x: workload.offered_load, y: mean_wait_time, series: policy.kind, band: true, y_scale: log}
`

// starterWindows is the number of windows that init --log takes. They share no job where each has leastWindow jobs or more.
const starterWindows, leastWindow = 20, 250

var unnamed = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// starterFor returns the manifest for a log. Its path is as seen from the file to write, or its name in one of the folders of logs.
func starterFor(log, file string, folders []string) (string, error) {
	if name := strings.TrimSuffix(strings.ToLower(log), ".gz"); !strings.HasSuffix(name, ".swf") {
		return "", misuse("--log %s: a log ends in .swf or .swf.gz; for a table, schedsweep workload map %s proposes a column map", log, log)
	}
	files := input.NewFiles(append([]string{"."}, folders...)...)
	found, err := files.Find(log)
	if errors.Is(err, input.ErrNotFound) {
		return "", misuse("--log %s: there is no such file, here or in $SCHEDSWEEP_DATA; check its path", log)
	}
	l, err := files.Log(log)
	if err != nil {
		return "", misuse("--log: %w", err)
	}
	jobs, platform, largest, missing, played, walltimes := l.Records(), "", int32(1), 0, 0, ""
	for i := range jobs {
		if largest = max(largest, jobs[i].Requested, jobs[i].Allocated); jobs[i].RequestedTime <= 0 {
			missing++
		}
		if jobs[i].RunTime > 0 && max(jobs[i].Requested, jobs[i].Allocated) > 0 {
			played++
		}
	}
	// Some more may be left out, such as jobs that are too large.
	most := func(jobs int) int { return min(1000, jobs*49/50/starterWindows) }
	window := fmt.Sprintf("{jobs: %d, sample: disjoint-windows}", most(played))
	if n := most(played - input.RunUp); n >= leastWindow { // no window begins where the log has no run-up before it
		window = fmt.Sprintf("{jobs: %d, sample: disjoint-windows, skip: %d}", n, input.RunUp)
	}
	lie := "of the log that share no measured job"
	if played/starterWindows < leastWindow {
		window, lie = fmt.Sprintf("{jobs: %d}", max(1, min(1000, len(jobs)/5))), "at random places of the log, which may share jobs"
	}
	if missing > 0 {
		walltimes = fmt.Sprintf("  # %d of %d jobs %s exactly, unless you draw walltimes:\n  # estimates: {model: uniform, factor: 5}\n", missing,
			len(jobs), text.Either(missing, "has no requested time: policies know its run time",
				"have no requested time: policies know their run times"))
	}
	if l.Header.Procs() == 0 {
		platform = fmt.Sprintf("platform: {processors: %d}  # the largest job of the log, which has no MaxProcs: give the machine's size\n",
			largest)
	}
	if found == filepath.Clean(log) && !filepath.IsAbs(log) {
		path, err := filepath.Rel(filepath.Dir(file), log)
		if err != nil {
			return "", misuse("--log %s: %w; give an absolute path", log, err)
		}
		log = path
	}
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	name = cmp.Or(strings.Trim(unnamed.ReplaceAllString(name, "-"), "-"), "study")
	name = text.Flow(&text.Node{Text: name, Quoted: true}) // 2024 is text here
	return fmt.Sprintf(logStarter, name, starterWindows, lie, filepath.ToSlash(log), window, walltimes, platform), nil
}
