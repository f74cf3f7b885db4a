package multifactor_test

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"schedsweep/sim/policy/multifactor"
	"schedsweep/sim/simtest"
)

// table reads a file of rows with a header, by column; cells are separated by comma or |.
func table(t *testing.T, path string) (rows []map[string]string) { return separated(t, path, ',') }

// semicolons reads a table with semicolons.
func semicolons(t *testing.T, path string) []map[string]string { return separated(t, path, ';') }

func separated(t *testing.T, path string, comma rune) (rows []map[string]string) {
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
	r := csv.NewReader(bufio.NewReader(in))
	r.Comma = comma
	all, err := r.ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// dumped reads what sacctmgr prints with -P; the header is given where the file has none.
func dumped(t *testing.T, path string, header ...string) (rows []map[string]string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		cells := strings.Split(line, "|")
		if header == nil {
			header = cells
			continue
		}
		row := map[string]string{}
		for i, name := range header {
			if i < len(cells) {
				row[name] = cells[i]
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// site holds the nodes, partitions and weights of a slurm.conf.
type site struct {
	nodes, cpus float64
	parts       map[string]*partition
	weights     multifactor.Weights
	maxAge      float64
	halfLife    float64
}

type partition struct{ priority, nodes, cpus, memory, gpus float64 }

var (
	pair = regexp.MustCompile(`(\w+)=(\S+)`)
	host = regexp.MustCompile(`^(\w+?)(?:\[(\d+)-(\d+)\])?$`)
	tres = regexp.MustCompile(`(cpu|mem|gres/gpu)=([0-9.]+)`)
)

// hosts are the names of a list such as n[1-8].
func hosts(list string) (all []string) {
	for _, part := range strings.Split(list, ",") {
		m := host.FindStringSubmatch(part)
		if m[2] == "" {
			all = append(all, m[1])
			continue
		}
		lo, _ := strconv.Atoi(m[2])
		hi, _ := strconv.Atoi(m[3])
		for i := lo; i <= hi; i++ {
			all = append(all, m[1]+strconv.Itoa(i))
		}
	}
	return all
}

// clock is h:mm:ss in seconds, or d-hh:mm:ss.
func clock(t *testing.T, text string) (s float64) {
	days, rest, found := strings.Cut(text, "-")
	if !found {
		days, rest = "0", text
	}
	for _, part := range strings.Split(rest, ":") {
		s = 60*s + number(t, part)
	}
	for range 2 - strings.Count(rest, ":") {
		s *= 60
	}
	return s + 86400*number(t, days)
}

func readSite(t *testing.T, path string) site {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := site{parts: map[string]*partition{}}
	type node struct{ cpus, memory, gpus float64 }
	nodes := map[string]node{}
	weight := map[string]*float64{"Age": &s.weights.Age, "Fairshare": &s.weights.FairShare, "JobSize": &s.weights.Size,
		"Partition": &s.weights.Partition, "QOS": &s.weights.QOS, "Assoc": &s.weights.Association}
	perNode := map[string]string{}
	for _, line := range strings.Split(string(b), "\n") {
		kv := map[string]string{}
		for _, m := range pair.FindAllStringSubmatch(line, -1) {
			kv[m[1]] = m[2]
		}
		of := func(key, otherwise string) float64 {
			if v, ok := kv[key]; ok {
				return number(t, v)
			}
			return number(t, otherwise)
		}
		switch {
		case kv["NodeName"] == "DEFAULT":
			perNode = kv
		case kv["NodeName"] != "":
			for key, v := range perNode {
				if _, ok := kv[key]; !ok {
					kv[key] = v
				}
			}
			n := node{cpus: of("CPUs", "1"), memory: of("RealMemory", "1")}
			if _, g, ok := strings.Cut(kv["Gres"], "gpu:"); ok {
				n.gpus = number(t, g)
			}
			for _, h := range hosts(kv["NodeName"]) {
				nodes[h] = n
				s.nodes, s.cpus = s.nodes+1, s.cpus+n.cpus
			}
		case kv["PartitionName"] != "" && kv["Nodes"] != "":
			p := &partition{priority: of("PriorityJobFactor", "1")}
			for _, h := range hosts(kv["Nodes"]) {
				p.nodes++
				p.cpus, p.memory, p.gpus = p.cpus+nodes[h].cpus, p.memory+nodes[h].memory, p.gpus+nodes[h].gpus
			}
			s.parts[kv["PartitionName"]] = p
		}
		for key, v := range kv {
			if w := weight[strings.TrimPrefix(key, "PriorityWeight")]; w != nil && strings.HasPrefix(key, "PriorityWeight") {
				*w = number(t, v)
			}
		}
		if v, ok := strings.CutPrefix(line, "PriorityWeightTRES="); ok {
			for _, m := range tres.FindAllStringSubmatch(v, -1) {
				*map[string]*float64{"cpu": &s.weights.CPUs, "mem": &s.weights.Memory, "gres/gpu": &s.weights.GPUs}[m[1]] = number(t, m[2])
			}
		}
		if v, ok := kv["PriorityMaxAge"]; ok {
			s.maxAge = clock(t, v)
		}
		if v, ok := kv["PriorityDecayHalfLife"]; ok {
			s.halfLife = clock(t, v)
		}
	}
	return s
}

// newTree makes the fair tree of an assoc.txt and numbers its users by account/user.
func newTree(t *testing.T, path string) (tree multifactor.Tree, users map[string]int, priorities map[string]float64) {
	t.Helper()
	accounts := map[string]int{"root": multifactor.Root}
	users, priorities = map[string]int{}, map[string]float64{}
	header := []string{"account", "user", "shares", "priority"}
	if b, err := os.ReadFile(path); err == nil && strings.HasPrefix(string(b), "account|") {
		header = nil
	}
	for _, row := range dumped(t, path, header...) {
		account, user := row["account"], row["user"]
		switch {
		case user == "" && account == "root":
		case user == "":
			accounts[account] = tree.Account(multifactor.Root, number(t, row["shares"]))
		default:
			users[account+"/"+user] = tree.User(accounts[account], number(t, row["shares"]))
			if row["priority"] != "" {
				priorities[account+"/"+user] = number(t, row["priority"])
			}
		}
	}
	return tree, users, priorities
}

// TestOracleSlurm holds every recorded part of every priority against the factors.
func TestOracleSlurm(t *testing.T) {
	for _, path := range simtest.Oracles(t, "slurm", "priority*/*priority.csv.gz") {
		prefix := strings.TrimSuffix(path, "priority.csv.gz")
		beside := func(name string) string {
			if _, err := os.Stat(prefix + name); err == nil {
				return prefix + name
			}
			return filepath.Join(filepath.Dir(path), name)
		}
		t.Run(filepath.Base(strings.TrimSuffix(prefix, "/")), func(t *testing.T) {
			s := readSite(t, beside("slurm.conf"))
			tree, users, assoc := newTree(t, beside("assoc.txt"))
			ranked := fairTree(t, tree, users, beside("usage.csv.gz"))
			qos, jobs := map[string]float64{}, map[string]map[string]string{}
			for _, row := range dumped(t, beside("qos.txt")) {
				qos[row["Name"]] = number(t, row["Priority"])
			}
			for _, row := range table(t, beside("jobs.csv.gz")) {
				jobs[row["job"]] = row
			}
			of := map[string]func(row, job map[string]string) (want []float64){
				"partition": func(_, job map[string]string) []float64 {
					most := 0.0
					for _, p := range s.parts {
						most = max(most, p.priority)
					}
					return []float64{s.weights.Partition * multifactor.Part(s.parts[job["partition"]].priority, most)}
				},
				"qos": func(_, job map[string]string) []float64 {
					return []float64{s.weights.QOS * multifactor.Part(qos[job["qos"]], largest(qos))}
				},
				"assoc": func(_, job map[string]string) []float64 {
					return []float64{s.weights.Association * multifactor.Part(assoc[job["account"]+"/"+job["user"]], largest(assoc))}
				},
				"fairshare": func(row, job map[string]string) (want []float64) {
					// The nearest sample of usage may lie before or after a calculation, so both count.
					for _, f := range ranked(number(t, row["time"]), job["account"]+"/"+job["user"]) {
						want = append(want, s.weights.FairShare*f)
					}
					return want
				},
				"size": func(_, job map[string]string) []float64 {
					nodes, cpus := 1.0, number(t, job["req_cpus"])
					if job["N"] != "" {
						nodes = number(t, job["N"])
					}
					want := []float64{s.weights.Size * multifactor.Size(nodes, s.nodes, cpus, s.cpus)}
					if p := s.parts[job["partition"]]; job["exclusive"] == "1" { // its whole nodes count later
						cores := p.cpus / p.nodes
						want = append(want, s.weights.Size*multifactor.Size(nodes, s.nodes, cores*max(nodes, math.Ceil(cpus/cores)), s.cpus))
					}
					return want
				},
			}
			compared, differ := 0, map[string]int{}
			last := math.Inf(-1)
			rows := table(t, path)
			for len(rows) > 0 {
				n := 1
				for n < len(rows) && rows[n]["time"] == rows[0]["time"] {
					n++
				}
				sample := rows[:n]
				rows = rows[n:]
				at, off := calculated(t, &s, sample, jobs, last)
				last, differ["age"] = at, differ["age"]+off
				for _, row := range sample {
					compared++
					job := jobs[row["job"]]
					for part, want := range of {
						found := false
						for _, w := range want(row, job) {
							found = found || math.Round(w) == number(t, row[part]) // sprio rounds
						}
						if !found {
							if differ[part]++; differ[part] < 4 {
								t.Errorf("%s of job %s at %s s is %s, and by the rule one of %.3f", part, row["job"], row["time"], row[part], want(row, job))
							}
						}
					}
					if d := sum(t, &s, row, job, at) - number(t, row["priority"]); !(math.Abs(d) <= 2) {
						if differ["sum"]++; differ["sum"] < 4 {
							t.Errorf("priority of job %s at %s s is %s, and by the rule %.2f more", row["job"], row["time"], row["priority"], d)
						}
					}
				}
			}
			for part, n := range differ {
				if n > 0 {
					t.Errorf("%s: %d of %d differ", part, n, compared)
				}
			}
			t.Logf("compared %d recorded priorities, all parts and sums", compared)
			if compared == 0 {
				t.Error("no priorities are recorded")
			}
		})
	}
}

func largest(of map[string]float64) (most float64) {
	for _, v := range of {
		most = max(most, v)
	}
	return most
}

// calculated finds the moment of the last calculation before a sample: whole seconds from the one before on, for which most ages agree.
// It returns how many are off by more than a point at this moment.
func calculated(t *testing.T, s *site, sample []map[string]string, jobs map[string]map[string]string, last float64) (at float64, off int) {
	t.Helper()
	now := number(t, sample[0]["time"])
	off = len(sample) + 1
	for c := max(now-62, last); c <= now+1; c++ {
		n := 0
		for _, row := range sample {
			want := s.weights.Age * multifactor.Age(c-number(t, jobs[row["job"]]["accrue"]), s.maxAge)
			if !(math.Abs(math.Round(want)-number(t, row["age"])) <= 1) {
				n++
			}
		}
		if n < off {
			at, off = c, n
		}
	}
	return at, off
}

// sum is the priority of a job whose fair share and size are taken as recorded, since they may be of either side of a calculation.
func sum(t *testing.T, s *site, row, job map[string]string, at float64) float64 {
	t.Helper()
	p := s.parts[job["partition"]]
	req := map[string]float64{}
	for _, m := range tres.FindAllStringSubmatch(job["req_tres"], -1) {
		req[m[1]] = number(t, m[2])
	}
	f := multifactor.Factors{
		Age: multifactor.Age(at-number(t, job["accrue"]), s.maxAge), CPUs: multifactor.Part(req["cpu"], p.cpus),
		Memory: multifactor.Part(req["mem"], p.memory), GPUs: multifactor.Part(req["gres/gpu"], p.gpus), Nice: number(t, job["nice"]),
	}
	part := func(name string, weight float64) float64 { return number(t, row[name]) / weight }
	f.FairShare, f.Size = part("fairshare", s.weights.FairShare), part("size", s.weights.Size)
	f.Partition, f.QOS = part("partition", s.weights.Partition), part("qos", s.weights.QOS)
	f.Association = part("assoc", s.weights.Association)
	return math.Floor(s.weights.Points(&f))
}

// fairTree compares the factors of every sample of usage with the tree. It returns the factors that a priority sampled at a time
// may have.
func fairTree(t *testing.T, tree multifactor.Tree, users map[string]int, path string) func(now float64, user string) []float64 {
	t.Helper()
	type sample struct {
		at      float64
		factors map[string]float64
	}
	var samples []sample
	factors, differ := 0, 0
	rows := table(t, path)
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n]["time"] == rows[0]["time"] {
			n++
		}
		now := sample{number(t, rows[0]["time"]), map[string]float64{}}
		tree.Decay(0)
		for _, row := range rows[:n] {
			if row["user"] != "" {
				tree.Charge(users[row["account"]+"/"+row["user"]], number(t, row["norm_usage"]))
			}
		}
		tree.Rank()
		for _, row := range rows[:n] {
			if row["user"] == "" {
				continue
			}
			user := row["account"] + "/" + row["user"]
			factors++
			if got, want := tree.Factor(users[user]), number(t, row["fairshare"]); !(math.Abs(got-want) <= 1e-6) {
				if differ++; differ < 4 {
					t.Errorf("the fair-share factor of %s at %s s is %g, recorded is %g", user, row["time"], got, want)
				}
			}
			now.factors[user] = number(t, row["fairshare"])
		}
		samples, rows = append(samples, now), rows[n:]
	}
	t.Logf("compared %d factors of the fair tree, %d differ", factors, differ)
	return func(at float64, user string) (all []float64) {
		for _, s := range samples {
			if math.Abs(s.at-at) <= 6 {
				all = append(all, s.factors[user])
			}
		}
		return all
	}
}
