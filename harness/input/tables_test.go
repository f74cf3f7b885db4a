package input

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim/workload"
	"schedsweep/sim/workload/logtable"
)

// TestShippedMaps: every map that is shipped can be read, says where its format is
// described, and is written as it was read.
func TestShippedMaps(t *testing.T) {
	names := logtable.Shipped()
	if len(names) < 11 {
		t.Fatalf("only %v are shipped", names)
	}
	for _, name := range names {
		m, err := NewFiles().columnMap(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m.Doc == "" || m.Source == "" {
			t.Errorf("%s does not say what it is and where it is described", name)
		}
		var b strings.Builder
		if err := m.Write(&b, []string{"note"}, nil, nil); err != nil {
			t.Fatal(err)
		}
		again, err := parseMap(name, []byte(b.String()))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, &b)
		}
		if d := cmp.Diff(m, again); d != "" {
			t.Errorf("%s, read and written (-read +written):\n%s", name, d)
		}
	}
}

// TestMapMistakes: mistakes of a map are shown where they stand.
func TestMapMistakes(t *testing.T) {
	_, err := parseMap("m.yaml", []byte("separator: abc\nzones: UTC\ncolumns:\n  - {field: submitted, column: S, unit: date}\n"))
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{`m.yaml:2:1: unknown key "zones" in a column map (did you mean "zone"?)`,
		`m.yaml:4:13: columns[0].field cannot be "submitted"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	_, err = parseMap("m.yaml", []byte("separator: abc\ncolumns:\n  - {field: submit, column: S, unit: s}\n"+
		"  - {field: run_time, column: R}\n"))
	for _, want := range []string{`m.yaml:1:`, `separator is "abc"; it must be one character`, "columns have none that gives processors or allocated",
		`columns[0].unit is "s", which does not suit the field submit; give one of date`,
		"columns[1].unit is missing for the field run_time; give one of s, ms"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
	_, err = NewFiles().Table(workload.TableFile{Path: "x.csv", Map: "sacctt"})
	if err == nil || !strings.Contains(err.Error(), `neither a column map nor a file "sacctt" (did you mean "sacct"? valid: alcf, eagle`) {
		t.Errorf("got %v", err)
	}
}

// TestRedact: a redacted table keeps texts only where the map expects times, numbers, states or queues. A user has the same
// name in both files and in both columns. The jobs stay as they were. Only the owner can read the translation.
func TestRedact(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	table := "JobID|Submit|Start|End|ReqCPUS|State|User|Account|UID|JobName|WorkDir|Partition\n" +
		"1|2024-01-01T00:00:00|2024-01-01T00:00:10|2024-01-01T01:00:00|4|CANCELLED by 1234|ann|physics|1234|run ann's|/home/ann/a|b|long\n" +
		"2|2024-01-01T00:00:01|2024-01-01T00:00:20|2024-01-01T01:00:00|8|COMPLETED\tbob|bob|physics|77|x|/home/bob|long\n" +
		"3|ann|2024-01-01T00:00:20|2024-01-01T01:00:00|8|COMPLETED|bob|physics|77|x|/home/bob|long\n"
	log := "; Acknowledge: Ann\n; MaxProcs: 8\n1 0 5 10 4 -1 -1 4 20 -1 1 ann 3 7 1 1 -1 -1\n2 1 5 10 4 -1 -1 4 20 -1 1 bob 3 7 1 1 -1 -1\n"
	for name, text := range map[string]string{"t.txt": table, "l.swf": log} {
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var report strings.Builder
	for _, r := range []Redaction{{Log: at("t.txt"), Map: "sacct", To: at("t2.txt"), Private: at("names.csv")},
		{Log: at("l.swf"), To: at("l2.swf"), Private: at("names.csv")}} {
		if err := Redact(r, &report); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		b, err := os.ReadFile(at(name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	linked := []string{"redacted: names of users, jobs and others are numbers, and free text is left out.",
		"Times are as recorded; waits, run times and sizes are as recorded.",
		"Whoever has the accounting of this machine can still find a job, and so its user, by these.",
		"Whoever knows of some jobs of a user can find the others, for a user has one number throughout."}
	wantTable := "# schedsweep: " + strings.Join(linked, "\n# schedsweep: ") + "\n" +
		"JobID|Submit|Start|End|ReqCPUS|State|User|Account|UID|JobName|WorkDir|Partition\n" +
		"1|2024-01-01T00:00:00|2024-01-01T00:00:10|2024-01-01T01:00:00|4|CANCELLED|" +
		"user0001|account0001|uid0001|jobname0001|workdir0001|partition0001\n" +
		"2|2024-01-01T00:00:01|2024-01-01T00:00:20|2024-01-01T01:00:00|8|COMPLETED|" +
		"user0002|account0001|uid0002|jobname0002|workdir0002|partition0001\n"
	if d := cmp.Diff(wantTable, read("t2.txt")); d != "" {
		t.Errorf("table (-want +got):\n%s", d)
	}
	wantLog := "; Note: " + strings.Join(linked, "\n; Note: ") +
		"\n; MaxProcs: 8\n1 0 5 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1\n2 1 5 10 4 -1 -1 4 20 -1 1 2 1 1 1 1 -1 -1\n"
	if d := cmp.Diff(wantLog, read("l2.swf")); d != "" {
		t.Errorf("log (-want +got):\n%s", d)
	}
	if info, err := os.Stat(at("names.csv")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the translation has the mode %v, %v", info.Mode(), err)
	}
	if names := read("names.csv"); !strings.HasPrefix(names, "class,text,name\n") || !strings.Contains(names, "user,ann,user0001\n") ||
		!strings.Contains(names, "workdir,/home/ann/a|b,workdir0001\n") {
		t.Errorf("translation:\n%s", names)
	}
	wantReport := "2 rows in " + at("t2.txt") + ", 1 left out that could not be read, 0 that the map filters out\n" +
		"0 values left out that are not what the map says\n" +
		"replaced: JobID (2), User (2), Account (1), UID (2), JobName (2), WorkDir (2), Partition (1)\nkept: Submit, Start, End, ReqCPUS, State\n"
	if !strings.HasPrefix(report.String(), wantReport) {
		t.Errorf("report:\n%s\nwant\n%s", report.String(), wantReport)
	}
	if err := Redact(Redaction{Log: at("t.txt"), Map: "sacct", To: at("t.txt"), Private: at("names.csv")}, &report); err == nil ||
		!strings.Contains(err.Error(), "is the log itself") {
		t.Errorf("got %v", err)
	}
}

// FuzzMap: a column map that is accepted has what a map must have.
func FuzzMap(f *testing.F) {
	for _, name := range logtable.Shipped() {
		text, _ := logtable.ShippedText(name)
		f.Add(text)
	}
	f.Add([]byte("header: [a]\nseparator: space\ncolumns: [{field: submit}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseMap("m.yaml", data)
		if err == nil {
			m.Validate(func(field, message string) { t.Errorf("%s: %s", field, message) })
		}
	})
}

// TestPBSSizes: processors, GPUs and memory of records as sites have them. Torque gives jobs of nodes=2:ppn=8 the default ncpus=1, and
// jobs of ncpus=8 one slot. Jobs of Cray machines have the slot of one node beside mppwidth. OpenPBS writes a record for an array besides
// those of its jobs (chk_array_doneness).
func TestPBSSizes(t *testing.T) {
	m, err := NewFiles().columnMap("pbs")
	if err != nil {
		t.Fatal(err)
	}
	const times = "ctime=1700000000 start=1700000060 end=1700000100 "
	for _, c := range []struct {
		id, keys string
		procs    int32
		gpus     int32
		memory   float64 // MiB of each processor
	}{
		{"1", "exec_host=a/0+a/1+b/0+b/1 Resource_List.ncpus=1 Resource_List.nodes=2:ppn=2 Resource_List.mem=8gb", 4, -1, 2048},
		{"2", "exec_host=a/0 Resource_List.ncpus=8 Resource_List.nodes=1", 8, -1, -1},
		{"3", "exec_host=a/0*36+b/0*36 Resource_List.ncpus=72 Resource_List.ngpus=4 Resource_List.mem=72gb", 72, 4, 1024},
		{"4", "exec_host=a/0-3 Resource_List.nodes=1:ppn=4:gpus=2 Resource_List.pmem=512mb", 4, 2, 512},
		{"5", "exec_host=a/0-3 Resource_List.nodes=2:ppn=1:gpus=3:shared+n7:ppn=2:gpus=1", 4, 7, -1},
		{"6", "Resource_List.ncpus=3", 3, -1, -1},
		{"8", "exec_host=nid7/24 Resource_List.mppwidth=4096 Resource_List.mppnppn=4 Resource_List.ncpus=1", 4096, -1, -1},
		{"9", "exec_host=nid7/24 Resource_List.mppwidth=64 Resource_List.mppdepth=6 Resource_List.mem=384gb", 384, -1, 1024},
		{"7[].s", "Resource_List.ncpus=1", 0, 0, 0},
		{"7[3].s", "exec_host=a/0 Resource_List.ncpus=1 Resource_List.nodes=1:gpus=x", 1, -1, -1},
	} {
		rows, err := logtable.NewPBS("t", strings.NewReader("d;E;"+c.id+";"+times+c.keys+"\n"), m)
		if err != nil {
			t.Fatal(err)
		}
		l, err := logtable.Read("t", rows, m, logtable.Options{})
		if c.procs == 0 {
			if err == nil || !strings.Contains(err.Error(), `filtered by jobid (it contains "[]")`) {
				t.Errorf("%s: %v", c.id, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		r, x := l.At(0), l.Extra(0)
		if memory := r.RequestedMemory / 1024; r.Requested != c.procs || x.GPUs != c.gpus || memory != c.memory && max(memory, c.memory) > 0 {
			t.Errorf("%s: %+v, %+v", c.id, r, x)
		}
	}
}

// TestSlurmRequests: requested and allocated processors have a column each. ReqNodes is the least number of nodes, and is 1 with
// sbatch --ntasks=64. Slurm's database has 4294967295 and 4294967294 for no time limit (slurm.h, INFINITE and NO_VAL).
func TestSlurmRequests(t *testing.T) {
	type job struct {
		requested, allocated, nodes int32
		walltime                    float64
	}
	const dates = "2024-03-01T00:00:00Z|2024-03-01T00:00:00Z|2024-03-01T01:00:00Z"
	for _, c := range []struct {
		of, text string
		want     []job
	}{
		{"sacct", "JobIDRaw|Submit|Start|End|State|TimelimitRaw|ReqCPUS|AllocCPUS|ReqNodes|AllocNodes\n1|" + dates +
			"|COMPLETED|120|64|96|1|2\n", []job{{64, 96, 2, 7200}}},
		{"pm100", "job_id|submit_time|start_time|end_time|job_state|time_limit|num_cores_req|num_cores_alloc|num_nodes_req|num_nodes_alloc\n" +
			"1|" + dates + "|BOOT_FAIL|120|64|96|1|2\n", []job{{64, 96, 2, 7200}}},
		{"slurm-database", "id_job|timelimit|time_submit|time_start|time_end|cpus_req|tres_alloc|nodes_alloc\n" +
			"1|4294967295|1600000000|1600000010|1600003610|4|1=8,2=4000|1\n" +
			"2|4294967294|1600000000|1600000010|1600003610|4|1=8,2=4000|1\n" +
			"3|1440|1600000000|1600000010|1600003610|4|1=8,2=4000|1\n", []job{{4, 8, 1, -1}, {4, 8, 1, -1}, {4, 8, 1, 86400}}},
	} {
		m, err := NewFiles().columnMap(c.of)
		if err != nil {
			t.Fatal(err)
		}
		m.Separator, m.Quotes = "|", false
		rows, err := logtable.NewCSV("t", strings.NewReader(c.text), m)
		if err != nil {
			t.Fatal(err)
		}
		l, err := logtable.Read("t", rows, m, logtable.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []job
		for i, r := range l.Records() {
			got = append(got, job{r.Requested, r.Allocated, l.Extra(i).Nodes, r.RequestedTime})
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.of, got, c.want)
		}
	}
}
