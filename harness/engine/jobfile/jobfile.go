// Package jobfile writes the file with which a batch engine runs a sweep: its
// shards as an array of jobs, each with a limit of time. They drain before it is over and go into the queue again. After them comes
// a job that merges the rows and analyses them. A file names its commands completely: nothing of it depends on what the engine
// tells a job but the job's index.
//
// The files are templates (folder templates), one an engine; what engines share
// is in shared.tmpl.
package jobfile

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"al.essio.dev/pkg/shellescape"
)

// MaxShards is the largest array that every engine takes as it is installed: of
// Slurm's the indices are below MaxArraySize, which is 1001.
const MaxShards = 1000

// Attempts is the largest number of times that a shard may be put into the queue again.
const Attempts = 20

type Sweep struct {
	Engine    Engine // that runs it
	Name      string
	Instances int
	// Dir is the folder in which the commands run, "" for that of the job.
	Dir string
	// Manifest is its path; Run, Merge and Analyze are command lines, the program first; Run has no shard.
	Manifest            string
	Run, Merge, Analyze []string
	// Shards is the number of jobs, from 1 to MaxShards; CPUs the cores of each.
	Shards, CPUs int
	// Memory is that of a shard in MB (2^20 bytes); 0 requests none.
	Memory int
	// Walltime is the limit of a shard's time, Lead how long before it the shard gets the signal to drain; whole
	// seconds.
	Walltime, Lead time.Duration
	// Options are the site's own lines for the engine, such as "--partition=main".
	Options []string
	// Image is the container of Kubernetes, Claim the volume with manifest, logs and rows.
	Image, Claim string
}

type Engine struct {
	// Name is the usual name of the engine, Submit the command that takes its file, Needs the engine's program in that.
	Name, Submit, Needs string
	// Options reports whether the engine takes lines of the site's own, Foreground that the command of Submit
	// runs the sweep before it returns.
	Options, Foreground bool
}

// File returns the name of a job file of the engine.
func (e Engine) File() string {
	ending := map[string]string{"hyperqueue": "toml", "kubernetes": "yaml", "snakemake": "smk", "nextflow": "nf"}
	return e.Name + "." + cmp.Or(ending[e.Name], "sh")
}

// Engines are all, in the order of listings.
var Engines = []Engine{
	{"slurm", "bash FILE", "sbatch", true, false},
	{"pbs", "bash FILE", "qsub", true, false},
	{"lsf", "bash FILE", "bsub", true, false},
	{"sge", "bash FILE", "qsub", true, false},
	{"hyperqueue", "hq job submit-file FILE", "hq", false, false},
	{"flux", "bash FILE", "flux", true, false},
	{"kubernetes", "kubectl apply -f FILE", "kubectl", false, false},
	{"htcondor", "bash FILE", "condor_submit_dag", true, false},
	{"snakemake", "snakemake --snakefile FILE --cores all", "snakemake", false, true},
	{"nextflow", "nextflow run FILE", "nextflow", false, true},
	{"parallel", "bash FILE", "parallel", true, true},
}

//go:embed templates/*.tmpl
var templates embed.FS

// Parsing takes half a millisecond, and most programs write no job file.
var files = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(functions).ParseFS(templates, "templates/*.tmpl"))
})

var functions = template.FuncMap{
	"word":    shellescape.Quote,
	"text":    quoted,
	"list":    func(words ...string) []string { return words },
	"argv":    argv,
	"clock":   clock,
	"minutes": func(d time.Duration) int { return int((d + time.Minute - 1) / time.Minute) },
	"seconds": func(d time.Duration) int { return int(d / time.Second) },
	"half":    func(d time.Duration) time.Duration { return d / 2 },
	"minus":   func(a, b time.Duration) time.Duration { return a - b },
	"add":     func(a, b int) int { return a + b },
	"braces":  strings.NewReplacer("{", "{{", "}", "}}").Replace,
	"broken":  strings.NewReplacer("{", "{''").Replace, // within single quotes: it is no replacement string of parallel
	"condor":  condorArguments,
	"groovy":  strings.NewReplacer(`\`, `\\`, `$`, `\$`, `"`, `\"`).Replace,
}

func Write(w io.Writer, s Sweep) error {
	if err := s.Check(); err != nil {
		return err
	}
	if s.Shards < 1 || s.Lead < 1 || s.Walltime <= s.Lead {
		return fmt.Errorf("%d shards, a walltime of %v and %v for draining: want them above 0, as Size makes them", s.Shards, s.Walltime, s.Lead)
	}
	return files().ExecuteTemplate(w, s.Engine.Name+".tmpl", s)
}

// Job is the sweep's name as engines take it, Attempts the constant.
func (s Sweep) Job() string { return jobName(s.Name) }

func (s Sweep) Attempts() int { return Attempts }

// Command is the command line of a shard without its number, Limited the same where
// the engine limits its time.
func (s Sweep) Command() string {
	return shellescape.QuoteCommand(s.Run) + " --quiet --wait"
}

func (s Sweep) Limited() string {
	return fmt.Sprintf("%s --deadline %ds", s.Command(), int((s.Walltime-s.Lead)/time.Second))
}

// After returns the line of the shell that follows the shards.
func (s Sweep) After() string {
	return "cd " + shellescape.Quote(s.Dir) + " && " + shellescape.QuoteCommand(s.Merge) + " && " + shellescape.QuoteCommand(s.Analyze)
}

func Find(name string) (Engine, error) {
	at := slices.IndexFunc(Engines, func(e Engine) bool { return e.Name == name })
	if at < 0 {
		return Engine{}, fmt.Errorf("there is no engine %q; the engines are %s", name, strings.Join(Names(), ", "))
	}
	return Engines[at], nil
}

func Names() (all []string) {
	for _, e := range Engines {
		all = append(all, e.Name)
	}
	return all
}

// Check returns the parts of a sweep that the engine's file cannot have, or nil. Shards and
// Walltime may be 0: Size fills them in.
func (s Sweep) Check() error {
	switch {
	case s.Shards < 0 || s.Shards > MaxShards:
		return fmt.Errorf("%d shards: want 1 to %d, which every engine's array takes; give each more cores instead", s.Shards, MaxShards)
	case s.CPUs < 1:
		return fmt.Errorf("%d cores for a shard: want at least 1", s.CPUs)
	case s.Walltime != 0 && s.Walltime < time.Minute:
		return fmt.Errorf("a shard's time of %v: want at least 1m", s.Walltime)
	case len(s.Options) > 0 && !s.Engine.Options:
		return fmt.Errorf("the file of %s has no lines of a site's own; edit it", s.Engine.Name)
	case s.Engine.Name == "kubernetes" && (s.Image == "" || s.Claim == ""):
		return errors.New("kubernetes needs the image with the program, and the claim of the volume with manifest, logs and rows (--image and " +
			"--claim)")
	}
	for _, line := range append([]string{s.Name, s.Dir}, s.Options...) {
		if strings.ContainsAny(line, "\n\r") {
			return fmt.Errorf("%q: a job file has no room for a line break", line)
		}
	}
	return nil
}

// jobName makes a name that every engine takes of a sweep's: lower-case letters,
// digits and hyphens, a letter first, 40 at most.
func jobName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, strings.ToLower(name))
	name = strings.TrimLeft(name, "-")
	if name == "" || name[0] < 'a' {
		name = "sweep-" + name
	}
	return strings.TrimRight(name[:min(len(name), 40)], "-")
}

func clock(d time.Duration) string {
	s := int(d / time.Second)
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
}

// quoted is a string as JSON writes it, which YAML, TOML, Python and Groovy read.
func quoted(s string) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// condorArguments writes arguments as a submit description has them: the whole in
// double quotes, each in single ones, quotes inside doubled, and no macro of theirs.
func condorArguments(args []string) string {
	var words []string
	for _, a := range args {
		a = strings.NewReplacer(`"`, `""`, `'`, `''`, `$`, `$(DOLLAR)`).Replace(a)
		words = append(words, "'"+a+"'")
	}
	return strings.Join(words, " ")
}

func argv(args []string, more ...string) (string, error) {
	var words []string
	for _, a := range slices.Concat(args, more) {
		q, err := quoted(a)
		if err != nil {
			return "", err
		}
		words = append(words, q)
	}
	return "[" + strings.Join(words, ", ") + "]", nil
}

// The defaults of a shard: about this much work, at most this much time in one go, and at least this much time for draining.
// Work that is left after that time is put into the queue again. Slurm may send its signal a minute early.
const (
	usual   = time.Hour
	longest = 24 * time.Hour
	drain   = 2 * time.Minute
)

// Size chooses Shards and Walltime where they are 0, and Lead, for a sweep that takes
// work in core time, an instance at most about one: few shards, with time for twice
// the work and a start, and a drain that outlasts the instances that are running.
func (s *Sweep) Size(work, one time.Duration) {
	if s.Shards == 0 {
		hours := int((work + time.Duration(s.CPUs)*usual - 1) / (time.Duration(s.CPUs) * usual))
		s.Shards = max(1, min(hours, (s.Instances+s.CPUs-1)/s.CPUs, MaxShards))
	}
	if s.Walltime == 0 {
		each := work / time.Duration(s.Shards) / time.Duration(s.CPUs)
		s.Walltime = min(roundUp(2*each+4*one+10*time.Minute, 10*time.Minute), longest)
	}
	s.Lead = min(max(roundUp(2*one, time.Minute)+time.Minute, drain), s.Walltime/2).Truncate(time.Second)
}

func roundUp(d, to time.Duration) time.Duration { return (d + to - 1) / to * to }
