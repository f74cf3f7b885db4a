package scripts

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"schedsweep/harness/store/golden"
)

var option = regexp.MustCompile(`(\w+)=(?:"([^"]*)"|(\S+))`)

// dumps writes what sacctmgr would print of a site that its script has set up, and returns the account of each user.
func dumps(t testing.TB, dir, script string) (accounts map[string]string) {
	t.Helper()
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	accounts = map[string]string{}
	assoc, qos, users := "Account|User|Share|MaxSubmit\nroot||1|\nroot|root|1|\n", "Name|Priority|MaxSubmitPU\n", ""
	for _, line := range strings.Split(string(text), "\n") {
		o := map[string]string{}
		for _, m := range option.FindAllStringSubmatch(line, -1) {
			o[strings.ToLower(m[1])] = m[2] + m[3]
		}
		switch {
		case strings.HasPrefix(line, "add account"):
			assoc += fmt.Sprintf(" %s||%s|\n", o["name"], o["fairshare"])
		case strings.HasPrefix(line, "add user"):
			if o["fairshare"] == "" {
				o["fairshare"] = "1"
			}
			accounts[o["name"]] = o["defaultaccount"]
			users += fmt.Sprintf(" %s|%s|%s|%s\n", o["defaultaccount"], o["name"], o["fairshare"], o["maxsubmitjobs"])
		case strings.HasPrefix(line, "add QOS"):
			qos += fmt.Sprintf("%s|%s|%s\n", o["name"], o["priority"], o["maxsubmitjobsperuser"])
		}
	}
	if len(accounts) < 5 {
		t.Fatalf("%d users", len(accounts))
	}
	write(t, filepath.Join(dir, "assoc.txt"), assoc+users)
	write(t, filepath.Join(dir, "qos.txt"), qos)
	return accounts
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

var (
	submission = regexp.MustCompile(`^-dt\s+(\S+) -e submit_batch_job \| (.*)$`)
	argument   = regexp.MustCompile(`(-[-a-z]*[a-zA-Z])(?:[ =]+([^-\s]\S*|-1))?`)
)

// submissions writes the first submissions of a file of events as a table, and returns how many there are.
func submissions(t testing.TB, path, to string, accounts map[string]string, most int) (n int) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var in io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	out.WriteString("id,submit,run_time,walltime,processors,nodes,memory,gpus,feature,user,account,qos,partition\n")
	for lines := bufio.NewScanner(in); lines.Scan() && n < most; n++ {
		m := submission.FindStringSubmatch(lines.Text())
		if m == nil {
			t.Fatalf("%s: %s", path, lines.Text())
		}
		o := map[string]string{}
		for _, a := range argument.FindAllStringSubmatch(m[2], -1) {
			o[a[1]] = a[2]
		}
		run, limit := o["-sim-walltime"], o["-t"]
		if run == "-1" {
			run = fmt.Sprint(seconds(t, limit))
		}
		nodes := o["-N"]
		if nodes == "" {
			nodes = fmt.Sprint(max(1, int(count(t, o["-n"])/count(t, o["--ntasks-per-node"]))))
		}
		memory := 2800 * count(t, o["-n"]) // DefMemPerCPU of both sites
		if v := o["--mem"]; v != "" {
			unit := map[byte]float64{'G': 1024, 'K': 1. / 1024}[v[len(v)-1]]
			memory = cmp.Or(unit, 1) * count(t, strings.TrimRight(v, "MGK")) * count(t, nodes)
		}
		gpus := ""
		if g, ok := strings.CutPrefix(o["--gres"], "gpu:"); ok {
			gpus = fmt.Sprint(count(t, g) * count(t, nodes))
		}
		account := o["-A"]
		if account == "" {
			account = accounts[o["--uid"]]
		}
		out.WriteString(strings.Join([]string{fmt.Sprint(n + 1), fmt.Sprintf("%.2f", 1e9+count(t, m[1])), run,
			fmt.Sprint(seconds(t, limit)), o["-n"], nodes, strconv.FormatFloat(memory, 'f', -1, 64), gpus, o["--constraint"], o["--uid"],
			account, o["-q"], o["-p"]}, ",") + "\n")
	}
	write(t, to, out.String())
	return n
}

func count(t testing.TB, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// seconds is d-hh:mm:ss or hh:mm:ss.
func seconds(t testing.TB, text string) (s float64) {
	days, rest, found := strings.Cut(text, "-")
	if !found {
		days, rest = "0", text
	}
	for _, part := range strings.Split(rest, ":") {
		s = 60*s + count(t, part)
	}
	return s + 86400*count(t, days)
}

const columnMap = `columns:
  - {field: id, column: id}
  - {field: submit, column: submit, unit: epoch}
  - {field: run_time, column: run_time, unit: s}
  - {field: walltime, column: walltime, unit: s}
  - {field: processors, column: processors}
  - {field: nodes, column: nodes}
  - {field: memory_total, column: memory, unit: MiB}
  - {field: gpus, column: gpus}
  - {field: property, column: feature}
  - {field: user, column: user}
  - {field: account, column: account}
  - {field: queue, column: qos}
  - {field: partition, column: partition}
`

var advised = regexp.MustCompile(`(?m)^# Jobs of a log: workload: (\{.*)\}$`)

// siteSections converts the configuration of the site in a folder. It returns the sections of a manifest, and the account of each user.
func siteSections(t testing.TB, from, dir string) (sections string, accounts map[string]string) {
	t.Helper()
	accounts = dumps(t, dir, filepath.Join(from, "sacctmgr.script"))
	code, sections, errs := call(t, "platform", filepath.Join(from, "slurm.conf"), "--associations", filepath.Join(dir, "assoc.txt"),
		"--qos", filepath.Join(dir, "qos.txt"))
	if code != exitDone || !strings.Contains(errs, "not carried over") {
		t.Fatal(code, errs)
	}
	return sections, accounts
}

// siteManifest writes site.yaml into the folder: the site's first submissions of a file of events, and the sections. It returns how many
// submissions there are.
func siteManifest(t testing.TB, dir, events, sections string, accounts map[string]string, most int, more string) int {
	t.Helper()
	n := submissions(t, events, filepath.Join(dir, "jobs.csv"), accounts, most)
	write(t, filepath.Join(dir, "map.yaml"), columnMap)
	m := advised.FindStringSubmatch(sections)
	if m == nil {
		t.Fatal("no advice for logs")
	}
	write(t, filepath.Join(dir, "site.yaml"), "name: site\nworkload: "+m[1]+
		", kind: table, path: jobs.csv, map: map.yaml, zone: UTC, zero_run_time: keep}\n"+sections+more)
	return n
}

// TestSlurmSites converts the configuration of each site of the data folder. A golden file shows the sections and the settings that
// are not carried over. Then the site's first submissions run on them, with the audit.
func TestSlurmSites(t *testing.T) {
	found, err := filepath.Glob(filepath.Join(dataFolder(), "slurm", "*", "slurm.conf"))
	if err != nil || len(found) == 0 {
		t.Skip("no sites in $SCHEDSWEEP_DATA/slurm")
	}
	for _, path := range found {
		from := filepath.Dir(path)
		t.Run(filepath.Base(from), func(t *testing.T) {
			dir := t.TempDir()
			sections, accounts := siteSections(t, from, dir)
			golden.Check(t, filepath.Join("testdata", "sites", filepath.Base(from)+".golden"), sections)
			events, err := filepath.Glob(filepath.Join(from, "*.events*"))
			if err != nil || len(events) == 0 {
				t.Fatal("no events")
			}
			for _, e := range events {
				n := siteManifest(t, dir, e, sections, accounts, 1000, "engine: {audit: true}\ndatasets: [jobs]\n")
				name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(e), ".gz"), ".events")
				code, _, errs := call(t, "run", filepath.Join(dir, "site.yaml"), "--out", filepath.Join(dir, name), "--quiet")
				if code != exitDone {
					t.Fatal(code, errs)
				}
				jobs := filepath.Join(dir, name+".csv")
				if code, _, errs := call(t, "export", filepath.Join(dir, "site.yaml"), "--out", filepath.Join(dir, name),
					"--dataset", "jobs", "--to", jobs); code != exitDone {
					t.Fatal(errs)
				}
				text, err := os.ReadFile(jobs)
				if err != nil {
					t.Fatal(err)
				}
				if ended := strings.Count(string(text), ",finished,") + strings.Count(string(text), ",killed,"); ended != n {
					t.Errorf("%s: %d of %d jobs ended", name, ended, n)
				}
			}
		})
	}
}
