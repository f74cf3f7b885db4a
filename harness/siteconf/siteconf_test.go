package siteconf

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/harness/input"
	"schedsweep/sweep"
)

// sections converts texts without files beside them.
func sections(conf, assoc, qos string) (string, error) {
	o := Options{}
	if assoc != "" {
		o.Associations = "assoc.txt"
	}
	if qos != "" {
		o.QOS = "qos.txt"
	}
	b, _, err := convert("slurm.conf", [3][]byte{[]byte(conf), []byte(assoc), []byte(qos)}, o, func(name string) ([]byte, error) {
		return nil, fs.ErrNotExist
	})
	return string(b), err
}

// TestHosts: lists of names, by Slurm's man page of slurm.conf.
func TestHosts(t *testing.T) {
	for list, want := range map[string]string{
		"a": "a", "a,b": "a b", "n[1-3]": "n1 n2 n3", "n[08-10]": "n08 n09 n10", "n[1,3-4],m": "n1 n3 n4 m",
		"r[0-1]n[1-2]x": "r0n1x r0n2x r1n1x r1n2x", "n[001]": "n001", "": "",
	} {
		c := newConf(nil)
		got := c.hosts(pair{}, list)
		if strings.Join(got, " ") != want || c.out.Count > 0 {
			t.Errorf("%s: %q, want %q", list, got, want)
		}
	}
	for _, list := range []string{"n[", "n]", "n[]", "n[a]", "n[2-1]", "n[1-]", "n[0-9999999]", "a[1][1][1][1][1]", "n[00000000001]",
		strings.Repeat("x", 256), "a[0-999]b[0-999]"} {
		c := newConf(nil)
		if got := c.hosts(pair{}, list); got != nil || c.out.Count != 1 {
			t.Errorf("%s: %.20q and %d mistakes", list, got, c.out.Count)
		}
	}
}

// TestTimes: times as Slurm's man pages write them.
func TestTimes(t *testing.T) {
	for value, want := range map[string]float64{"90": 5400, "1:30": 120, "1:00:00": 3600, "2-12": 60 * 3600, "1-0": 86400,
		"0-4:30": 4.5 * 3600, "INFINITE": 0, "UNLIMITED": 0, "-1": 0, "1-2:3:4": 93840} {
		c := newConf(nil)
		if got := c.minutes(pair{value: value}); got != want || c.out.Count > 0 {
			t.Errorf("%s: %g s, want %g", value, got, want)
		}
	}
	for _, value := range []string{"", "soon", "-2", "1:2:3:4:5", "1e99", "NaN"} {
		c := newConf(nil)
		if c.minutes(pair{value: value}); c.out.Count != 1 {
			t.Errorf("%q is taken", value)
		}
	}
}

// TestClasses: nodes are one class where kind, switch and partitions agree, and classes come by weight.
func TestClasses(t *testing.T) {
	got, err := sections(`NodeName=n[1-4] Weight=5
NodeName=DEFAULT Boards=2 SocketsPerBoard=1 CoresPerSocket=8 ThreadsPerCore=2
NodeName=big Weight=9
NodeName=x.y[1-2] Procs=16 Weight=1
NodeName=spare
NodeSet=odd Nodes=n1,n3 Feature=none
PartitionName=all Nodes=n[1-4],big,x.y[1-2]
PartitionName=some Nodes=odd MaxTime=1-0`, "", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"n1": {count: 2, each: {cores: 1, switch: "all"}}`, `"n2": {count: 2, each: {cores: 1, switch: "all"}}`,
		`"big": {count: 1, each: {cores: 32, switch: "all"}}`, `"x_y": {count: 2, each: {cores: 16, switch: "all"}}`,
		`"all": {nodes: ["x_y", "n1", "n2", "big"], span: true}`, `"some": {nodes: ["n1"], walltime: 1d}`,
		"#   slurm.conf:5: NodeName=spare: nodes such as spare are in no partition", "ThreadsPerCore=2: a job takes single processors"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %s:\n%s", want, got)
		}
	}
	whole, err := sections("SelectType=select/linear\nNodeName=n[1-2]\nNodeName=m CPUs=2\nPartitionName=p Nodes=ALL", "", "")
	if err != nil || !strings.Contains(whole, `"p": {nodes: ["n", "m"], allocate: "whole"}`) || strings.Contains(whole, "whole_nodes") {
		t.Error(err, whole)
	}
}

// TestSwitches: nodes have the leaf switch that topology.conf gives them, and those without one are named.
func TestSwitches(t *testing.T) {
	const conf = "TopologyPlugin=topology/tree\nNodeName=n[1-5]\nPartitionName=p Nodes=ALL\n"
	for leaves, named := range map[string]bool{"n[4-5]": false, "n4": true} {
		b, _, err := convert("slurm.conf", [3][]byte{[]byte(conf)}, Options{}, func(string) ([]byte, error) {
			return []byte("SwitchName=a Nodes=n[1-3]\nSwitchName=b Nodes=" + leaves + "\nSwitchName=top Switches=a,b\n"), nil
		})
		got := string(b)
		if err != nil || !strings.Contains(got, `"n1": {count: 3, each: {cores: 1, switch: "a"}}`) ||
			strings.Contains(got, "slurm.conf:2: NodeName=n[1-5]: nodes such as n5 are at no switch of topology.conf") != named {
			t.Errorf("%s: %v\n%s", leaves, err, got)
		}
	}
}

// TestTypes: the type of GPUs is a feature of their nodes where it is the only one and there is room for it.
func TestTypes(t *testing.T) {
	many := "f0"
	for i := range 63 {
		many += fmt.Sprintf(",f%d", i+1)
	}
	for _, c := range []struct{ conf, want, lacks string }{
		{"NodeName=n1 Gres=gpu:a100:4 Feature=x", `requestable_gpus: 4, features: ["x", "a100"]`, "one type"},
		{"NodeName=n1 Gres=gpu:a100:4 Feature=a100", `features: ["a100"]`, "one type"},
		{"NodeName=n1 Gres=gpu:a100:4,mps:9", `features: ["a100"]`, "one type"},
		{"NodeName=n1 Gres=gpu:4", "requestable_gpus: 4, switch", "the type"},
		{"NodeName=n1 Gres=gpu:a100:4,gpu:a30:2", "Gres=gpu:a30:2: a node class has GPUs of one type", "features: ["},
		{"NodeName=n1 Gres=gpu:a100:4\nNodeName=n2 Feature=" + many, "too many features", `"a100"`},
		{"NodeName=n1 Gres=gpu:a100:4\nNodeName=n2 Gres=gpu:a30:4", `"n2": {count: 1`, "one type"},
		{"NodeName=n1 Feature=x", "requests: [nodes, features]", "gpus"},
	} {
		got, err := sections(c.conf+"\nPartitionName=p Nodes=ALL", "", "")
		if err != nil || !strings.Contains(got, c.want) || strings.Contains(got, c.lacks) {
			t.Errorf("%s: %v\n%s\nwants %s and lacks %s", c.conf, err, got, c.want, c.lacks)
		}
	}
}

// TestRules: what Slurm's man page of slurm.conf says of single keys, and src/common/read_config.c where it is silent.
func TestRules(t *testing.T) {
	const multi = "PriorityType=priority/multifactor\nPriorityWeightPartition=1\n"
	for _, c := range []struct{ conf, want, lacks string }{
		// "Weight: The default value is 1", so order is that of the file.
		{"NodeName=a Weight=1\nNodeName=b\nPartitionName=p Nodes=ALL", `"a": {count: 2`, ""},
		{"NodeName=b\nNodeName=a Weight=0\nPartitionName=p Nodes=ALL", `{nodes: ["a", "b"]`, ""},
		// Sockets are of the node, and SocketsPerBoard of a board.
		{"NodeName=a Boards=2 Sockets=4 CoresPerSocket=8\nPartitionName=p Nodes=ALL", "cores: 32", ""},
		{"NodeName=a Boards=2 SocketsPerBoard=4 Sockets=9 CoresPerSocket=8\nPartitionName=p Nodes=ALL", "cores: 64", ""},
		{"NodeName=a Boards=2 CoresPerSocket=8\nPartitionName=p Nodes=ALL", "cores: 16", ""},
		// CPUs that are neither sockets, cores nor threads are reset to threads.
		{"NodeName=DEFAULT CPUs=4\nNodeName=a Sockets=2 CoresPerSocket=8\nPartitionName=p Nodes=ALL", "cores: 16", ""},
		{"NodeName=a CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2\nPartitionName=p Nodes=ALL", "cores: 16", "single processors"},
		{"NodeName=a CPUs=48 CoresPerSocket=12 ThreadsPerCore=2\nPartitionName=p Nodes=ALL", "cores: 48", ""},
		{"NodeName=a CPUs=48\nPartitionName=p Nodes=ALL", "cores: 48", ""},
		// "Time resolution is one minute and second values are rounded up to the next minute."
		{"NodeName=a\nPartitionName=p Nodes=a MaxTime=30:01", "walltime: 31min", ""},
		{"NodeName=a\nPartitionName=p Nodes=a MaxTime=1-2:3:4", "walltime: 1564min", ""},
		// DEFAULT, YES and UNLIMITED count in letters of any size; true and 1 are YES.
		{"NodeName=default CPUs=3\nNodeName=a\nPartitionName=Default Nodes=a\nPartitionName=p default=true", "cores: 3", `"Default"`},
		{"NodeName=a\nPartitionName=p Nodes=a Default=1 MaxTime=unlimited", "default: true", "walltime"},
		// Priority is both PriorityJobFactor and PriorityTier, and replaces them.
		{multi + "NodeName=a\nPartitionName=p Nodes=a Priority=7 PriorityJobFactor=2", `"p": {priority: 7}`, ""},
		// No wait reaches an infinite PriorityMaxAge, so that age gives no points.
		{multi + "PriorityWeightAge=5\nPriorityMaxAge=INFINITE\nNodeName=a\nPartitionName=p Nodes=a", "weights: {partition: 1}", "age: 5"},
		// Times that no weight uses would be refused in a manifest.
		{multi + "PriorityMaxAge=14-0\nNodeName=a\nPartitionName=p Nodes=a", "max_age: 7d", "max_age: 14d"},
		{multi + "PriorityDecayHalfLife=3-0\nNodeName=a\nPartitionName=p Nodes=a", "no weight above 0 uses it", "half_life: 3d"},
		{multi + "PriorityFlags=NO_NORMAL_TRES\nNodeName=a\nPartitionName=p Nodes=a", "weights: {partition: 1}", "amounts"},
		// "By default ... select/cons_tres, use CR_Core_Memory"; select/linear does not consider memory.
		{"NodeName=a RealMemory=5\nPartitionName=p Nodes=a", "memory: 5MiB", ""},
		{"NodeName=a RealMemory=5\nPartitionName=p Nodes=a", "slurm.conf: SelectTypeParameters: not stated;", ""},
		{"SelectType=select/linear\nNodeName=a RealMemory=5\nPartitionName=p Nodes=a", "whole", "emory"},
		{"SelectTypeParameters=CR_Core\nNodeName=a RealMemory=5\nPartitionName=p Nodes=a", "cores: 1", "emory"},
		// Slurm gives a job that gets whole nodes nodes of any kind, and a manifest those of one class.
		{"NodeName=a[1-2]\nNodeName=b CPUs=2\nPartitionName=p Nodes=ALL OverSubscribe=EXCLUSIVE", "slurm.conf:3: PartitionName=p: a job", "span"},
		{"NodeName=a[1-2]\nPartitionName=p Nodes=ALL OverSubscribe=EXCLUSIVE", `allocate: "whole"`, "PartitionName=p"},
		{"NodeName=a[1-2]\nNodeName=b CPUs=2\nPartitionName=p Nodes=ALL", "span: true", "PartitionName=p"},
		// A comment ends with its line, and a backslash in it continues nothing.
		{"NodeName=a\n# C:\\\nPartitionName=p Nodes=a", `"p": {nodes: ["a"]`, ""},
		{"NodeName=a CPUs=2 # two \\\nPartitionName=p Nodes=a", `"p": {nodes: ["a"]`, ""},
		{"NodeName=a \\\n CPUs=2\nPartitionName=p \\ \n Nodes=a \\\n\n", "cores: 2", ""},
	} {
		got, err := sections(c.conf, "", "")
		if err != nil || !strings.Contains(got, c.want) || c.lacks != "" && strings.Contains(got, c.lacks) {
			t.Errorf("%s: %v\n%s\nwants %s and lacks %s", c.conf, err, got, c.want, c.lacks)
		}
	}
}

// TestNoPartition: Slurm does not start without a partition, and the manifest would have another machine.
func TestNoPartition(t *testing.T) {
	for _, conf := range []string{"NodeName=a", "NodeName=a\nPartitionName=DEFAULT Nodes=a"} {
		const want = "slurm.conf: PartitionName= is missing: there are no partitions"
		if got, err := sections(conf, "", ""); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v\n%s", conf, err, got)
		}
	}
}

// TestNoBackfilling: "A setting of -1 will disable the backfill scheduling loop" (bf_interval, man page of slurm.conf).
func TestNoBackfilling(t *testing.T) {
	const conf = "SchedulerParameters=bf_interval=-1\nNodeName=a\nPartitionName=p Nodes=a"
	if got, err := sections(conf, "", ""); err == nil || !strings.Contains(err.Error(), "bf_interval=-1 turns backfilling off") {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestHarmless: lines that decide nothing are in the list of those, and in the other where they do decide.
func TestHarmless(t *testing.T) {
	const decide, harmless = "may change the", "No decision"
	for _, c := range []struct{ conf, key, in string }{
		{"JobRequeue=0", "JobRequeue", ""}, {"JobRequeue=1", "JobRequeue=1", decide},
		{"PreemptType=preempt/none\nPreemptMode=OFF", "Preempt", ""}, {"PreemptType=preempt/qos", "PreemptType=preempt/qos", decide},
		{"PreemptMode=CANCEL", "PreemptMode=CANCEL", decide}, {"SuspendTime=INFINITE\nSuspendProgram=x", "SuspendProgram", harmless},
		{"PartitionName=q Nodes=n1 AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL LLN=NO ExclusiveUser=NO QoS=N/A", "slurm.conf:8", ""},
		{"PartitionName=q Nodes=n1 AllowGroups=staff", "AllowGroups=staff", decide}, {"PartitionName=q Nodes=n1 LLN=YES", "LLN=YES", decide},
		{"ResumeTimeout=9", "ResumeTimeout", harmless}, {"ResumeTimeout=9\nSuspendTime=60", "ResumeTimeout=9", decide},
		{"SuspendRate=9\nResumeRate=9\nSuspendTimeout=9", "Rate", harmless}, {"SuspendRate=9\nSuspendTime=60", "SuspendRate=9", decide},
		{"CacheGroups=0\nSchedulerPort=7321", "SchedulerPort", harmless}, {"JobDefaults=DefMemPerGPU=9", "JobDefaults", decide},
		{"FastSchedule=1", "FastSchedule", ""}, {"FastSchedule=0", "FastSchedule=0", decide},
		{"PartitionName=q Nodes=n1 LLN=False ExclusiveUser=0", "slurm.conf:8", ""},
		{"FrontendName=x", "FrontendName", harmless}, {"DownNodes=n1", "DownNodes=n1", decide},
		{"PartitionName=q Nodes=n1 MaxNodes=2", "MaxNodes=2", decide}, {"PartitionName=q Nodes=n1 MaxNodes=UNLIMITED", "MaxNodes", ""},
		{"PriorityDecayHalfLife=3-0", "PriorityDecayHalfLife", harmless},
		{"PartitionName=q Nodes=n1 MinNodes=1", "MinNodes", ""}, {"PartitionName=q Nodes=n1 MinNodes=2", "MinNodes=2", decide},
	} {
		got, err := sections(small+c.conf, "", "")
		_, first, _ := strings.Cut(got, decide)
		first, second, _ := strings.Cut(first, harmless)
		in := ""
		if strings.Contains(first, c.key) {
			in = decide
		} else if strings.Contains(second, c.key) {
			in = harmless
		}
		if err != nil || in != c.in {
			t.Errorf("%s: %v, in %q, want %q\n%s", c.conf, err, in, c.in, got)
		}
	}
}

// TestNamed: every pair of a configuration is carried over or named.
func TestNamed(t *testing.T) {
	var conf strings.Builder
	keys := []string{"Foo", "SlurmUser", "JobRequeue", "Licenses", "PriorityFlags", "PriorityWeightTRES", "DefMemPerCPU", "SlurmctldPort"}
	for _, k := range keys {
		fmt.Fprintf(&conf, "%s=Energy=1\n", k)
	}
	got, err := sections(small+conf.String()+"Foo=again", "", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		if k != "Licenses" && !strings.Contains(strings.Split(got, "# Jobs of a log")[1], k) {
			t.Errorf("%s is not named:\n%s", k, got)
		}
	}
	if !strings.Contains(got, "slurm.conf:7: Foo=Energy=1: line 15 of slurm.conf replaces it") {
		t.Error(got)
	}
}

// TestComments: no value ends the comment that names it, or reaches a terminal as a command.
func TestComments(t *testing.T) {
	got, err := sections(small+"Foo=\"a\rpolicy: b\u0085c\u2028d\x1b[31m\"", "", "")
	if err != nil || strings.ContainsAny(got, "\r\u0085\u2028\x1b") || !strings.Contains(got, `Foo=a\u000dpolicy: b\u0085c\u2028d\u001b[31m`) {
		t.Errorf("%v\n%q", err, got)
	}
}

// TestIncludes: no path leads to a file of another folder.
func TestIncludes(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	site := filepath.Join(dir, "site")
	if err := os.MkdirAll(filepath.Join(site, "conf.d"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{secret: "Secret=1\n", filepath.Join(site, "conf.d", "nodes"): small} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, filepath.Join(site, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(site, "up")); err != nil {
		t.Fatal(err)
	}
	below := "cannot be read: %s (copy the file below the folder of slurm.conf, and name it from there)"
	for name, want := range map[string]string{"conf.d/nodes": "", filepath.Join(site, "conf.d", "nodes"): "",
		"../secret": fmt.Sprintf(below, "it is in another folder"), secret: fmt.Sprintf(below, "it is in another folder"),
		"link": fmt.Sprintf(below, "a link leads to another folder"), "up/secret": fmt.Sprintf(below, "a link leads to another folder"),
		"none": fmt.Sprintf(below, "no such file or directory"), "conf.d": fmt.Sprintf(below, "it is no regular file"),
		".":      fmt.Sprintf(below, "it is no regular file"),
		"*.conf": "Include=*.conf cannot be read: no such file or directory (name each file: patterns are not read)"} {
		path := filepath.Join(site, "slurm.conf")
		if err := os.WriteFile(path, []byte("include "+name), 0o644); err != nil {
			t.Fatal(err)
		}
		got, _, err := Convert(path, Options{})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

// TestQuantity: a quantity is written in the largest unit that divides it.
func TestQuantity(t *testing.T) {
	for x, want := range map[float64]string{86400: "1d", 90: "90s", 120: "2min", 5400: "90min", 0.5: "0.5", math.Inf(1): ".inf", 0: "0"} {
		if got := quantity(x, "s"); got != want {
			t.Errorf("%g s: %s, want %s", x, got, want)
		}
	}
	if got := quantity(3<<20, "B") + quantity(5, "B") + quantity(1e6, ""); got != "3MiB51000000" {
		t.Error(got)
	}
}

// load reads sections as those of a manifest.
func load(sections string) (*sweep.Manifest, error) {
	return sweep.Load("site.yaml", []byte("name: site\nworkload: {kind: lublin}\n"+sections), sweep.Options{Registry: input.Registry()})
}

// FuzzSlurm converts random files. It refuses them with a text, or their sections load as those of a manifest, twice the same.
func FuzzSlurm(f *testing.F) {
	f.Add(small, "Account|User|Share\nroot||1\na||1\na|x|parent\n", "Name|Priority\nq|1\n")
	f.Add("SelectTypeParameters=CR_Core_Memory\nNodeName=DEFAULT CPUs=4\nNodeName=n[01-03],g[1-2] "+
		"Gres=gpu:a:2 RealMemory=100 Feature=a,b Weight=3"+
		"\nPartitionName=DEFAULT MaxTime=1-0\nPartitionName=p Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE"+
		"\nPartitionName=q Nodes=g1 PriorityTier=3\n"+
		"Licenses=m:3,x\nSchedulerParameters=bf_interval=60,\\\nbf_window=10\nPriorityFlags=NO_NORMAL_TRES\nPriorityWeightTRES=cpu=3\n",
		"Account|User|Par Name|Fairshare|Grp Jobs|GrpTRES\nb||root|1|3|cpu=4\nc|u|b|2||\n", "")
	f.Fuzz(func(t *testing.T, conf, assoc, qos string) {
		if len(conf)+len(assoc)+len(qos) > 1<<14 {
			return
		}
		got, err := sections(conf, assoc, qos)
		if err != nil {
			_ = err.Error()
			return
		}
		if again, err := sections(conf, assoc, qos); again != got || err != nil {
			t.Fatal(err, cmp.Diff(got, again))
		}
		m, err := load(got)
		if err != nil {
			t.Fatalf("%v\n%s", err, got)
		}
		if p, err := m.Plan(); err != nil || p.Len() != 1 {
			t.Fatalf("%v\n%s", err, got)
		}
	})
}

// TestWattsOfSimGrid: watts of hosts are named, because clusters have no power.
func TestWattsOfSimGrid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.xml")
	for prop, want := range map[string]string{
		`<prop id="wattage_per_state" value="95.0:120.0:200.0"/><prop id="wattage_off" value="9"/>`: "#\n# Not carried over: wattage_off, " +
			"wattage_per_state. Clusters have no power; write platform.nodes with power for energy.\n",
		`<prop value="9" id='wattage_off'/>`: "# Not carried over: wattage_off. Clusters have no power; write platform.nodes with " +
			"power for energy.\n",
		"": "speed: 1e+09}\n",
	} {
		err := os.WriteFile(path, []byte(`<platform version="4.1"><zone id="z" routing="Full"><host id="a" speed="1Gf">`+prop+
			`</host></zone></platform>`), 0o644)
		got, _, bad := Convert(path, Options{})
		if err != nil || bad != nil || !strings.HasSuffix(string(got), want) {
			t.Errorf("%s: %v, %v\n%s", prop, err, bad, got)
		}
	}
}
