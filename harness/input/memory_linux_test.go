package input

import (
	"slices"
	"testing"
)

// A job's limit of memory is that of its cgroup or of one above, of both versions of cgroups.
func TestLimitFiles(t *testing.T) {
	top := []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}
	for own, want := range map[string][]string{
		"":       nil,
		"0::/\n": nil,
		"0::/slurm/job_7/step_0\n": {"/sys/fs/cgroup/slurm/job_7/step_0/memory.max", "/sys/fs/cgroup/slurm/job_7/memory.max",
			"/sys/fs/cgroup/slurm/memory.max"},
		"5:cpu,cpuacct:/a\n4:memory:/b/c\n1:name=systemd:/d\n0::/e": {"/sys/fs/cgroup/memory/b/c/memory.limit_in_bytes",
			"/sys/fs/cgroup/memory/b/memory.limit_in_bytes", "/sys/fs/cgroup/e/memory.max"},
		"0::/../../outside\nnonsense\n": {"/sys/fs/cgroup/outside/memory.max"},
	} {
		if got := limitFiles(own); !slices.Equal(got, append(slices.Clone(top), want...)) {
			t.Errorf("%q: %q", own, got)
		}
	}
	if machineMemory() <= 0 {
		t.Error("the machine has no memory")
	}
}
