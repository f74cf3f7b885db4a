package logtable_test

import (
	"fmt"
	"strings"
	"testing"

	"schedsweep/sim/workload/logtable"
)

// TestSlurmMemory: c and n behind a number are for each CPU and node, in every column of memory (sacct, ReqMem, up to Slurm 21.08). A
// request in the first column is not replaced by the memory of the second, which may have that of more CPUs than requested. Memory of 0
// is all of the node (sbatch --mem=0), which the second column has.
func TestSlurmMemory(t *testing.T) {
	m := plain()
	m.Separator = "|"
	m.Columns = append(m.Columns, logtable.Column{Field: "nodes", Column: "nodes"},
		logtable.Column{Field: "memory_total", Column: "req", Unit: "slurm"},
		logtable.Column{Field: "memory_total", Column: "tres", Unit: "tres", Key: "mem"},
		logtable.Column{Field: "memory", Column: "each", Unit: "slurm"}, logtable.Column{Field: "check", Column: "max", Unit: "slurm"})
	for _, c := range []struct {
		nodes, req, tres, each, max string
		want                        float64 // MiB of each of 8 processors
	}{
		{"2", "4Gc", "cpu=16,mem=64G", "", "", 4096},
		{"2", "4Gn", "cpu=16,mem=64G", "", "", 1024},
		{"2", "4Gn", "", "", "100M", 1024},
		{"2", "0n", "cpu=16,mem=64G", "", "", 8192},
		{"2", "0", "cpu=16,mem=64G", "", "", 8192},
		{"2", "", "", "4Gn", "", 1024},
		{"2", "", "", "4Gc", "", 4096},
		{"2", "", "", "4G", "100Mn", 4096},
		{"", "4Gn", "", "2G", "", 2048},
		{"2", "8G", "cpu=16,mem=64G", "4G", "", 1024},
	} {
		l := mustRead(t, "id|submit|start|end|procs|user|nodes|req|tres|each|max\n"+
			"1|2024-03-01T00:00:00Z|2024-03-01T00:00:00Z|2024-03-01T01:00:00Z|8|a|"+
			fmt.Sprintf("%s|%s|%s|%s|%s\n", c.nodes, c.req, c.tres, c.each, c.max), m, logtable.Options{})
		if got := l.At(0).RequestedMemory / 1024; got != c.want {
			t.Errorf("%+v: %g MiB", c, got)
		}
	}
}

// TestMemoryOfAllocated: memory is divided by the allocated processors where none were requested, as the job runs on those.
func TestMemoryOfAllocated(t *testing.T) {
	m := plain()
	m.Columns = append(m.Columns, logtable.Column{Field: "allocated", Column: "got"}, logtable.Column{Field: "nodes", Column: "nodes"},
		logtable.Column{Field: "memory_total", Column: "memory", Unit: "slurm"})
	for memory, want := range map[string]float64{"4Gn": 2048, "4G": 1024, "4Gc": 4096} {
		l := mustRead(t, "id,submit,start,end,procs,user,got,nodes,memory\n"+
			"1,2024-03-01T00:00:00Z,2024-03-01T00:00:00Z,2024-03-01T01:00:00Z,0,a,4,2,"+memory+"\n", m, logtable.Options{})
		if got := l.At(0).RequestedMemory / 1024; got != want {
			t.Errorf("%s: %g MiB for each processor, want %g", memory, got, want)
		}
	}
}

// TestMemoryWithoutUnit: a number without a unit is in MB to Slurm and in bytes to PBS, which also counts words of 8 bytes. JSON
// may hold it as a number.
func TestMemoryWithoutUnit(t *testing.T) {
	const job = `{"submit": "2024-03-01T00:00:00Z", "start": "2024-03-01T00:00:00Z", "end": "2024-03-01T01:00:00Z", "procs": 2, "mem": `
	for _, c := range []struct {
		unit, text string
		want       float64 // MiB of each processor
	}{
		{"slurm", `"512"`, 256}, {"slurm", `512`, 256}, {"slurm", `"4G"`, 2048},
		{"pbs", `"1073741824"`, 512}, {"pbs", `1073741824`, 512}, {"pbs", `"4gb"`, 2048}, {"pbs", `"1024kb"`, .5}, {"pbs", `"64MW"`, 256},
	} {
		m := plain()
		m.Columns = append(m.Columns, logtable.Column{Field: "memory_total", Column: "mem", Unit: c.unit})
		rows, err := logtable.NewJSON("j", strings.NewReader(job+c.text+"}\n"), m)
		if err != nil {
			t.Fatal(err)
		}
		l, err := logtable.Read("j", rows, m, logtable.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := l.At(0).RequestedMemory / 1024; got != c.want {
			t.Errorf("%s %s: %g MiB, want %g", c.unit, c.text, got, c.want)
		}
	}
}
