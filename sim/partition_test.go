package sim

import (
	"strings"
	"testing"
)

// divided is a platform of two classes (2 nodes of 4 processors, 3 of 2) and three partitions.
func divided(t *testing.T, partitions ...Partition) *Platform {
	t.Helper()
	p, err := NewPlatform("divided", []Cluster{{Name: "a", Nodes: 2, Cores: 4, Speed: 1}, {Name: "b", Nodes: 3, Cores: 2, Speed: 1}}, Link{})
	if err != nil {
		t.Fatal(err)
	}
	if len(partitions) == 0 {
		partitions = []Partition{{Name: "first", Classes: []int{0}, Whole: true},
			{Name: "both", Classes: []int{1, 0}, Whole: true, Default: true},
			{Name: "cores", Classes: []int{1}}}
	}
	if err := p.Divide(partitions); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestNeed: 5 processors are 2 nodes of 4, 3 nodes of 2, or 5 processors.
func TestNeed(t *testing.T) {
	p := divided(t)
	for _, c := range []struct {
		partition int32
		class     int
		want      int32
	}{{1, 0, 8}, {2, 0, 8}, {2, 1, 6}, {3, 1, 5}} {
		if got := p.Need(c.partition, c.class, 5); got != c.want {
			t.Errorf("a job of 5 in partition %d gets %d processors of class %d, want %d", c.partition, got, c.class, c.want)
		}
	}
	if p.Largest(1) != 8 || p.Largest(2) != 8 || p.Largest(3) != 6 {
		t.Errorf("the largest jobs are %d, %d, %d", p.Largest(1), p.Largest(2), p.Largest(3))
	}
}

func TestDivideRefuses(t *testing.T) {
	for want, parts := range map[string][]Partition{
		"no node classes":  {{Name: "x"}},
		"class number 2":   {{Name: "x", Classes: []int{2}}},
		"stand there once": {{Name: "x", Classes: []int{1, 1}}},
		"walltime limit":   {{Name: "x", Classes: []int{1}, Walltime: -1}},
		"and so is":        {{Name: "x", Classes: []int{1}, Default: true}, {Name: "y", Classes: []int{1}, Default: true}},
		"there twice":      {{Name: "x", Classes: []int{1}}, {Name: "x", Classes: []int{0}}},
	} {
		if err := divided(t).Divide(parts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", parts, err, want)
		}
	}
}

// TestPartitionOfJobs: a job that names none gets the default one; larger than its largest class it is refused.
func TestPartitionOfJobs(t *testing.T) {
	p := divided(t)
	job := JobSpec{ID: 1, RunTime: 1, Walltime: 1, Procs: 6}
	if err := job.check(0, p); err != nil || job.Partition != 2 {
		t.Errorf("partition %d, error %v", job.Partition, err)
	}
	for want, j := range map[string]JobSpec{
		`"cores" has no class of more than 6`: {ID: 1, RunTime: 1, Walltime: 1, Procs: 7, Partition: 3},
		"partition number 4":                  {ID: 1, RunTime: 1, Walltime: 1, Procs: 1, Partition: 4},
	} {
		if err := j.check(0, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	p = divided(t, Partition{Name: "x", Classes: []int{0}})
	job.Partition = 0
	if err := job.check(0, p); err == nil || !strings.Contains(err.Error(), "default") {
		t.Errorf("error %v", err)
	}
}
