package sweep

import "testing"

// TestFirstField: the axes in the name of an instance are no field that an error is about.
func TestFirstField(t *testing.T) {
	for message, want := range map[string]string{
		"instance 0 (workload.offered_load=0.4, policy.kind=easy): policy.shift delays jobs": "policy.shift",
		"platform.events[0].from: it begins after the last job":                              "platform.events[0].from",
		"instance 0 (workload.offered_load=0.4)":                                             "",
		"no field at all":                                                                    "",
	} {
		got := append(firstField(message), "")[0]
		if got != want {
			t.Errorf("%s: %q, want %q", message, got, want)
		}
	}
}
