package sim

import "testing"

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 jobs", 1: "1 job", 2: "2 jobs"} {
		if got := Counted(n, "job"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
